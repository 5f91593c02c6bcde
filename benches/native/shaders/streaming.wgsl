// y = x: every invocation reads and writes PARTS fours, a workgroup's width apart, so that neighbours touch neighbouring ones.
const WIDTH: u32 = 256u;
const PARTS: u32 = 4u;
@group(0) @binding(0) var<storage, read>       x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4f>;   // as large

@compute @workgroup_size(WIDTH)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let first = (group.x + group.y * groups.x) * WIDTH * PARTS + invocation;
    for (var part = 0u; part < PARTS; part++) {
        let at = first + part * WIDTH;
        if at < arrayLength(&y) { y[at] = x[at]; }
    }
}
