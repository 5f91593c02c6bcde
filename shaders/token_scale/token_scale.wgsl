// Multiplies columns of each token's row by the token's scale, in place. One invocation per number.
#import shared/group
@group(0) @binding(0) var<storage, read>       scales: array<f32>;   // (tokens)
@group(0) @binding(1) var<storage, read_write> rows:   array<f32>;   // (tokens, stride)
struct Parameters {
    elements: u32,   // tokens · width
    width: u32,      // columns that are scaled
    first: u32,      // the first of them
    stride: u32,     // numbers of a row
}
@group(0) @binding(2) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let element = index_of(group) * WORKGROUP + invocation;
    if element >= p.elements { return; }
    let token = element / p.width;
    rows[token * p.stride + p.first + element % p.width] *= scales[token];
}
