//! What becomes of a vector to which a position is added, and how crowded directions are.

use super::vectors::{dot, drawn, row_of};
use crate::transcendental::sin_cos;

/// Adds the sinusoidal position `position` of the RoFormer paper's equation 4, (2 · pairs), to the rows: the sine of
/// position·θ_i, then its cosine, pair by pair.
#[inline(never)]
pub(super) fn sinusoidal(theta: &[f64], position: f64, rows: &mut Vec<f64>) {
    for theta in theta {
        let (sin, cos) = sin_cos(position * theta);
        rows.push(sin);
        rows.push(cos);
    }
}

/// The rows of positions 0 … length − 1, (length, 2 · pairs).
pub fn sinusoids(theta: &[f64], length: usize) -> Vec<f64> {
    let mut rows = Vec::new();
    for position in 0..length {
        sinusoidal(theta, position as f64, &mut rows);
    }
    rows
}

/// A row, (size), with each of `rows`, (length, size), added in turn: the length of the sum, and the cosine of its angle with the
/// row, (length, 2).
pub fn added(row: &[f64], rows: &[f64]) -> Vec<f64> {
    let before = dot(row, row).sqrt();
    let mut told = Vec::new();
    for place in rows.chunks_exact(row.len().max(1)) {
        let mut sum = place.to_vec();
        for (sum, x) in sum.iter_mut().zip(row) {
            *sum += x;
        }
        let norm = dot(&sum, &sum).sqrt();
        told.push(norm);
        told.push(dot(row, &sum) / (before * norm));
    }
    told
}

/// Cosines of `count` pairs of vectors drawn at random in so many dimensions.
pub fn random_cosines(dimensions: usize, count: usize, seed: u64) -> Vec<f64> {
    let numbers = drawn(seed, 2 * dimensions * count);
    let mut cosines = Vec::new();
    for pair in 0..numbers.len() / (2 * dimensions).max(1) {
        let (a, b) = (row_of(&numbers, 2 * pair, dimensions), row_of(&numbers, 2 * pair + 1, dimensions));
        cosines.push(dot(a, b) / (dot(a, a) * dot(b, b)).sqrt());
    }
    cosines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::{BASE, Frequencies, cosine_sums};

    #[test]
    fn sinusoidal_positions_score_the_sum_of_cosines() {
        let frequencies = Frequencies::of_base(16, BASE);
        let at = |position: f64| {
            let mut row = Vec::new();
            sinusoidal(&frequencies.theta, position, &mut row);
            row
        };
        let sums = cosine_sums(&frequencies, 40);
        for (distance, sum) in sums.iter().enumerate() {
            let found = dot(&at(100.0 + distance as f64), &at(100.0));
            assert!((found - sum).abs() < 1e-9, "{distance}");
        }
        assert_eq!(at(0.0)[..4], [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(sinusoids(&frequencies.theta, 3), [at(0.0), at(1.0), at(2.0)].concat());
    }

    #[test]
    fn adding_a_position_changes_length_and_direction() {
        let theta = Frequencies::of_base(4, BASE).theta;
        let found = added(&[3.0, 4.0, 0.0, 0.0], &sinusoids(&theta, 2));
        // Position 0 is (0, 1, 0, 1).
        assert!((found[0] - 35_f64.sqrt()).abs() < 1e-12);
        assert!((found[1] - 29.0 / (5.0 * 35_f64.sqrt())).abs() < 1e-12);
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn random_vectors_crowd_at_a_right_angle() {
        for dimensions in [2, 64, 512] {
            let cosines = random_cosines(dimensions, 2000, 1);
            let spread = (dot(&cosines, &cosines) / cosines.len() as f64).sqrt();
            assert!((spread * (dimensions as f64).sqrt() - 1.0).abs() < 0.1, "{dimensions}: {spread}");
        }
        assert!(random_cosines(0, 3, 1).is_empty());
    }
}
