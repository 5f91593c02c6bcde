// y[first + i] = numbers[i]: puts a test's numbers where the kernel under test reads them.
@group(0) @binding(0) var<storage, read>       numbers: array<f32>;   // (count): this part
@group(0) @binding(1) var<storage, read_write> y:       array<f32>;
struct Parameters { first: u32, count: u32 }
@group(0) @binding(2) var<uniform> p: Parameters;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let at = (group.x + group.y * groups.x) * 64u + invocation;
    if at < p.count { y[p.first + at] = numbers[at]; }
}
