// context = softmax(q kᵀ · scale + mask) v without storing the matrix: the softmax is corrected while key tiles pass.
// Queries, keys and values are columns of packed rows, of one buffer or of three: self-attention, grouped queries, a cache.
// A workgroup of 8 × 8 makes 32 query rows of one head and 32 of its columns; each invocation has 4 rows of 4 adjacent columns.
@group(0) @binding(0) var<storage, read>       queries:    array<f32>;   // (batch, query_pitch, query_stride)
@group(0) @binding(1) var<storage, read>       keys:       array<f32>;   // (batch, key_pitch, key_stride)
@group(0) @binding(2) var<storage, read>       values:     array<f32>;   // (batch, value_pitch, value_stride)
@group(0) @binding(3) var<storage, read>       key_mask:   array<f32>;   // (batch, keys): 0, or f32::MIN where the attention mask is 0
@group(0) @binding(4) var<storage, read_write> context:    array<f32>;   // (batch, length, heads, head_size)
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
    scale: f32,
}
@group(0) @binding(6) var<uniform> p: Parameters;

const TILE: u32 = 32u;
const BLOCK: u32 = 4u;
const STEPS: u32 = 4u;               // vec4 steps of the head size a tile holds
const PITCH: u32 = STEPS + 1u;
const LOWEST: f32 = -0x1.fffffep+127f;
var<workgroup> query_tile: array<vec4f, TILE * PITCH>;
var<workgroup> key_tile: array<vec4f, TILE * PITCH>;
var<workgroup> weight_tile: array<f32, TILE * (TILE + 1u)>;   // scores, then probabilities: query rows, key columns
var<workgroup> value_tile: array<vec4f, TILE * 8u>;           // key rows, 8 vec4 of value columns
var<workgroup> row_largest: array<f32, TILE>;
var<workgroup> row_total: array<f32, TILE>;
var<workgroup> row_correction: array<f32, TILE>;

fn load_query(sequence: u32, head: u32, row: u32, dimension: u32) -> vec4f {
    var loaded = vec4f(0.0);
    if row >= p.length { return loaded; }
    let start = (sequence * p.query_pitch + row) * p.query_stride + p.query_first + head * p.head_size;
    for (var lane = 0u; lane < 4u; lane++) {
        if dimension + lane < p.head_size { loaded[lane] = queries[start + dimension + lane]; }
    }
    return loaded;
}

fn load_key(sequence: u32, head: u32, row: u32, dimension: u32) -> vec4f {
    var loaded = vec4f(0.0);
    if row >= p.keys { return loaded; }
    let start = (sequence * p.key_pitch + row) * p.key_stride + p.key_first + head * p.head_size;
    for (var lane = 0u; lane < 4u; lane++) {
        if dimension + lane < p.head_size { loaded[lane] = keys[start + dimension + lane]; }
    }
    return loaded;
}

fn load_value(sequence: u32, head: u32, row: u32, dimension: u32) -> vec4f {
    var loaded = vec4f(0.0);
    if row >= p.keys { return loaded; }
    let start = (sequence * p.value_pitch + row) * p.value_stride + p.value_first + head * p.head_size;
    for (var lane = 0u; lane < 4u; lane++) {
        if dimension + lane < p.head_size { loaded[lane] = values[start + dimension + lane]; }
    }
    return loaded;
}

// What is added to a score: masks are added, as Hugging Face does, so that a row without any key left is uniform.
fn masked(sequence: u32, query: u32, key: u32) -> f32 {
    if key >= p.keys { return 0.0; }
    if p.causal != 0u && key > query { return LOWEST; }
    if p.window != 0u && (key + p.window <= query || query + p.window <= key) { return LOWEST; }
    return key_mask[sequence * p.keys + key];
}

// Scaled and masked scores of query rows first_query.. and keys first_key.. of one head.
fn score_tile(sequence: u32, head: u32, first_query: u32, first_key: u32, local: vec3u, invocation: u32) -> array<vec4f, 4> {
    var scores: array<vec4f, 4>;
    for (var dimension = 0u; dimension < p.head_size; dimension += 4u * STEPS) {
        workgroupBarrier();
        for (var i = invocation; i < TILE * STEPS; i += 64u) {
            let line = i / STEPS;
            let k = i % STEPS;
            query_tile[line * PITCH + k] = load_query(sequence, head, first_query + line, dimension + 4u * k);
            key_tile[line * PITCH + k] = load_key(sequence, head / p.group, first_key + line, dimension + 4u * k);
        }
        workgroupBarrier();
        for (var k = 0u; k < STEPS; k++) {
            let k0 = key_tile[(local.x * BLOCK) * PITCH + k];
            let k1 = key_tile[(local.x * BLOCK + 1u) * PITCH + k];
            let k2 = key_tile[(local.x * BLOCK + 2u) * PITCH + k];
            let k3 = key_tile[(local.x * BLOCK + 3u) * PITCH + k];
            for (var i = 0u; i < BLOCK; i++) {
                let q = query_tile[(local.y * BLOCK + i) * PITCH + k];
                scores[i] += vec4f(dot(q, k0), dot(q, k1), dot(q, k2), dot(q, k3));
            }
        }
    }
    for (var i = 0u; i < BLOCK; i++) {
        let query = p.past + first_query + local.y * BLOCK + i;
        for (var j = 0u; j < BLOCK; j++) {
            scores[i][j] = scores[i][j] * p.scale + masked(sequence, query, first_key + local.x * BLOCK + j);
        }
    }
    return scores;
}

