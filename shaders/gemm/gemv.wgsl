// y = finish(x Wᵀ) of few rows (GEMV): a workgroup makes four adjacent columns of one row, from a slice of the inner axis. Its invocations
// share that axis, so that neighbours read neighbouring numbers of the weight. x may be RMS-normed on the way: each workgroup finds the
// root mean square of its row by itself.
#import gemm/operands
#import gemm/epilogue

override normed: bool = false;
const END: u32 = 3u;      // the first binding of the epilogue
const LANES: u32 = 64u;
const LINES: u32 = 8u;    // partial sums are joined in two steps of eight
var<workgroup> partial_sums: array<vec4f, LANES>;
var<workgroup> partial_squares: array<f32, LANES>;

#if inner_fours
@group(0) @binding(2) var<storage, read>       gain: array<vec4f>;   // (inner / 4)

fn four_of_gain(step: u32) -> vec4f { return gain[step]; }
#else
@group(0) @binding(2) var<storage, read>       gain: array<f32>;   // (inner)

// The last gain stands for those behind it, where x is 0.
fn four_of_gain(step: u32) -> vec4f {
    let at = min(4u * step + vec4u(0u, 1u, 2u, 3u), vec4u(p.inner - 1u));
    return vec4f(gain[at.x], gain[at.y], gain[at.z], gain[at.w]);
}
#endif

// What four numbers of the row give to each of four columns.
fn of_columns(a: vec4f, columns: vec4u, step: u32) -> vec4f {
    return vec4f(
        dot(a, four_of_w(columns.x, step)), dot(a, four_of_w(columns.y, step)),
        dot(a, four_of_w(columns.z, step)), dot(a, four_of_w(columns.w, step)),
    );
}

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    // Rows of the same columns follow one another, so that they find the weight in a cache.
    let workgroup = group.x + group.y * groups.x;
    let lines = p.rows * p.slices;
    let slice = workgroup % lines / p.rows;
    let row = workgroup % lines - slice * p.rows;
    let column = workgroup / lines * 4u;
    if column >= p.columns { return; }
    let last = p.columns - 1u;
    let columns = min(vec4u(column) + vec4u(0u, 1u, 2u, 3u), vec4u(last));
    let end = min((slice + 1u) * p.slice_steps, (p.inner + 3u) / 4u);
    var sum: vec4f;
    var squares = 0.0;
    if !normed {
        for (var step = slice * p.slice_steps + lane; step < end; step += LANES) {
            sum += of_columns(four_of_x(row, step), columns, step);
        }
    } else {
        for (var step = lane; step < end; step += LANES) {
            let a = four_of_x(row, step);
            squares += dot(a, a);
            sum += of_columns(a * four_of_gain(step), columns, step);
        }
        partial_squares[lane] = squares;
    }
    partial_sums[lane] = sum;
    workgroupBarrier();
    if lane < LINES {
        for (var i = lane + LINES; i < LANES; i += LINES) { sum += partial_sums[i]; }
        partial_sums[lane] = sum;
        if normed {
            for (var i = lane + LINES; i < LANES; i += LINES) { squares += partial_squares[i]; }
            partial_squares[lane] = squares;
        }
    }
    workgroupBarrier();
    if lane == 0u {
        for (var i = 1u; i < LINES; i++) { sum += partial_sums[i]; }
        if normed {
            for (var i = 1u; i < LINES; i++) { squares += partial_squares[i]; }
            sum *= inverseSqrt(squares / f32(p.inner) + p.epsilon);
        }
        finish(row, slice, column, sum);
    }
}
