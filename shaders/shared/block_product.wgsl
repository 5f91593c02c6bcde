// sums + x · w for 4 × 4 blocks. x[i]: column i of four rows; w[i]: row i of four columns; sums[i]: row i.
// Unrolled: loops over the block took a third longer on software adapters.
fn plus_product(sums: mat4x4f, x: mat4x4f, w: mat4x4f) -> mat4x4f {
    return mat4x4f(
        fma(vec4f(x[3].x), w[3], fma(vec4f(x[2].x), w[2], fma(vec4f(x[1].x), w[1], fma(vec4f(x[0].x), w[0], sums[0])))),
        fma(vec4f(x[3].y), w[3], fma(vec4f(x[2].y), w[2], fma(vec4f(x[1].y), w[1], fma(vec4f(x[0].y), w[0], sums[1])))),
        fma(vec4f(x[3].z), w[3], fma(vec4f(x[2].z), w[2], fma(vec4f(x[1].z), w[1], fma(vec4f(x[0].z), w[0], sums[2])))),
        fma(vec4f(x[3].w), w[3], fma(vec4f(x[2].w), w[2], fma(vec4f(x[1].w), w[1], fma(vec4f(x[0].w), w[0], sums[3])))),
    );
}