// Adds weight_tile · values of keys first_key.., columns first_column.. of one head. weight_tile must be written before.
fn add_values(sequence: u32, head: u32, first_key: u32, first_column: u32, local: vec3u, invocation: u32, sums: ptr<function, array<vec4f, 4>>) {
    for (var i = invocation; i < TILE * 8u; i += 64u) {
        value_tile[i] = load_value(sequence, head / p.group, first_key + i / 8u, first_column + 4u * (i % 8u));
    }
    workgroupBarrier();
    for (var key = 0u; key < TILE; key++) {
        let row = value_tile[key * 8u + local.x];
        for (var i = 0u; i < BLOCK; i++) {
            (*sums)[i] += weight_tile[(local.y * BLOCK + i) * (TILE + 1u) + key] * row;
        }
    }
    workgroupBarrier();
}

fn store_context(sequence: u32, head: u32, query: u32, first_column: u32, numbers: vec4f) {
    if query >= p.length { return; }
    let row = ((sequence * p.length + query) * p.heads + head) * p.head_size;
    for (var lane = 0u; lane < 4u; lane++) {
        if first_column + lane < p.head_size { context[row + first_column + lane] = numbers[lane]; }
    }
}

@compute @workgroup_size(8, 8)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let workgroup = group.x + group.y * groups.x;   // (query tiles, column tiles, batch · heads)
    let sequence_head = workgroup % p.sequence_heads;
    let column_tiles = (p.head_size + TILE - 1u) / TILE;
    let first_column = (workgroup / p.sequence_heads) % column_tiles * TILE;
    let first_query = workgroup / p.sequence_heads / column_tiles * TILE;
    if first_query >= p.length { return; }
    let sequence = sequence_head / p.heads;
    let head = sequence_head % p.heads;
    if invocation < TILE {
        row_largest[invocation] = LOWEST;
        row_total[invocation] = 0.0;
    }
    var sums: array<vec4f, 4>;
    for (var first_key = 0u; first_key < p.keys; first_key += TILE) {
        let scores = score_tile(sequence, head, first_query, first_key, local, invocation);
        for (var i = 0u; i < BLOCK; i++) {
            for (var j = 0u; j < BLOCK; j++) {
                weight_tile[(local.y * BLOCK + i) * (TILE + 1u) + local.x * BLOCK + j] = scores[i][j];
            }
        }
        workgroupBarrier();
        if invocation < TILE {
            let here = min(TILE, p.keys - first_key);
            let row = invocation * (TILE + 1u);
            var largest = row_largest[invocation];
            for (var key = 0u; key < here; key++) { largest = max(largest, weight_tile[row + key]); }
            let correction = exp(row_largest[invocation] - largest);
            var total = row_total[invocation] * correction;
            for (var key = 0u; key < TILE; key++) {
                var weight = 0.0;
                if key < here { weight = exp(weight_tile[row + key] - largest); }
                weight_tile[row + key] = weight;
                total += weight;
            }
            row_largest[invocation] = largest;
            row_total[invocation] = total;
            row_correction[invocation] = correction;
        }
        workgroupBarrier();
        for (var i = 0u; i < BLOCK; i++) { sums[i] *= row_correction[local.y * BLOCK + i]; }
        add_values(sequence, head, first_key, first_column, local, invocation, &sums);
    }
    for (var i = 0u; i < BLOCK; i++) {
        let line = local.y * BLOCK + i;
        store_context(sequence, head, first_query + line, first_column + local.x * BLOCK, sums[i] / row_total[line]);
    }
    if first_column == 0u && invocation < TILE && first_query + invocation < p.length {
        let row = sequence * p.statistics_pitch + p.statistics_first + first_query + invocation;
        statistics[row * p.heads + head] = vec2f(row_largest[invocation], row_total[invocation]);
    }
}
