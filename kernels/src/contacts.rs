//! ESM-2's contacts between residues: a logistic regression over attention maps.

use crate::exp::exp_x8;
use crate::simd::{F32x8, map};

/// Adds one attention map's share to `logits`: `weight` times the map plus its transpose, minus the product of their row and column sums
/// over their total (the average product correction). Tokens where `mask` is false take no part.
///
/// map: (n, n), overwritten by map + mapᵀ; logits: (n, n); mask: (n)
#[inline(never)]
pub fn add_contacts(logits: &mut [f32], map: &mut [f32], mask: &[bool], weight: f32) {
    let length = mask.len();
    let mut sums = vec![0.0_f64; length];
    for row in (0..length).filter(|row| mask[*row]) {
        for column in (0..=row).filter(|column| mask[*column]) {
            let both = map[row * length + column] + map[column * length + row];
            map[row * length + column] = both;
            map[column * length + row] = both;
            sums[row] += f64::from(both);
            sums[column] += if column == row { 0.0 } else { f64::from(both) };
        }
    }
    let total: f64 = sums.iter().sum();
    if total == 0.0 {
        return;
    }
    for row in (0..length).filter(|row| mask[*row]) {
        for column in (0..length).filter(|column| mask[*column]) {
            let expected = (sums[row] * sums[column] / total) as f32;
            logits[row * length + column] += weight * (map[row * length + column] - expected);
        }
    }
}

/// The logistic function, 1 / (1 + e^−x), in place.
#[inline(never)]
pub fn sigmoid(values: &mut [f32]) {
    let one = F32x8::splat(1.0);
    let negated = |x: F32x8| x.max(F32x8::splat(-80.0)).min(F32x8::splat(80.0)).times(F32x8::splat(-1.0));
    map(values, |x| one.over(one.plus(exp_x8(negated(x)))));
}

#[cfg(test)]
mod tests {
    use super::{add_contacts, sigmoid};

    #[test]
    fn a_map_that_is_a_product_of_its_sums_adds_nothing() {
        let ones = [1.0_f32, 2.0, 3.0, 5.0];
        let mut map: Vec<f32> = ones.iter().flat_map(|row| ones.map(|column| row * column)).collect();
        let mut logits = [0.5; 16];
        add_contacts(&mut logits, &mut map, &[true; 4], 3.0);
        assert!(logits.iter().all(|logit| (logit - 0.5).abs() < 1e-5), "{logits:?}");
    }

    #[test]
    fn masked_tokens_take_no_part() {
        let map = [9.0, 1.0, 2.0, 9.0, 9.0, 3.0, 9.0, 9.0, 1.0];
        let (mut overwritten, mut logits) = (map, [0.0; 9]);
        add_contacts(&mut logits, &mut overwritten, &[true, false, true], 1.0);
        // (9, 2; 9, 1) plus its transpose is (18, 11; 11, 2), with the sums 29 and 13.
        let expected = |both: f32, sums: f32| both - sums / 42.0;
        let expected = [
            [expected(18.0, 29.0 * 29.0), 0.0, expected(11.0, 29.0 * 13.0)],
            [0.0; 3],
            [expected(11.0, 29.0 * 13.0), 0.0, expected(2.0, 13.0 * 13.0)],
        ];
        for (found, expected) in logits.iter().zip(expected.as_flattened()) {
            assert!((found - expected).abs() < 1e-5, "{logits:?}");
        }
        add_contacts(&mut logits, &mut [0.0; 9], &[true; 3], 1.0);
        assert!(logits.iter().all(|logit| logit.is_finite()));
    }

    #[test]
    fn the_logistic_function_is_between_0_and_1() {
        let mut values = [-1e30, -2.0, 0.0, 2.0, 1e30];
        sigmoid(&mut values);
        assert!(values[0] >= 0.0 && values[0] < 1e-30 && values[4] == 1.0 && values[2] == 0.5);
        assert!((values[3] - 0.880_797_1).abs() < 1e-6 && (values[1] + values[3] - 1.0).abs() < 1e-6);
    }
}
