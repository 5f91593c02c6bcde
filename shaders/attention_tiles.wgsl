// What both attention kernels share: a 32 × 32 tile of scores, and a 32 × 32 tile of probabilities times values.
// A workgroup of 8 × 8; each invocation has 4 query rows of 4 adjacent columns.
@group(0) @binding(0) var<storage, read> projected: array<f32>;   // (batch, length, 3, heads, head_size): rotated query, rotated key, value
@group(0) @binding(1) var<storage, read> key_mask:  array<f32>;   // (batch, length): 0, or f32::MIN where the attention mask is 0

const TILE: u32 = 32u;
const BLOCK: u32 = 4u;
const STEPS: u32 = 4u;               // vec4 steps of the head size a tile holds
const PITCH: u32 = STEPS + 1u;
const LOWEST: f32 = -0x1.fffffep+127f;
var<workgroup> query_tile: array<vec4f, TILE * PITCH>;
var<workgroup> key_tile: array<vec4f, TILE * PITCH>;
var<workgroup> weight_tile: array<f32, TILE * (TILE + 1u)>;   // scores, then probabilities: query rows, key columns
var<workgroup> value_tile: array<vec4f, TILE * 8u>;           // key rows, 8 vec4 of value columns

fn load_vec4(sequence: u32, position: u32, first: u32, dimension: u32) -> vec4f {
    var loaded = vec4f(0.0);
    if position >= p.length { return loaded; }
    let row = (sequence * p.length + position) * 3u * p.heads * p.head_size + first;
    for (var lane = 0u; lane < 4u; lane++) {
        if dimension + lane < p.head_size { loaded[lane] = projected[row + dimension + lane]; }
    }
    return loaded;
}

// Scaled and masked scores of query rows first_query.. and keys first_key.. of one head.
fn score_tile(sequence: u32, head: u32, first_query: u32, first_key: u32, local: vec3u, invocation: u32) -> array<vec4f, 4> {
    let query_columns = head * p.head_size;
    let key_columns = (p.heads + head) * p.head_size;
    var scores: array<vec4f, 4>;
    for (var dimension = 0u; dimension < p.head_size; dimension += 4u * STEPS) {
        workgroupBarrier();
        for (var i = invocation; i < TILE * STEPS; i += 64u) {
            let line = i / STEPS;
            let k = i % STEPS;
            query_tile[line * PITCH + k] = load_vec4(sequence, first_query + line, query_columns, dimension + 4u * k);
            key_tile[line * PITCH + k] = load_vec4(sequence, first_key + line, key_columns, dimension + 4u * k);
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
        for (var j = 0u; j < BLOCK; j++) {
            let key = first_key + local.x * BLOCK + j;
            var mask = 0.0;
            if key < p.length { mask = key_mask[sequence * p.length + key]; }
            if p.causal != 0u && key > first_query + local.y * BLOCK + i { mask = LOWEST; }
            scores[i][j] = scores[i][j] * p.scale + mask;   // added, as Hugging Face does: a fully masked row becomes uniform
        }
    }
    return scores;
}

// Adds weight_tile · values of keys first_key.., columns first_column.. of one head. weight_tile must be written before.
fn add_values(sequence: u32, head: u32, first_key: u32, first_column: u32, local: vec3u, invocation: u32, sums: ptr<function, array<vec4f, 4>>) {
    let value_columns = (2u * p.heads + head) * p.head_size;
    for (var i = invocation; i < TILE * 8u; i += 64u) {
        value_tile[i] = load_vec4(sequence, first_key + i / 8u, value_columns, first_column + 4u * (i % 8u));
    }
    workgroupBarrier();
    for (var key = 0u; key < TILE; key++) {
        let values = value_tile[key * 8u + local.x];
        for (var i = 0u; i < BLOCK; i++) {
            (*sums)[i] += weight_tile[(local.y * BLOCK + i) * (TILE + 1u) + key] * values;
        }
    }
    workgroupBarrier();
}

fn store_context(sequence: u32, head: u32, query: u32, first_column: u32, values: vec4f) {
    if query >= p.length { return; }
    let row = ((sequence * p.length + query) * p.heads + head) * p.head_size;
    for (var lane = 0u; lane < 4u; lane++) {
        if first_column + lane < p.head_size { context[row + first_column + lane] = values[lane]; }
    }
}
