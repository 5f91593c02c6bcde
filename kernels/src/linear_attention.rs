//! Linear attention: the feature map, the recurrent state, and weights of single rows, which may be negative.

use crate::exp::exp_x8;
use crate::simd::{F32x8, map};
use std::ops::Range;

/// φ(x) = elu(x) + 1 in place: x + 1 above 0, e^x below.
#[inline(never)]
pub fn feature_map(row: &mut [f32]) {
    map(row, |x| x.max(F32x8::splat(0.0)).plus(exp_x8(x.min(F32x8::splat(0.0)))));
}

/// Adds a key to a head's state. Row i of `sums` adds up `key[i]` · value and, in its last column, `plain[i]`: numerators use the rotated key,
/// denominators the same key before its rotation. sums: (head size, head size + 1); key, plain, value: (head size)
#[inline(never)]
pub fn add_key(sums: &mut [f32], [key, plain]: [&[f32]; 2], value: &[f32]) {
    for ((row, key), plain) in sums.chunks_exact_mut(value.len() + 1).zip(key).zip(plain) {
        let Some((total, products)) = row.split_last_mut() else { continue };
        products.iter_mut().zip(value).for_each(|(product, value)| *product += key * value);
        *total += plain;
    }
}

/// Writes a query's numerator to `numerator` and returns its denominator. `plain` is the query before its rotation. numerator: (head size),
/// sums: as [`add_key`] leaves them.
#[inline(never)]
pub fn read_sums(numerator: &mut [f32], sums: &[f32], [query, plain]: [&[f32]; 2]) -> f32 {
    numerator.fill(0.0);
    let mut denominator = 0.0;
    for ((row, query), plain) in sums.chunks_exact(numerator.len() + 1).zip(query).zip(plain) {
        let Some((total, products)) = row.split_last() else { continue };
        numerator.iter_mut().zip(products).for_each(|(sum, product)| *sum += query * product);
        denominator += plain * total;
    }
    denominator
}

/// A query's weights in place of its scores: divided by its denominator, 0 for masked keys. scores, mask: (keys)
#[inline(never)]
pub fn signed_weights(scores: &mut [f32], mask: &[f32], visible: Range<usize>, denominator: f32) {
    for (key, (score, mask)) in scores.iter_mut().zip(mask).enumerate() {
        *score = if *mask == 0.0 && visible.contains(&key) { *score / denominator } else { 0.0 };
    }
}

/// ln |score| in place of scores, `f32::MIN` for masked keys. scores, mask: (keys)
#[inline(never)]
pub fn log_magnitudes(scores: &mut [f32], mask: &[f32], visible: Range<usize>) {
    for (key, (score, mask)) in scores.iter_mut().zip(mask).enumerate() {
        let unmasked = *mask == 0.0 && visible.contains(&key);
        *score = if unmasked { f64::from(score.abs().max(1e-37)).ln() as f32 } else { f32::MIN };
    }
}

#[cfg(test)]
mod tests {
    use super::{add_key, feature_map, log_magnitudes, read_sums, signed_weights};

    #[test]
    fn the_feature_map_is_elu_and_one() {
        let mut row = [-200.0, -1.0, 0.0, 0.5, 3.0];
        feature_map(&mut row);
        for (found, expected) in row.iter().zip([0.0, (-1.0f32).exp(), 1.0, 1.5, 4.0]) {
            assert!((found - expected).abs() < 1e-6, "{row:?}");
        }
    }

    #[test]
    fn a_query_reads_the_weighted_values_of_all_keys() {
        let (keys, plain, values) = ([[1.0, -2.0], [0.5, 3.0]], [[2.0, 1.0], [1.0, 0.5]], [[1.0, 10.0], [2.0, -4.0]]);
        let mut sums = [0.0; 6];
        for ((key, plain), value) in keys.iter().zip(&plain).zip(&values) {
            add_key(&mut sums, [key, plain], value);
        }
        let (query, plain_query) = ([2.0, 1.0], [1.0, 4.0]);
        let mut numerator = [7.0; 2];
        let denominator = read_sums(&mut numerator, &sums, [&query, &plain_query]);
        // Scores 0 and 4, denominators 6 and 3.
        assert_eq!((numerator, denominator), ([8.0, -16.0], 9.0));
    }

    #[test]
    fn weights_keep_their_sign_and_masked_keys_get_nothing() {
        let mask = [0.0, f32::MIN, 0.0, 0.0];
        let mut scores = [2.0, 5.0, -4.0, 9.0];
        signed_weights(&mut scores, &mask, 0..3, 4.0);
        assert_eq!(scores, [0.5, 0.0, -1.0, 0.0]);
        let mut scores = [1.0, 5.0, -1.0, 9.0];
        log_magnitudes(&mut scores, &mask, 0..3);
        assert_eq!(scores, [0.0, f32::MIN, 0.0, f32::MIN]);
    }
}
