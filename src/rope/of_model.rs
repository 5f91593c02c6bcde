//! The rope of a model: what θ is for a text of any length, and how long a text may be.

use super::scaling::{Scaling, Setting};
use super::{Frequencies, LongRope};
use crate::error::Error;
use crate::number::written;
use crate::transcendental::pow;

/// Sizes beyond every known head: a larger number is a mistake.
const LARGEST_HEAD: usize = 1 << 16;

/// A rope with all that its frequencies follow from, checked: whatever the length, they are numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Rope {
    head_size: usize,
    rotated: usize,
    base: f64,
    scaling: Scaling,
    max_position_embeddings: u64,
    /// θ as a file holds it, of a rope that is not scaled.
    stored: Option<Vec<f64>>,
    /// Whether its table is made in f32 and rounded to bf16.
    rounded: bool,
}

impl Rope {
    /// Checks the settings. `rotated`: dimensions of a head that turn, see [`Rope::rotated_part`]; `base`:
    /// `rope_theta`; `max_position_embeddings`: as config.json has it, in tokens.
    ///
    /// # Errors
    /// [`Error::RopeValue`] for a head size that is odd or out of bounds, more rotated dimensions than there are, a
    /// base that is not above 0, no positions at all, and longrope's lists where they are not one factor a pair that
    /// turns; [`Error::RopeNotFinite`] where a frequency is no number.
    pub fn new(
        head_size: usize,
        rotated: usize,
        base: f64,
        scaling: Scaling,
        max_position_embeddings: u64,
    ) -> Result<Self, Error> {
        let refuse =
            |key: &str, found: String, expected: String| Err(Error::RopeValue { key: key.into(), found, expected });
        if !(2..=LARGEST_HEAD).contains(&head_size) || !head_size.is_multiple_of(2) {
            let expected = format!("an even number from 2 to {LARGEST_HEAD}");
            return refuse("head_dim", head_size.to_string(), expected);
        }
        if rotated > head_size {
            return refuse(
                "the count of rotated dimensions",
                rotated.to_string(),
                format!("up to head_dim, {head_size}"),
            );
        }
        if !(base.is_finite() && base > 0.0) {
            return refuse("rope_theta", written(base), "a number above 0".into());
        }
        if base == 1.0 && matches!(scaling, Scaling::Yarn(_)) {
            return refuse(
                "rope_theta",
                "1".into(),
                "another number for yarn, which tells fast pairs from slow ones".into(),
            );
        }
        if max_position_embeddings == 0 {
            return refuse("max_position_embeddings", "0".into(), "a number above 0".into());
        }
        if matches!(scaling, Scaling::Yarn(_)) && rotated > 3 && !rotated.is_multiple_of(2) {
            let expected = "an even number for yarn, as Hugging Face has it";
            return refuse("the count of rotated dimensions", rotated.to_string(), expected.into());
        }
        if let Scaling::LongRope(LongRope { short_factor, long_factor, .. }) = &scaling {
            let pairs = rotated.div_ceil(2);
            for (key, factors) in [("short_factor", short_factor), ("long_factor", long_factor)] {
                if factors.len() != pairs {
                    let expected = format!("a list of {pairs}, one for each pair that turns");
                    return refuse(key, format!("a list of {}", factors.len()), expected);
                }
            }
        }
        let rope = Self { head_size, rotated, base, scaling, max_position_embeddings, stored: None, rounded: false };
        // θ lies between those of the shortest and the longest text.
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
        let rescaled = Self::new(self.head_size, self.rotated, self.base, scaling, self.max_position_embeddings)?;
        let (before, after) = (self.paired_columns(), rescaled.paired_columns());
        if after != before && after > 0 {
            return Err(Error::RopeValue {
                key: "rope_type".into(),
                found: rescaled.scaling.name().into(),
                expected: format!("one that pairs {before} columns of a head, as the model's own, not {after}"),
            });
        }
        Ok(rescaled)
    }

    /// The same rope by θ as a file holds it, (head_size / 2), which wins over what base and head size say.
    ///
    /// # Errors
    /// [`Error::RopeNotFinite`].
    pub fn stored(mut self, theta: &[f32]) -> Result<Self, Error> {
        if !theta.iter().all(|theta| theta.is_finite()) {
            return Err(Error::RopeNotFinite);
        }
        self.stored = Some(theta.iter().map(|theta| f64::from(*theta)).collect());
        Ok(self)
    }

    /// The same rope with θ as f32 arithmetic makes it and a table that is rounded to bf16, as a model has it whose author keeps
    /// the table in that type.
    ///
    /// # Errors
    /// [`Error::RopeNotFinite`].
    pub fn rounded_to_bf16(self) -> Result<Self, Error> {
        let theta = |pair: usize| {
            let exponent = (2 * pair) as f32 / self.rotated as f32;
            1.0 / pow(self.base, f64::from(exponent)) as f32
        };
        let theta: Vec<f32> = (0..self.rotated / 2).map(theta).collect();
        Ok(Self { rounded: true, ..self.stored(&theta)? })
    }

