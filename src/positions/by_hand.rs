//! Attention over a few tokens, step by step.

use super::vectors::{dot, row_of};
use crate::transcendental::exp;

/// The steps of one head of attention over `length` tokens: scores (length, length), scale·q·k; weights (length, length), their
/// softmax over the keys that are seen; outputs (length, size), Σ weight·v. A query that sees no key weighs all alike. query, key,
/// value: (length, size); seen: (length, length), 0 where a query does not see a key.
/// Source: Vaswani et al., arXiv 1706.03762, equation 1; the RoFormer paper's equation 2.
pub fn by_hand(query: &[f64], key: &[f64], value: &[f64], size: usize, scale: f64, seen: &[f64]) -> [Vec<f64>; 3] {
    let length = query.len() / size.max(1);
    let (mut scores, mut weights, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
    for m in 0..length {
        for n in 0..length {
            scores.push(scale * dot(row_of(query, m, size), row_of(key, n, size)));
        }
        // As in models a mask is added: f32::MIN, not −∞.
        let mut row: Vec<f64> = Vec::new();
        for (score, seen) in row_of(&scores, m, length).iter().zip(row_of(seen, m, length)) {
            row.push(if *seen == 0.0 { f64::from(f32::MIN) } else { *score });
        }
        let (mut highest, mut sum) = (f64::NEG_INFINITY, 0.0);
        for score in &row {
            highest = highest.max(*score);
        }
        for score in &mut row {
            *score = exp(*score - highest);
            sum += *score;
        }
        let mut output = vec![0.0; size];
        for (n, weight) in row.iter_mut().enumerate() {
            *weight /= sum;
            for (sum, value) in output.iter_mut().zip(row_of(value, n, size)) {
                *sum += *weight * value;
            }
        }
        weights.append(&mut row);
        outputs.append(&mut output);
    }
    [scores, weights, outputs]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(of: fn(f64, f64) -> f64) -> Vec<f64> {
        (0..16).map(|index| of(f64::from(index / 4), f64::from(index % 4))).collect()
    }

    /// The numbers of the sources' worked example, without positions.
    #[test]
    fn is_softmax_of_scores_and_a_weighted_sum() {
        let (query, key) = (rows(|m, i| (m + 1.0 + 0.5 * i).sin()), rows(|m, i| (m + 0.3 * i).cos()));
        let value = rows(|m, i| m + 0.1 * i);
        let [scores, weights, outputs] = by_hand(&query, &key, &value, 4, 0.5, &[1.0; 16]);
        for (scores, weights) in scores.chunks(4).zip(weights.chunks(4)) {
            let sum: f64 = scores.iter().map(|score| score.exp()).sum();
            for (score, weight) in scores.iter().zip(weights) {
                assert!((score.exp() / sum - weight).abs() < 1e-14);
            }
        }
        // Column i of the values adds 0.1·i, and so do the outputs.
        for row in outputs.chunks(4) {
            assert!((row[3] - row[0] - 0.3).abs() < 1e-14);
        }
        let causal: Vec<f64> = (0..16).map(|index| f64::from(u8::from(index % 4 <= index / 4))).collect();
        let [_, weights, given] = by_hand(&query, &key, &value, 4, 0.5, &causal);
        assert_eq!((weights[0], &weights[1..4]), (1.0, &[0.0; 3][..]));
        assert_eq!(given[12..], outputs[12..], "the last token sees all");
    }

    #[test]
    fn tokens_in_another_order_are_given_the_same() {
        let query = rows(|m, i| (3.0 * m + i).sin());
        let value = rows(|m, i| (m - i).cos());
        let swapped = |rows: &[f64]| [&rows[4..8], &rows[..4], &rows[8..]].concat();
        let [.., all] = by_hand(&query, &query, &value, 4, 0.5, &[1.0; 16]);
        let [.., other] = by_hand(&swapped(&query), &swapped(&query), &swapped(&value), 4, 0.5, &[1.0; 16]);
        for (one, other) in swapped(&all).iter().zip(&other) {
            assert!((one - other).abs() < 1e-14);
        }
    }

    #[test]
    fn a_query_that_sees_nothing_weighs_all_alike() {
        let [_, weights, outputs] = by_hand(&[1.0, 2.0], &[3.0, 4.0], &[5.0, 7.0], 1, 1.0, &[0.0; 4]);
        assert_eq!((weights, outputs), (vec![0.5; 4], vec![6.0; 2]));
        assert!(by_hand(&[], &[], &[], 0, 1.0, &[]).iter().all(Vec::is_empty));
    }
}
