// Activations of a feed-forward layer: gelu by erf and by tanh, relu and silu. WGSL has no erf: on [−4, 4] it is approximated by
// x · P(x²) / Q(x²) with an error below 5e-7. The CPU kernel uses the same coefficients.

fn erf(value: vec4f) -> vec4f {
    let x = clamp(value, vec4f(-4.0), vec4f(4.0));
    let s = x * x;
    var numerator = vec4f(-2.72614225801306e-10) * s + 2.77068142495902e-08;
    numerator = numerator * s - 2.10102402082508e-06;
    numerator = numerator * s - 5.69250639462346e-05;
    numerator = numerator * s - 7.34990630326855e-04;
    numerator = numerator * s - 2.95459980854025e-03;
    numerator = numerator * s - 1.60960333262415e-02;
    var denominator = vec4f(-1.45660718464996e-05) * s - 2.13374055278905e-04;
    denominator = denominator * s - 1.68282697438203e-03;
    denominator = denominator * s - 7.37332916720468e-03;
    denominator = denominator * s - 1.42647390514189e-02;
    return x * numerator / denominator;
}

// max(least, x) that keeps NaN: `max` may drop it, which would hide a broken checkpoint.
fn at_least(least: f32, x: vec4f) -> vec4f { return select(x, vec4f(least), x < vec4f(least)); }

// activation: 0 none, 1 gelu (erf), 2 relu, 3 silu, 4 gelu (tanh); `Activation::code` of kernels.
fn activate(x: vec4f, activation: u32) -> vec4f {
    switch activation {
        case 1u: {
            let bounded = at_least(-5.7, x);   // gelu(x) is 0 to 4e-8 below; a larger |x| would magnify the rounding of 1 + erf
            return 0.5 * bounded * (1.0 + erf(bounded * 0.7071067811865476));
        }
        case 2u: { return at_least(0.0, x); }
        case 3u: {
            let bounded = at_least(-88.0, x);  // silu(x) is 0 to 1e-36 below; exp would overflow
            return bounded / (1.0 + exp(-bounded));
        }
        case 4u: {
            let bounded = at_least(-10.0, x);    // gelu(x) is 0 to 1e-36 below
            let y = 0.7978845608 * (bounded + 0.044715 * bounded * bounded * bounded);
            return bounded / (1.0 + exp(-2.0 * y));
        }
        default: { return x; }
    }
}
