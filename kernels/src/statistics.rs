//! What a head does with one query: entropy, distance, and weight on its neighbours.

use super::exponential::exp;

/// Numbers of each head: entropy in nats, mean distance |query − key|, weight on the previous, the same, the next and the first
/// token.
pub const EACH: usize = 6;

/// Adds the numbers of one query at `position`. shifted: (keys), its scores less the largest; sum: that of e^ of them.
#[inline(never)]
pub fn add_row(totals: &mut [f64; EACH], shifted: &[f32], sum: f32, position: usize) {
    let log_sum = f64::from(sum).ln();
    let weight = |score: f32| f64::from(exp(score) / sum);
    for (key, &score) in shifted.iter().enumerate() {
        let weight = weight(score);
        // 0 · ln 0 is 0.
        if weight != 0.0 {
            totals[0] += weight * (log_sum - f64::from(score));
        }
        totals[1] += weight * position.abs_diff(key) as f64;
    }
    let neighbours = [position.checked_sub(1), Some(position), position.checked_add(1), Some(0)];
    for (total, key) in totals[2..].iter_mut().zip(neighbours) {
        *total += key.and_then(|key| shifted.get(key)).map_or(0.0, |score| weight(*score));
    }
}

#[cfg(test)]
mod tests {
    use super::add_row;

    #[test]
    fn a_uniform_row_has_the_numbers_of_a_uniform_row() {
        let mut totals = [0.0; 6];
        add_row(&mut totals, &[0.0; 4], 4.0, 1);
        let expected = [4f64.ln(), 1.0, 0.25, 0.25, 0.25, 0.25];
        for (found, expected) in totals.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{totals:?}");
        }
        // The first token has none before it, the last none behind it; both are added to what was there.
        add_row(&mut totals, &[0.0; 4], 4.0, 0);
        add_row(&mut totals, &[0.0; 4], 4.0, 3);
        let weights: Vec<f64> = totals[2..].iter().map(|total| total * 4.0).collect();
        assert_eq!(weights, [2.0, 3.0, 2.0, 3.0]);
    }
}
