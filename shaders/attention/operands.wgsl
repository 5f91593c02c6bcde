// The operands of attention: columns of packed rows of queries, keys and values, which may be of one buffer or of three; the mask; and
// where the results go. Four columns of a head are read at a time.
// `whole_fours`: the first column, the width of a row and the head size are multiples of 4. Otherwise columns behind the head's end are 0.
@group(0) @binding(3) var<storage, read>       key_mask:   array<f32>;   // (batch, keys): 0, or f32::MIN where the attention mask is 0
@group(0) @binding(5) var<storage, read_write> statistics: array<vec2f>; // (batch, statistics_pitch, heads): largest score, sum of e^(score − largest)
struct Parameters {
    length: u32,             // query rows of each sequence
    keys: u32,               // that can be looked at: those before the run and its own
    past: u32,               // position of the first query row
    sequence_heads: u32,     // batch · heads
    heads: u32,
    group: u32,              // query heads that share a key head
    head_size: u32,
    query_first: u32, query_stride: u32, query_pitch: u32,
    key_first: u32, key_stride: u32, key_pitch: u32,
    value_first: u32, value_stride: u32, value_pitch: u32,
    statistics_first: u32, statistics_pitch: u32,
    causal: u32,
    window: u32,             // a query sees keys that are nearer than this; 0: all
    slices: u32,             // of the keys, of which each query row has a row of context and statistics; 1: all of them
    scale: f32,
}
@group(0) @binding(6) var<uniform> p: Parameters;

const LOWEST: f32 = -0x1.fffffep+127f;

// The first key that one of the queries at these positions sees, and the one behind the last, apart from padding.
fn seen(first_query: u32, last_query: u32) -> vec2u {
    var seen = vec2u(0u, p.keys);
    if p.window != 0u {
        seen.x = min(max(first_query + 1u, p.window) - p.window, p.keys);
        seen.y = min(last_query + p.window, p.keys);
    }
    if p.causal != 0u { seen.y = min(last_query + 1u, p.keys); }
    return seen;
}

// Scores with their mask, which is added, as Hugging Face does, so that a row without any key left is uniform. Behind the end: lowest.
fn masked(sequence: u32, query: u32, places: vec4u, scores: vec4f) -> vec4f {
    let there = places < vec4u(p.keys);
    let at = sequence * p.keys + min(places, vec4u(p.keys - 1u));
    let padding = vec4f(key_mask[at.x], key_mask[at.y], key_mask[at.z], key_mask[at.w]);
    var hidden = vec4<bool>(false);
    if p.causal != 0u { hidden = places > vec4u(query); }
    if p.window != 0u { hidden = hidden | (places + p.window <= vec4u(query)) | (vec4u(query + p.window) <= places); }
    return select(vec4f(LOWEST), scores * p.scale + select(padding, vec4f(LOWEST), hidden), there);
}

fn largest_of(four: vec4f) -> f32 { return max(max(four.x, four.y), max(four.z, four.w)); }

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
#endif
