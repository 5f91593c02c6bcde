//! Random numbers and small vectors.

use crate::sampling::Random;

/// Uniform random numbers of mean 0 and variance 1; the same for a seed on every machine.
#[inline(never)]
pub fn drawn(seed: u64, count: usize) -> Vec<f64> {
    let mut random = Random::new(seed);
    let width = 12_f64.sqrt();
    let mut numbers = Vec::new();
    for _ in 0..count {
        numbers.push(width * (random.fraction() - 0.5));
    }
    numbers
}

/// Row `at` of (rows, size); empty if it is out of bounds.
#[inline(never)]
pub fn row_of(rows: &[f64], at: usize, size: usize) -> &[f64] {
    rows.get(at * size..(at + 1) * size).unwrap_or_default()
}

#[inline(never)]
pub fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
