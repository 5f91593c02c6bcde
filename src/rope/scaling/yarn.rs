//! YaRN: Peng et al., arXiv 2309.00071; `_compute_yarn_parameters`.

use std::f64::consts::TAU;

use super::unscaled_rope::UnscaledRope;

/// The keys of `rope_type` "yarn". A key without a default number in Hugging Face's code is optional.
#[derive(Debug, Clone, PartialEq)]
pub struct Yarn {
    /// The divisor of slow pairs. Default: `max_position_embeddings` / `original_max_position_embeddings`.
    pub factor: Option<f64>,
    /// Tokens of the texts that the model was trained on.
    pub original_max_position_embeddings: Option<u64>,
    /// The magnitude. Default: computed from `factor`, `mscale` and `mscale_all_dim`.
    pub attention_factor: Option<f64>,
    /// A pair that rotates at least this often over the original length is fast: it keeps its frequency.
    pub beta_fast: f64,
    /// A pair that rotates at most this often over the original length is slow: it is divided by `factor`.
    pub beta_slow: f64,
    /// The growth of the magnitude with the factor. Ignored without `mscale_all_dim`.
    pub mscale: Option<f64>,
    /// `mscale_all_dim` of rope_parameters.
    pub mscale_all_dim: Option<f64>,
    /// Whether the ends of the ramp between fast and slow pairs are rounded to pair numbers.
    pub truncate: bool,
}

impl Yarn {
    /// The default settings for texts `factor` times as long as the original ones.
    pub fn with_defaults(factor: f64, original_max_position_embeddings: u64) -> Self {
        Self {
            factor: Some(factor),
            original_max_position_embeddings: Some(original_max_position_embeddings),
            attention_factor: None,
            beta_fast: 32.0,
            beta_slow: 1.0,
            mscale: None,
            mscale_all_dim: None,
            truncate: true,
        }
    }

    pub(super) fn factor(&self, rope: UnscaledRope) -> f64 {
        self.factor.unwrap_or_else(|| rope.max_position_embeddings as f64 / self.original(rope))
    }

    fn original(&self, rope: UnscaledRope) -> f64 {
        self.original_max_position_embeddings.unwrap_or(rope.max_position_embeddings) as f64
    }

    pub(super) fn frequencies(&self, rope: UnscaledRope) -> (Vec<f64>, f64) {
        let factor = self.factor(rope);
        let (first, last) = self.ramp(rope);
        // Hugging Face's ramp has ⌊rotary_size / 2⌋ entries. A single dimension has none and does not rotate. Of three dimensions both
        // pairs share one entry.
        let Some(last_entry) = (rope.rotary_size() / 2).checked_sub(1) else {
            return (Vec::new(), self.magnitude(factor));
        };
        let theta = rope.periods().enumerate().map(|(pair, period)| {
            let pair = pair.min(last_entry);
            let slow = ((pair as f64 - first) / (last - first)).clamp(0.0, 1.0);
            slow / (factor * period) + (1.0 - slow) / period
        });
        (theta.collect(), self.magnitude(factor))
    }

    /// The last fast pair and the first slow pair.
    fn ramp(&self, rope: UnscaledRope) -> (f64, f64) {
        let dimensions = rope.rotary_size() as f64;
        // The fractional pair that rotates this often over the original length.
        let pair =
            |rotations: f64| dimensions * (self.original(rope) / (rotations * TAU)).ln() / (2.0 * rope.base.ln());
        let (mut first, mut last) = (pair(self.beta_fast), pair(self.beta_slow));
        if self.truncate {
            (first, last) = (first.floor(), last.ceil());
        }
        let (first, last) = (first.max(0.0), last.min(dimensions - 1.0));
        // As Hugging Face's code avoids a division by 0.
        if first == last { (first, last + 0.001) } else { (first, last) }
    }

    fn magnitude(&self, factor: f64) -> f64 {
        let scale = |mscale: f64| if factor <= 1.0 { 1.0 } else { 0.1 * mscale * factor.ln() + 1.0 };
        self.attention_factor.unwrap_or_else(|| match (self.mscale, self.mscale_all_dim) {
            (Some(mscale), Some(all)) => scale(mscale) / scale(all),
            _ => scale(1.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::rope::{Rope, Scaling};
    use crate::weights::json;

    /// Values of `_compute_yarn_parameters` in f64.
    #[test]
    fn the_ramps_ends_are_hugging_faces() {
        let check = |base: f64, original: u64, expected: [f64; 4]| {
            let settings =
                format!(r#"{{"rope_type":"yarn","factor":4,"original_max_position_embeddings":{original}}}"#);
            let settings = json::parse(&settings).unwrap();
            let rope = Rope::new(8, 1.0, base, Scaling::parse(&settings).unwrap(), 4 * original).unwrap();
            for (found, expected) in rope.frequencies(1).theta.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-14, "base {base}, {original}: {found} instead of {expected}");
            }
        };
        // No pair rotates once over so short a text: both ends are pair 0.
        check(1e4, 3, [1.0, 0.025, 0.0025, 0.00025]);
        // The slow end is beyond the last dimension.
        check(10.0, 400, [1.0, 0.5623413251903491, 0.2766992952647332, 0.1333709557529192]);
    }
}
