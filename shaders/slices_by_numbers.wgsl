// The first `used` of four columns of a slice's sums, whose rows end anywhere: 0 behind them.
@group(0) @binding(0) var<storage, read>       sums: array<f32>;   // (rows, slices, stride)

fn four_of_sums(at: u32, used: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < used; lane++) { four[lane] = sums[at + lane]; }
    return four;
}
