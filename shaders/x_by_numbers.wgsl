// Four numbers at a time of a product's x, whose rows end anywhere: 0 behind their end.
@group(0) @binding(0) var<storage, read>       x: array<f32>;   // (rows, inner)

fn four_of_x(row: u32, step: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < min(4u, p.inner - 4u * step); lane++) { four[lane] = x[row * p.inner + 4u * step + lane]; }
    return four;
}
