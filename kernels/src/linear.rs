//! Linear attention: the feature map, sums over keys and what a query reads of them, and weights that are signed.

use super::eight::{Eight, map};
use super::exponential::exp_of;
use std::ops::Range;

/// φ(x) = elu(x) + 1 of each number: x + 1 above 0, e^x below.
#[inline(never)]
pub fn feature_map(row: &mut [f32]) {
    map(row, |x| x.at_least(Eight::all(0.0)).plus(exp_of(x.at_most(Eight::all(0.0)))));
}

/// Adds a key to sums: to each row of them its number times the value, and behind that the number of the same key as it was before it
/// turned. sums: (head size, head size + 1), key, plain and value: (head size).
#[inline(never)]
pub fn add_key(sums: &mut [f32], [key, plain]: [&[f32]; 2], value: &[f32]) {
    for ((row, key), plain) in sums.chunks_exact_mut(value.len() + 1).zip(key).zip(plain) {
        let Some((total, products)) = row.split_last_mut() else { continue };
        products.iter_mut().zip(value).for_each(|(product, value)| *product += key * value);
        *total += plain;
    }
}

/// The numerator that a query reads of sums, in place of what `context` held, and its denominator. query, plain: as [`add_key`]
/// has them of keys.
#[inline(never)]
pub fn read_sums(context: &mut [f32], sums: &[f32], [query, plain]: [&[f32]; 2]) -> f32 {
    context.fill(0.0);
    let mut denominator = 0.0;
    for ((row, query), plain) in sums.chunks_exact(context.len() + 1).zip(query).zip(plain) {
        let Some((total, products)) = row.split_last() else { continue };
        context.iter_mut().zip(products).for_each(|(sum, product)| *sum += query * product);
        denominator += plain * total;
    }
    denominator
}

/// Weights in place of a query's scores: over its denominator, 0 of keys that it does not see. scores, mask: (keys).
#[inline(never)]
pub fn signed_weights(scores: &mut [f32], mask: &[f32], seen: Range<usize>, denominator: f32) {
    for (key, (score, mask)) in scores.iter_mut().zip(mask).enumerate() {
        *score = if *mask == 0.0 && seen.contains(&key) { *score / denominator } else { 0.0 };
    }
}

/// ln |score| in place of scores, f32::MIN of keys that the query does not see. scores, mask: (keys).
#[inline(never)]
pub fn log_magnitudes(scores: &mut [f32], mask: &[f32], seen: Range<usize>) {
    for (key, (score, mask)) in scores.iter_mut().zip(mask).enumerate() {
        let visible = *mask == 0.0 && seen.contains(&key);
        *score = if visible { f64::from(score.abs().max(1e-37)).ln() as f32 } else { f32::MIN };
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
    fn a_query_reads_the_weighed_values_of_all_keys() {
        let (keys, plain, values) = ([[1.0, -2.0], [0.5, 3.0]], [[2.0, 1.0], [1.0, 0.5]], [[1.0, 10.0], [2.0, -4.0]]);
        let mut sums = [0.0; 6];
        for ((key, plain), value) in keys.iter().zip(&plain).zip(&values) {
            add_key(&mut sums, [key, plain], value);
        }
        let (query, plain_query) = ([2.0, 1.0], [1.0, 4.0]);
        let mut context = [7.0; 2];
        let denominator = read_sums(&mut context, &sums, [&query, &plain_query]);
        // Scores 0 and 4, denominators 6 and 3.
        assert_eq!((context, denominator), ([8.0, -16.0], 9.0));
    }

    #[test]
    fn weights_keep_their_sign_and_nothing_else_is_seen() {
        let mask = [0.0, f32::MIN, 0.0, 0.0];
        let mut scores = [2.0, 5.0, -4.0, 9.0];
        signed_weights(&mut scores, &mask, 0..3, 4.0);
        assert_eq!(scores, [0.5, 0.0, -1.0, 0.0]);
        let mut scores = [1.0, 5.0, -1.0, 9.0];
        log_magnitudes(&mut scores, &mask, 0..3);
        assert_eq!(scores, [0.0, f32::MIN, 0.0, f32::MIN]);
    }
}
