// Scores of kept queries and keys, and what the mask adds to them. Before a question's own shader, whose parameters `p`
// begin with the words that src/ops/head_score.rs gives, and end with `scale`.
@group(0) @binding(0) var<storage, read>       queries:    array<f32>;    // (batch, query_pitch, query_stride), rotated
@group(0) @binding(1) var<storage, read>       keys:       array<f32>;    // (batch, key_pitch, key_stride), rotated
@group(0) @binding(2) var<storage, read>       key_mask:   array<f32>;    // (batch, keys): 0, or f32::MIN where the attention mask is 0
@group(0) @binding(3) var<storage, read>       statistics: array<vec2f>;  // (batch, statistics_pitch, heads): largest, sum

const LOWEST: f32 = -0x1.fffffep+127f;

fn query_start(head: u32, query: u32) -> u32 {
    return (p.sequence * p.query_pitch + query) * p.query_stride + p.query_first + head * p.head_size;
}

fn key_start(head: u32, key: u32) -> u32 {
    return (p.sequence * p.key_pitch + key) * p.key_stride + p.key_first + head / p.group * p.head_size;
}

fn four_of_query(at: u32) -> vec4f { return vec4f(queries[at], queries[at + 1u], queries[at + 2u], queries[at + 3u]); }

fn four_of_key(at: u32) -> vec4f { return vec4f(keys[at], keys[at + 1u], keys[at + 2u], keys[at + 3u]); }

// Eight numbers a round: Mesa's llvmpipe ends every loop of an invocation after 65,535 rounds of them all.
fn score(head: u32, query: u32, key: u32) -> f32 {
    let q = query_start(head, query);
    let k = key_start(head, key);
    var sum = 0.0;
    var i = 0u;
    for (; i + 8u <= p.head_size; i += 8u) {
        sum += dot(four_of_query(q + i), four_of_key(k + i)) + dot(four_of_query(q + i + 4u), four_of_key(k + i + 4u));
    }
    if i + 4u <= p.head_size {
        sum += dot(four_of_query(q + i), four_of_key(k + i));
        i += 4u;
    }
    for (; i < p.head_size; i++) { sum += queries[q + i] * keys[k + i]; }
    return sum * p.scale;
}

// Of a query at this position of the sequence.
fn mask(query: u32, key: u32) -> f32 {
    if p.causal != 0u && key > query { return LOWEST; }
    if p.window != 0u && key + p.window <= query { return LOWEST; }
    return key_mask[p.sequence * p.keys + key];
}

// The largest score and the sum of a query row.
fn row_statistics(head: u32, query: u32) -> vec2f {
    return statistics[(p.sequence * p.statistics_pitch + query) * p.heads + head];
}
