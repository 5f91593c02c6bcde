//! Llama 3.1's scaling; `_compute_llama3_parameters`.

use std::f64::consts::TAU;

use super::setting::Setting;

/// The keys of `rope_type` "llama3".
#[derive(Debug, Clone, PartialEq)]
pub struct Llama3 {
    /// What slow pairs are divided by.
    pub factor: f64,
    /// Turns over the original length below which a pair is slow.
    pub low_freq_factor: f64,
    /// Turns over the original length above which a pair is fast: it keeps its frequency. More than `low_freq_factor`.
    pub high_freq_factor: f64,
    /// The length that the model was trained with, where rope_parameters holds it.
    pub original_max_position_embeddings: Option<u64>,
}

impl Llama3 {
    pub(super) fn theta(&self, setting: Setting) -> Vec<f64> {
        let original = self.original_max_position_embeddings.unwrap_or(setting.max_position_embeddings) as f64;
        let theta = setting.periods().map(|period| {
            let turns = original / (TAU * period);
            // 1 for fast pairs, 0 for slow ones, and between them by turns.
            let kept = (turns - self.low_freq_factor) / (self.high_freq_factor - self.low_freq_factor);
            let kept = kept.clamp(0.0, 1.0);
            (kept + (1.0 - kept) / self.factor) / period
        });
        theta.collect()
    }
}
