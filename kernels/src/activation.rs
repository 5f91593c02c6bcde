//! Activations of the feed-forward layer, as Hugging Face's `ACT2FN` names them.

use crate::exp::exp_x8;
use crate::processor::with_widest_vectors;
use crate::simd::F32x8;

/// `hidden_act` of a config.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Activation {
    /// x Φ(x), by erf.
    Gelu,
    /// The tanh approximation of gelu: gelu_new, gelu_fast and gelu_pytorch_tanh are three names of one formula.
    GeluTanh,
    /// max(x, 0)
    Relu,
    /// x / (1 + e^−x), also called swish.
    Silu,
}

impl Activation {
    /// The activation of a name in `ACT2FN`; `None` if this crate does not have it.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "gelu" => Some(Activation::Gelu),
            "gelu_new" | "gelu_fast" | "gelu_pytorch_tanh" => Some(Activation::GeluTanh),
            "relu" => Some(Activation::Relu),
            "silu" | "swish" => Some(Activation::Silu),
            _ => None,
        }
    }

    /// The number by which shaders and raw jobs know it; 0 is none.
    pub fn code(activation: Option<Activation>) -> usize {
        match activation {
            None => 0,
            Some(Activation::Gelu) => 1,
            Some(Activation::Relu) => 2,
            Some(Activation::Silu) => 3,
            Some(Activation::GeluTanh) => 4,
        }
    }

    /// The inverse of [`Activation::code`].
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
        let (eights, rest) = values.as_chunks_mut::<{ F32x8::LANES }>();
        let mut last = [0.0; F32x8::LANES];
        last[..rest.len()].copy_from_slice(rest);
        for numbers in [eights.as_flattened_mut(), &mut last] {
            // SAFETY: both slices have a multiple of 8 numbers and are borrowed mutably.
            unsafe { activate_row(numbers.as_mut_ptr(), numbers.len(), Activation::code(Some(self))) };
        }
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// Applies the activation with this code to `count` numbers in place.
///
/// # Safety
/// `count` is a multiple of 8, and `out .. out + count` writable.
#[inline(never)]
pub unsafe fn activate_row(out: *mut f32, count: usize, code: usize) {
    // SAFETY: the caller guarantees `count` numbers, a multiple of 8.
    with_widest_vectors!(unsafe {
        match Activation::of_code(code) {
            None => {}
            Some(Activation::Gelu) => for_each(out, count, gelu),
            Some(Activation::GeluTanh) => for_each(out, count, gelu_tanh),
            Some(Activation::Relu) => for_each(out, count, |x| x.max(F32x8::splat(0.0))),
            Some(Activation::Silu) => for_each(out, count, silu),
        }
    })
}

/// # Safety
/// `count` is a multiple of 8, and `out .. out + count` writable.
#[inline(always)]
unsafe fn for_each(out: *mut f32, count: usize, apply: impl Fn(F32x8) -> F32x8) {
    let mut at = 0;
    while at < count {
        // SAFETY: `at` and `count` are multiples of 8, so that `at + 8 <= count`.
        unsafe { apply(F32x8::load(out.add(at))).store(out.add(at)) };
        at += F32x8::LANES;
    }
}

/// x (1 + erf(x / √2)) / 2. Below −5.7 gelu is 0 within 4e-8; further down, x would magnify the rounding error of 1 + erf.
#[inline(always)]
fn gelu(x: F32x8) -> F32x8 {
    let x = x.max(F32x8::splat(-5.7));
    let half = x.times(F32x8::splat(0.5));
    half.plus_product(half, erf(x.times(F32x8::splat(std::f32::consts::FRAC_1_SQRT_2))))
}

/// x (1 + tanh y) / 2 with y = √(2/π) (x + 0.044715 x³), as x / (1 + e^−2y). Below −10 it is 0 within 1e-36.
#[inline(always)]
fn gelu_tanh(x: F32x8) -> F32x8 {
    let x = x.max(F32x8::splat(-10.0));
    let cube = x.times(F32x8::splat(0.044_715)).times(x).times(x);
    let y = x.plus(cube).times(F32x8::splat(0.797_884_6));
    x.over(exp_x8(y.times(F32x8::splat(-2.0))).plus(F32x8::splat(1.0)))
}

/// x / (1 + e^−x). Below −88 it is 0 within 1e-36, and e^−x would overflow.
#[inline(always)]
fn silu(x: F32x8) -> F32x8 {
    let x = x.max(F32x8::splat(-88.0));
    x.over(exp_x8(x.times(F32x8::splat(-1.0))).plus(F32x8::splat(1.0)))
}

/// x · P(x²) / Q(x²) on [−4, 4]: the same rational approximation as `shaders/shared/activation.wgsl`.
#[allow(clippy::excessive_precision)] // the coefficients as published
#[inline(always)]
fn erf(value: F32x8) -> F32x8 {
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
    let x = value.max(F32x8::splat(-4.0)).min(F32x8::splat(4.0));
    let s = x.times(x);
    let by = |first: f32, rest: &[f32]| {
        rest.iter().fold(F32x8::splat(first), |sum, coefficient| F32x8::splat(*coefficient).plus_product(sum, s))
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
        let [gelu, gelu_tanh, silu] = [gelu, gelu_tanh, silu].map(|of| move |x: f32| of(F32x8::splat(x)).first());
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
