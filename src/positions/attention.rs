//! Attention over a few tokens, step by step.

use super::vectors::{dot, row};

/// The steps of one attention head over `length` tokens: scores (length, length), scale·q·k; weights (length, length), their softmax over
/// the visible keys; outputs (length, size), Σ weight·v. A query without a visible key has uniform weights. query, key, value:
/// (length, size); mask: (length, length), 0 if the query does not see the key.
/// Source: Vaswani et al., arXiv 1706.03762, equation 1; the RoFormer paper's equation 2.
pub fn attention_steps(
    query: &[f64],
    key: &[f64],
    value: &[f64],
    size: usize,
    scale: f64,
    mask: &[f64],
) -> [Vec<f64>; 3] {
    let length = query.len() / size.max(1);
    let (mut scores, mut weights, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
    for m in 0..length {
        for n in 0..length {
            scores.push(scale * dot(row(query, m, size), row(key, n, size)));
        }
        // Models mask with f32::MIN, not −∞.
        let masked = |(score, visible): (&f64, &f64)| if *visible == 0.0 { f64::from(f32::MIN) } else { *score };
        let mut softmax: Vec<f64> = row(&scores, m, length).iter().zip(row(mask, m, length)).map(masked).collect();
        let highest = softmax.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        softmax.iter_mut().for_each(|score| *score = (*score - highest).exp());
        let sum: f64 = softmax.iter().sum();
        let mut output = vec![0.0; size];
        for (n, weight) in softmax.iter_mut().enumerate() {
            *weight /= sum;
            for (sum, value) in output.iter_mut().zip(row(value, n, size)) {
                *sum += *weight * value;
            }
        }
        weights.append(&mut softmax);
        outputs.append(&mut output);
    }
    [scores, weights, outputs]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(number: fn(f64, f64) -> f64) -> Vec<f64> {
        (0..16).map(|index| number(f64::from(index / 4), f64::from(index % 4))).collect()
    }

    /// The numbers of the sources' worked example, without positions.
    #[test]
    fn is_softmax_of_scores_and_a_weighted_sum() {
        let (query, key) = (rows(|m, i| (m + 1.0 + 0.5 * i).sin()), rows(|m, i| (m + 0.3 * i).cos()));
        let value = rows(|m, i| m + 0.1 * i);
        let [scores, weights, outputs] = attention_steps(&query, &key, &value, 4, 0.5, &[1.0; 16]);
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
        let [_, weights, causal_outputs] = attention_steps(&query, &key, &value, 4, 0.5, &causal);
        assert_eq!((weights[0], &weights[1..4]), (1.0, &[0.0; 3][..]));
        assert_eq!(causal_outputs[12..], outputs[12..], "the last token sees all");
    }

    #[test]
    fn the_order_of_tokens_does_not_change_their_outputs() {
        let query = rows(|m, i| (3.0 * m + i).sin());
        let value = rows(|m, i| (m - i).cos());
        let swapped = |rows: &[f64]| [&rows[4..8], &rows[..4], &rows[8..]].concat();
        let [.., all] = attention_steps(&query, &query, &value, 4, 0.5, &[1.0; 16]);
        let [.., other] = attention_steps(&swapped(&query), &swapped(&query), &swapped(&value), 4, 0.5, &[1.0; 16]);
        for (one, other) in swapped(&all).iter().zip(&other) {
            assert!((one - other).abs() < 1e-14);
        }
    }

    #[test]
    fn a_query_without_visible_keys_has_uniform_weights() {
        let [_, weights, outputs] = attention_steps(&[1.0, 2.0], &[3.0, 4.0], &[5.0, 7.0], 1, 1.0, &[0.0; 4]);
        assert_eq!((weights, outputs), (vec![0.5; 4], vec![6.0; 2]));
        assert!(attention_steps(&[], &[], &[], 0, 1.0, &[]).iter().all(Vec::is_empty));
    }
}
