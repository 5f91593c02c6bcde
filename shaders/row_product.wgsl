// y = finish(x Wᵀ) of few rows: a workgroup makes four adjacent columns of one row, from a slice of the inner axis. Its invocations share
// that, so that neighbours read neighbouring numbers of the weight. The row may be normed on the way: each workgroup
// finds its root mean square by itself. After product_end.wgsl and the operands.
const END: u32 = 3u;      // the first binding of product_end.wgsl
@group(0) @binding(2) var<storage, read>       gain: array<f32>;   // (inner)
const LANES: u32 = 64u;
const LINES: u32 = 8u;    // partial sums are joined in two steps of eight
var<workgroup> partial_sums: array<vec4f, LANES>;
var<workgroup> partial_squares: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    // Rows of the same columns follow one another, so that they find the weight in a cache.
    let workgroup = group.x + group.y * groups.x;
    let row = workgroup % p.rows;
    let slice = workgroup / p.rows % p.slices;
    let column = workgroup / p.rows / p.slices * 4u;
    if column >= p.columns { return; }
    let last = p.columns - 1u;
    let columns = min(vec4u(column) + vec4u(0u, 1u, 2u, 3u), vec4u(last));
    let steps = (p.inner + 3u) / 4u;
    let of_slice = (steps + p.slices - 1u) / p.slices;
    let end = min((slice + 1u) * of_slice, steps);
    var sum: vec4f;
    var squares = 0.0;
    for (var step = slice * of_slice + lane; step < end; step += LANES) {
        var a = four_of_x(row, step);
        if p.normed != 0u {
            squares += dot(a, a);
            let at = min(4u * step + vec4u(0u, 1u, 2u, 3u), vec4u(p.inner - 1u));
            a *= vec4f(gain[at.x], gain[at.y], gain[at.z], gain[at.w]);
        }
        sum += vec4f(
            dot(a, four_of_w(columns.x, step)), dot(a, four_of_w(columns.y, step)),
            dot(a, four_of_w(columns.z, step)), dot(a, four_of_w(columns.w, step)),
        );
    }
    partial_sums[lane] = sum;
    partial_squares[lane] = squares;
    workgroupBarrier();
    if lane < LINES {
        for (var i = lane + LINES; i < LANES; i += LINES) {
            sum += partial_sums[i];
            squares += partial_squares[i];
        }
        partial_sums[lane] = sum;
        partial_squares[lane] = squares;
    }
    workgroupBarrier();
    if lane == 0u {
        for (var i = 1u; i < LINES; i++) {
            sum += partial_sums[i];
            squares += partial_squares[i];
        }
        if p.normed != 0u { sum *= inverseSqrt(squares / f32(p.inner) + p.epsilon); }
        finish(row, slice, column, sum);
    }
}
