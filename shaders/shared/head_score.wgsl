// Scores of queries and keys, and what the mask adds to them.
// Requires parameters `p` with a member `heads: Heads`; `main` sets `sequence` first.
override clamps: bool = false;   // distances to p.heads.reach, by the table

@group(0) @binding(0) var<storage, read>       queries:    array<f32>;    // (batch, query_pitch, query_stride), rotated
@group(0) @binding(1) var<storage, read>       keys:       array<f32>;    // (batch, key_pitch, key_stride), rotated
@group(0) @binding(2) var<storage, read>       key_mask:   array<f32>;    // (batch, keys): 0, or f32::MIN where the attention mask is 0
@group(0) @binding(3) var<storage, read>       table:      array<vec2f>;  // (keys, head_size / 2): cos, sin
@group(0) @binding(4) var<storage, read>       positions:  array<u32>;    // (batch, length): rows of the table

struct Heads {
    keys: u32,
    first_position: u32,    // position in the sequence of query row 0
    query_heads: u32,
    group: u32,             // query heads that share a key head
    head_size: u32,
    query_first: u32, query_stride: u32, query_pitch: u32,
    key_first: u32, key_stride: u32, key_pitch: u32,
    statistics_pitch: u32,
    causal: u32,
    window: u32,
    sequence: u32,
    past: u32,              // tokens of earlier runs
    length: u32,            // tokens of the run
    reach: u32,             // the largest distance, where it is clamped
    scale: f32,
    padding: u32,           // a struct in a uniform is a multiple of 16 bytes long
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

// The table's row of a token: its position id, or its place where an earlier run computed it.
fn row_of(token: u32) -> u32 {
    if token < p.heads.past { return token; }
    return positions[sequence * p.heads.length + token - p.heads.past];
}

// A pair turned back by the angle of (cos, sin), whatever its magnitude.
fn turned_back(pair: vec2f, turn: vec2f) -> vec2f {
    return vec2f(pair.x * turn.x + pair.y * turn.y, pair.y * turn.x - pair.x * turn.y) / length(turn);
}

// The score that the query and the key would have so far apart: both turned back, then turned by the distance.
fn score_at(head: u32, query: u32, key: u32, distance: i32) -> f32 {
    let q = query_start(head, query);
    let k = key_start(head, key);
    let pairs = p.heads.head_size / 2u;
    let query_turns = row_of(p.heads.first_position + query) * pairs;
    let key_turns = row_of(key) * pairs;
    let turns = u32(abs(distance)) * pairs;
    var sum = 0.0;
    for (var pair = 0u; pair < pairs; pair++) {
        let a = turned_back(vec2f(queries[q + 2u * pair], queries[q + 2u * pair + 1u]), table[query_turns + pair]);
        let b = turned_back(vec2f(keys[k + 2u * pair], keys[k + 2u * pair + 1u]), table[key_turns + pair]);
        // Rows may begin anywhere: an angle is the difference of two.
        var turn = vec2f(1.0, 0.0);
        if distance != 0 { turn = turned_back(table[turns + pair] / length(table[turns + pair]), table[pair]); }
        if distance < 0 { turn.y = -turn.y; }
        sum += dot(a, b) * turn.x - (a.y * b.x - a.x * b.y) * turn.y;
    }
    return sum * p.heads.scale;
}

// Eight numbers a round: Mesa's llvmpipe ends every loop of an invocation after 65,535 rounds of them all.
fn score(head: u32, query: u32, key: u32) -> f32 {
    if clamps {
        let distance = i32(row_of(p.heads.first_position + query)) - i32(row_of(key));
        let reach = i32(p.heads.reach);
        if abs(distance) > reach { return score_at(head, query, key, clamp(distance, -reach, reach)); }
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

// Of a query at this position of the sequence.
fn mask(query: u32, key: u32) -> f32 {
    if p.heads.causal != 0u && key > query { return LOWEST; }
    if p.heads.window != 0u && (key + p.heads.window <= query || query + p.heads.window <= key) { return LOWEST; }
    return key_mask[sequence * p.heads.keys + key];
}
