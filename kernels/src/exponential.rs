//! e^x for f32 without a branch or a call, eight numbers at once.

use super::eight::{EIGHT, Eight};

/// e^x of each, relative error below 3e-7; 0 below −87.3, clamped above 88.
#[inline(always)]
pub fn exp_of(x: Eight) -> Eight {
    const LEAST: f32 = -87.3;
    const ROUND: f32 = 12_582_912.0; // 1.5 · 2^23: adding and taking it away rounds to an integer
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    // Taylor series of e^r on |r| ≤ ln 2 / 2 to the seventh power: its rest is below 6e-9.
    const SERIES: [f32; 7] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let clamped = x.at_least(Eight::all(LEAST)).at_most(Eight::all(88.0));
    let rounded = Eight::all(ROUND).plus_product(clamped, Eight::all(std::f32::consts::LOG2_E));
    let power = rounded.plus(Eight::all(-ROUND));
    let r = clamped.plus_product(power, Eight::all(-LN_2_HIGH)).plus_product(power, Eight::all(-LN_2_LOW));
    let mut series = Eight::all(1.0 / 5040.0);
    for coefficient in SERIES {
        series = Eight::all(coefficient).plus_product(series, r);
    }
    // The power is within −126 … 127 after the clamp, and stands in the lowest bits of what was rounded: neither overflows nor reaches a denormal.
    series.times(rounded.power_of_two()).or_zero_where(x, Eight::all(LEAST))
}

/// The same of one number.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    exp_of(Eight::all(x)).first()
}

/// Σ e^(x − largest). Stretches of numbers are added in f64: all of a vocabulary's in f32 would lose digits.
#[inline(always)]
pub fn sum_of_exponentials(values: &[f32], largest: f32) -> f64 {
    const STRETCH: usize = 1 << 10;
    let less = Eight::all(-largest);
    let sum_of = |stretch: &[f32]| {
        let (eights, rest) = stretch.as_chunks::<EIGHT>();
        let sums = eights.iter().fold(Eight::all(0.0), |sums, eight| sums.plus(exp_of(Eight::of(eight).plus(less))));
        sums.sum() + rest.iter().map(|x| f64::from(exp(x - largest))).sum::<f64>()
    };
    values.chunks(STRETCH).map(sum_of).sum()
}

#[cfg(test)]
mod tests {
    use super::{exp, sum_of_exponentials};

    #[test]
    fn sums_of_many_keep_their_digits() {
        for count in [0, 1, 3, 1023, 1025, 50_003] {
            let values: Vec<f32> = (0..count).map(|at| ((at * 37) % 101) as f32 / 9.0).collect();
            let expected: f64 = values.iter().map(|x| (f64::from(*x) - 11.0).exp()).sum();
            let error = (sum_of_exponentials(&values, 11.0) - expected).abs();
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
