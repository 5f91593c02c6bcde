//! Ways to read texts longer than those a rope was trained with, side by side for one plain rope.

use super::scaling::{Llama3, Yarn};
use super::{Frequencies, Rope, Scaling};
use crate::error::Error;

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
}

impl Stretch {
    /// All, in the order in which they are numbered for the page.
    pub const ALL: [Self; 9] = [
        Self::None,
        Self::Interpolation,
        Self::NtkAware,
        Self::Dynamic,
        Self::YarnByTurns,
        Self::YarnByPairs,
        Self::Llama3,
        Self::Partial,
        Self::Proportional,
    ];

    /// Frequencies of a head for texts `factor` times as long as the `context` that its rope was trained with.
    ///
    /// # Errors
    /// As [`Rope::new`].
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
            Self::None => (Scaling::Default, 1),
            Self::Interpolation => (Scaling::Linear { factor, original_max_position_embeddings }, 1),
            Self::NtkAware => {
                base *= factor.powf(dimensions / (dimensions - 2.0));
                (Scaling::Default, 1)
            }
            Self::Dynamic => (Scaling::Dynamic { factor: 1.0 }, 1),
            Self::YarnByTurns => (Scaling::Llama3(by_turns(32.0)), 1),
            Self::Llama3 => (Scaling::Llama3(by_turns(4.0)), 1),
            Self::YarnByPairs => (Scaling::Yarn(Yarn::of(factor, context)), 1),
            Self::Partial => (Scaling::Default, 4),
            Self::Proportional => (Scaling::Proportional { factor: 1.0 }, 4),
        };
        let length = (context as f64 * factor) as u64;
        let mut found = Rope::new(head_size, head_size / part, base, scaling, context)?.frequencies(length);
        if self == Self::YarnByTurns {
            found.magnitude = 0.1 * factor.ln() + 1.0;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_is_no_rope_is_refused() {
        for way in Stretch::ALL {
            assert!(way.frequencies(7, 1e4, 512, 2.0).is_err(), "{way:?}");
            assert!(way.frequencies(64, 1e4, 0, 2.0).is_err(), "{way:?}");
            assert!(way.frequencies(64, f64::NAN, 8, 2.0).is_err(), "{way:?}");
        }
    }
}