    /// Whether its table is rounded to bf16.
    pub fn is_rounded(&self) -> bool {
        self.rounded
    }

    /// Dimensions of a head that turn: ⌊head_size · partial_rotary_factor⌋, as Hugging Face counts them.
    pub fn rotated_part(head_size: usize, partial_rotary_factor: f64) -> usize {
        (head_size as f64 * partial_rotary_factor) as usize
    }

    /// Columns of a head whose two halves hold the pairs, in models that pair column i with i + columns / 2. The whole
    /// head for a proportional rope, whose slower pairs stand still; else those that turn, an odd one rounded up.
    pub fn paired_columns(&self) -> usize {
        match self.scaling {
            Scaling::Proportional { .. } => self.head_size,
            // Which does not turn.
            Scaling::Yarn(_) if self.rotated == 1 => 0,
            _ => self.rotated.next_multiple_of(2),
        }
    }

    /// `rope_theta`.
    pub fn base(&self) -> f64 {
        self.base
    }

    /// Its scaling.
    pub fn scaling(&self) -> &Scaling {
        &self.scaling
    }

    /// θ and magnitude in a text of `length` tokens, all of it: (head_size / 2).
    pub fn frequencies(&self, length: u64) -> Frequencies {
        let (mut theta, magnitude) = match &self.stored {
            Some(theta) => (theta.clone(), 1.0),
            None => self.scaling.frequencies(self.setting(length)),
        };
        let turning = theta.len();
        theta.resize(self.head_size / 2, 0.0);
        Frequencies { theta, magnitude, turning }
    }

    /// Whether there are texts whose length changes θ.
    pub fn depends_on_length(&self) -> bool {
        matches!(self.scaling, Scaling::Dynamic { .. } | Scaling::LongRope(_))
    }

    /// Whether texts of these lengths, in tokens, turn alike: what a cache was filled with at one length holds at the
    /// other.
    pub fn same_frequencies(&self, a_length: u64, b_length: u64) -> bool {
        match &self.scaling {
            Scaling::Dynamic { .. } => {
                a_length.max(self.max_position_embeddings) == b_length.max(self.max_position_embeddings)
            }
            Scaling::LongRope(long) => long.is_long(self.setting(a_length)) == long.is_long(self.setting(b_length)),
            _ => true,
        }
    }

    /// The longest text, in tokens, that the model is made for: larger ones must be asked for. `None`: memory alone
    /// limits.
    pub fn longest(&self) -> Option<u64> {
        if matches!(self.scaling, Scaling::Dynamic { .. }) {
            return None;
        }
        let original = self.scaling.original_max_position_embeddings().unwrap_or(self.max_position_embeddings);
        let stretched = self.scaling.stretch(self.setting(0)).map_or(0, |stretch| (stretch * original as f64) as u64);
        Some(stretched.max(self.max_position_embeddings))
    }

