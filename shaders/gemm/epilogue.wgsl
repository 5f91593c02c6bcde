// The epilogue of a GEMM: bias, then a rotation, an activation or a gate, then a residual. Parameters choose among them at run time, so that
// a model needs few pipelines.
// `appends`: without a residual; the last columns are rows of the KV cache, and y has the first ones.
// `out_fours`: y has a multiple of 4 columns and no gate, and so have rows of the cache. Otherwise functions touch only the first `count` of
// four columns.
// Requires a const EPILOGUE_BINDING, its first binding.
#import shared/activation
#if appends
#import shared/cache_number
#endif

#if out_fours
@group(0) @binding(EPILOGUE_BINDING)      var<storage, read>       bias:     array<vec4f>;   // (stride / 4)
@group(0) @binding(EPILOGUE_BINDING + 4u) var<storage, read_write> y:        array<vec4f>;   // (rows, stride / 4)

fn four_of_bias(column: u32, count: u32) -> vec4f { return bias[column / 4u]; }

#if appends
@group(0) @binding(EPILOGUE_BINDING + 1u) var<storage, read_write> cache:    array<CacheFour>;   // (batch, cache_pitch, cache_stride / 4)

fn append(row: u32, column: u32, count: u32, four: vec4f) {
    if column < p.stride { y[(row * p.stride + column) / 4u] = four; }
    if column >= p.first_appended { cache[place_in_cache(row, column) / 4u] = cache_four(four); }
}
#else
@group(0) @binding(EPILOGUE_BINDING + 1u) var<storage, read>       residual: array<vec4f>;   // (rows, stride / 4)

fn four_of_residual(at: u32, count: u32) -> vec4f { return residual[at / 4u]; }
#endif

fn store(at: u32, count: u32, four: vec4f) { y[at / 4u] = four; }
#else
@group(0) @binding(EPILOGUE_BINDING)      var<storage, read>       bias:     array<f32>;   // (stride)
@group(0) @binding(EPILOGUE_BINDING + 4u) var<storage, read_write> y:        array<f32>;   // (rows, stride); with a gate (rows, stride / 2)

fn four_of_bias(column: u32, count: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < count; lane++) { four[lane] = bias[column + lane]; }
    return four;
}

#if appends
@group(0) @binding(EPILOGUE_BINDING + 1u) var<storage, read_write> cache:    array<CacheNumber>;   // (batch, cache_pitch, cache_stride)

fn append(row: u32, column: u32, count: u32, four: vec4f) {
    for (var lane = 0u; lane < count; lane++) {
        if column + lane < p.stride { y[row * p.stride + column + lane] = four[lane]; }
        if column + lane >= p.first_appended { cache[place_in_cache(row, column + lane)] = cache_number(four[lane]); }
    }
}
#else
@group(0) @binding(EPILOGUE_BINDING + 1u) var<storage, read>       residual: array<f32>;   // (rows, stride)

fn four_of_residual(at: u32, count: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < count; lane++) { four[lane] = residual[at + lane]; }
    return four;
}
#endif

fn store(at: u32, count: u32, four: vec4f) {
    for (var lane = 0u; lane < count; lane++) { y[at + lane] = four[lane]; }
}
#endif

@group(0) @binding(EPILOGUE_BINDING + 2u) var<storage, read>       table:     array<vec2f>;   // (keys, head_size / 2): cos, sin
@group(0) @binding(EPILOGUE_BINDING + 3u) var<storage, read>       positions: array<u32>;     // (rows): row of `table` of each token
struct Parameters {
    rows: u32,              // of x
    inner: u32,
    columns: u32,           // of this part of the weight
    first_column: u32,      // of this part
    stride: u32,            // columns of y, with all parts and slices
    head_size: u32,
    rotated_columns: u32,   // columns 0 .. rotated_columns are rotated
    activation: u32,
    has_bias: u32,
    has_residual: u32,
    gated: u32,             // each pair of columns (gate, up) becomes activation(gate) · up
    slices: u32,            // split-K factor; 1: no split
    slice_steps: u32,       // fours of the inner axis of a slice
    slice_columns: u32,     // columns from one slice's sums to the next slice's
    epsilon: f32,           // of the RMS norm of x: GEMV only
    lanes: u32,             // invocations that share the inner axis of a column: GEMV only
    first_appended: u32,    // the first column of a row of the cache
    cache_stride: u32,      // columns of a row of the cache
    cache_pitch: u32,       // rows of a sequence in the cache
    past: u32,              // the first row of a sequence that is written there
    length: u32,            // tokens of a sequence in x
}
@group(0) @binding(EPILOGUE_BINDING + 5u) var<uniform> p: Parameters;

// Rotates the pair of columns (column, column + 1) if it is one of a query or key head. column is even.
fn rotate_pair(pair: vec2f, column: u32, position: u32) -> vec2f {
    if column >= p.rotated_columns { return pair; }
    let cos_sin = table[position * (p.head_size / 2u) + (column % p.head_size) / 2u];
    return vec2f(pair.x * cos_sin.x - pair.y * cos_sin.y, pair.y * cos_sin.x + pair.x * cos_sin.y);
}

#if appends
// Where the cache has this column of a row of x.
fn place_in_cache(row: u32, column: u32) -> u32 {
    let cache_row = row / p.length * p.cache_pitch + p.past + row % p.length;
    return cache_row * p.cache_stride + column - p.first_appended;
}
#endif

// Applies the epilogue to four adjacent columns of one row and stores them. first_column: a multiple of 4, within this part.
fn apply_epilogue(row: u32, slice: u32, first_column: u32, sum: vec4f) {
    if row >= p.rows || first_column >= p.columns { return; }
    let count = min(4u, p.columns - first_column);
    let column = slice * p.slice_columns + p.first_column + first_column;
    var value = sum;
    if p.has_bias != 0u { value += four_of_bias(column, count); }
    if column < p.rotated_columns {
        let position = positions[row];
        value = vec4f(rotate_pair(value.xy, column, position), rotate_pair(value.zw, column + 2u, position));
    }
#if appends
    append(row, column, count, value);
#else
    var result = activate(value, p.activation);
    let at = row * p.stride + column;
    if p.gated != 0u {
        store(at / 2u, count / 2u, vec4f(result.x * value.y, result.z * value.w, 0.0, 0.0));
        return;
    }
    if p.has_residual != 0u { result += four_of_residual(at, count); }
    store(at, count, result);
#endif
}
