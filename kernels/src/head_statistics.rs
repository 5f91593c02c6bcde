//! Statistics of a head's attention: entropy, distance, and where its weight goes.

use crate::exp::exp;

/// Statistics of each head, in this order: entropy in nats; mean distance |query − key|; weight on the previous, the same, the next and the
/// first token; the largest weight; weight on the same token elsewhere, on special tokens, and on tokens that follow an
/// earlier occurrence of the query's token (induction).
pub const HEAD_STATISTICS: usize = 10;

/// Adds the statistics of one query at `position` to `totals`.
///
/// shifted: (keys), its scores minus the largest; sum: Σ e^shifted; tokens: (keys), each key's id, negative for special tokens. other: the
/// query's id if it is a token of another text (cross-attention): then every key may repeat it, and none comes after it.
#[inline(never)]
pub fn add_head_statistics(
    totals: &mut [f64; HEAD_STATISTICS],
    shifted: &[f32],
    sum: f32,
    position: usize,
    tokens: &[f32],
    other: Option<f32>,
) {
    let log_sum = f64::from(sum).ln();
    let weight = |score: f32| f64::from(exp(score) / sum);
    let own = other.or(tokens.get(position).copied()).unwrap_or(f32::NAN);
    let mut before = f32::NAN;
    for (key, (&score, &token)) in shifted.iter().zip(tokens).enumerate() {
        let weight = weight(score);
        // 0 · ln 0 is 0.
        if weight != 0.0 {
            totals[0] += weight * (log_sum - f64::from(score));
        }
        totals[1] += weight * position.abs_diff(key) as f64;
        if token == own && (key != position || other.is_some()) {
            totals[7] += weight;
        }
        if token < 0.0 {
            totals[8] += weight;
        }
        if before == own && (key <= position || other.is_some()) {
            totals[9] += weight;
        }
        before = token;
    }
    let neighbours = [position.checked_sub(1), Some(position), position.checked_add(1), Some(0)];
    for (total, key) in totals[2..6].iter_mut().zip(neighbours) {
        *total += key.and_then(|key| shifted.get(key)).map_or(0.0, |score| weight(*score));
    }
    // The largest shifted score is 0.
    totals[6] += weight(0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_a_uniform_row() {
        let mut totals = [0.0; HEAD_STATISTICS];
        let tokens = [-1.0, 7.0, 5.0, 7.0];
        add_head_statistics(&mut totals, &[0.0; 4], 4.0, 1, &tokens, None);
        let expected = [4f64.ln(), 1.0, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.0];
        for (found, expected) in totals.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{totals:?}");
        }
        // The first token has no previous one, the last no next one; both add to the totals.
        add_head_statistics(&mut totals, &[0.0; 4], 4.0, 0, &tokens, None);
        add_head_statistics(&mut totals, &[0.0; 4], 4.0, 3, &tokens, None);
        let weights: Vec<f64> = totals[2..6].iter().map(|total| total * 4.0).collect();
        assert_eq!(weights, [2.0, 3.0, 2.0, 3.0]);
    }

    #[test]
    fn tokens_after_earlier_occurrences_are_counted() {
        let tokens = [7.0, 7.0, 5.0, 7.0, -1.0, 7.0];
        let followed = |position: usize| {
            let mut totals = [0.0; HEAD_STATISTICS];
            add_head_statistics(&mut totals, &[0.0; 6], 6.0, position, &tokens, None);
            (totals[9] * 6.0).round()
        };
        // For 7 at 1: itself, which follows the first 7; at 3: 1 and 2; at 5: 1, 2 and 4. For 5: none, and nothing after the query.
        assert_eq!([0, 1, 2, 3, 5].map(followed), [0.0, 1.0, 0.0, 2.0, 3.0]);
    }
}
