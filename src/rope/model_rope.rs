//! The rope of a model: its frequencies in a text of any length, and its context length.

use super::scaling::{Scaling, UnscaledRope};
use super::{Frequencies, LongRope};
use crate::error::{Error, Expected, Found};
use crate::number::format_number;

/// Larger than every known head: a larger number is an error in the file.
const MAX_HEAD_SIZE: usize = 1 << 16;

/// The key of the rotary share, which some families have under another name.
pub const PARTIAL_ROTARY_FACTOR: &str = "partial_rotary_factor";
/// The key of the base, which some families have under another name.
pub const ROPE_THETA: &str = "rope_theta";

/// The checked settings of a rope: its frequencies are finite at any length.
#[derive(Debug, Clone, PartialEq)]
pub struct Rope {
    unscaled: UnscaledRope,
    scaling: Scaling,
    /// θ from a file, which replace those of the settings.
    theta: Option<Vec<f64>>,
    has_bf16_table: bool,
}

impl Rope {
    /// Checks the settings. share: `partial_rotary_factor`, of a head's dimensions; base: `rope_theta`; max_position_embeddings: from
    /// config.json, in tokens.
    ///
    /// # Errors
    /// [`Error::InvalidRopeValue`] for an odd or too large head size, a share outside 0 to 1, a base that is not above 0, no positions, and
    /// lists of longrope that do not have a factor for each pair; [`Error::RopeNotFinite`] for a frequency that is not finite.
    pub fn new(
        head_size: usize,
        share: f64,
        base: f64,
        scaling: Scaling,
        max_position_embeddings: u64,
    ) -> Result<Self, Error> {
        let refuse =
            |key: &str, found: Found, expected| Err(Error::InvalidRopeValue { key: key.into(), found, expected });
        let unscaled = UnscaledRope { head_size, share, base, max_position_embeddings };
        let rotary_size = unscaled.rotary_size();
        let is_yarn = matches!(scaling, Scaling::Yarn(_));
        if !(2..=MAX_HEAD_SIZE).contains(&head_size) || !head_size.is_multiple_of(2) {
            let expected = Expected::EvenNumberBetween { least: 2, most: MAX_HEAD_SIZE };
            return refuse("head_dim", head_size.to_string().into(), expected);
        }
        if !(0.0..=1.0).contains(&share) {
            let expected = Expected::NumberBetween { least: 0.0, most: 1.0 };
            return refuse(PARTIAL_ROTARY_FACTOR, format_number(share).into(), expected);
        }
        if !(base.is_finite() && base > 0.0) {
            return refuse(ROPE_THETA, format_number(base).into(), Expected::NumberAbove { bound: 0.0 });
        }
        if base == 1.0 && is_yarn {
            return refuse(ROPE_THETA, "1".into(), Expected::OtherThanOne);
        }
        if max_position_embeddings == 0 {
            return refuse("max_position_embeddings", "0".into(), Expected::NumberAbove { bound: 0.0 });
        }
        if is_yarn && rotary_size > 3 && !rotary_size.is_multiple_of(2) {
            // As Hugging Face has it.
            return refuse(
                PARTIAL_ROTARY_FACTOR,
                format_number(share).into(),
                Expected::EvenShare { dimensions: rotary_size },
            );
        }
        if let Scaling::LongRope(LongRope { short_factor, long_factor, .. }) = &scaling {
            let pairs = rotary_size.div_ceil(2);
            for (key, factors) in [("short_factor", short_factor), ("long_factor", long_factor)] {
                if factors.len() != pairs {
                    return refuse(key, Found::List { length: factors.len() }, Expected::OneForEachPair { pairs });
                }
            }
        }
        let rope = Self { unscaled, scaling, theta: None, has_bf16_table: false };
        // Between the shortest and the longest text θ is monotonic.
        let finite = [0, u64::MAX].into_iter().all(|length| {
            let Frequencies { theta, magnitude, .. } = rope.frequencies(length);
            magnitude.is_finite() && theta.iter().all(|theta| theta.is_finite())
        });
        if finite { Ok(rope) } else { Err(Error::RopeNotFinite) }
    }

