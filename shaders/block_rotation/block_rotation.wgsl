// y_m = R_m x_m with stored rotation matrices (eq. 15): the paper's form before its efficient one; almost every number read is 0.
// One invocation per row of a matrix, sequence and head.
#import shared/group
@group(0) @binding(0) var<storage, read>       x:        array<f32>;   // (batch, length, heads, head_size)
@group(0) @binding(1) var<storage, read>       matrices: array<f32>;   // this part: rows first_row .. of (positions · head_size, head_size)
@group(0) @binding(2) var<storage, read_write> y:        array<f32>;   // (batch, length, heads, head_size)
struct Parameters {
    batch: u32,
    length: u32,
    heads: u32,
    head_size: u32,
    first_row: u32,   // of this part
    rows: u32,        // of this part
}
@group(0) @binding(3) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let at = index_of(group) * WORKGROUP + invocation;   // (rows, batch, heads)
    if at >= p.rows * p.batch * p.heads { return; }
    let row = at / (p.batch * p.heads);
    let position = (p.first_row + row) / p.head_size;
    if position >= p.length { return; }
    let sequence = at / p.heads % p.batch;
    let start = ((sequence * p.length + position) * p.heads + at % p.heads) * p.head_size;
    var sum = 0.0;
    for (var i = 0u; i < p.head_size; i++) { sum += matrices[row * p.head_size + i] * x[start + i]; }
    y[start + (p.first_row + row) % p.head_size] = sum;
}
