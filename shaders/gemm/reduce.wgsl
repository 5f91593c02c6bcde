// y = epilogue(sum over slices): the second step of a split-K GEMM. An invocation sums four adjacent columns of a row.
#import gemm/epilogue
#import shared/group

const EPILOGUE_BINDING: u32 = 1u;   // after the sums

#if out_fours
@group(0) @binding(0) var<storage, read>       sums: array<vec4f>;   // (rows, slices, columns / 4)

fn four_of_sums(at: u32, count: u32) -> vec4f { return sums[at / 4u]; }
#else
@group(0) @binding(0) var<storage, read>       sums: array<f32>;   // (rows, slices, columns)

fn four_of_sums(at: u32, count: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < count; lane++) { four[lane] = sums[at + lane]; }
    return four;
}
#endif

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let at = index_of(group) * WORKGROUP + invocation;
    let fours = (p.columns + 3u) / 4u;
    let row = at / fours;
    let column = at % fours * 4u;
    if row >= p.rows { return; }
    let count = min(4u, p.columns - column);
    var sum: vec4f;
    for (var slice = 0u; slice < p.slices; slice++) {
        sum += four_of_sums((row * p.slices + slice) * p.columns + column, count);
    }
    apply_epilogue(row, 0u, column, sum);
}
