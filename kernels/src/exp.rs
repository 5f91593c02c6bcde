//! e^x for f32 without a branch or a call.

use crate::processor::with_widest_vectors;
use crate::reduce::sum;
use crate::simd::F32x8;

/// e^x of each lane, relative error below 3e-7; 0 below −87.3, clamped above 88.
#[inline(always)]
pub fn exp_x8(x: F32x8) -> F32x8 {
    const LEAST: f32 = -87.3;
    const ROUND: f32 = 12_582_912.0; // 1.5 · 2^23: adding and subtracting it rounds to an integer
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    // Taylor series of e^r on |r| ≤ ln 2 / 2 up to r^7: the remainder is below 6e-9.
    const SERIES: [f32; 7] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let clamped = x.max(F32x8::splat(LEAST)).min(F32x8::splat(88.0));
    let rounded = F32x8::splat(ROUND).plus_product(clamped, F32x8::splat(std::f32::consts::LOG2_E));
    let power = rounded.plus(F32x8::splat(-ROUND));
    let r = clamped.plus_product(power, F32x8::splat(-LN_2_HIGH)).plus_product(power, F32x8::splat(-LN_2_LOW));
    let mut series = F32x8::splat(1.0 / 5040.0);
    for coefficient in SERIES {
        series = F32x8::splat(coefficient).plus_product(series, r);
    }
    // After the clamp the power is within −126 … 127, and `rounded` has it in its lowest bits: 2^power is a normal number.
    series.times(rounded.power_of_two()).zero_where_less(x, F32x8::splat(LEAST))
}

/// [`exp_x8`] of one number.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    exp_x8(F32x8::splat(x)).first()
}

/// Σ e^(x − largest). Blocks are added up in f64: a sum over a vocabulary in f32 would lose digits.
#[inline]
pub fn sum_exp(values: &[f32], largest: f32) -> f64 {
    const BLOCK: usize = 1 << 10;
    let shift = F32x8::splat(-largest);
    with_widest_vectors!(values.chunks(BLOCK).map(|block| sum(block, |x| exp_x8(x.plus(shift)))).sum())
}

#[cfg(test)]
mod tests {
    use super::{exp, sum_exp};

    #[test]
    fn sums_of_many_keep_their_digits() {
        for count in [0, 1, 3, 1023, 1025, 50_003] {
            let values: Vec<f32> = (0..count).map(|at| ((at * 37) % 101) as f32 / 9.0).collect();
            let expected: f64 = values.iter().map(|x| (f64::from(*x) - 11.0).exp()).sum();
            let error = (sum_exp(&values, 11.0) - expected).abs();
            assert!(error <= 1e-6 * expected, "{count}: off by {error}");
        }
    }

    #[test]
    fn agrees_with_f64_over_its_range() {
        for step in 0..=200_000 {
            let x = -87.0 + step as f32 * (175.0 / 200_000.0);
            let expected = f64::from(x).exp();
            let error = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(error < 3e-7, "exp({x}): relative error {error}");
        }
    }

    #[test]
    fn is_zero_far_below_and_one_at_zero() {
        assert_eq!(exp(f32::MIN), 0.0);
        assert_eq!(exp(-100.0), 0.0);
        assert_eq!(exp(0.0), 1.0);
    }
}
