// y[r] = x[rows[r]]: the prediction rows, so that the output head computes no others. One workgroup per row.
#import shared/group
@group(0) @binding(0) var<storage, read>       x:    array<f32>;   // (batch · length, width)
@group(0) @binding(1) var<storage, read>       rows: array<u32>;   // (rows): sequence · length + position
@group(0) @binding(2) var<storage, read_write> y:    array<f32>;   // (rows, width)
struct Parameters { rows: u32, width: u32 }
@group(0) @binding(3) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let row = index_of(group);
    if row >= p.rows { return; }
    let source = rows[row] * p.width;
    for (var i = invocation; i < p.width; i += WORKGROUP) { y[row * p.width + i] = x[source + i]; }
}
