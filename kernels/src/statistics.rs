//! What a head does with one query: entropy, distance, and where its weight lies.

use super::exponential::exp;

/// Numbers of each head: entropy in nats, mean distance |query − key|, weight on the previous, the same, the next and the first
/// token, the largest weight, and the weight on the same token elsewhere, on special tokens, and on tokens that follow an
/// earlier occurrence of the query's.
pub const EACH: usize = 10;

/// Adds the numbers of one query at `position`. shifted: (keys), its scores less the largest; sum: that of e^ of them;
/// tokens: (keys), each token's id, below 0 where it is special. The query's own is not. other: the query's id, where it is a
/// token of another text: then any key may be like it, and none is ahead.
#[inline(never)]
pub fn add_row(
    totals: &mut [f64; EACH],
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
    // The largest score less itself is 0.
    totals[6] += weight(0.0);
}

#[cfg(test)]
mod tests {
    use super::{EACH, add_row};

    #[test]
    fn a_uniform_row_has_the_numbers_of_a_uniform_row() {
        let mut totals = [0.0; EACH];
        let tokens = [-1.0, 7.0, 5.0, 7.0];
        add_row(&mut totals, &[0.0; 4], 4.0, 1, &tokens, None);
        let expected = [4f64.ln(), 1.0, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.0];
        for (found, expected) in totals.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{totals:?}");
        }
        // The first token has none before it, the last none behind it; both are added to what was there.
        add_row(&mut totals, &[0.0; 4], 4.0, 0, &tokens, None);
        add_row(&mut totals, &[0.0; 4], 4.0, 3, &tokens, None);
        let weights: Vec<f64> = totals[2..6].iter().map(|total| total * 4.0).collect();
        assert_eq!(weights, [2.0, 3.0, 2.0, 3.0]);
    }

    #[test]
    fn what_follows_earlier_occurrences_is_counted() {
        let tokens = [7.0, 7.0, 5.0, 7.0, -1.0, 7.0];
        let followed = |position: usize| {
            let mut totals = [0.0; EACH];
            add_row(&mut totals, &[0.0; 6], 6.0, position, &tokens, None);
            (totals[9] * 6.0).round()
        };
        // Of 7 at 1: itself, which follows the first; at 3: 1 and 2; at 5: 1, 2 and 4. Of 5: none, and nothing that is ahead.
        assert_eq!([0, 1, 2, 3, 5].map(followed), [0.0, 1.0, 0.0, 2.0, 3.0]);
    }
}
