// Rotates heads of tokens in place by their token's position, or by minus that (inverse rotation). Only the angle of the table's rows
// counts, not their magnitude. One invocation per pair.
#import shared/group
override inverse: bool = false;

@group(0) @binding(0) var<storage, read>       table:     array<vec2f>;   // (keys, head_size / 2): cos, sin
@group(0) @binding(1) var<storage, read>       positions: array<u32>;     // (tokens): row of `table` of each token
@group(0) @binding(2) var<storage, read_write> x:         array<f32>;     // (tokens, stride)
struct Parameters {
    elements: u32,        // tokens · heads · pairs
    heads: u32,
    head_size: u32,
    first: u32,           // first column of the first head
    stride: u32,
    pairs: u32,           // of a head that are rotated
    pair_distance: u32,   // columns between the two numbers of a pair
    pair_step: u32,       // columns from one pair to the next
}
@group(0) @binding(3) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let element = index_of(group) * WORKGROUP + invocation;
    if element >= p.elements { return; }
    let pair = element % p.pairs;
    let head = element / p.pairs % p.heads;
    let token = element / p.pairs / p.heads;
    var cos_sin = table[positions[token] * (p.head_size / 2u) + pair];
    cos_sin /= length(cos_sin);
    if inverse { cos_sin.y = -cos_sin.y; }
    let at = token * p.stride + p.first + head * p.head_size + pair * p.pair_step;
    let value = vec2f(x[at], x[at + p.pair_distance]);
    x[at] = value.x * cos_sin.x - value.y * cos_sin.y;
    x[at + p.pair_distance] = value.y * cos_sin.x + value.x * cos_sin.y;
}
