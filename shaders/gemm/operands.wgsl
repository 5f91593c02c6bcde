// Operands of a GEMM, x and the weight, in fours: `four_of_x(row, step)` and `four_of_w(column, step)` read inner indices 4 · step .., and 0
// after the end.
// `inner_fours`: the inner size is a multiple of 4. `f16_weights`: the weight is f16 and read as 16-bit floats. `quantised`: the weight
// is read as words of any other format but f32.
// Requires parameters `p` with a member `inner`.
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

#if f16_weights
enable f16;

@group(0) @binding(1) var<storage, read>       weight: array<vec4<f16>>;   // (columns, ⌈inner / 4⌉): this part of the weight

// Rows are padded with zeros.
fn four_of_w(column: u32, step: u32) -> vec4f { return vec4f(weight[column * ((p.inner + 3u) / 4u) + step]); }
#else
#if quantised
#import shared/quantised

#if word_fours
@group(0) @binding(1) var<storage, read>       weight: array<vec4u>;   // (columns, row_words(inner) / 4): this part of the weight
#else
@group(0) @binding(1) var<storage, read>       weight: array<u32>;   // (columns, row_words(inner)): this part of the weight
#endif

fn four_of_w(column: u32, step: u32) -> vec4f { return four_weights(column * row_words(p.inner), step, p.inner); }
#else
#if inner_fours
@group(0) @binding(1) var<storage, read>       weight: array<vec4f>;   // (columns, inner / 4): this part of the weight

fn four_of_w(column: u32, step: u32) -> vec4f { return weight[column * (p.inner / 4u) + step]; }
#else
@group(0) @binding(1) var<storage, read>       weight: array<f32>;   // (columns, inner): this part of the weight

fn four_of_w(column: u32, step: u32) -> vec4f {
    var four = vec4f(0.0);
    for (var lane = 0u; lane < min(4u, p.inner - 4u * step); lane++) { four[lane] = weight[column * p.inner + 4u * step + lane]; }
    return four;
}
#endif
#endif
#endif
