// Four numbers at a time of a product's operands, with a weight that is not kept as f32. After packed.wgsl.
@group(0) @binding(0) var<storage, read>       x:      array<f32>;   // (rows, inner)
@group(0) @binding(1) var<storage, read>       packed: array<u32>;   // (columns, row_words(inner)): this part of the weight

fn four_of_x(row: u32, step: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < min(4u, p.inner - 4u * step); lane++) { four[lane] = x[row * p.inner + 4u * step + lane]; }
    return four;
}

fn four_of_w(column: u32, step: u32) -> vec4f { return four(column * row_words(p.inner), step, p.inner); }
