//! Methods that extend the context of a plain rope beyond the length that it was trained with, for comparison.

use super::decay::cosine_sum;
use super::scaling::{Llama3, LongRope, Yarn};
use super::{Frequencies, Rope, Scaling};
use crate::error::Error;
use strum::VariantArray;

/// A method of context extension. Uses Hugging Face's scaling if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum ContextExtension {
    /// The rope as trained.
    None,
    /// Position interpolation: every θ divided by the factor. Chen et al., arXiv 2306.15595.
    Interpolation,
    /// The base times factor^(d / (d − 2)), which divides the last pair by the factor and leaves the first unchanged: YaRN's
    /// appendix A.2.
    NtkAware,
    /// The base grows with the text, up to the full factor at its end: Hugging Face's "dynamic" with a factor of 1.
    Dynamic,
    /// YaRN as in its paper: the ramp is linear in the rotations over the context, from 1 to 32 (arXiv 2309.00071, equation 13).
    YarnPaper,
    /// YaRN as in its code: a ramp with the same ends, linear in the number of the pair.
    YarnCode,
    /// Llama 3.1: the ramp is linear in the rotations over the context, from 1 to 4.
    Llama3,
    /// GPT-NeoX's partial rotation: a rope over a quarter of the head. Does not extend the context.
    Partial,
    /// p-RoPE, Hugging Face's "proportional": only the fastest quarter of the head's pairs rotate. Does not extend the context.
    Proportional,
    /// Each pair divided by its own factor from a search for one model: [`PHI_3_LONG_FACTORS`], for heads of 96 only. Ding et al.,
    /// arXiv 2402.13753.
    LongRope,
    /// ReRoPE: θ unchanged, distances clamped to a quarter of the context. github.com/bojone/rerope clamps Llama 2 with 4,096 tokens to
    /// 1,024.
    ReRope,
    /// θ unchanged, scores beyond the context multiplied by ln(position + 1) / ln(context): Su, kexue.fm/archives/8823.
    LogN,
}

/// `long_factor` of microsoft/Phi-3-mini-128k-instruct's config.json: heads of 96, base 10,000, from 4,096 to 131,072 tokens.
#[rustfmt::skip]
pub const PHI_3_LONG_FACTORS: [f32; 48] = [
    1.07, 1.12, 1.15, 1.42, 1.57, 1.8, 2.13, 2.13, 3.01, 5.91, 6.95, 9.07, 9.93, 10.71, 11.13, 14.61, 15.409_999, 19.81, 37.28, 38.28,
    38.6, 40.12, 46.2, 50.94, 53.66, 54.937_39, 56.897_39, 57.287_388, 59.987_385, 60.867_386, 60.887_386, 61.717_392, 62.917_393,
    62.957_393, 63.417_393, 63.817_394, 63.837_395, 63.897_396, 63.937_397, 64.067_4, 64.114_35, 64.124_35, 64.154_35, 64.194_35,
    64.244_354, 64.574_356, 64.69, 64.76,
];

impl ContextExtension {
    /// Frequencies of a head for texts `factor` times as long as the `context` of the training.
    ///
    /// # Errors
    /// As [`Rope::new`]: LongRoPE's factors fit heads of 96 only.
    pub fn frequencies(self, head_size: usize, base: f64, context: u64, factor: f64) -> Result<Frequencies, Error> {
        let original_max_position_embeddings = Some(context);
        let ramp = |high_freq_factor| {
            Scaling::Llama3(Llama3 { factor, low_freq_factor: 1.0, high_freq_factor, original_max_position_embeddings })
        };
        let dimensions = head_size as f64;
        let mut base = base;
        let (scaling, share) = match self {
            Self::None | Self::ReRope | Self::LogN => (Scaling::Default, 1.0),
            Self::Interpolation => (Scaling::Linear { factor, original_max_position_embeddings }, 1.0),
            Self::NtkAware => {
                base *= factor.powf(dimensions / (dimensions - 2.0));
                (Scaling::Default, 1.0)
            }
            Self::Dynamic => (Scaling::Dynamic { factor: 1.0 }, 1.0),
            Self::YarnPaper => (ramp(32.0), 1.0),
            Self::Llama3 => (ramp(4.0), 1.0),
            Self::YarnCode => (Scaling::Yarn(Yarn::with_defaults(factor, context)), 1.0),
            Self::Partial => (Scaling::Default, 0.25),
            Self::Proportional => (Scaling::Proportional { factor: 1.0 }, 0.25),
            Self::LongRope => {
                let factors = PHI_3_LONG_FACTORS.map(f64::from).to_vec();
                let lists = LongRope {
                    short_factor: factors.clone(),
                    long_factor: factors,
                    factor: Some(factor),
                    original_max_position_embeddings,
                    attention_factor: None,
                };
                (Scaling::LongRope(lists), 1.0)
            }
        };
        let length = (context as f64 * factor) as u64;
        let mut frequencies = Rope::new(head_size, share, base, scaling, context)?.frequencies(length);
        if self == Self::YarnPaper {
            frequencies.magnitude = 0.1 * factor.ln() + 1.0;
        }
        Ok(frequencies)
    }

