// Four columns of a head at a time, which may begin and end anywhere: 0 behind the end.
@group(0) @binding(0) var<storage, read>       queries: array<f32>;   // (batch, query_pitch, query_stride)
@group(0) @binding(1) var<storage, read>       keys:    array<f32>;   // (batch, key_pitch, key_stride)
@group(0) @binding(2) var<storage, read>       values:  array<f32>;   // (batch, value_pitch, value_stride)
@group(0) @binding(4) var<storage, read_write> context: array<f32>;   // (batch, length · slices, heads, head_size)

// Columns that are left of the head, of four.
fn used(column: u32) -> u32 { return min(4u, max(p.head_size, column) - column); }

fn four_of_query(start: u32, column: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < used(column); lane++) { four[lane] = queries[start + column + lane]; }
    return four;
}

fn four_of_key(start: u32, column: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < used(column); lane++) { four[lane] = keys[start + column + lane]; }
    return four;
}

fn four_of_value(start: u32, column: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < used(column); lane++) { four[lane] = values[start + column + lane]; }
    return four;
}

fn store_context(sequence: u32, head: u32, row: u32, column: u32, four: vec4f) {
    let at = ((sequence * p.length * p.slices + row) * p.heads + head) * p.head_size + column;
    for (var lane = 0u; lane < used(column); lane++) { context[at + lane] = four[lane]; }
}
