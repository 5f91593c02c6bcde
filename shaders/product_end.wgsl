// What a product does with its sums: bias, then rotation of query and key (eq. 34), an activation or a gate, then a residual. All of it
// is chosen by parameters, so that a model has few pipelines. After activation.wgsl; its bindings begin at `END`, behind those of the
// kernels that make the sums.
@group(0) @binding(END)      var<storage, read>       bias:      array<f32>;     // (stride)
@group(0) @binding(END + 1u) var<storage, read>       residual:  array<f32>;     // (rows, stride)
@group(0) @binding(END + 2u) var<storage, read>       table:     array<vec2f>;   // (keys, head_size / 2): cos, sin
@group(0) @binding(END + 3u) var<storage, read>       positions: array<u32>;    // (rows): rows of the table
@group(0) @binding(END + 4u) var<storage, read_write> y:         array<f32>;     // (rows, stride), or half of it where pairs are gated
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
    epsilon: f32,           // of the norm of x: row_product.wgsl alone
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
    if p.has_bias != 0u {
        for (var j = 0u; j < used; j++) { value[j] += bias[column + j]; }
    }
    if column < p.rotated_columns {
        let position = positions[row];
        value = vec4f(rotate_pair(value.xy, column, position), rotate_pair(value.zw, column + 2u, position));
    }
    let activated = activate(value, p.activation);
    if p.gates != 0u {
        let at = (row * p.stride + column) / 2u;
        y[at] = activated.x * value.y;
        if used > 2u { y[at + 1u] = activated.z * value.w; }
        return;
    }
    let at = row * p.stride + column;
    for (var j = 0u; j < used; j++) {
        var number = activated[j];
        if p.has_residual != 0u { number += residual[at + j]; }
        y[at + j] = number;
    }
}
