// φ(x) = elu(x) + 1 of the first columns of each row, the others as they are. One invocation a number.
@group(0) @binding(0) var<storage, read>       x: array<f32>;   // (tokens, width)
@group(0) @binding(1) var<storage, read_write> y: array<f32>;   // (tokens, width)
struct Parameters {
    numbers: u32,   // tokens · width
    width: u32,
    mapped: u32,    // columns
}
@group(0) @binding(2) var<uniform> p: Parameters;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let at = (group.x + group.y * groups.x) * 64u + invocation;
    if at >= p.numbers { return; }
    var number = x[at];
    if at % p.width < p.mapped { number = select(exp(min(number, 0.0)), number + 1.0, number > 0.0); }
    y[at] = number;
}
