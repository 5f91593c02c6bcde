//! How attention can be told where tokens stand: by hand, and by the published ways side by side. In f64 and small, for a few
//! tokens; no model runs on it. Numbers that stand for what a model would have learnt are drawn from seeds.

mod added;
mod by_hand;
mod ways;

pub use added::{added, random_cosines, sinusoids};
pub use by_hand::by_hand;
pub use ways::Way;

use crate::sampling::Random;

/// Numbers of mean 0 and variance 1, evenly spread: the seed gives the same ones everywhere.
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

/// Row `at` of (rows, size); what is missing is empty.
#[inline(never)]
fn row_of(rows: &[f64], at: usize, size: usize) -> &[f64] {
    rows.get(at * size..(at + 1) * size).unwrap_or_default()
}

#[inline(never)]
fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
