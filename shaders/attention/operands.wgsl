// Operands of attention. Queries, keys and values are columns of packed rows, in one buffer or in three. Each access is to four columns of
// a head.
// `whole_fours`: first columns, strides and the head size are multiples of 4. Otherwise columns behind the head's end read as 0.
@group(0) @binding(3) var<storage, read>       key_mask:   array<f32>;     // (batch, keys): 0, or f32::MIN where the attention mask is 0
@group(0) @binding(5) var<storage, read_write> statistics: array<vec2f>;   // (batch, statistics_pitch, heads): max of scores, sum of e^(score − max)
struct Parameters {
    length: u32,           // query rows of each sequence
    keys: u32,             // of each sequence: cached ones and those of the run
    past: u32,             // position of the first query row
    sequence_heads: u32,   // batch · heads
    heads: u32,
    group: u32,            // query heads that share a key head
    head_size: u32,
    // First column, numbers of a row, rows of a sequence.
    query_first: u32, query_stride: u32, query_pitch: u32,
    key_first: u32, key_stride: u32, key_pitch: u32,
    value_first: u32, value_stride: u32, value_pitch: u32,
    statistics_first: u32, statistics_pitch: u32,
    causal: u32,   // 1: keys after the query are masked
    window: u32,   // keys at this distance or farther are masked; 0: none
    slices: u32,   // that the keys are split into; each query row has one context and one statistics row a slice
    scale: f32,
}
@group(0) @binding(6) var<uniform> p: Parameters;

const LOWEST: f32 = -0x1.fffffep+127f;

// The range of keys that queries at positions first_query ..= last_query can see; padding is not left out.
fn visible_keys(first_query: u32, last_query: u32) -> vec2u {
    var range = vec2u(0u, p.keys);
    if p.window != 0u {
        range.x = min(max(first_query + 1u, p.window) - p.window, p.keys);
        range.y = min(last_query + p.window, p.keys);
    }
    if p.causal != 0u { range.y = min(last_query + 1u, p.keys); }
    return range;
}

// Scaled scores plus mask. The mask is added as in Hugging Face, so that a row with every key masked becomes uniform. Keys behind the last
// get the lowest score.
fn masked_scores(sequence: u32, query: u32, key_indices: vec4u, scores: vec4f) -> vec4f {
    let valid = key_indices < vec4u(p.keys);
    let at = sequence * p.keys + min(key_indices, vec4u(p.keys - 1u));
    let padding = vec4f(key_mask[at.x], key_mask[at.y], key_mask[at.z], key_mask[at.w]);
    var hidden = vec4<bool>(false);
    if p.causal != 0u { hidden = key_indices > vec4u(query); }
    if p.window != 0u { hidden = hidden | (key_indices + p.window <= vec4u(query)) | (vec4u(query + p.window) <= key_indices); }
    return select(vec4f(LOWEST), scores * p.scale + select(padding, vec4f(LOWEST), hidden), valid);
}

fn max_of(four: vec4f) -> f32 { return max(max(four.x, four.y), max(four.z, four.w)); }

fn sum_of(four: vec4f) -> f32 { return dot(four, vec4f(1.0)); }

fn query_start(sequence: u32, head: u32, row: u32) -> u32 {
    return (sequence * p.query_pitch + row) * p.query_stride + p.query_first + head * p.head_size;
}

fn key_start(sequence: u32, head: u32, row: u32) -> u32 {
    return (sequence * p.key_pitch + row) * p.key_stride + p.key_first + head / p.group * p.head_size;
}

fn value_start(sequence: u32, head: u32, row: u32) -> u32 {
    return (sequence * p.value_pitch + row) * p.value_stride + p.value_first + head / p.group * p.head_size;
}

fn store_statistics(sequence: u32, head: u32, row: u32, largest: f32, total: f32) {
    statistics[(sequence * p.statistics_pitch + p.statistics_first + row) * p.heads + head] = vec2f(largest, total);
}

#if whole_fours
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
#else
@group(0) @binding(0) var<storage, read>       queries: array<f32>;   // (batch, query_pitch, query_stride)
@group(0) @binding(1) var<storage, read>       keys:    array<f32>;   // (batch, key_pitch, key_stride)
@group(0) @binding(2) var<storage, read>       values:  array<f32>;   // (batch, value_pitch, value_stride)
@group(0) @binding(4) var<storage, read_write> context: array<f32>;   // (batch, length · slices, heads, head_size)

// How many of the four columns from this one on belong to the head.
fn columns_left(column: u32) -> u32 { return min(4u, max(p.head_size, column) - column); }

fn four_of_query(start: u32, column: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < columns_left(column); lane++) { four[lane] = queries[start + column + lane]; }
    return four;
}

fn four_of_key(start: u32, column: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < columns_left(column); lane++) { four[lane] = keys[start + column + lane]; }
    return four;
}

fn four_of_value(start: u32, column: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < columns_left(column); lane++) { four[lane] = values[start + column + lane]; }
    return four;
}

fn store_context(sequence: u32, head: u32, row: u32, column: u32, four: vec4f) {
    let at = ((sequence * p.length * p.slices + row) * p.heads + head) * p.head_size + column;
    for (var lane = 0u; lane < columns_left(column); lane++) { context[at + lane] = four[lane]; }
}
#endif
