//! A score by frequency pair, and the scores of the same query and key at other distances.

use super::Frequencies;

/// One score scale·q·k of one head by pair. The lists except `sweep` have (head_size / 2) entries, pair 0 first.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreParts {
    /// scale·|q_i||k_i|·cos((m − n)θ_i + φ_i), where φ_i is the angle from key to query before rotation.
    pub parts: Vec<f64>,
    /// Cumulative sums of `parts`.
    pub running: Vec<f64>,
    /// The sum of all parts.
    pub score: f64,
    /// The score at each distance (query − key) from −max_distance to max_distance: (2·max_distance + 1).
    pub sweep: Vec<f64>,
    /// The two components of each pair as vectors of the plane.
    pub hands: Vec<Hands>,
    /// |scale|·max_i |h_{i+1} − h_i|, where h_i = q_i·k_i* before rotation, and 0 after the last pair. Times Σ|S_j| it is an upper
    /// bound of the score at any distance (the paper's equation 37).
    pub steepest: f64,
}

/// A pair of a query and of a key, as hands of a dial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hands {
    /// |q_i|
    pub query_length: f64,
    /// |k_i|
    pub key_length: f64,
    /// The angle from the query to the key before rotation, −π … π. At a distance m − n it is this angle minus (m − n)θ_i.
    pub angle: f64,
}

/// Divides the score of one head into its parts. query, key: (head_size), rotated by these frequencies to their positions m and n,
/// including the magnitude; scale: the model's factor on scores, 1/√d in most models. Components without a partner are ignored.
/// A pair without a frequency does not rotate.
pub fn score_parts(
    query: &[f32],
    key: &[f32],
    m: u64,
    n: u64,
    frequencies: &Frequencies,
    scale: f64,
    max_distance: usize,
) -> ScoreParts {
    // The complex product q·k* of each pair.
    let pairs = || query.chunks_exact(2).zip(key.chunks_exact(2)).map(|(query, key)| (complex(query), complex(key)));
    let products: Vec<(f64, f64)> = pairs().map(|(query, key)| times_conjugate(query, key)).collect();
    let parts: Vec<f64> = products.iter().map(|(real, _)| scale * real).collect();
    let running: Vec<f64> = parts
        .iter()
        .scan(0.0, |sum, part| {
            *sum += part;
            Some(*sum)
        })
        .collect();
    let current_distance = m as f64 - n as f64;
    // h, the products before rotation, each with the next one. Equation 37 ends with 0.
    let unrotated = products.iter().zip(all_theta(frequencies)).map(|((real, imaginary), theta)| {
        let (sin, cos) = (current_distance * theta).sin_cos();
        (real * cos + imaginary * sin, imaginary * cos - real * sin)
    });
    let hands = pairs().zip(unrotated.clone()).map(|((query, key), (real, imaginary))| Hands {
        query_length: length(query),
        key_length: length(key),
        angle: (-imaginary).atan2(real),
    });
    let steps = unrotated
        .clone()
        .zip(unrotated.skip(1).chain([(0.0, 0.0)]))
        .map(|((a, b), (c, d))| ((c - a) * (c - a) + (d - b) * (d - b)).sqrt());
    let steepest = steps.fold(0.0, f64::max);
    let farthest = max_distance as f64;
    let at = |step: usize| scale * moved_score(&products, frequencies, step as f64 - farthest - current_distance);
    let sweep = (0..=max_distance.saturating_mul(2)).map(at).collect();
    let score = running.last().copied().unwrap_or(0.0);
    let steepest = scale.abs() * steepest;
    ScoreParts { score, parts, running, sweep, hands: hands.collect(), steepest }
}

/// The parts of a score, (head_size / 2), with the key moved from the distance m − n, `current_distance`, to `distance`. The other arguments are
/// those of [`score_parts`].
pub fn moved_parts(
    query: &[f32],
    key: &[f32],
    current_distance: f64,
    frequencies: &Frequencies,
    scale: f64,
    distance: f64,
) -> Vec<f64> {
    let products = query.chunks_exact(2).zip(key.chunks_exact(2));
    let products = products.map(|(query, key)| times_conjugate(complex(query), complex(key)));
    let moved = products.zip(all_theta(frequencies));
    moved.map(|(product, theta)| scale * moved_part(product, theta, distance - current_distance)).collect()
}

