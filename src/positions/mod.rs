//! How attention can be told where tokens stand: by hand, and by the published ways side by side. In f64 and small, for a few
//! tokens; no model runs on it. Numbers that stand for what a model would have learnt are drawn from seeds.

mod added;
mod by_hand;
mod ways;

pub use added::{Added, added, random_cosines};
pub use by_hand::{ByHand, by_hand};
pub use ways::Way;

use crate::sampling::Random;

/// Numbers of mean 0 and variance 1, evenly spread: the seed gives the same ones everywhere.
#[inline(never)]
pub fn drawn(seed: u64, count: usize) -> Vec<f64> {
    let mut random = Random::new(seed);
    let width = 12_f64.sqrt();
    (0..count).map(|_| width * (random.fraction() - 0.5)).collect()
}

#[inline(never)]
fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
