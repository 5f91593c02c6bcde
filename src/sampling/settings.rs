//! The settings of sampling.

use crate::error::{Error, Expected};
use crate::kernels::Warpers;
use crate::number::format_number;

/// The largest number of best tokens of a row that a device returns.
pub const MAX_CANDIDATES: usize = 64;

/// The sampling settings, under Hugging Face's names. The defaults keep the model's own probabilities.
#[derive(Debug, Clone, PartialEq)]
pub struct SamplingSettings {
    /// Divides the logits. 0: greedy, always the best token.
    pub temperature: f64,
    /// Keeps this many best tokens, and those with the same logit as the last of them; 0: all.
    pub top_k: usize,
    /// Keeps the smallest set of best tokens whose probabilities reach this sum; 1: all.
    pub top_p: f64,
    /// Cuts off tokens with less than this share of the best token's probability; 0: none.
    pub min_p: f64,
    /// Divides the positive logits and multiplies the negative logits of tokens in the text; 1: no change.
    pub repetition_penalty: f64,
    /// The seed of the random numbers of a batch's first text; each later text has the next seed.
    pub seed: u64,
}

impl Default for SamplingSettings {
    fn default() -> Self {
        Self { temperature: 1.0, top_k: 0, top_p: 1.0, min_p: 0.0, repetition_penalty: 1.0, seed: 0 }
    }
}

impl SamplingSettings {
    /// Whether the best token is always the next.
    pub fn is_greedy(&self) -> bool {
        self.temperature == 0.0
    }

    /// Temperature and cut-offs as the kernels read them. The temperature is not 0.
    pub fn warpers(&self) -> Warpers {
        let Self { temperature, top_k, top_p, min_p, .. } = *self;
        // Within f32, also times a difference of logits.
        let (inverse_temperature, log_min_p) = ((1.0 / temperature).min(1e30), min_p.ln().max(f32::MIN.into()));
        Warpers { inverse_temperature, top_k, tail: 1.0 - top_p, log_min_p }
    }

    /// Checks every setting.
    ///
    /// # Errors
    /// [`Error::InvalidSamplingSetting`] for the first setting out of bounds.
    pub fn check(&self) -> Result<(), Error> {
        let Self { temperature, top_k: _, top_p, min_p, repetition_penalty, seed: _ } = *self;
        let checks = [
            (
                "temperature",
                temperature.is_finite() && temperature >= 0.0,
                format_number(temperature),
                Expected::NumberFrom { least: 0.0 },
            ),
            (
                "top_p",
                top_p > 0.0 && top_p <= 1.0,
                format_number(top_p),
                Expected::NumberAboveUpTo { bound: 0.0, most: 1.0 },
            ),
            (
                "min_p",
                (0.0..=1.0).contains(&min_p),
                format_number(min_p),
                Expected::NumberBetween { least: 0.0, most: 1.0 },
            ),
            // It is applied in f32, and logits must stay finite.
            (
                "repetition_penalty",
                (1e-20..=1e20).contains(&repetition_penalty),
                format_number(repetition_penalty),
                Expected::NumberBetween { least: 1e-20, most: 1e20 },
            ),
        ];
        match checks.into_iter().find(|(_, good, _, _)| !good) {
            Some((key, _, found, expected)) => {
                Err(Error::InvalidSamplingSetting { key, found: found.into(), expected })
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_is_checked() {
        let settings = SamplingSettings::default;
        for good in [
            settings(),
            SamplingSettings { temperature: 0.0, top_k: 1_000_000, min_p: 1.0, ..settings() },
            SamplingSettings { top_p: 1e-9, repetition_penalty: 0.5, seed: u64::MAX, ..settings() },
        ] {
            assert_eq!(good.check(), Ok(()), "{good:?}");
        }
        let bad = |key: &str, settings: SamplingSettings| {
            let error = settings.check().unwrap_err();
            assert_eq!(error.code(), "invalid-sampling-setting");
            assert!(error.to_string().starts_with(key), "{error}");
        };
        for value in [-0.1, f64::NAN, f64::INFINITY] {
            bad("temperature is", SamplingSettings { temperature: value, ..settings() });
            bad("repetition_penalty is", SamplingSettings { repetition_penalty: value, ..settings() });
            bad("top_p is", SamplingSettings { top_p: value, ..settings() });
            bad("min_p is", SamplingSettings { min_p: value, ..settings() });
        }
        bad("top_p is 0,", SamplingSettings { top_p: 0.0, ..settings() });
        bad("top_p is 1.1", SamplingSettings { top_p: 1.1, ..settings() });
        bad("min_p is 1.1", SamplingSettings { min_p: 1.1, ..settings() });
        bad("repetition_penalty is 1e-60", SamplingSettings { repetition_penalty: 1e-60, ..settings() });
        bad("repetition_penalty is 1e30", SamplingSettings { repetition_penalty: 1e30, ..settings() });
        bad("repetition_penalty is 0,", SamplingSettings { repetition_penalty: 0.0, ..settings() });
    }
}