/// θ of every pair: 0 after the last one.
pub(super) fn all_theta(frequencies: &Frequencies) -> impl Iterator<Item = f64> + Clone {
    frequencies.theta.iter().copied().chain(std::iter::repeat(0.0))
}

/// The sum of complex products of pairs after the distance has grown by `distance`.
pub(super) fn moved_score(products: &[(f64, f64)], frequencies: &Frequencies, distance: f64) -> f64 {
    products.iter().zip(all_theta(frequencies)).map(|(&product, theta)| moved_part(product, theta, distance)).sum()
}

fn moved_part((real, imaginary): (f64, f64), theta: f64, distance: f64) -> f64 {
    let (sin, cos) = (distance * theta).sin_cos();
    real * cos - imaginary * sin
}

fn complex(pair: &[f32]) -> (f64, f64) {
    match pair {
        [real, imaginary] => (f64::from(*real), f64::from(*imaginary)),
        _ => (0.0, 0.0),
    }
}

fn length((real, imaginary): (f64, f64)) -> f64 {
    (real * real + imaginary * imaginary).sqrt()
}

/// query · key* of complex numbers.
pub(super) fn times_conjugate((a, b): (f64, f64), (c, d): (f64, f64)) -> (f64, f64) {
    (a * c + b * d, b * c - a * d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::{BASE, table};

    fn row(seed: u32, length: usize) -> Vec<f32> {
        (0..length).map(|i| ((seed as f32 + 1.7) * (i as f32 + 0.3)).sin()).collect()
    }

    fn rotate(row: &[f32], position: u64) -> Vec<f32> {
        let table = table(&Frequencies::from_base(row.len(), BASE), position, 1);
        let pairs = row.chunks(2).zip(table.chunks(2));
        pairs.flat_map(|(x, t)| [x[0] * t[0] - x[1] * t[1], x[1] * t[0] + x[0] * t[1]]).collect()
    }

    fn dot(left: &[f32], right: &[f32]) -> f64 {
        left.iter().zip(right).map(|(l, r)| f64::from(*l) * f64::from(*r)).sum()
    }

    #[test]
    fn parts_add_up_to_the_models_score() {
        let (query, key) = (rotate(&row(1, 64), 37), rotate(&row(2, 64), 5));
        let parts = score_parts(&query, &key, 37, 5, &Frequencies::from_base(64, BASE), 0.125, 40);
        assert_eq!((parts.parts.len(), parts.running.len(), parts.sweep.len()), (32, 32, 81));
        assert!((parts.score - dot(&query, &key) / 8.0).abs() < 1e-12);
        assert!((parts.parts.iter().sum::<f64>() - parts.score).abs() < 1e-12);
        assert!((parts.sweep[40 + 32] - parts.score).abs() < 1e-12, "the true distance is on the sweep");
    }

    #[test]
    fn the_sweep_contains_the_scores_at_other_positions() {
        let (query, key) = (row(3, 16), row(4, 16));
        let parts =
            score_parts(&rotate(&query, 9), &rotate(&key, 12), 9, 12, &Frequencies::from_base(16, BASE), 0.25, 20);
        for (step, found) in parts.sweep.iter().enumerate() {
            let expected = dot(&rotate(&query, step as u64 + 5), &rotate(&key, 25)) / 4.0;
            assert!((found - expected).abs() < 1e-5, "distance {}: {found}, {expected}", step as i64 - 20);
        }
    }

    #[test]
    fn moved_parts_add_up_to_the_sweep() {
        let (query, key) = (rotate(&row(7, 16), 9), rotate(&row(8, 16), 4));
        let frequencies = Frequencies::from_base(16, BASE);
        let found = score_parts(&query, &key, 9, 4, &frequencies, 0.5, 12);
        for (step, score) in found.sweep.iter().enumerate() {
            let parts = moved_parts(&query, &key, 5.0, &frequencies, 0.5, step as f64 - 12.0);
            assert!((parts.iter().sum::<f64>() - score).abs() < 1e-12, "distance {step} - 12");
        }
        let here = moved_parts(&query, &key, 5.0, &frequencies, 0.5, 5.0);
        for (part, expected) in here.iter().zip(&found.parts) {
            assert!((part - expected).abs() < 1e-12, "a key that stays has its own parts");
        }
    }

    #[test]
    fn hands_and_angle_give_the_part_at_every_distance() {
        let (query, key) = (row(7, 16), row(8, 16));
        let frequencies = Frequencies::from_base(16, BASE);
        let rows = (rotate(&query, 9), rotate(&key, 4));
        let found = score_parts(&rows.0, &rows.1, 9, 4, &frequencies, 0.5, 0);
        for distance in -12..=12 {
            let parts = moved_parts(&rows.0, &rows.1, 5.0, &frequencies, 0.5, f64::from(distance));
            for ((hands, theta), part) in found.hands.iter().zip(&frequencies.theta).zip(parts) {
                let angle = hands.angle - f64::from(distance) * theta;
                let expected = 0.5 * hands.query_length * hands.key_length * angle.cos();
                assert!((part - expected).abs() < 1e-5, "distance {distance}: {part}, {expected}");
            }
        }
        // A key a quarter turn ahead of its query.
        let found = score_parts(&[2.0, 0.0], &[0.0, 3.0], 0, 0, &frequencies, 1.0, 0);
        let [hands] = found.hands[..] else { panic!("one pair") };
        assert_eq!((hands.query_length, hands.key_length), (2.0, 3.0));
        assert!((hands.angle - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    }

    #[test]
    fn no_score_is_above_the_papers_bound() {
        let frequencies = Frequencies::from_base(32, BASE);
        let query = rotate(&row(5, 32), 3);
        let parts = score_parts(&query, &rotate(&row(6, 32), 11), 3, 11, &frequencies, 0.5, 30);
        let bound = crate::rope::decay_bound(&frequencies, 30);
        for (step, score) in parts.sweep.iter().enumerate() {
            assert!(score.abs() <= parts.steepest * 16.0 * bound[step.abs_diff(30)] + 1e-9, "distance {step} - 30");
        }
        // Unrotated rows: h = (1·2, 3·1), so the differences are 1 and, after the last, 3.
        let parts = score_parts(&[1.0, 0.0, 3.0, 0.0], &[2.0, 0.0, 1.0, 0.0], 7, 7, &frequencies, -0.5, 0);
        assert_eq!(parts.steepest, 1.5);
    }

    #[test]
    fn the_shorter_of_two_rows_determines_the_number_of_pairs() {
        let frequencies = Frequencies::from_base(2, BASE);
        let parts = score_parts(&[1.0, 2.0, 3.0], &[1.0, 1.0], 0, 0, &frequencies, 0.5, 0);
        assert_eq!((parts.parts, parts.score), (vec![1.5], 1.5));
        assert_eq!(score_parts(&[], &[], 0, 0, &frequencies, 1.0, 1).sweep, [0.0; 3]);
    }

    #[test]
    fn pairs_without_rotation_score_the_same_at_every_distance() {
        let (query, key) = ([0.0, 1.0, 2.0, 3.0], [1.0, 1.0, 1.0, 1.0]);
        for theta in [vec![1.0, 0.0], vec![1.0]] {
            let parts = score_parts(&query, &key, 4, 4, &Frequencies::from_theta(theta), 1.0, 3);
            let rotating = parts.sweep.iter().map(|score| score - 5.0);
            let expected = (-3..=3).map(|distance| f64::from(distance).cos() - f64::from(distance).sin());
            for (found, expected) in rotating.zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
            }
        }
    }
}
