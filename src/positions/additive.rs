//! Positions that are added to vectors, and the angles between random vectors.

use super::vectors::{dot, random_numbers, row};

/// The sinusoidal positions first … first + count − 1 of the RoFormer paper's equation 4, (count, 2 · pairs): for each pair the sine of
/// position·θ_i, then the cosine. theta: (pairs).
#[inline(never)]
pub fn sinusoids(theta: &[f64], first: f64, count: usize) -> Vec<f64> {
    let angles = (0..count).flat_map(|step| theta.iter().map(move |theta| (first + step as f64) * theta));
    angles.map(f64::sin_cos).flat_map(|(sin, cos)| [sin, cos]).collect()
}

/// Adds each of `rows`, (length, size), to `vector`, (size): the norm of each sum, and its cosine with `vector`, (length, 2).
pub fn sum_norms_and_cosines(vector: &[f64], rows: &[f64]) -> Vec<f64> {
    let vector_norm = dot(vector, vector).sqrt();
    let norm_and_cosine = |row: &[f64]| {
        let sum: Vec<f64> = row.iter().zip(vector).map(|(a, b)| a + b).collect();
        let norm = dot(&sum, &sum).sqrt();
        [norm, dot(vector, &sum) / (vector_norm * norm)]
    };
    rows.chunks_exact(vector.len().max(1)).flat_map(norm_and_cosine).collect()
}

/// Cosines of `count` pairs of random vectors of `dimensions` numbers.
pub fn random_cosines(dimensions: usize, count: usize, seed: u64) -> Vec<f64> {
    let numbers = random_numbers(seed, 2 * dimensions * count);
    let cosine = |pair: usize| {
        let (a, b) = (row(&numbers, 2 * pair, dimensions), row(&numbers, 2 * pair + 1, dimensions));
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    };
    (0..numbers.len() / (2 * dimensions).max(1)).map(cosine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::{BASE, Frequencies, cosine_sums};

    #[test]
    fn sinusoidal_positions_score_the_sum_of_cosines() {
        let frequencies = Frequencies::from_base(16, BASE);
        let at = |position: f64| sinusoids(&frequencies.theta, position, 1);
        let sums = cosine_sums(&frequencies, 40);
        for (distance, sum) in sums.iter().enumerate() {
            let found = dot(&at(100.0 + distance as f64), &at(100.0));
            assert!((found - sum).abs() < 1e-9, "{distance}");
        }
        assert_eq!(at(0.0)[..4], [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(sinusoids(&frequencies.theta, 0.0, 3), [at(0.0), at(1.0), at(2.0)].concat());
    }

    #[test]
    fn adding_a_position_changes_length_and_direction() {
        let theta = Frequencies::from_base(4, BASE).theta;
        let found = sum_norms_and_cosines(&[3.0, 4.0, 0.0, 0.0], &sinusoids(&theta, 0.0, 2));
        // Position 0 is (0, 1, 0, 1).
        assert!((found[0] - 35_f64.sqrt()).abs() < 1e-12);
        assert!((found[1] - 29.0 / (5.0 * 35_f64.sqrt())).abs() < 1e-12);
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn random_vectors_are_almost_orthogonal() {
        for dimensions in [2, 64, 512] {
            let cosines = random_cosines(dimensions, 2000, 1);
            let spread = (dot(&cosines, &cosines) / cosines.len() as f64).sqrt();
            assert!((spread * (dimensions as f64).sqrt() - 1.0).abs() < 0.1, "{dimensions}: {spread}");
        }
        assert!(random_cosines(0, 3, 1).is_empty());
    }
}