    /// The mean score of a pair at `count` distances evenly from 0 to factor · context, for a query and a key that are the same unit vector
    /// in every pair. The key is at position 0. frequencies: those of [`Self::frequencies`].
    pub fn scores(self, frequencies: &Frequencies, context: f64, factor: f64, count: usize) -> Vec<f64> {
        let step = factor * context / count.max(2).saturating_sub(1) as f64;
        let pairs = frequencies.theta.len() as f64;
        let score = |index: usize| {
            let distance = index as f64 * step;
            let (scale, distance) = match self {
                Self::LogN => ((distance.ln_1p() / context.ln()).max(1.0), distance),
                Self::ReRope => (1.0, distance.min(context / 4.0)),
                _ => (frequencies.magnitude * frequencies.magnitude, distance),
            };
            scale * cosine_sum(&frequencies.theta, distance) / pairs
        };
        (0..count).map(score).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::cosine_sums;

    /// θ after the extension over θ before, and the magnitude: d = 128.
    fn theta_ratios(method: ContextExtension, base: f64, context: u64, factor: f64) -> (Vec<f64>, f64) {
        let before = Frequencies::from_base(128, base).theta;
        let after = method.frequencies(128, base, context, factor).unwrap();
        (after.theta.iter().zip(&before).map(|(after, before)| after / before).collect(), after.magnitude)
    }

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }

    #[test]
    fn llama_3_has_29_fast_pairs_6_on_the_ramp_and_29_slow_ones() {
        let (ratios, magnitude) = theta_ratios(ContextExtension::Llama3, 5e5, 8192, 8.0);
        let count = |condition: fn(f64) -> bool| ratios.iter().filter(|ratio| condition(**ratio)).count();
        let is_fast = |ratio: f64| ratio > 1.0 - 1e-12;
        let is_slow = |ratio: f64| ratio < 0.125 + 1e-12;
        assert_eq!((count(is_fast), count(is_slow), ratios.len()), (29, 29, 64));
        assert!(ratios[29..35].iter().all(|ratio| !is_fast(*ratio) && !is_slow(*ratio)));
        assert_eq!(magnitude, 1.0);
    }

    #[test]
    fn the_two_ramps_of_yarn_differ_by_up_to_a_factor_of_three() {
        let (paper, magnitude) = theta_ratios(ContextExtension::YarnPaper, 1e4, 4096, 16.0);
        let (code, other) = theta_ratios(ContextExtension::YarnCode, 1e4, 4096, 16.0);
        let ratio = |pair: usize| code[pair] / paper[pair];
        let farthest = (0..64).max_by(|a, b| ratio(*a).total_cmp(&ratio(*b))).unwrap();
        assert_eq!(farthest, 38);
        assert!((ratio(38) - 3.04).abs() < 5e-3, "{}", ratio(38));
        assert!((paper[30] - 0.295).abs() < 5e-4 && (code[30] - 0.639).abs() < 5e-4, "{} {}", paper[30], code[30]);
        assert_close(paper[0], 1.0);
        assert_close(paper[63], 1.0 / 16.0);
        assert_close(magnitude, 0.1 * 16_f64.ln() + 1.0);
        assert_close(other, magnitude);
    }