    /// The same rope with another scaling.
    ///
    /// # Errors
    /// As [`Rope::new`]; a scaling that pairs other columns of a head, because the weights are in the order of these pairs.
    pub fn rescaled(&self, scaling: Scaling) -> Result<Self, Error> {
        let UnscaledRope { head_size, share, base, max_position_embeddings } = self.unscaled;
        let rescaled = Self::new(head_size, share, base, scaling, max_position_embeddings)?;
        let (before, after) = (self.paired_columns(), rescaled.paired_columns());
        if after != before && after > 0 {
            return Err(Error::InvalidRopeValue {
                key: "rope_type".into(),
                found: rescaled.scaling.name().into(),
                expected: Expected::PairedColumns { before, after },
            });
        }
        Ok(rescaled)
    }

    /// The same rope with θ from a file, (head_size / 2), in place of those of the settings.
    ///
    /// # Errors
    /// [`Error::RopeNotFinite`].
    pub fn with_theta(mut self, theta: &[f32]) -> Result<Self, Error> {
        if !theta.iter().all(|theta| theta.is_finite()) {
            return Err(Error::RopeNotFinite);
        }
        self.theta = Some(theta.iter().map(|theta| f64::from(*theta)).collect());
        Ok(self)
    }

    /// The same rope with θ computed in f32 and a table rounded to bf16, for a model that keeps its table in bf16.
    ///
    /// # Errors
    /// [`Error::RopeNotFinite`].
    pub fn with_bf16_table(self) -> Result<Self, Error> {
        let (rotary_size, base) = (self.unscaled.rotary_size(), self.base());
        let theta = |pair: usize| {
            let exponent = (2 * pair) as f32 / rotary_size as f32;
            1.0 / base.powf(f64::from(exponent)) as f32
        };
        let theta: Vec<f32> = (0..rotary_size / 2).map(theta).collect();
        Ok(Self { has_bf16_table: true, ..self.with_theta(&theta)? })
    }

    /// Whether [`bf16_table`](super::bf16_table) makes its table.
    pub fn has_bf16_table(&self) -> bool {
        self.has_bf16_table
    }

    /// Columns of a head whose two halves contain the pairs, in models that pair column i with i + columns / 2. For a proportional rope
    /// the entire head, although its slower pairs do not rotate; otherwise the columns that rotate, rounded up to an even number.
    pub fn paired_columns(&self) -> usize {
        match self.scaling {
            Scaling::Proportional { .. } => self.unscaled.head_size,
            // YaRN does not rotate a single dimension.
            Scaling::Yarn(_) if self.unscaled.rotary_size() == 1 => 0,
            _ => self.unscaled.rotary_size().next_multiple_of(2),
        }
    }

    /// `rope_theta`.
    pub fn base(&self) -> f64 {
        self.unscaled.base
    }

    /// The scaling of config.json, or the one that a variant replaced it by.
    pub fn scaling(&self) -> &Scaling {
        &self.scaling
    }

    /// θ, (head_size / 2), and magnitude in a text of `length` tokens in total.
    pub fn frequencies(&self, length: u64) -> Frequencies {
        let (mut theta, magnitude) = match &self.theta {
            Some(theta) => (theta.clone(), 1.0),
            None => self.scaling.frequencies(self.unscaled, length),
        };
        let rotary_pairs = theta.len();
        theta.resize(self.unscaled.head_size / 2, 0.0);
        Frequencies { theta, magnitude, rotary_pairs }
    }

