// What a product of two blocks of 4 × 4 adds to sums. Of each of four places of the inner axis x has four rows and w four columns; sums
// have a row's columns beside one another. Unrolled: loops over blocks cost software adapters a third of their time.
fn plus_product(sums: mat4x4f, x: mat4x4f, w: mat4x4f) -> mat4x4f {
    return mat4x4f(
        fma(vec4f(x[3].x), w[3], fma(vec4f(x[2].x), w[2], fma(vec4f(x[1].x), w[1], fma(vec4f(x[0].x), w[0], sums[0])))),
        fma(vec4f(x[3].y), w[3], fma(vec4f(x[2].y), w[2], fma(vec4f(x[1].y), w[1], fma(vec4f(x[0].y), w[0], sums[1])))),
        fma(vec4f(x[3].z), w[3], fma(vec4f(x[2].z), w[2], fma(vec4f(x[1].z), w[1], fma(vec4f(x[0].z), w[0], sums[2])))),
        fma(vec4f(x[3].w), w[3], fma(vec4f(x[2].w), w[2], fma(vec4f(x[1].w), w[1], fma(vec4f(x[0].w), w[0], sums[3])))),
    );
}