    #[test]
    fn dynamic_ends_at_the_base_of_ntk() {
        let (ntk, _) = theta_ratios(ContextExtension::NtkAware, 1e4, 4096, 16.0);
        let base = 16_f64.powf(128.0 / 126.0) * 1e4;
        assert!((base - 167_199.0).abs() < 1.0, "{base}");
        assert_close(ntk[0], 1.0);
        assert_close(ntk[63], 1.0 / 16.0);
        let (dynamic, _) = theta_ratios(ContextExtension::Dynamic, 1e4, 4096, 16.0);
        for (one, other) in ntk.iter().zip(&dynamic) {
            assert_close(*one, *other);
        }
        let (divided, _) = theta_ratios(ContextExtension::Interpolation, 1e4, 4096, 16.0);
        assert!(divided.iter().all(|ratio| (ratio - 1.0 / 16.0).abs() < 1e-12));
    }

    #[test]
    fn partial_and_proportional_ropes_rotate_different_pairs() {
        let [partial, proportional] = [ContextExtension::Partial, ContextExtension::Proportional]
            .map(|method| method.frequencies(64, 1e4, 512, 1.0).unwrap());
        assert_eq!((partial.rotary_pairs, proportional.rotary_pairs), (8, 8));
        assert!(partial.theta[8..].iter().chain(&proportional.theta[8..]).all(|theta| *theta == 0.0));
        assert_close(partial.theta[7], 1e4_f64.powf(-14.0 / 16.0));
        assert_close(proportional.theta[7], 1e4_f64.powf(-14.0 / 64.0));
        let plain = ContextExtension::None.frequencies(64, 1e4, 512, 4.0).unwrap();
        for (found, expected) in plain.theta.iter().zip(Frequencies::from_base(64, 1e4).theta) {
            assert_close(*found, expected);
        }
    }

    #[test]
    fn the_factors_of_phi_3_fit_heads_of_96_only() {
        let before = Frequencies::from_base(96, 1e4).theta;
        let after = ContextExtension::LongRope.frequencies(96, 1e4, 4096, 32.0).unwrap();
        for ((after, before), factor) in after.theta.iter().zip(&before).zip(PHI_3_LONG_FACTORS) {
            assert_close(before / after, f64::from(factor));
        }
        assert_close(after.magnitude, (1.0 + 32_f64.ln() / 4096_f64.ln()).sqrt());
        assert!(ContextExtension::LongRope.frequencies(64, 1e4, 4096, 32.0).is_err());
    }

    #[test]
    fn scores_depend_on_the_clamped_distance_and_the_scale() {
        let scores =
            |method: ContextExtension| method.scores(&method.frequencies(64, 1e4, 512, 4.0).unwrap(), 512.0, 4.0, 2049);
        let plain: Vec<f64> =
            cosine_sums(&Frequencies::from_base(64, 1e4), 2048).iter().map(|sum| sum / 32.0).collect();
        let (clamped, scaled, divided) =
            (scores(ContextExtension::ReRope), scores(ContextExtension::LogN), scores(ContextExtension::Interpolation));
        for distance in [0, 1, 100, 128, 129, 511, 512, 2048] {
            assert_close(scores(ContextExtension::None)[distance], plain[distance]);
            assert_close(clamped[distance], plain[distance.min(128)]);
            assert_close(divided[distance / 4 * 4], plain[distance / 4]);
        }
        assert_close(scaled[300], plain[300]);
        assert_close(scaled[2047], plain[2047] * 2048_f64.ln() / 512_f64.ln());
        assert_close(scores(ContextExtension::YarnCode)[0], (0.1 * 4_f64.ln() + 1.0).powi(2));
        assert!(ContextExtension::None.scores(&Frequencies::from_base(64, 1e4), 512.0, 4.0, 0).is_empty());
    }

    #[test]
    fn invalid_ropes_are_refused_by_all_methods() {
        for &method in ContextExtension::VARIANTS {
            assert!(method.frequencies(7, 1e4, 512, 2.0).is_err(), "{method:?}");
            assert!(method.frequencies(64, 1e4, 0, 2.0).is_err(), "{method:?}");
            assert!(method.frequencies(64, f64::NAN, 8, 2.0).is_err(), "{method:?}");
        }
    }
}
