//! LongRoPE: Ding et al., arXiv 2402.13753; `_compute_longrope_parameters`.

use super::setting::Setting;

/// The keys of `rope_type` "longrope".
#[derive(Debug, Clone, PartialEq)]
pub struct LongRope {
    /// What each pair is divided by in texts up to the original length: (pairs that turn).
    pub short_factor: Vec<f64>,
    /// What each pair is divided by in longer texts: (pairs that turn).
    pub long_factor: Vec<f64>,
    /// Sets the magnitude only; else `max_position_embeddings` / `original_max_position_embeddings`.
    pub factor: Option<f64>,
    /// The length that the model was trained with, where rope_parameters holds it.
    pub original_max_position_embeddings: Option<u64>,
    /// The magnitude; else √(1 + ln factor / ln original), and 1 for a factor up to 1.
    pub attention_factor: Option<f64>,
}

impl LongRope {
    pub(super) fn factor(&self, setting: Setting) -> f64 {
        let longest = setting.max_position_embeddings as f64;
        self.factor.unwrap_or_else(|| longest / self.original(setting) as f64)
    }

    fn original(&self, setting: Setting) -> u64 {
        self.original_max_position_embeddings.unwrap_or(setting.max_position_embeddings)
    }

    /// Whether a text of this length takes the long factors.
    pub(in crate::rope) fn is_long(&self, setting: Setting) -> bool {
        setting.length > self.original(setting)
    }

    pub(super) fn frequencies(&self, setting: Setting) -> (Vec<f64>, f64) {
        let factors = if self.is_long(setting) { &self.long_factor } else { &self.short_factor };
        let theta = setting.periods().zip(factors).map(|(period, factor)| 1.0 / (factor * period)).collect();
        (theta, self.magnitude(setting))
    }

    fn magnitude(&self, setting: Setting) -> f64 {
        let factor = self.factor(setting);
        self.attention_factor.unwrap_or_else(|| match factor {
            factor if factor <= 1.0 => 1.0,
            factor => (1.0 + factor.ln() / (self.original(setting) as f64).ln()).sqrt(),
        })
    }
}
