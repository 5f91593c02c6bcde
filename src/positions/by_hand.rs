//! Attention over a few tokens, step by step.

use super::dot;

/// The steps of one head of attention: (length, length) each but the last.
#[derive(Debug, Clone, PartialEq)]
pub struct ByHand {
    /// scale·q·k.
    pub scores: Vec<f64>,
    /// Their softmax over the keys that are seen. A query that sees none weighs all alike.
    pub weights: Vec<f64>,
    /// What each token is given: Σ weight·v, (length, size).
    pub outputs: Vec<f64>,
}

/// One head over `length` tokens. query, key, value: (length, size); seen: (length, length), whether a query sees a key.
/// Source: Vaswani et al., arXiv 1706.03762, equation 1; the RoFormer paper's equation 2.
pub fn by_hand(query: &[f64], key: &[f64], value: &[f64], size: usize, scale: f64, seen: &[bool]) -> ByHand {
    let size = size.max(1);
    let [queries, keys, values] = [query, key, value].map(|rows| rows.chunks_exact(size));
    let length = keys.len();
    let scores: Vec<f64> = queries.flat_map(|query| keys.clone().map(move |key| scale * dot(query, key))).collect();
    let mut weights = Vec::with_capacity(scores.len());
    let mut outputs = Vec::with_capacity(query.len());
    for (scores, seen) in scores.chunks_exact(length.max(1)).zip(seen.chunks_exact(length.max(1))) {
        // As in models a mask is added: f32::MIN, not −∞.
        let masked = || scores.iter().zip(seen).map(|(score, seen)| if *seen { *score } else { f64::from(f32::MIN) });
        let highest = masked().fold(f64::NEG_INFINITY, f64::max);
        let raised: Vec<f64> = masked().map(|score| (score - highest).exp()).collect();
        let sum: f64 = raised.iter().sum();
        let row: Vec<f64> = raised.iter().map(|raised| raised / sum).collect();
        outputs.extend((0..size).map(|at| {
            row.iter()
                .zip(values.clone())
                .map(|(weight, value)| weight * value.get(at).copied().unwrap_or(0.0))
                .sum::<f64>()
        }));
        weights.extend(row);
    }
    ByHand { scores, weights, outputs }
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
        let all = by_hand(&query, &key, &value, 4, 0.5, &[true; 16]);
        for (scores, weights) in all.scores.chunks(4).zip(all.weights.chunks(4)) {
            let sum: f64 = scores.iter().map(|score| score.exp()).sum();
            for (score, weight) in scores.iter().zip(weights) {
                assert!((score.exp() / sum - weight).abs() < 1e-14);
            }
        }
        // Column i of the values adds 0.1·i, and so do the outputs.
        for row in all.outputs.chunks(4) {
            assert!((row[3] - row[0] - 0.3).abs() < 1e-14);
        }
        let causal: Vec<bool> = (0..16).map(|index| index % 4 <= index / 4).collect();
        let causal = by_hand(&query, &key, &value, 4, 0.5, &causal);
        assert_eq!((causal.weights[0], &causal.weights[1..4]), (1.0, &[0.0; 3][..]));
        assert_eq!(causal.outputs[12..], all.outputs[12..], "the last token sees all");
    }

    #[test]
    fn tokens_in_another_order_are_given_the_same() {
        let query = rows(|m, i| (3.0 * m + i).sin());
        let value = rows(|m, i| (m - i).cos());
        let swapped = |rows: &[f64]| [&rows[4..8], &rows[..4], &rows[8..]].concat();
        let all = by_hand(&query, &query, &value, 4, 0.5, &[true; 16]);
        let other = by_hand(&swapped(&query), &swapped(&query), &swapped(&value), 4, 0.5, &[true; 16]);
        for (one, other) in swapped(&all.outputs).iter().zip(&other.outputs) {
            assert!((one - other).abs() < 1e-14);
        }
    }

    #[test]
    fn a_query_that_sees_nothing_weighs_all_alike() {
        let found = by_hand(&[1.0, 2.0], &[3.0, 4.0], &[5.0, 7.0], 1, 1.0, &[false; 4]);
        assert_eq!((found.weights, found.outputs), (vec![0.5; 4], vec![6.0; 2]));
        assert!(by_hand(&[], &[], &[], 0, 1.0, &[]).outputs.is_empty());
    }
}
