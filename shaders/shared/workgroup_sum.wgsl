// The sum of `value` over the workgroup, for every invocation. Call it in uniform control flow.
#import shared/group
var<workgroup> partial_sums: array<f32, WORKGROUP>;

fn workgroup_sum(value: f32, invocation: u32) -> f32 {
    workgroupBarrier();
    partial_sums[invocation] = value;
    workgroupBarrier();
    for (var width = WORKGROUP / 2u; width > 0u; width /= 2u) {
        if invocation < width {
            partial_sums[invocation] += partial_sums[invocation + width];
        }
        workgroupBarrier();
    }
    return partial_sums[0];
}
