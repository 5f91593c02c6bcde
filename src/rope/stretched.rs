//! Ways to read texts longer than those a rope was trained with, side by side for one plain rope.

use super::decay::cosine_sum;
use super::scaling::{Llama3, LongRope, Yarn};
use super::{Frequencies, Rope, Scaling};
use crate::error::Error;
use crate::transcendental::{log1p, pow};

/// How a plain rope is stretched. Where Hugging Face has it, this is its scaling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stretch {
    /// As it was trained.
    None,
    /// Every θ divided by the factor: Chen et al., arXiv 2306.15595.
    Interpolation,
    /// The base times factor^(d / (d − 2)), so that the last pair is divided by the factor and the first not at all: YaRN's
    /// appendix A.2.
    NtkAware,
    /// The base grows with the text, up to the whole factor at its end; Hugging Face's "dynamic" with a factor of 1.
    Dynamic,
    /// YaRN as its paper writes it: between 1 and 32 turns over the context a blend by turns (arXiv 2309.00071, equation 13).
    YarnByTurns,
    /// YaRN as its code has it: the same ends, and between them a blend by the number of the pair.
    YarnByPairs,
    /// Llama 3.1's: the ramp by turns between 1 and 4.
    Llama3,
    /// A quarter of the pairs turn, those of a rope of a quarter of the head: GPT-NeoX's partial rotation. No stretching.
    Partial,
    /// The fastest quarter of the whole head's pairs turn: p-RoPE, Hugging Face's "proportional". No stretching.
    Proportional,
    /// Each pair divided by a factor of its own, found by search for one model: those of [`PHI_3_LONG`], for heads of 96 only. Ding et al.,
    /// arXiv 2402.13753.
    LongRope,
    /// θ as they are, but no distance counts for more than a quarter of the context: ReRoPE, github.com/bojone/rerope, where Llama 2
    /// with 4,096 tokens is given 1,024.
    Clamped,
    /// θ as they are, scores multiplied by ln(position + 1) / ln(context) beyond the context: Su, kexue.fm/archives/8823.
    LogN,
}

/// `long_factor` of microsoft/Phi-3-mini-128k-instruct's config.json: heads of 96, base 10,000, 4,096 tokens stretched to 131,072.
#[rustfmt::skip]
pub const PHI_3_LONG: [f32; 48] = [
    1.07, 1.12, 1.15, 1.42, 1.57, 1.8, 2.13, 2.13, 3.01, 5.91, 6.95, 9.07, 9.93, 10.71, 11.13, 14.61, 15.409_999, 19.81, 37.28, 38.28,
    38.6, 40.12, 46.2, 50.94, 53.66, 54.937_39, 56.897_39, 57.287_388, 59.987_385, 60.867_386, 60.887_386, 61.717_392, 62.917_393,
    62.957_393, 63.417_393, 63.817_394, 63.837_395, 63.897_396, 63.937_397, 64.067_4, 64.114_35, 64.124_35, 64.154_35, 64.194_35,
    64.244_354, 64.574_356, 64.69, 64.76,
];

impl Stretch {
    /// All, in the order in which they are numbered for the page.
    pub const ALL: [Self; 12] = [
        Self::None,
        Self::Interpolation,
        Self::NtkAware,
        Self::Dynamic,
        Self::YarnByTurns,
        Self::YarnByPairs,
        Self::Llama3,
        Self::Partial,
        Self::Proportional,
        Self::LongRope,
        Self::Clamped,
        Self::LogN,
    ];

