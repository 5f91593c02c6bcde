// Four columns of a head at a time, where heads begin at whole fours and end there.
@group(0) @binding(0) var<storage, read>       queries: array<vec4f>;   // (batch, query_pitch, query_stride / 4)
@group(0) @binding(1) var<storage, read>       keys:    array<vec4f>;   // (batch, key_pitch, key_stride / 4)
@group(0) @binding(2) var<storage, read>       values:  array<vec4f>;   // (batch, value_pitch, value_stride / 4)
@group(0) @binding(4) var<storage, read_write> context: array<vec4f>;   // (batch, length · slices, heads, head_size / 4)

fn four_of_query(start: u32, column: u32) -> vec4f { return queries[(start + column) / 4u]; }

fn four_of_key(start: u32, column: u32) -> vec4f { return keys[(start + column) / 4u]; }

fn four_of_value(start: u32, column: u32) -> vec4f { return values[(start + column) / 4u]; }

fn store_context(sequence: u32, head: u32, row: u32, column: u32, four: vec4f) {
    if column < p.head_size { context[(((sequence * p.length * p.slices + row) * p.heads + head) * p.head_size + column) / 4u] = four; }
}
