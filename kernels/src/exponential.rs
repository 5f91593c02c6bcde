//! e^x for f32 without a branch or a call, so that the compiler vectorises the loops that use it.

/// e^x, relative error below 3e-7; 0 below −87.3, clamped above 88.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0; // 1.5 · 2^23: adding and taking it away rounds to an integer
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let clamped = x.clamp(-87.3, 88.0);
    let power = (clamped * std::f32::consts::LOG2_E + ROUND) - ROUND;
    let r = clamped - power * LN_2_HIGH - power * LN_2_LOW;
    // Taylor series of e^r on |r| ≤ ln 2 / 2 to the seventh power: its rest is below 6e-9.
    let mut series = 1.0 / 5040.0;
    series = series * r + 1.0 / 720.0;
    series = series * r + 1.0 / 120.0;
    series = series * r + 1.0 / 24.0;
    series = series * r + 1.0 / 6.0;
    series = series * r + 0.5;
    series = series * r + 1.0;
    series = series * r + 1.0;
    // power is within −126 … 127 after the clamp, so the exponent's bits neither overflow nor reach a denormal.
    let scale = f32::from_bits(((power as i32 + 127) as u32) << 23);
    if x < -87.3 { 0.0 } else { series * scale }
}

#[cfg(test)]
mod tests {
    use super::exp;

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
