// The epilogue of a GEMM: bias, then rotation, an activation or a gate, then a residual. Parameters choose among them, so that a model
// needs few pipelines. Its bindings begin at `END`, which the importing file declares.
// `out_fours`: rows of y are whole fours, and no gate halves them. Otherwise only the first `used` of four columns are touched.
#import shared/activation

#if out_fours
@group(0) @binding(END)      var<storage, read>       bias:     array<vec4f>;   // (stride / 4)
@group(0) @binding(END + 1u) var<storage, read>       residual: array<vec4f>;   // (rows, stride / 4)
@group(0) @binding(END + 4u) var<storage, read_write> y:        array<vec4f>;   // (rows, stride / 4)

fn four_of_bias(column: u32, used: u32) -> vec4f { return bias[column / 4u]; }

fn four_of_residual(at: u32, used: u32) -> vec4f { return residual[at / 4u]; }

fn store(at: u32, used: u32, four: vec4f) { y[at / 4u] = four; }
#else
@group(0) @binding(END)      var<storage, read>       bias:     array<f32>;   // (stride)
@group(0) @binding(END + 1u) var<storage, read>       residual: array<f32>;   // (rows, stride)
@group(0) @binding(END + 4u) var<storage, read_write> y:        array<f32>;   // (rows, stride), or half of it where pairs are gated

fn four_of_bias(column: u32, used: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < used; lane++) { four[lane] = bias[column + lane]; }
    return four;
}

fn four_of_residual(at: u32, used: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < used; lane++) { four[lane] = residual[at + lane]; }
    return four;
}

fn store(at: u32, used: u32, four: vec4f) {
    for (var lane = 0u; lane < used; lane++) { y[at + lane] = four[lane]; }
}
#endif

@group(0) @binding(END + 2u) var<storage, read>       table:     array<vec2f>;   // (keys, head_size / 2): cos, sin
@group(0) @binding(END + 3u) var<storage, read>       positions: array<u32>;    // (rows): rows of the table
struct Parameters {
    rows: u32,
    inner: u32,
    columns: u32,           // of this part
    first_column: u32,      // of this part in y
    stride: u32,            // all columns of the product
    head_size: u32,
    rotated_columns: u32,   // the first of them are rotated
    activation: u32,
    has_bias: u32,
    has_residual: u32,
    gates: u32,             // pairs of columns (gate, up) become one: activation(gate) · up
    slices: u32,            // of the inner axis; 1: all of it
    slice_steps: u32,       // fours of the inner axis in a slice
    slice_columns: u32,     // columns of y from one slice's sums to the next one's
    epsilon: f32,           // of the norm of x: GEMV alone
}
@group(0) @binding(END + 5u) var<uniform> p: Parameters;

// Rotates a pair that starts at an even column: columns of one head, of one position.
fn rotate_pair(pair: vec2f, column: u32, position: u32) -> vec2f {
    if column >= p.rotated_columns { return pair; }
    let turn = table[position * (p.head_size / 2u) + (column % p.head_size) / 2u];
    return vec2f(pair.x * turn.x - pair.y * turn.y, pair.y * turn.x + pair.x * turn.y);
}

// Writes the sums of one row and four adjacent columns of this part, which hold two whole pairs.
fn finish(row: u32, slice: u32, first_column: u32, sum: vec4f) {
    if row >= p.rows || first_column >= p.columns { return; }
    let used = min(4u, p.columns - first_column);
    let column = slice * p.slice_columns + p.first_column + first_column;
    var value = sum;
    if p.has_bias != 0u { value += four_of_bias(column, used); }
    if column < p.rotated_columns {
        let position = positions[row];
        value = vec4f(rotate_pair(value.xy, column, position), rotate_pair(value.zw, column + 2u, position));
    }
    var finished = activate(value, p.activation);
    let at = row * p.stride + column;
    if p.gates != 0u {
        store(at / 2u, used / 2u, vec4f(finished.x * value.y, finished.z * value.w, 0.0, 0.0));
        return;
    }
    if p.has_residual != 0u { finished += four_of_residual(at, used); }
    store(at, used, finished);
}
