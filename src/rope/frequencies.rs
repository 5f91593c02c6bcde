//! The angular frequency of each pair.

/// The base that RoFormer hard-codes.
pub const BASE: f64 = 10_000.0;

/// A rope as the kernels and all views know it. Every scaling comes down to one frequency a pair and one magnitude.
#[derive(Debug, Clone, PartialEq)]
pub struct Frequencies {
    /// θ_i in radians per position, of every pair of a head: (head_size / 2). 0 for a pair that does not rotate.
    pub theta: Vec<f64>,
    /// A factor on cosines and sines: Hugging Face's `attention_factor`, 1 for most ropes.
    pub magnitude: f64,
    /// Number of pairs that belong to the rope, from the first. The others have θ = 0 and no magnitude. A frozen pair of the rope
    /// has θ = 0 as well, but keeps the magnitude.
    pub rotary_pairs: usize,
}

impl Frequencies {
    /// A rope of all pairs with these θ and magnitude 1.
    pub fn from_theta(theta: Vec<f64>) -> Self {
        Self { magnitude: 1.0, rotary_pairs: theta.len(), theta }
    }

    /// θ_i = base^(−2i/d) for i = 0 … d/2 − 1, the fastest pair first, with magnitude 1: the paper's rope, section 3.2.2.
    pub fn from_base(head_size: usize, base: f64) -> Self {
        let theta = |pair: usize| base.powf(-2.0 * pair as f64 / head_size as f64);
        Self::from_theta((0..head_size / 2).map(theta).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::BASE;

    #[test]
    fn wavelengths_are_the_published_ones() {
        let wavelengths = |head_size, base| -> Vec<f64> {
            let theta = Frequencies::from_base(head_size, base).theta;
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
        // Pairs that rotate less than once within a context.
        let incomplete =
            |head_size, context| wavelengths(head_size, BASE).iter().filter(|length| **length > context).count();
        assert_eq!([incomplete(64, 512.0), incomplete(64, 1536.0), incomplete(128, 4096.0)], [16, 12, 18]);
    }
}
