//! Activations of the feed-forward layer, as Hugging Face's `ACT2FN` names them.

use super::exponential::exp;

/// `hidden_act` of a config: gelu in its erf form or by tanh, relu or silu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Activation {
    Gelu,
    /// gelu_new, gelu_fast and gelu_pytorch_tanh: three names of one formula.
    GeluTanh,
    Relu,
    Silu,
}

impl Activation {
    /// The activation that a config names as `ACT2FN` does; `None` for one that does not run here.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "gelu" => Some(Activation::Gelu),
            "gelu_new" | "gelu_fast" | "gelu_pytorch_tanh" => Some(Activation::GeluTanh),
            "relu" => Some(Activation::Relu),
            "silu" | "swish" => Some(Activation::Silu),
            _ => None,
        }
    }

    /// The shaders' `activation`.
    pub fn code(activation: Option<Activation>) -> usize {
        match activation {
            None => 0,
            Some(Activation::Gelu) => 1,
            Some(Activation::Relu) => 2,
            Some(Activation::Silu) => 3,
            Some(Activation::GeluTanh) => 4,
        }
    }

    /// Applies it in place. Absolute error of gelu below 1e-6.
    #[inline(never)]
    pub fn apply(self, values: &mut [f32]) {
        match self {
            Activation::Gelu => values.iter_mut().for_each(|x| *x = gelu(*x)),
            Activation::GeluTanh => values.iter_mut().for_each(|x| *x = gelu_tanh(*x)),
            Activation::Relu => values.iter_mut().for_each(|x| *x = at_least(0.0, *x)),
            Activation::Silu => values.iter_mut().for_each(|x| *x = silu(*x)),
        }
    }
}

/// The larger of both, NaN where x is: `f32::max` would hide what a broken checkpoint does.
#[inline(always)]
fn at_least(least: f32, x: f32) -> f32 {
    if x < least { least } else { x }
}

/// x (1 + erf(x / √2)) / 2. Below −5.7 it is 0 to 4e-8; further down, x would magnify the rounding of 1 + erf.
#[inline(always)]
fn gelu(x: f32) -> f32 {
    let x = at_least(-5.7, x);
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// x (1 + tanh y) / 2 with y = √(2/π) (x + 0.044715 x³), as x / (1 + e^−2y). Below −10 it is 0 to 1e-36.
#[inline(always)]
fn gelu_tanh(x: f32) -> f32 {
    let x = at_least(-10.0, x);
    let y = 0.797_884_6 * (x + 0.044_715 * x * x * x);
    x / (1.0 + exp(-2.0 * y))
}

/// x / (1 + e^−x). Below −88 it is 0 to 1e-36, and e^−x would be infinite.
#[inline(always)]
fn silu(x: f32) -> f32 {
    let x = at_least(-88.0, x);
    x / (1.0 + exp(-x))
}

/// x · P(x²) / Q(x²) on [−4, 4]: the same rational approximation as `shaders/activation.wgsl`; no branch, so it vectorises.
#[allow(clippy::excessive_precision)] // the coefficients as published
#[inline(always)]
fn erf(value: f32) -> f32 {
    let x = value.clamp(-4.0, 4.0);
    let s = x * x;
    let mut numerator = -2.72614225801306e-10 * s + 2.77068142495902e-08;
    numerator = numerator * s - 2.10102402082508e-06;
    numerator = numerator * s - 5.69250639462346e-05;
    numerator = numerator * s - 7.34990630326855e-04;
    numerator = numerator * s - 2.95459980854025e-03;
    numerator = numerator * s - 1.60960333262415e-02;
    let mut denominator = -1.45660718464996e-05 * s - 2.13374055278905e-04;
    denominator = denominator * s - 1.68282697438203e-03;
    denominator = denominator * s - 7.37332916720468e-03;
    denominator = denominator * s - 1.42647390514189e-02;
    x * numerator / denominator
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Activation; 4] = [Activation::Gelu, Activation::GeluTanh, Activation::Relu, Activation::Silu];

    #[test]
    fn gelu_and_silu_agree_with_f64() {
        for step in -200_000..=200_000 {
            let x = step as f32 / 10_000.0;
            let wide = f64::from(x);
            let silu_error = (f64::from(silu(x)) - wide / (1.0 + (-wide).exp())).abs();
            assert!(silu_error <= 1e-6 * wide.abs().max(1.0), "silu({x}) is off by {silu_error}");
            let tanh = 0.5 * wide * (1.0 + (0.797_884_560_802_865_4 * (wide + 0.044_715 * wide.powi(3))).tanh());
            let tanh_error = (f64::from(gelu_tanh(x)) - tanh).abs();
            assert!(tanh_error <= 1e-6 * wide.abs().max(1.0), "gelu_tanh({x}) is off by {tanh_error}");
            // gelu(x) − gelu(−x) = x, and gelu lies between relu − 0.17 and relu: PyTorch's values are in the kernel tests.
            let odd = (gelu(x) - gelu(-x) - x).abs();
            assert!(odd <= 1e-6 * x.abs().max(1.0), "gelu(±{x}) differ from x by {odd}");
        }
    }

    #[test]
    fn stay_finite_far_out_and_keep_nan() {
        for activation in ALL {
            let mut values = [f32::MIN, -1e30, -100.0, 0.0, 100.0, 1e30, f32::MAX, f32::NAN];
            activation.apply(&mut values);
            let expected = [0.0, 0.0, 0.0, 0.0, 100.0, 1e30, f32::MAX];
            for (found, expected) in values.iter().zip(expected) {
                assert!((found - expected).abs() <= 4e-7, "{activation:?}: {found}, expected {expected}");
            }
            assert!(values[7].is_nan(), "{activation:?} hides NaN");
        }
    }
}
