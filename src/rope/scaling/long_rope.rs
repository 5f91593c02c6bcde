//! LongRoPE: Ding et al., arXiv 2402.13753; `_compute_longrope_parameters`.

use super::unscaled_rope::UnscaledRope;

/// The keys of `rope_type` "longrope".
#[derive(Debug, Clone, PartialEq)]
pub struct LongRope {
    /// The divisor of each pair in texts up to the original length: (pairs that rotate).
    pub short_factor: Vec<f64>,
    /// The divisor of each pair in longer texts: (pairs that rotate).
    pub long_factor: Vec<f64>,
    /// Sets the magnitude only. Default: `max_position_embeddings` / `original_max_position_embeddings`.
    pub factor: Option<f64>,
    /// Tokens of the texts that the model was trained on.
    pub original_max_position_embeddings: Option<u64>,
    /// The magnitude. Default: √(1 + ln factor / ln original), and 1 for a factor up to 1.
    pub attention_factor: Option<f64>,
}

impl LongRope {
    pub(super) fn factor(&self, rope: UnscaledRope) -> f64 {
        self.factor.unwrap_or_else(|| rope.max_position_embeddings as f64 / self.original(rope) as f64)
    }

    fn original(&self, rope: UnscaledRope) -> u64 {
        self.original_max_position_embeddings.unwrap_or(rope.max_position_embeddings)
    }

    /// Whether a text of `length` tokens uses `long_factor`.
    pub(in crate::rope) fn is_long(&self, rope: UnscaledRope, length: u64) -> bool {
        length > self.original(rope)
    }

    pub(super) fn frequencies(&self, rope: UnscaledRope, length: u64) -> (Vec<f64>, f64) {
        let factors = if self.is_long(rope, length) { &self.long_factor } else { &self.short_factor };
        let theta = rope.periods().zip(factors).map(|(period, factor)| 1.0 / (factor * period)).collect();
        let magnitude = self.attention_factor.unwrap_or_else(|| match self.factor(rope) {
            factor if factor <= 1.0 => 1.0,
            factor => (1.0 + factor.ln() / (self.original(rope) as f64).ln()).sqrt(),
        });
        (theta, magnitude)
    }
}
