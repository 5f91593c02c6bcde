// φ(x) = elu(x) + 1 of the first columns of each row (queries and keys); the others (values) are copied. One invocation per number.
#import shared/group
@group(0) @binding(0) var<storage, read>       x: array<f32>;   // (tokens, width)
@group(0) @binding(1) var<storage, read_write> y: array<f32>;   // (tokens, width)
struct Parameters {
    elements: u32,         // tokens · width
    width: u32,
    mapped_columns: u32,   // columns 0 .. mapped_columns
}
@group(0) @binding(2) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let at = index_of(group) * WORKGROUP + invocation;
    if at >= p.elements { return; }
    var number = x[at];
    if at % p.width < p.mapped_columns { number = select(exp(min(number, 0.0)), number + 1.0, number > 0.0); }
    y[at] = number;
}
