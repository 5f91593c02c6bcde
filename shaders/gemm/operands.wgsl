// The operands of a GEMM: x and the weight w. `four_of_x` and `four_of_w` read columns 4 · step .. of a row, 0 behind its end.
// `inner_fours`: rows of x, and of w in f32, are whole fours. `quantised`: w is not in f32.
// Requires the parameters `p`.
#if inner_fours
@group(0) @binding(0) var<storage, read>       x: array<vec4f>;   // (rows, inner / 4)

fn four_of_x(row: u32, step: u32) -> vec4f { return x[row * (p.inner / 4u) + step]; }
#else
@group(0) @binding(0) var<storage, read>       x: array<f32>;   // (rows, inner)

fn four_of_x(row: u32, step: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < min(4u, p.inner - 4u * step); lane++) { four[lane] = x[row * p.inner + 4u * step + lane]; }
    return four;
}
#endif

#if quantised
#import shared/quantised

@group(0) @binding(1) var<storage, read>       packed: array<u32>;   // (columns, row_words(inner)): this part of the weight

fn four_of_w(column: u32, step: u32) -> vec4f { return four(column * row_words(p.inner), step, p.inner); }
#else
#if inner_fours
@group(0) @binding(1) var<storage, read>       w: array<vec4f>;   // (columns, inner / 4): this part of the weight

fn four_of_w(column: u32, step: u32) -> vec4f { return w[column * (p.inner / 4u) + step]; }
#else
@group(0) @binding(1) var<storage, read>       w: array<f32>;   // (columns, inner): this part of the weight

fn four_of_w(column: u32, step: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < min(4u, p.inner - 4u * step); lane++) { four[lane] = w[column * p.inner + 4u * step + lane]; }
    return four;
}
#endif
#endif
