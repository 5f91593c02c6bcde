// y = epilogue(x Wᵀ) for few rows (GEMV): a workgroup makes four adjacent columns of one row, from one slice of the inner axis (split-K). Its
// invocations divide the inner axis so that neighbours read neighbouring weights. `normed`: x is RMS-normed here; every workgroup computes
// the root mean square of its row.
#import gemm/operands
#import gemm/epilogue
#import shared/group

override normed: bool = false;
const EPILOGUE_BINDING: u32 = 3u;   // after x, the weight and the gain
const PARTIALS: u32 = 8u;           // reductions take two steps: 64 → 8 → 1
var<workgroup> partial_sums: array<vec4f, WORKGROUP>;
var<workgroup> partial_squares: array<f32, WORKGROUP>;

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

// Dot products of four inner indices of a row with four columns.
fn dot_columns(a: vec4f, columns: vec4u, step: u32) -> vec4f {
    return vec4f(
        dot(a, four_of_w(columns.x, step)), dot(a, four_of_w(columns.y, step)),
        dot(a, four_of_w(columns.z, step)), dot(a, four_of_w(columns.w, step)),
    );
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) lane: u32) {
    // Workgroups of the same columns are adjacent, so that they share the weight through the cache.
    let workgroup = index_of(group);
    let slice_rows = p.rows * p.slices;
    let slice = workgroup % slice_rows / p.rows;
    let row = workgroup % slice_rows - slice * p.rows;
    let column = workgroup / slice_rows * 4u;
    if column >= p.columns { return; }
    let last = p.columns - 1u;
    let columns = min(vec4u(column) + vec4u(0u, 1u, 2u, 3u), vec4u(last));
    let end = min((slice + 1u) * p.slice_steps, (p.inner + 3u) / 4u);
    var sum: vec4f;
    var squares = 0.0;
    if !normed {
        for (var step = slice * p.slice_steps + lane; step < end; step += WORKGROUP) {
            sum += dot_columns(four_of_x(row, step), columns, step);
        }
    } else {
        for (var step = lane; step < end; step += WORKGROUP) {
            let a = four_of_x(row, step);
            squares += dot(a, a);
            sum += dot_columns(a * four_of_gain(step), columns, step);
        }
        partial_squares[lane] = squares;
    }
    partial_sums[lane] = sum;
    workgroupBarrier();
    if lane < PARTIALS {
        for (var i = lane + PARTIALS; i < WORKGROUP; i += PARTIALS) { sum += partial_sums[i]; }
        partial_sums[lane] = sum;
        if normed {
            for (var i = lane + PARTIALS; i < WORKGROUP; i += PARTIALS) { squares += partial_squares[i]; }
            partial_squares[lane] = squares;
        }
    }
    workgroupBarrier();
    if lane == 0u {
        for (var i = 1u; i < PARTIALS; i++) { sum += partial_sums[i]; }
        if normed {
            for (var i = 1u; i < PARTIALS; i++) { squares += partial_squares[i]; }
            sum *= inverseSqrt(squares / f32(p.inner) + p.epsilon);
        }
        apply_epilogue(row, slice, column, sum);
    }
}
