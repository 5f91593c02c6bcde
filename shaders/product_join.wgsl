// y = finish(sum of slices): an invocation adds four adjacent columns of a row. After product_end.wgsl and slices_by_fours.wgsl or
// slices_by_numbers.wgsl.
const END: u32 = 1u;       // the first binding of product_end.wgsl
const INVOCATIONS: u32 = 64u;

@compute @workgroup_size(INVOCATIONS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let at = (group.x + group.y * groups.x) * INVOCATIONS + invocation;
    let fours = (p.stride + 3u) / 4u;
    let row = at / fours;
    let column = at % fours * 4u;
    if row >= p.rows { return; }
    let used = min(4u, p.stride - column);
    var sum: vec4f;
    for (var slice = 0u; slice < p.slices; slice++) {
        sum += four_of_sums((row * p.slices + slice) * p.stride + column, used);
    }
    finish(row, 0u, column, sum);
}
