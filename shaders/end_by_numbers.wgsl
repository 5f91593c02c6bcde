// The first `used` of four numbers of what follows a product's sums, whose rows end anywhere: 0 behind them.
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
