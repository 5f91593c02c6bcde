//! What becomes of a vector to which a position is added, and how crowded directions are.

use super::{dot, drawn};

/// A row with a position added, against the row as it was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Added {
    /// The length of the sum.
    pub norm: f64,
    /// The cosine of the angle between the two.
    pub cosine: f64,
}

/// The sinusoidal position `position` of the RoFormer paper's equation 4, (2 · pairs): the sine of position·θ_i, then its cosine,
/// pair by pair.
pub fn sinusoidal(theta: &[f64], position: f64) -> impl Iterator<Item = f64> {
    theta.iter().flat_map(move |theta| <[f64; 2]>::from((position * theta).sin_cos()))
}

/// A row, (size), with each sinusoidal position 0 … length − 1 added in turn.
pub fn added(row: &[f64], theta: &[f64], length: usize) -> Vec<Added> {
    let before = dot(row, row).sqrt();
    let at = |position: usize| {
        let sum: Vec<f64> = row.iter().zip(sinusoidal(theta, position as f64)).map(|(x, p)| x + p).collect();
        let norm = dot(&sum, &sum).sqrt();
        Added { norm, cosine: dot(row, &sum) / (before * norm) }
    };
    (0..length).map(at).collect()
}

/// Cosines of `count` pairs of vectors drawn at random in so many dimensions.
pub fn random_cosines(dimensions: usize, count: usize, seed: u64) -> Vec<f64> {
    let numbers = drawn(seed, 2 * dimensions * count);
    let cosine = |pair: &[f64]| {
        let (a, b) = pair.split_at(dimensions);
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    };
    numbers.chunks_exact((2 * dimensions).max(1)).map(cosine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::{BASE, Frequencies, cosine_sums};

    #[test]
    fn sinusoidal_positions_score_the_sum_of_cosines() {
        let frequencies = Frequencies::of_base(16, BASE);
        let at = |position: f64| sinusoidal(&frequencies.theta, position).collect::<Vec<_>>();
        let sums = cosine_sums(&frequencies, 40);
        for distance in 0..=40 {
            let found = dot(&at(100.0 + distance as f64), &at(100.0));
            assert!((found - sums[distance]).abs() < 1e-9, "{distance}");
        }
        assert_eq!(at(0.0)[..4], [0.0, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn adding_a_position_changes_length_and_direction() {
        let theta = Frequencies::of_base(4, BASE).theta;
        let found = added(&[3.0, 4.0, 0.0, 0.0], &theta, 2);
        // Position 0 is (0, 1, 0, 1).
        assert!((found[0].norm - 35_f64.sqrt()).abs() < 1e-12);
        assert!((found[0].cosine - 29.0 / (5.0 * 35_f64.sqrt())).abs() < 1e-12);
        assert_eq!(found.len(), 2);
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
