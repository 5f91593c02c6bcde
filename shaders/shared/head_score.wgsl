// Scores of one head's queries and keys, and the mask that is added to them.
// Requires parameters `p` with a member `heads: Heads`; `main` sets `sequence` first.
override clamps: bool = false;   // ReRoPE: no distance is larger than p.heads.max_distance

@group(0) @binding(0) var<storage, read>       queries:    array<f32>;     // (batch, query_pitch, query_stride), rotated
@group(0) @binding(1) var<storage, read>       keys:       array<f32>;     // (batch, key_pitch, key_stride), rotated
@group(0) @binding(2) var<storage, read>       key_mask:   array<f32>;     // (batch, keys): 0, or f32::MIN where the attention mask is 0
@group(0) @binding(3) var<storage, read>       table:      array<vec2f>;   // (keys, head_size / 2): cos, sin of each pair, times the rope's magnitude
@group(0) @binding(4) var<storage, read>       positions:  array<u32>;     // (batch, length): row of `table` of each token

// HeadParams of src/ops/head_score.rs.
struct Heads {
    keys: u32,             // of each sequence
    first_position: u32,   // position of query row 0 in its sequence
    query_heads: u32,
    group: u32,            // query heads that share a key head
    head_size: u32,
    query_first: u32, query_stride: u32, query_pitch: u32,   // first column, numbers of a row, rows of a sequence
    key_first: u32, key_stride: u32, key_pitch: u32,
    statistics_pitch: u32,
    causal: u32,           // 1: keys after the query are masked
    window: u32,           // keys at this distance or farther are masked; 0: none
    sequence: u32,         // the sequence of a probe; attention has its own
    past: u32,             // tokens of earlier runs
    length: u32,           // tokens of the run
    max_distance: u32,            // the largest distance, where distances are clamped
    scale: f32,
    padding: u32,          // a nested struct in a uniform takes a multiple of 16 bytes
}

const LOWEST: f32 = -0x1.fffffep+127f;
var<private> sequence: u32;

fn query_start(head: u32, query: u32) -> u32 {
    return (sequence * p.heads.query_pitch + query) * p.heads.query_stride + p.heads.query_first + head * p.heads.head_size;
}

fn key_start(head: u32, key: u32) -> u32 {
    return (sequence * p.heads.key_pitch + key) * p.heads.key_stride + p.heads.key_first + head / p.heads.group * p.heads.head_size;
}

fn four_of_query(at: u32) -> vec4f { return vec4f(queries[at], queries[at + 1u], queries[at + 2u], queries[at + 3u]); }

fn four_of_key(at: u32) -> vec4f { return vec4f(keys[at], keys[at + 1u], keys[at + 2u], keys[at + 3u]); }

// The token's row of `table`: its position id, or its index if an earlier run computed it.
fn table_row(token: u32) -> u32 {
    if token < p.heads.past { return token; }
    return positions[sequence * p.heads.length + token - p.heads.past];
}

// Rotates a pair by minus the angle of `cos_sin`, and undoes its magnitude.
fn rotate_inverse(pair: vec2f, cos_sin: vec2f) -> vec2f {
    return vec2f(pair.x * cos_sin.x + pair.y * cos_sin.y, pair.y * cos_sin.x - pair.x * cos_sin.y) / length(cos_sin);
}

// The score that this query and key would have at another distance: both rotated back, then one by the distance.
fn score_at_distance(head: u32, query: u32, key: u32, distance: i32) -> f32 {
    let q = query_start(head, query);
    let k = key_start(head, key);
    let pairs = p.heads.head_size / 2u;
    let query_row = table_row(p.heads.first_position + query) * pairs;
    let key_row = table_row(key) * pairs;
    let distance_row = u32(abs(distance)) * pairs;
    var sum = 0.0;
    for (var pair = 0u; pair < pairs; pair++) {
        let a = rotate_inverse(vec2f(queries[q + 2u * pair], queries[q + 2u * pair + 1u]), table[query_row + pair]);
        let b = rotate_inverse(vec2f(keys[k + 2u * pair], keys[k + 2u * pair + 1u]), table[key_row + pair]);
        // The table's first row may be any position, so the angle of a distance is the difference of two rows.
        var cos_sin = vec2f(1.0, 0.0);
        if distance != 0 { cos_sin = rotate_inverse(table[distance_row + pair] / length(table[distance_row + pair]), table[pair]); }
        if distance < 0 { cos_sin.y = -cos_sin.y; }
        sum += dot(a, b) * cos_sin.x - (a.y * b.x - a.x * b.y) * cos_sin.y;
    }
    return sum * p.heads.scale;
}

// Eight numbers a round: Mesa's llvmpipe ends loops after 65,535 rounds, summed over all loops of an invocation.
fn score(head: u32, query: u32, key: u32) -> f32 {
    if clamps {
        let distance = i32(table_row(p.heads.first_position + query)) - i32(table_row(key));
        let max_distance = i32(p.heads.max_distance);
        if abs(distance) > max_distance { return score_at_distance(head, query, key, clamp(distance, -max_distance, max_distance)); }
    }
    let q = query_start(head, query);
    let k = key_start(head, key);
    var sum = 0.0;
    var i = 0u;
    for (; i + 8u <= p.heads.head_size; i += 8u) {
        sum += dot(four_of_query(q + i), four_of_key(k + i)) + dot(four_of_query(q + i + 4u), four_of_key(k + i + 4u));
    }
    if i + 4u <= p.heads.head_size {
        sum += dot(four_of_query(q + i), four_of_key(k + i));
        i += 4u;
    }
    for (; i < p.heads.head_size; i++) { sum += queries[q + i] * keys[k + i]; }
    return sum * p.heads.scale;
}

// What the mask adds to a score. query: position in the sequence.
fn mask(query: u32, key: u32) -> f32 {
    if p.heads.causal != 0u && key > query { return LOWEST; }
    if p.heads.window != 0u && (key + p.heads.window <= query || query + p.heads.window <= key) { return LOWEST; }
    return key_mask[sequence * p.heads.keys + key];
}
