//! How fast each pair turns, and how long its rotation makes it.

use crate::transcendental::pow;

/// The base that RoFormer hard-codes.
pub const BASE: f64 = 10_000.0;

/// A rope as the kernels and every view know it: whatever its scaling, it is one frequency a pair and one magnitude.
#[derive(Debug, Clone, PartialEq)]
pub struct Frequencies {
    /// θ_i in radians per position, of every pair of a head: (head_size / 2). 0 for a pair that does not turn.
    pub theta: Vec<f64>,
    /// What cosines and sines are multiplied with: Hugging Face's `attention_factor`, 1 for most ropes.
    pub magnitude: f64,
    /// Pairs that belong to the rope, the first ones: the others have θ = 0, and the magnitude is not theirs. A pair of
    /// the rope may be stopped (θ = 0), too, and keeps its magnitude.
    pub turning: usize,
}

impl Frequencies {
    /// θ_i = base^(−2i/d) for i = 0 … d/2 − 1, fast pairs first, with magnitude 1: the paper's rope, section 3.2.2.
    pub fn of_base(head_size: usize, base: f64) -> Self {
        let theta: Vec<f64> = (0..head_size / 2).map(|pair| pow(base, -2.0 * pair as f64 / head_size as f64)).collect();
        Self { magnitude: 1.0, turning: theta.len(), theta }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::BASE;

    #[test]
    fn four_dimensions_turn_by_one_and_a_hundredth() {
        let Frequencies { theta, magnitude, turning } = Frequencies::of_base(4, BASE);
        assert_eq!((theta.len(), magnitude, turning), (2, 1.0, 2));
        assert!((theta[0] - 1.0).abs() < 1e-15 && (theta[1] - 0.01).abs() < 1e-15, "{theta:?}");
    }

    #[test]
    fn wavelengths_are_those_that_others_found() {
        let wavelengths = |head_size, base| -> Vec<f64> {
            let theta = Frequencies::of_base(head_size, base).theta;
            theta.iter().map(|theta| std::f64::consts::TAU / theta).collect()
        };
        let small = wavelengths(64, BASE);
        for (pair, expected) in [(8, 62.8), (16, 628.0), (24, 6283.0), (31, 47_117.0)] {
            assert!((small[pair] / expected - 1.0).abs() < 1e-3, "pair {pair}: {}", small[pair]);
        }
        for (base, expected) in [(BASE, 54_410.0), (5e5, 2_559_195.0), (1e6, 5_063_256.0)] {
            let last = wavelengths(128, base)[63];
            assert!((last - expected).abs() < 1.0, "base {base}: {last}");
        }
        // Pairs that turn less than once within a context.
        let open = |head_size, context| wavelengths(head_size, BASE).iter().filter(|length| **length > context).count();
        assert_eq!([open(64, 512.0), open(64, 1536.0), open(128, 4096.0)], [16, 12, 18]);
    }

    #[test]
    fn nothing_to_rotate_gives_nothing() {
        assert!(Frequencies::of_base(0, BASE).theta.is_empty());
    }
}
