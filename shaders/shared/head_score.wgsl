// Scores of one head's queries and keys, the mask that is added to them, and attention weights.
// `stored_statistics`: attention has stored the softmax statistics of each query row, from which weights follow.
#import shared/heads
#import shared/cache_number

override clamps: bool = false;   // ReRoPE: no distance is larger than p.heads.max_distance

@group(0) @binding(0) var<storage, read>       queries:    array<f32>;     // (batch, query_pitch, query_stride), rotated
@group(0) @binding(1) var<storage, read>       keys:       array<CacheNumber>;   // (batch, key_pitch, key_stride), rotated
@group(0) @binding(3) var<storage, read>       table:      array<vec2f>;   // (keys, head_size / 2): cos, sin of each pair, times the rope's magnitude
@group(0) @binding(4) var<storage, read>       positions:  array<u32>;     // (batch, length): row of `table` of each token

fn four_of_query(at: u32) -> vec4f { return vec4f(queries[at], queries[at + 1u], queries[at + 2u], queries[at + 3u]); }

fn four_of_key(at: u32) -> vec4f { return vec4f(vec4<CacheNumber>(keys[at], keys[at + 1u], keys[at + 2u], keys[at + 3u])); }

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
        let b = rotate_inverse(vec2f(f32(keys[k + 2u * pair]), f32(keys[k + 2u * pair + 1u])), table[key_row + pair]);
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
    for (; i < p.heads.head_size; i++) { sum += queries[q + i] * f32(keys[k + i]); }
    return sum * p.heads.scale;
}

// The number that the mask adds to a score. query: position in the sequence.
fn mask(query: u32, key: u32) -> f32 {
    if p.heads.causal != 0u && key > query { return LOWEST; }
    if p.heads.window != 0u && (key + p.heads.window <= query || query + p.heads.window <= key) { return LOWEST; }
    return key_mask[sequence * p.heads.keys + key];
}

#if stored_statistics
override linear: bool = false;   // linear attention: a weight is score / sum, and may be negative

@group(0) @binding(5) var<storage, read>       statistics: array<vec2f>;   // (batch, statistics_pitch, heads): max, sum; linear: 0, sum

fn row_statistics(head: u32, query: u32) -> vec2f {
    return statistics[(sequence * p.heads.statistics_pitch + query) * p.heads.query_heads + head];
}

// The attention weight of a query row and a key. row: the statistics of the query row.
fn attention_weight(head: u32, query: u32, key: u32, row: vec2f) -> f32 {
    let number = score(head, query, key);
    let added = mask(p.heads.first_position + query, key);
    if linear { return select(0.0, number / row.y, added == 0.0); }
    return exp(number + added - row.x) / row.y;
}
#endif
