//! Sum and maximum of a slice in eight lanes.

use crate::simd::F32x8;

const LANES: usize = F32x8::LANES;

/// The sum of `term` over all values; the lanes are added in f64.
#[inline(always)]
pub fn sum(values: &[f32], term: impl Fn(F32x8) -> F32x8) -> f64 {
    let (eights, rest) = values.as_chunks::<LANES>();
    let sums = eights.iter().fold(F32x8::splat(0.0), |sums, eight| sums.plus(term(F32x8::from_array(eight))));
    sums.sum() + rest.iter().map(|value| f64::from(term(F32x8::splat(*value)).first())).sum::<f64>()
}

/// The largest value; `f32::MIN` of an empty slice.
#[inline(always)]
pub fn largest(values: &[f32]) -> f32 {
    let larger = |one: f32, other: f32| if other > one { other } else { one };
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder().iter().copied().fold(f32::MIN, larger);
    let mut lanes = [f32::MIN; LANES];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, *value);
        }
    }
    lanes.into_iter().fold(rest, larger)
}

#[cfg(test)]
mod tests {
    use super::{largest, sum};

    #[test]
    fn agree_with_one_lane_at_every_length() {
        for length in 0..40 {
            let values: Vec<f32> = (0..length).map(|index| ((index * 7919) % 31) as f32 - 15.0).collect();
            let squares: f64 = values.iter().map(|value| f64::from(value * value)).sum();
            assert_eq!(sum(&values, |value| value.times(value)), squares, "length {length}");
            assert_eq!(largest(&values), values.iter().copied().fold(f32::MIN, f32::max), "length {length}");
        }
    }
}
