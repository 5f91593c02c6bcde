// Four numbers at a time of a product's weight, whose rows end anywhere: 0 behind their end. Beside x_by_numbers.wgsl.
@group(0) @binding(1) var<storage, read>       w: array<f32>;   // (columns, inner): this part of the weight

fn four_of_w(column: u32, step: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < min(4u, p.inner - 4u * step); lane++) { four[lane] = w[column * p.inner + 4u * step + lane]; }
    return four;
}
