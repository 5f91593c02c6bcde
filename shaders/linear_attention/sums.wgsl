// Sums over keys for linear attention: for each dimension i of a key head, Σ R_n φ(k_n)[i] · v_n, and in a last column Σ φ(k_n)[i],
// unrotated.
// Padding adds nothing. One invocation per number of the sums; it walks the keys.
#import shared/group
@group(0) @binding(0) var<storage, read>       rows:     array<f32>;   // (batch, length, stride): rotated keys, values
@group(0) @binding(1) var<storage, read>       plain:    array<f32>;   // (batch, length, stride): unrotated keys
@group(0) @binding(2) var<storage, read>       key_mask: array<f32>;   // (batch, keys): 0, or f32::MIN where the attention mask is 0
@group(0) @binding(3) var<storage, read_write> state:    array<f32>;   // (batch, key_heads, head_size, head_size + 1): over all keys so far
@group(0) @binding(4) var<storage, read_write> sums:     array<f32>;   // (batch, chunks, key_heads, head_size, head_size + 1): causal: before each chunk; else over all keys
struct Parameters {
    length: u32,        // keys of the run
    keys: u32,          // past + length
    past: u32,          // keys before the run, which are in `state`
    batch: u32,
    key_heads: u32,
    head_size: u32,
    stride: u32,        // numbers of a row
    key_first: u32,     // first column
    value_first: u32,   // first column
    causal: u32,
    chunks: u32,
}
@group(0) @binding(5) var<uniform> p: Parameters;

const CHUNK: u32 = 64u;   // keys

// The term of key `row` of the run in the sum at (dimension, column).
fn added(sequence: u32, head: u32, row: u32, dimension: u32, column: u32) -> f32 {
    if row >= p.length || key_mask[sequence * p.keys + p.past + row] != 0.0 { return 0.0; }
    let start = (sequence * p.length + row) * p.stride + head * p.head_size;
    if column == p.head_size { return plain[start + p.key_first + dimension]; }
    return rows[start + p.key_first + dimension] * rows[start + p.value_first + column];
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let each = p.key_heads * p.head_size * (p.head_size + 1u);
    let at = index_of(group) * WORKGROUP + invocation;
    if at >= p.batch * each { return; }
    let sequence = at / each;
    let place = at % each;
    let column = place % (p.head_size + 1u);
    let dimension = place / (p.head_size + 1u) % p.head_size;
    let head = place / (p.head_size + 1u) / p.head_size;
    var sum = 0.0;
    if p.past > 0u { sum = state[at]; }
    for (var first = 0u; first < p.length; first += CHUNK) {
        if p.causal != 0u { sums[(sequence * p.chunks + first / CHUNK) * each + place] = sum; }
        // Summed per chunk first: small terms would be lost in a long text's sum. Four keys a round: Mesa's llvmpipe ends loops
        // after 65,535 rounds, summed over all loops of an invocation.
        var here = 0.0;
        for (var row = first; row < first + CHUNK && row < p.length; row += 4u) {
            here += added(sequence, head, row, dimension, column) + added(sequence, head, row + 1u, dimension, column)
                + added(sequence, head, row + 2u, dimension, column) + added(sequence, head, row + 3u, dimension, column);
        }
        sum += here;
    }
    if p.causal == 0u { sums[sequence * each + place] = sum; }
    state[at] = sum;
}
