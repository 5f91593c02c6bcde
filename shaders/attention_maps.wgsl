// The same attention, keeping its probabilities: scores go to `maps`, are made probabilities there, then multiply the values.
// A workgroup makes 32 query rows of one head, and reads back only what it wrote itself. After attention_tiles.wgsl.
@group(0) @binding(2) var<storage, read_write> context: array<f32>;   // (batch, length, heads, head_size)
@group(0) @binding(3) var<storage, read_write> maps:    array<f32>;   // (batch, heads, length, length)
struct Parameters { length: u32, heads: u32, head_size: u32, causal: u32, scale: f32 }
@group(0) @binding(4) var<uniform> p: Parameters;

var<workgroup> halves: array<f32, 64>;

@compute @workgroup_size(8, 8)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let sequence = group.z / p.heads;
    let head = group.z % p.heads;
    let first_query = group.x * TILE;
    let map = group.z * p.length * p.length;
    for (var first_key = 0u; first_key < p.length; first_key += TILE) {
        let scores = score_tile(sequence, head, first_query, first_key, local, invocation);
        for (var i = 0u; i < BLOCK; i++) {
            let query = first_query + local.y * BLOCK + i;
            for (var j = 0u; j < BLOCK; j++) {
                let key = first_key + local.x * BLOCK + j;
                if query < p.length && key < p.length { maps[map + query * p.length + key] = scores[i][j]; }
            }
        }
    }
    storageBarrier();
    workgroupBarrier();

    // Softmax: two invocations a row, each with every other key.
    let query = first_query + invocation / 2u;
    let row = map + query * p.length;
    let in_range = query < p.length;
    var largest = LOWEST;
    if in_range {
        for (var key = invocation % 2u; key < p.length; key += 2u) { largest = max(largest, maps[row + key]); }
    }
    halves[invocation] = largest;
    workgroupBarrier();
    largest = max(halves[invocation], halves[invocation ^ 1u]);
    workgroupBarrier();
    var total = 0.0;
    if in_range {
        for (var key = invocation % 2u; key < p.length; key += 2u) {
            let weight = exp(maps[row + key] - largest);
            maps[row + key] = weight;
            total += weight;
        }
    }
    halves[invocation] = total;
    workgroupBarrier();
    total = halves[invocation] + halves[invocation ^ 1u];
    if in_range {
        for (var key = invocation % 2u; key < p.length; key += 2u) { maps[row + key] /= total; }
    }
    storageBarrier();
    workgroupBarrier();

    for (var first_column = 0u; first_column < p.head_size; first_column += TILE) {
        // Set, not only declared: some drivers make a variable zero only when the shader starts, not when the loop comes round.
        var sums = array<vec4f, 4>(vec4f(), vec4f(), vec4f(), vec4f());
        for (var first_key = 0u; first_key < p.length; first_key += TILE) {
            for (var i = invocation; i < TILE * TILE; i += 64u) {
                let line = i / TILE;
                let key = i % TILE;
                var weight = 0.0;
                if first_query + line < p.length && first_key + key < p.length {
                    weight = maps[map + (first_query + line) * p.length + first_key + key];
                }
                weight_tile[line * (TILE + 1u) + key] = weight;
            }
            add_values(sequence, head, first_key, first_column, local, invocation, &sums);
        }
        for (var i = 0u; i < BLOCK; i++) {
            store_context(sequence, head, first_query + local.y * BLOCK + i, first_column + local.x * BLOCK, sums[i]);
        }
    }
}
