// Operands of attention. Queries, keys and values are columns of rows, in one buffer or in three. Each access is to four columns of
// a head.
// `whole_fours`: first columns, strides and the head size are multiples of 4. Otherwise columns after the head's end read as 0.
// `main` sets `sequence` first.
#import shared/heads
#import shared/cache_number

@group(0) @binding(5) var<storage, read_write> statistics: array<vec2f>;   // (batch, statistics_pitch · slices, heads): max of scores, sum of e^(score − max)
struct Parameters {
    heads: Heads,
    sequence_heads: u32,   // batch · heads
    value_first: u32, value_stride: u32, value_pitch: u32,
    statistics_first: u32,
    slices: u32,           // that the keys are split into; each query row has one row of outputs and one of statistics a slice
}
@group(0) @binding(6) var<uniform> p: Parameters;

// The range of keys that queries at positions first_query ..= last_query can see; padding is not left out.
fn visible_keys(first_query: u32, last_query: u32) -> vec2u {
    var range = vec2u(0u, p.heads.keys);
    if p.heads.window != 0u {
        range.x = min(max(first_query + 1u, p.heads.window) - p.heads.window, p.heads.keys);
        range.y = min(last_query + p.heads.window, p.heads.keys);
    }
    if p.heads.causal != 0u { range.y = min(last_query + 1u, p.heads.keys); }
    return range;
}

// Scaled scores plus mask. The mask is added as in Hugging Face, so that a row with every key masked becomes uniform. Keys after the last
// get the lowest score.
fn masked_scores(query: u32, key_indices: vec4u, scores: vec4f) -> vec4f {
    let valid = key_indices < vec4u(p.heads.keys);
    let at = sequence * p.heads.keys + min(key_indices, vec4u(p.heads.keys - 1u));
    let padding = vec4f(key_mask[at.x], key_mask[at.y], key_mask[at.z], key_mask[at.w]);
    var hidden = vec4<bool>(false);
    if p.heads.causal != 0u { hidden = key_indices > vec4u(query); }
    if p.heads.window != 0u { hidden = hidden | (key_indices + p.heads.window <= vec4u(query)) | (vec4u(query + p.heads.window) <= key_indices); }
    return select(vec4f(LOWEST), scores * p.heads.scale + select(padding, vec4f(LOWEST), hidden), valid);
}

fn max_of(four: vec4f) -> f32 { return max(max(four.x, four.y), max(four.z, four.w)); }

fn sum_of(four: vec4f) -> f32 { return dot(four, vec4f(1.0)); }

fn value_start(head: u32, row: u32) -> u32 {
    return (sequence * p.value_pitch + row) * p.value_stride + p.value_first + head / p.heads.group * p.heads.head_size;
}

fn store_statistics(head: u32, row: u32, largest: f32, total: f32) {
    statistics[(sequence * p.heads.statistics_pitch * p.slices + p.statistics_first + row) * p.heads.query_heads + head] = vec2f(largest, total);
}

#if whole_fours
@group(0) @binding(0) var<storage, read>       queries: array<vec4f>;   // (batch, query_pitch, query_stride / 4)
@group(0) @binding(1) var<storage, read>       keys:    array<CacheFour>;   // (batch, key_pitch, key_stride / 4)
@group(0) @binding(3) var<storage, read>       values:  array<CacheFour>;   // (batch, value_pitch, value_stride / 4)
@group(0) @binding(4) var<storage, read_write> head_outputs: array<vec4f>;   // (batch, length · slices, heads, head_size / 4)

fn four_of_query(start: u32, column: u32) -> vec4f { return queries[(start + column) / 4u]; }

fn four_of_key(start: u32, column: u32) -> vec4f { return vec4f(keys[(start + column) / 4u]); }

fn four_of_value(start: u32, column: u32) -> vec4f { return vec4f(values[(start + column) / 4u]); }

fn store_outputs(head: u32, row: u32, column: u32, four: vec4f) {
    if column < p.heads.head_size { head_outputs[(((sequence * p.heads.length * p.slices + row) * p.heads.query_heads + head) * p.heads.head_size + column) / 4u] = four; }
}
#else
@group(0) @binding(0) var<storage, read>       queries: array<f32>;   // (batch, query_pitch, query_stride)
@group(0) @binding(1) var<storage, read>       keys:    array<CacheNumber>;   // (batch, key_pitch, key_stride)
@group(0) @binding(3) var<storage, read>       values:  array<CacheNumber>;   // (batch, value_pitch, value_stride)
@group(0) @binding(4) var<storage, read_write> head_outputs: array<f32>;   // (batch, length · slices, heads, head_size)

// How many of the four columns from this one on belong to the head.
fn columns_left(column: u32) -> u32 { return min(4u, max(p.heads.head_size, column) - column); }

fn four_of_query(start: u32, column: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < columns_left(column); lane++) { four[lane] = queries[start + column + lane]; }
    return four;
}

fn four_of_key(start: u32, column: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < columns_left(column); lane++) { four[lane] = f32(keys[start + column + lane]); }
    return four;
}

fn four_of_value(start: u32, column: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < columns_left(column); lane++) { four[lane] = f32(values[start + column + lane]); }
    return four;
}

fn store_outputs(head: u32, row: u32, column: u32, four: vec4f) {
    let at = ((sequence * p.heads.length * p.slices + row) * p.heads.query_heads + head) * p.heads.head_size + column;
    for (var lane = 0u; lane < columns_left(column); lane++) { head_outputs[at + lane] = four[lane]; }
}
#endif
