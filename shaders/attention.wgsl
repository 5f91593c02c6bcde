// context = softmax(q kᵀ / √head_size + mask) v without storing the matrix: the softmax is corrected while key tiles pass.
// A workgroup makes 32 query rows of one head and 32 of its columns. After attention_tiles.wgsl.
@group(0) @binding(2) var<storage, read_write> context: array<f32>;   // (batch, length, heads, head_size)
struct Parameters { length: u32, heads: u32, head_size: u32, causal: u32, scale: f32 }
@group(0) @binding(3) var<uniform> p: Parameters;

var<workgroup> row_largest: array<f32, TILE>;
var<workgroup> row_total: array<f32, TILE>;
var<workgroup> row_correction: array<f32, TILE>;

@compute @workgroup_size(8, 8)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let sequence = group.z / p.heads;
    let head = group.z % p.heads;
    let first_query = group.x * TILE;
    let first_column = group.y * TILE;
    if invocation < TILE {
        row_largest[invocation] = LOWEST;
        row_total[invocation] = 0.0;
    }
    var sums: array<vec4f, 4>;
    for (var first_key = 0u; first_key < p.length; first_key += TILE) {
        let scores = score_tile(sequence, head, first_query, first_key, local, invocation);
        for (var i = 0u; i < BLOCK; i++) {
            for (var j = 0u; j < BLOCK; j++) {
                weight_tile[(local.y * BLOCK + i) * (TILE + 1u) + local.x * BLOCK + j] = scores[i][j];
            }
        }
        workgroupBarrier();
        if invocation < TILE {
            let keys = min(TILE, p.length - first_key);
            let row = invocation * (TILE + 1u);
            var largest = row_largest[invocation];
            for (var key = 0u; key < keys; key++) { largest = max(largest, weight_tile[row + key]); }
            let correction = exp(row_largest[invocation] - largest);
            var total = row_total[invocation] * correction;
            for (var key = 0u; key < TILE; key++) {
                var weight = 0.0;
                if key < keys { weight = exp(weight_tile[row + key] - largest); }
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
}