    /// Whether θ and magnitude are the same in texts of `a` and `b` tokens, so that a KV cache of one length is valid at the other.
    pub fn has_same_frequencies(&self, a: u64, b: u64) -> bool {
        match &self.scaling {
            Scaling::Dynamic { .. } => {
                let longest = self.unscaled.max_position_embeddings;
                a.max(longest) == b.max(longest)
            }
            Scaling::LongRope(long) => long.is_long(self.unscaled, a) == long.is_long(self.unscaled, b),
            _ => true,
        }
    }

    /// The context length of the model, in tokens: longer texts need an explicit request. `None`: only memory limits it.
    pub fn context_length(&self) -> Option<u64> {
        if matches!(self.scaling, Scaling::Dynamic { .. }) {
            return None;
        }
        let trained = self.unscaled.max_position_embeddings;
        let original = self.scaling.original_max_position_embeddings().unwrap_or(trained);
        let extended = self.scaling.extension(self.unscaled).map_or(0, |factor| (factor * original as f64) as u64);
        Some(extended.max(trained))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn rope(json: Value, max_position_embeddings: u64) -> Rope {
        Rope::new(16, 1.0, 1e4, Scaling::parse(&json).unwrap(), max_position_embeddings).unwrap()
    }

    fn longrope(original: u64) -> Value {
        let factors = [2.0; 8];
        json!({"rope_type": "longrope", "short_factor": factors, "long_factor": factors,
               "original_max_position_embeddings": original})
    }

    #[test]
    fn the_context_length_is_the_extended_original() {
        assert_eq!(rope(json!(null), 64).context_length(), Some(64));
        assert_eq!(rope(json!({"type": "linear", "factor": 2.5}), 64).context_length(), Some(160));
        assert_eq!(rope(json!({"type": "dynamic", "factor": 2}), 64).context_length(), None);
        let yarn = |factor: f64| json!({"type": "yarn", "factor": factor, "original_max_position_embeddings": 64});
        assert_eq!(rope(yarn(4.0), 64).context_length(), Some(256));
        assert_eq!(rope(yarn(2.0), 256).context_length(), Some(256));
        assert_eq!(rope(longrope(32), 96).context_length(), Some(96));
        let llama3 = json!({"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
                            "original_max_position_embeddings": 8192});
        assert_eq!(rope(llama3, 131_072).context_length(), Some(131_072));
        assert_eq!(rope(json!({"rope_type": "proportional", "factor": 8}), 64).context_length(), Some(64));
    }

    #[test]
    fn lengths_on_one_side_of_a_threshold_have_the_same_frequencies() {
        let check = |rope: &Rope, same: &[(u64, u64)], different: &[(u64, u64)]| {
            for (pairs, expected) in [(same, true), (different, false)] {
                for (a, b) in pairs {
                    assert_eq!(rope.has_same_frequencies(*a, *b), expected, "{rope:?}, {a} and {b}");
                    assert_eq!(rope.has_same_frequencies(*b, *a), expected, "{rope:?}, {b} and {a}");
                    assert_eq!(rope.frequencies(*a) == rope.frequencies(*b), expected, "{rope:?}, {a} and {b}");
                }
            }
        };
        let dynamic = rope(json!({"rope_type": "dynamic", "factor": 2}), 32);
        check(&dynamic, &[(0, 32), (7, 12), (40, 40)], &[(32, 33), (33, 34), (1, 1000)]);
        let mut long = longrope(32);
        long["long_factor"] = vec![3.0; 8].into();
        let long = rope(long, 128);
        check(&long, &[(0, 32), (33, 500)], &[(32, 33), (1, 1000)]);
        let linear = rope(json!({"rope_type": "linear", "factor": 2}), 32);
        check(&linear, &[(0, 32), (32, 33), (1, 1000)], &[]);
    }

    #[test]
    fn the_models_own_original_length_overrides_the_scalings() {
        let mut scaling = Scaling::parse(&longrope(32)).unwrap();
        scaling.set_original_max_position_embeddings(64);
        let rope = Rope::new(16, 1.0, 1e4, scaling, 128).unwrap();
        assert!(rope.has_same_frequencies(1, 64) && !rope.has_same_frequencies(64, 65));
        let mut linear = Scaling::parse(&json!({"type": "linear", "factor": 2})).unwrap();
        let before = linear.clone();
        linear.set_original_max_position_embeddings(64);
        assert_eq!(linear, before);
    }

    #[test]
    fn the_two_halves_of_the_rotary_columns_contain_the_pairs() {
        let partial = |kind: &str, head_size: usize, factor: f64| {
            let scaling = Scaling::parse(&json!({"rope_type": kind})).unwrap();
            Rope::new(head_size, factor, 1e4, scaling, 64).unwrap()
        };
        for (kind, head_size, factor, columns, pairs) in [
            ("default", 16, 1.0, 16, 8),
            ("default", 16, 0.25, 4, 2),
            ("default", 96, 0.4, 38, 19),
            ("default", 10, 0.5, 6, 3),
            ("default", 16, 0.0, 0, 0),
            ("proportional", 10, 0.5, 10, 2),
            ("yarn", 4, 0.25, 0, 0),
            ("yarn", 4, 0.75, 4, 2),
        ] {
            let rope = partial(kind, head_size, factor);
            assert_eq!(
                (rope.paired_columns(), rope.frequencies(1).rotary_pairs),
                (columns, pairs),
                "{kind}, {factor} of {head_size}"
            );
        }
    }

    #[test]
    fn another_scaling_pairs_the_same_columns() {
        let check = |own: Value, other: Value, share: f64, is_allowed: bool| {
            let [own, other] = [own, other].map(|json| Scaling::parse(&json).unwrap());
            let rescaled = Rope::new(16, share, 1e4, own, 64).unwrap().rescaled(other.clone());
            assert_eq!(rescaled.is_ok(), is_allowed, "{other:?} over {share} of the dimensions");
        };
        let proportional = || json!({"rope_type": "proportional"});
        let linear = || json!({"rope_type": "linear", "factor": 2});
        check(json!(null), linear(), 0.25, true);
        check(json!(null), proportional(), 0.25, false);
        check(json!(null), proportional(), 1.0, true);
        check(proportional(), linear(), 0.25, false);
        check(json!(null), json!({"rope_type": "yarn", "factor": 2}), 0.0625, true);
    }

    #[test]
    fn invalid_ropes_are_refused() {
        let check = |head_size, share, base, scaling, longest, words: &str| {
            let error = Rope::new(head_size, share, base, scaling, longest).unwrap_err().to_string();
            assert!(error.contains(words), "{words:?} is not in: {error}");
        };
        let plain = || Scaling::Default;
        check(7, 1.0, 1e4, plain(), 64, "head_dim is 7");
        check(0, 1.0, 1e4, plain(), 64, "head_dim is 0");
        check(usize::MAX - 1, 1.0, 1e4, plain(), 64, "head_dim is 1844");
        check(8, 1.125, 1e4, plain(), 64, "partial_rotary_factor is 1.125, but must be a number from 0 to 1");
        for base in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            check(8, 1.0, base, plain(), 64, "rope_theta is");
        }
        check(8, 1.0, 1e4, plain(), 0, "max_position_embeddings is 0");
        check(
            8,
            1.0,
            1e4,
            Scaling::parse(&longrope(32)).unwrap(),
            64,
            "short_factor is a list of 8, but must be a list of 4",
        );
        check(16, 1.0, 1e4, Scaling::parse(&longrope(1)).unwrap(), 64, "no numbers");
        let yarn = || Scaling::parse(&json!({"type": "yarn", "factor": 2})).unwrap();
        check(10, 0.5, 1e4, yarn(), 64, "partial_rotary_factor is 0.5, but must be the share of an even number");
        check(8, 1.0, 1.0, yarn(), 64, "rope_theta is 1,");
    }
}
