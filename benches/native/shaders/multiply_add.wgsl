// Chains of fused multiply-adds that stay in registers: every invocation has eight sums of four numbers, each by itself, so that none
// waits for another. x[0]: rounds; the factors come from x, too, so that nothing is known when this is compiled.
const WIDTH: u32 = 256u;
@group(0) @binding(0) var<storage, read>       x: array<u32>;     // rounds, then the bits of a factor and of what is added
@group(0) @binding(1) var<storage, read_write> y: array<vec4f>;   // (invocations)

@compute @workgroup_size(WIDTH)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let factor = vec4f(bitcast<f32>(x[1]));
    let added = vec4f(bitcast<f32>(x[2]));
    let rounds = x[0];
    let start = vec4f(f32(id.x));
    var a = start;
    var b = start + 1.0;
    var c = start + 2.0;
    var d = start + 3.0;
    var e = start + 4.0;
    var f = start + 5.0;
    var g = start + 6.0;
    var h = start + 7.0;
    for (var round = 0u; round < rounds; round++) {
        a = fma(a, factor, added);
        b = fma(b, factor, added);
        c = fma(c, factor, added);
        d = fma(d, factor, added);
        e = fma(e, factor, added);
        f = fma(f, factor, added);
        g = fma(g, factor, added);
        h = fma(h, factor, added);
    }
    y[id.x] = a + b + c + d + e + f + g + h;
}
