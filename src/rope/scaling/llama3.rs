//! Llama 3.1's scaling; `_compute_llama3_parameters`.

use std::f64::consts::TAU;

use super::unscaled_rope::UnscaledRope;

/// The keys of `rope_type` "llama3".
#[derive(Debug, Clone, PartialEq)]
pub struct Llama3 {
    /// The divisor of slow pairs.
    pub factor: f64,
    /// A pair is slow if it rotates less often than this over the original length.
    pub low_freq_factor: f64,
    /// A pair is fast if it rotates more often than this over the original length. Above `low_freq_factor`.
    pub high_freq_factor: f64,
    /// Tokens of the texts that the model was trained on.
    pub original_max_position_embeddings: Option<u64>,
}

impl Llama3 {
    pub(super) fn theta(&self, rope: UnscaledRope) -> Vec<f64> {
        let original = self.original_max_position_embeddings.unwrap_or(rope.max_position_embeddings) as f64;
        let theta = rope.periods().map(|period| {
            let rotations = original / (TAU * period);
            // 1 for fast pairs, which keep their frequency, and 0 for slow ones.
            let fast = (rotations - self.low_freq_factor) / (self.high_freq_factor - self.low_freq_factor);
            let fast = fast.clamp(0.0, 1.0);
            (fast + (1.0 - fast) / self.factor) / period
        });
        theta.collect()
    }
}
