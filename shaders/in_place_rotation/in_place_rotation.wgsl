// Heads of tokens turned in place by their token's position, or back by it: each pair by the angle of the table's cos and
// sin, whatever their magnitude. One invocation a pair.
override inverse: bool = false;

@group(0) @binding(0) var<storage, read>       table:     array<vec2f>;   // (keys, head_size / 2): cos, sin
@group(0) @binding(1) var<storage, read>       positions: array<u32>;     // (tokens): rows of the table
@group(0) @binding(2) var<storage, read_write> x:         array<f32>;     // (tokens, stride)
struct Parameters {
    numbers: u32,     // tokens · heads · pairs
    heads: u32,
    head_size: u32,
    first: u32,       // column of the first head
    stride: u32,
    pairs: u32,       // of a head
    apart: u32,       // from one number of a pair to the other
    step: u32,        // from one pair to the next
}
@group(0) @binding(3) var<uniform> p: Parameters;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let number = (group.x + group.y * groups.x) * 64u + invocation;
    if number >= p.numbers { return; }
    let pair = number % p.pairs;
    let head = number / p.pairs % p.heads;
    let token = number / p.pairs / p.heads;
    var turn = table[positions[token] * (p.head_size / 2u) + pair];
    turn /= length(turn);
    if inverse { turn.y = -turn.y; }
    let at = token * p.stride + p.first + head * p.head_size + pair * p.step;
    let value = vec2f(x[at], x[at + p.apart]);
    x[at] = value.x * turn.x - value.y * turn.y;
    x[at + p.apart] = value.y * turn.x + value.x * turn.y;
}
