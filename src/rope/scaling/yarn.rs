//! YaRN: Peng et al., arXiv 2309.00071; `_compute_yarn_parameters`.

use std::f64::consts::TAU;

use super::setting::Setting;

/// The keys of `rope_type` "yarn", with Hugging Face's defaults where that is a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Yarn {
    /// What slow pairs are divided by; else `max_position_embeddings` / `original_max_position_embeddings`.
    pub factor: Option<f64>,
    /// The length that the model was trained with, where rope_parameters holds it.
    pub original_max_position_embeddings: Option<u64>,
    /// The magnitude; else it follows from `factor`, `mscale` and `mscale_all_dim`.
    pub attention_factor: Option<f64>,
    /// Turns over the original length from which on a pair is fast: it keeps its frequency.
    pub beta_fast: f64,
    /// Turns over the original length up to which a pair is slow: it is divided by the whole factor.
    pub beta_slow: f64,
    /// How much of the magnitude grows with the factor; counts together with `mscale_all_dim` only.
    pub mscale: Option<f64>,
    /// `mscale_all_dim` of rope_parameters.
    pub mscale_all_dim: Option<f64>,
    /// Whether the ramp between slow and fast pairs begins and ends at whole pairs.
    pub truncate: bool,
}

impl Yarn {
    /// Its usual settings for texts `factor` times as long as the original ones.
    pub fn of(factor: f64, original_max_position_embeddings: u64) -> Self {
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

    pub(super) fn factor(&self, setting: Setting) -> f64 {
        let longest = setting.max_position_embeddings as f64;
        self.factor.unwrap_or_else(|| longest / self.original(setting))
    }

    fn original(&self, setting: Setting) -> f64 {
        self.original_max_position_embeddings.unwrap_or(setting.max_position_embeddings) as f64
    }

    pub(super) fn frequencies(&self, setting: Setting) -> (Vec<f64>, f64) {
        let factor = self.factor(setting);
        let (first, last) = self.ramp(setting);
        // Hugging Face's ramp has ⌊rotated / 2⌋ places: one dimension alone has none and does not turn, and of three dimensions
        // both pairs share the only one.
        let Some(last_place) = (setting.rotated / 2).checked_sub(1) else {
            return (Vec::new(), self.magnitude(factor));
        };
        let theta = setting.periods().enumerate().map(|(pair, period)| {
            let pair = pair.min(last_place);
            let slow = ((pair as f64 - first) / (last - first)).clamp(0.0, 1.0);
            slow / (factor * period) + (1.0 - slow) / period
        });
        (theta.collect(), self.magnitude(factor))
    }

    /// The pair up to which all are fast, and the one from which on all are slow.
    fn ramp(&self, setting: Setting) -> (f64, f64) {
        let dimensions = setting.rotated as f64;
        // The pair, as a fraction, that turns this often over the original length.
        let pair = |turns: f64| dimensions * (self.original(setting) / (turns * TAU)).ln() / (2.0 * setting.base.ln());
        let (mut first, mut last) = (pair(self.beta_fast), pair(self.beta_slow));
        if self.truncate {
            (first, last) = (first.floor(), last.ceil());
        }
        let (first, last) = (first.max(0.0), last.min(dimensions - 1.0));
        // Hugging Face's way round a division by 0.
        if first == last { (first, last + 0.001) } else { (first, last) }
    }

    fn magnitude(&self, factor: f64) -> f64 {
        let grown = |mscale: f64| if factor <= 1.0 { 1.0 } else { 0.1 * mscale * factor.ln() + 1.0 };
        self.attention_factor.unwrap_or_else(|| match (self.mscale, self.mscale_all_dim) {
            (Some(mscale), Some(all)) => grown(mscale) / grown(all),
            _ => grown(1.0),
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
            let rope = Rope::new(8, 8, base, Scaling::parse(&settings).unwrap(), 4 * original).unwrap();
            for (found, expected) in rope.frequencies(1).theta.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-14, "base {base}, {original}: {found} instead of {expected}");
            }
        };
        // No pair turns once over so short a text: both ends are pair 0.
        check(1e4, 3, [1.0, 0.025, 0.0025, 0.00025]);
        // The slow end lies behind the last dimension.
        check(10.0, 400, [1.0, 0.5623413251903491, 0.2766992952647332, 0.1333709557529192]);
    }
}
