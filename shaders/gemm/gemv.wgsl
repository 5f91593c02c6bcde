// y = epilogue(x Wᵀ) for few rows (GEMV): some lanes of a workgroup make four adjacent columns of one row, from one slice of the inner axis
// (split-K). They divide the inner axis so that neighbours read neighbouring weights. `unit_of_words`: of a large weight a lane reads more than
// four numbers at a time, and a workgroup may have several fours of columns. `normed`: x is RMS-normed here; all lanes of a column compute the
// root mean square of their row.
#import gemm/operands
#import gemm/epilogue
#import shared/group
#if unit_of_words
#import gemm/unit_of_words
#else
#import gemm/unit_of_fours
#endif

override normed: bool = false;
const EPILOGUE_BINDING: u32 = 3u;   // after x, the weight and the gain
const PARTIALS: u32 = 8u;           // reductions take two steps: up to 64 → 8 → 1
var<workgroup> partial_sums: array<vec4f, WORKGROUP>;
var<workgroup> partial_squares: array<f32, WORKGROUP>;
var<private> squares: f32;

#if inner_fours
@group(0) @binding(2) var<storage, read>       gain: array<vec4f>;   // (inner / 4)

fn four_of_gain(step: u32) -> vec4f { return gain[step]; }
#else
@group(0) @binding(2) var<storage, read>       gain: array<f32>;   // (inner)

// Gains after the last are replaced by the last: x is 0 there.
fn four_of_gain(step: u32) -> vec4f {
    let at = min(4u * step + vec4u(0u, 1u, 2u, 3u), vec4u(p.inner - 1u));
    return vec4f(gain[at.x], gain[at.y], gain[at.z], gain[at.w]);
}
#endif

// Numbers of x for the dot products; adds up their squares if x is normed.
fn next_four_of_x(row: u32, step: u32) -> vec4f {
    let four = four_of_x(row, step);
    if !normed { return four; }
    squares += dot(four, four);
    return four * four_of_gain(step);
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let lanes = lanes_of_column();
    // Workgroups of the same columns are adjacent, so that they share the weight through the cache.
    let workgroup = index_of(group);
    let slice_rows = p.rows * p.slices;
    let slice = workgroup % slice_rows / p.rows;
    let row = workgroup % slice_rows - slice * p.rows;
    let first_column = workgroup / slice_rows * (WORKGROUP / lanes) * 4u;
    if first_column >= p.columns { return; }
    let column = first_column + invocation / lanes * 4u;
    let lane = invocation % lanes;
    let columns = min(vec4u(column) + vec4u(0u, 1u, 2u, 3u), vec4u(p.columns - 1u));
    let end = min((slice + 1u) * p.slice_steps, (p.inner + 3u) / 4u);
    var sum: vec4f;
    for (var step = slice * p.slice_steps + lane * UNIT; step < end; step += lanes * UNIT) { sum += unit_dots(row, columns, step); }
    partial_sums[invocation] = sum;
    if normed { partial_squares[invocation] = squares; }
    workgroupBarrier();
    if lane < PARTIALS {
        for (var i = PARTIALS; i < lanes; i += PARTIALS) { sum += partial_sums[invocation + i]; }
        partial_sums[invocation] = sum;
        if normed {
            for (var i = PARTIALS; i < lanes; i += PARTIALS) { squares += partial_squares[invocation + i]; }
            partial_squares[invocation] = squares;
        }
    }
    workgroupBarrier();
    if lane == 0u {
        for (var i = 1u; i < PARTIALS; i++) { sum += partial_sums[invocation + i]; }
        if normed {
            for (var i = 1u; i < PARTIALS; i++) { squares += partial_squares[invocation + i]; }
            sum *= inverseSqrt(squares / f32(p.inner) + p.epsilon);
        }
        apply_epilogue(row, slice, column, sum);
    }
}
