// Columns of each token's row times a number of its own, in place. One invocation a number.
@group(0) @binding(0) var<storage, read>       scales: array<f32>;   // (tokens)
@group(0) @binding(1) var<storage, read_write> rows:   array<f32>;   // (tokens, stride)
struct Parameters { numbers: u32, width: u32, first: u32, stride: u32 }
@group(0) @binding(2) var<uniform> p: Parameters;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let number = (group.x + group.y * groups.x) * 64u + invocation;
    if number >= p.numbers { return; }
    let token = number / p.width;
    rows[token * p.stride + p.first + number % p.width] *= scales[token];
}