    /// Frequencies of a head for texts `factor` times as long as the `context` that its rope was trained with.
    ///
    /// # Errors
    /// As [`Rope::new`]: LongRoPE's factors fit heads of 96 only.
    pub fn frequencies(self, head_size: usize, base: f64, context: u64, factor: f64) -> Result<Frequencies, Error> {
        let original_max_position_embeddings = Some(context);
        let by_turns = |high_freq_factor| Llama3 {
            factor,
            low_freq_factor: 1.0,
            high_freq_factor,
            original_max_position_embeddings,
        };
        let dimensions = head_size as f64;
        let mut base = base;
        let (scaling, part) = match self {
            Self::None | Self::Clamped | Self::LogN => (Scaling::Default, 1),
            Self::Interpolation => (Scaling::Linear { factor, original_max_position_embeddings }, 1),
            Self::NtkAware => {
                base *= pow(factor, dimensions / (dimensions - 2.0));
                (Scaling::Default, 1)
            }
            Self::Dynamic => (Scaling::Dynamic { factor: 1.0 }, 1),
            Self::YarnByTurns => (Scaling::Llama3(by_turns(32.0)), 1),
            Self::Llama3 => (Scaling::Llama3(by_turns(4.0)), 1),
            Self::YarnByPairs => (Scaling::Yarn(Yarn::of(factor, context)), 1),
            Self::Partial => (Scaling::Default, 4),
            Self::Proportional => (Scaling::Proportional { factor: 1.0 }, 4),
            Self::LongRope => {
                let mut factors = Vec::new();
                for factor in PHI_3_LONG {
                    factors.push(f64::from(factor));
                }
                let lists = LongRope {
                    short_factor: factors.clone(),
                    long_factor: factors,
                    factor: Some(factor),
                    original_max_position_embeddings,
                    attention_factor: None,
                };
                (Scaling::LongRope(lists), 1)
            }
        };
        let length = (context as f64 * factor) as u64;
        let mut found = Rope::new(head_size, head_size / part, base, scaling, context)?.frequencies(length);
        if self == Self::YarnByTurns {
            found.magnitude = 0.1 * factor.ln() + 1.0;
        }
        Ok(found)
    }