    fn setting(&self, length: u64) -> Setting {
        let Self { head_size, rotated, base, max_position_embeddings, .. } = *self;
        Setting { head_size, rotated, base, max_position_embeddings, length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn rope(json: Value, max_position_embeddings: u64) -> Rope {
        Rope::new(16, 16, 1e4, Scaling::parse(&json).unwrap(), max_position_embeddings).unwrap()
    }

    fn longrope(original: u64) -> Value {
        let factors = [2.0; 8];
        json!({"rope_type": "longrope", "short_factor": factors, "long_factor": factors,
               "original_max_position_embeddings": original})
    }

    #[test]
    fn the_longest_text_is_the_stretched_original() {
        assert_eq!(rope(json!(null), 64).longest(), Some(64));
        assert_eq!(rope(json!({"type": "linear", "factor": 2.5}), 64).longest(), Some(160));
        assert_eq!(rope(json!({"type": "dynamic", "factor": 2}), 64).longest(), None);
        let yarn = |factor: f64| json!({"type": "yarn", "factor": factor, "original_max_position_embeddings": 64});
        assert_eq!(rope(yarn(4.0), 64).longest(), Some(256));
        assert_eq!(rope(yarn(2.0), 256).longest(), Some(256));
        assert_eq!(rope(longrope(32), 96).longest(), Some(96));
        let llama3 = json!({"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
                            "original_max_position_embeddings": 8192});
        assert_eq!(rope(llama3, 131_072).longest(), Some(131_072));
        assert_eq!(rope(json!({"rope_type": "proportional", "factor": 8}), 64).longest(), Some(64));
    }

    #[test]
    fn lengths_on_one_side_of_the_border_turn_alike() {
        let check = |rope: &Rope, alike: &[(u64, u64)], apart: &[(u64, u64)]| {
            for (pairs, expected) in [(alike, true), (apart, false)] {
                for (a, b) in pairs {
                    assert_eq!(rope.same_frequencies(*a, *b), expected, "{rope:?}, {a} and {b}");
                    assert_eq!(rope.same_frequencies(*b, *a), expected, "{rope:?}, {b} and {a}");
                    assert_eq!(rope.frequencies(*a) == rope.frequencies(*b), expected, "{rope:?}, {a} and {b}");
                }
            }
        };
        let dynamic = rope(json!({"rope_type": "dynamic", "factor": 2}), 32);
        assert!(dynamic.depends_on_length());
        check(&dynamic, &[(0, 32), (7, 12), (40, 40)], &[(32, 33), (33, 34), (1, 1000)]);
        let mut long = longrope(32);
        long["long_factor"] = vec![3.0; 8].into();
        let long = rope(long, 128);
        assert!(long.depends_on_length());
        check(&long, &[(0, 32), (33, 500)], &[(32, 33), (1, 1000)]);
        let linear = rope(json!({"rope_type": "linear", "factor": 2}), 32);
        assert!(!linear.depends_on_length());
        check(&linear, &[(0, 32), (32, 33), (1, 1000)], &[]);
    }

    #[test]
    fn the_models_own_original_length_wins() {
        let mut scaling = Scaling::parse(&longrope(32)).unwrap();
        scaling.set_original_max_position_embeddings(64);
        let rope = Rope::new(16, 16, 1e4, scaling, 128).unwrap();
        assert!(rope.same_frequencies(1, 64) && !rope.same_frequencies(64, 65));
        let mut linear = Scaling::parse(&json!({"type": "linear", "factor": 2})).unwrap();
        let before = linear.clone();
        linear.set_original_max_position_embeddings(64);
        assert_eq!(linear, before);
    }

    #[test]
    fn halves_of_what_turns_hold_the_pairs() {
        let part = |kind: &str, head_size: usize, factor: f64| {
            let scaling = Scaling::parse(&json!({"rope_type": kind})).unwrap();
            Rope::new(head_size, Rope::rotated_part(head_size, factor), 1e4, scaling, 64).unwrap()
        };
        let turning = |rope: &Rope| rope.frequencies(1).turning;
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
            let rope = part(kind, head_size, factor);
            assert_eq!((rope.paired_columns(), turning(&rope)), (columns, pairs), "{kind}, {factor} of {head_size}");
        }
    }

    #[test]
    fn another_scaling_pairs_the_same_columns() {
        let check = |own: Value, other: Value, rotated: usize, is_kept: bool| {
            let [own, other] = [own, other].map(|json| Scaling::parse(&json).unwrap());
            let rescaled = Rope::new(16, rotated, 1e4, own, 64).unwrap().rescaled(other.clone());
            assert_eq!(rescaled.is_ok(), is_kept, "{other:?} over {rotated} dimensions");
        };
        let proportional = || json!({"rope_type": "proportional"});
        let linear = || json!({"rope_type": "linear", "factor": 2});
        check(json!(null), linear(), 4, true);
        check(json!(null), proportional(), 4, false);
        check(json!(null), proportional(), 16, true);
        check(proportional(), linear(), 4, false);
        check(json!(null), json!({"rope_type": "yarn", "factor": 2}), 1, true);
    }

    #[test]
    fn senseless_ropes_are_refused() {
        let says = |head_size, rotated, base, scaling, longest, words: &str| {
            let error = Rope::new(head_size, rotated, base, scaling, longest).unwrap_err().to_string();
            assert!(error.contains(words), "{words:?} is not in: {error}");
        };
        let plain = || Scaling::Default;
        says(7, 6, 1e4, plain(), 64, "head_dim is 7");
        says(0, 0, 1e4, plain(), 64, "head_dim is 0");
        says(usize::MAX - 1, 6, 1e4, plain(), 64, "head_dim is 1844");
        says(8, 9, 1e4, plain(), 64, "rotated dimensions is 9");
        for base in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            says(8, 8, base, plain(), 64, "rope_theta is");
        }
        says(8, 8, 1e4, plain(), 0, "max_position_embeddings is 0");
        says(8, 8, 1e4, Scaling::parse(&longrope(32)).unwrap(), 64, "short_factor is a list of 8");
        says(16, 16, 1e4, Scaling::parse(&longrope(1)).unwrap(), 64, "no numbers");
        let yarn = json!({"type": "yarn", "factor": 2});
        says(10, 5, 1e4, Scaling::parse(&yarn).unwrap(), 64, "rotated dimensions is 5");
        let steep = json!({"type": "yarn", "factor": 2});
        says(8, 8, 1.0, Scaling::parse(&steep).unwrap(), 64, "rope_theta is 1,");
    }
}
