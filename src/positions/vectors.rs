//! Random numbers and small vectors.

use crate::sampling::Random;

/// Uniform random numbers of mean 0 and variance 1. A seed gives the same numbers on every machine.
#[inline(never)]
pub fn random_numbers(seed: u64, count: usize) -> Vec<f64> {
    let mut random = Random::new(seed);
    let width = 12_f64.sqrt();
    (0..count).map(|_| width * (random.fraction() - 0.5)).collect()
}

/// Row `index` of (rows, size); empty if it is out of bounds.
#[inline(never)]
pub fn row(rows: &[f64], index: usize, size: usize) -> &[f64] {
    rows.get(index * size..(index + 1) * size).unwrap_or_default()
}

#[inline(never)]
pub fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