    /// What a query and a key that are the same unit vector in every pair score on average over the pairs, at `count` distances evenly from
    /// 0 to factor · context, turned by what [`Self::frequencies`] gave; the query stands at that position, the key at 0.
    pub fn scores(self, found: &Frequencies, context: f64, factor: f64, count: usize) -> Vec<f64> {
        let step = factor * context / count.max(2).saturating_sub(1) as f64;
        let pairs = found.theta.len() as f64;
        let mut scores = Vec::new();
        for at in 0..count {
            let mut distance = at as f64 * step;
            let mut grown = found.magnitude * found.magnitude;
            if self == Self::LogN {
                grown = (log1p(distance) / context.ln()).max(1.0);
            }
            if self == Self::Clamped {
                distance = distance.min(context / 4.0);
            }
            scores.push(grown * cosine_sum(&found.theta, distance) / pairs);
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::cosine_sums;

    /// θ after each way over θ before, and the magnitude: d = 128.
    fn kept(stretch: Stretch, base: f64, context: u64, factor: f64) -> (Vec<f64>, f64) {
        let before = Frequencies::of_base(128, base).theta;
        let after = stretch.frequencies(128, base, context, factor).unwrap();
        (after.theta.iter().zip(&before).map(|(after, before)| after / before).collect(), after.magnitude)
    }

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }

    #[test]
    fn llama_keeps_29_pairs_blends_6_and_divides_29() {
        let (parts, magnitude) = kept(Stretch::Llama3, 5e5, 8192, 8.0);
        let of = |wanted: fn(f64) -> bool| parts.iter().filter(|part| wanted(**part)).count();
        let whole = |part: f64| part > 1.0 - 1e-12;
        let divided = |part: f64| part < 0.125 + 1e-12;
        assert_eq!((of(whole), of(divided), parts.len()), (29, 29, 64));
        assert!(parts[29..35].iter().all(|part| !whole(*part) && !divided(*part)));
        assert_eq!(magnitude, 1.0);
    }

    #[test]
    fn the_two_ramps_of_yarn_are_up_to_three_times_apart() {
        let (turns, magnitude) = kept(Stretch::YarnByTurns, 1e4, 4096, 16.0);
        let (pairs, other) = kept(Stretch::YarnByPairs, 1e4, 4096, 16.0);
        let ratio = |pair: usize| pairs[pair] / turns[pair];
        let farthest = (0..64).max_by(|a, b| ratio(*a).total_cmp(&ratio(*b))).unwrap();
        assert_eq!(farthest, 38);
        assert!((ratio(38) - 3.04).abs() < 5e-3, "{}", ratio(38));
        assert!((turns[30] - 0.295).abs() < 5e-4 && (pairs[30] - 0.639).abs() < 5e-4, "{} {}", turns[30], pairs[30]);
        assert_close(turns[0], 1.0);
        assert_close(turns[63], 1.0 / 16.0);
        assert_close(magnitude, 0.1 * 16_f64.ln() + 1.0);
        assert_close(other, magnitude);
    }

    #[test]
    fn ntk_moves_the_base_and_dynamic_arrives_there() {
        let (ntk, _) = kept(Stretch::NtkAware, 1e4, 4096, 16.0);
        let base = 16_f64.powf(128.0 / 126.0) * 1e4;
        assert!((base - 167_199.0).abs() < 1.0, "{base}");
        assert_close(ntk[0], 1.0);
        assert_close(ntk[63], 1.0 / 16.0);
        let (dynamic, _) = kept(Stretch::Dynamic, 1e4, 4096, 16.0);
        for (one, other) in ntk.iter().zip(&dynamic) {
            assert_close(*one, *other);
        }
        let (divided, _) = kept(Stretch::Interpolation, 1e4, 4096, 16.0);
        assert!(divided.iter().all(|part| (part - 1.0 / 16.0).abs() < 1e-12));
    }

    #[test]
    fn two_conventions_of_a_part_turn_other_pairs() {
        let [partial, proportional] =
            [Stretch::Partial, Stretch::Proportional].map(|way| way.frequencies(64, 1e4, 512, 1.0).unwrap());
        assert_eq!((partial.turning, proportional.turning), (8, 8));
        assert!(partial.theta[8..].iter().chain(&proportional.theta[8..]).all(|theta| *theta == 0.0));
        assert_close(partial.theta[7], 1e4_f64.powf(-14.0 / 16.0));
        assert_close(proportional.theta[7], 1e4_f64.powf(-14.0 / 64.0));
        let plain = Stretch::None.frequencies(64, 1e4, 512, 4.0).unwrap();
        for (found, expected) in plain.theta.iter().zip(Frequencies::of_base(64, 1e4).theta) {
            assert_close(*found, expected);
        }
    }

    #[test]
    fn factors_found_by_search_fit_their_head_alone() {
        let before = Frequencies::of_base(96, 1e4).theta;
        let after = Stretch::LongRope.frequencies(96, 1e4, 4096, 32.0).unwrap();
        for ((after, before), factor) in after.theta.iter().zip(&before).zip(PHI_3_LONG) {
            assert_close(before / after, f64::from(factor));
        }
        assert_close(after.magnitude, (1.0 + 32_f64.ln() / 4096_f64.ln()).sqrt());
        assert!(Stretch::LongRope.frequencies(64, 1e4, 4096, 32.0).is_err());
    }

    #[test]
    fn scores_follow_the_distance_that_counts() {
        let scores = |way: Stretch| way.scores(&way.frequencies(64, 1e4, 512, 4.0).unwrap(), 512.0, 4.0, 2049);
        let plain: Vec<f64> = cosine_sums(&Frequencies::of_base(64, 1e4), 2048).iter().map(|sum| sum / 32.0).collect();
        let (clamped, grown, divided) =
            (scores(Stretch::Clamped), scores(Stretch::LogN), scores(Stretch::Interpolation));
        for distance in [0, 1, 100, 128, 129, 511, 512, 2048] {
            assert_close(scores(Stretch::None)[distance], plain[distance]);
            assert_close(clamped[distance], plain[distance.min(128)]);
            assert_close(divided[distance / 4 * 4], plain[distance / 4]);
        }
        assert_close(grown[300], plain[300]);
        assert_close(grown[2047], plain[2047] * 2048_f64.ln() / 512_f64.ln());
        assert_close(scores(Stretch::YarnByPairs)[0], (0.1 * 4_f64.ln() + 1.0).powi(2));
        assert!(Stretch::None.scores(&Frequencies::of_base(64, 1e4), 512.0, 4.0, 0).is_empty());
    }

    #[test]
    fn what_is_no_rope_is_refused() {
        for way in Stretch::ALL {
            assert!(way.frequencies(7, 1e4, 512, 2.0).is_err(), "{way:?}");
            assert!(way.frequencies(64, 1e4, 0, 2.0).is_err(), "{way:?}");
            assert!(way.frequencies(64, f64::NAN, 8, 2.0).is_err(), "{way:?}");
        }
    }
}
