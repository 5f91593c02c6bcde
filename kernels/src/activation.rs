//! Activations of the feed-forward layer, as Hugging Face's `ACT2FN` names them.

use super::eight::Eight;
use super::exponential::exp_of;
use super::finish::activate;

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

    /// The activation of that code.
    #[inline(always)]
    pub fn of_code(code: usize) -> Option<Self> {
        match code {
            1 => Some(Activation::Gelu),
            2 => Some(Activation::Relu),
            3 => Some(Activation::Silu),
            4 => Some(Activation::GeluTanh),
            _ => None,
        }
    }

    /// Applies it in place. Absolute error of gelu below 1e-6.
    pub fn apply(self, values: &mut [f32]) {
        activate(values, Activation::code(Some(self)));
    }
}

/// x (1 + erf(x / √2)) / 2. Below −5.7 it is 0 to 4e-8; further down, x would magnify the rounding of 1 + erf.
#[inline(always)]
pub fn gelu(x: Eight) -> Eight {
    let x = x.at_least(Eight::all(-5.7));
    let half = x.times(Eight::all(0.5));
    half.plus_product(half, erf(x.times(Eight::all(std::f32::consts::FRAC_1_SQRT_2))))
}

/// x (1 + tanh y) / 2 with y = √(2/π) (x + 0.044715 x³), as x / (1 + e^−2y). Below −10 it is 0 to 1e-36.
#[inline(always)]
pub fn gelu_tanh(x: Eight) -> Eight {
    let x = x.at_least(Eight::all(-10.0));
    let cube = x.times(Eight::all(0.044_715)).times(x).times(x);
    let y = x.plus(cube).times(Eight::all(0.797_884_6));
    x.over(exp_of(y.times(Eight::all(-2.0))).plus(Eight::all(1.0)))
}

/// x / (1 + e^−x). Below −88 it is 0 to 1e-36, and e^−x would be infinite.
#[inline(always)]
pub fn silu(x: Eight) -> Eight {
    let x = x.at_least(Eight::all(-88.0));
    x.over(exp_of(x.times(Eight::all(-1.0))).plus(Eight::all(1.0)))
}

/// x · P(x²) / Q(x²) on [−4, 4]: the same rational approximation as `shaders/shared/activation.wgsl`.
#[allow(clippy::excessive_precision)] // the coefficients as published
#[inline(always)]
fn erf(value: Eight) -> Eight {
    const NUMERATOR: [f32; 6] = [
        2.77068142495902e-08,
        -2.10102402082508e-06,
        -5.69250639462346e-05,
        -7.34990630326855e-04,
        -2.95459980854025e-03,
        -1.60960333262415e-02,
    ];
    const DENOMINATOR: [f32; 4] =
        [-2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03, -1.42647390514189e-02];
    let x = value.at_least(Eight::all(-4.0)).at_most(Eight::all(4.0));
    let s = x.times(x);
    let by = |first: f32, rest: &[f32]| {
        rest.iter().fold(Eight::all(first), |sum, coefficient| Eight::all(*coefficient).plus_product(sum, s))
    };
    x.times(by(-2.72614225801306e-10, &NUMERATOR)).over(by(-1.45660718464996e-05, &DENOMINATOR))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Activation; 4] = [Activation::Gelu, Activation::GeluTanh, Activation::Relu, Activation::Silu];

    #[test]
    fn codes_are_those_of_the_shaders() {
        for activation in ALL {
            assert_eq!(Activation::of_code(Activation::code(Some(activation))), Some(activation));
        }
        assert_eq!(Activation::of_code(Activation::code(None)), None);
    }

    #[test]
    fn gelu_and_silu_agree_with_f64() {
        let [gelu, gelu_tanh, silu] = [gelu, gelu_tanh, silu].map(|of| move |x: f32| of(Eight::all(x)).first());
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
