//! A rope before its scaling.

/// The settings of a rope without its scaling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnscaledRope {
    pub head_size: usize,
    /// `partial_rotary_factor`.
    pub share: f64,
    /// `rope_theta`.
    pub base: f64,
    pub max_position_embeddings: u64,
}

impl UnscaledRope {
    /// Dimensions of a head that rotate: ⌊head_size · share⌋, as in Hugging Face's code.
    pub fn rotary_size(self) -> usize {
        (self.head_size as f64 * self.share) as usize
    }

    /// 1/θ = base^(2i/rotary_size) of each pair that rotates. An odd last dimension counts as a pair.
    pub fn periods(self) -> impl Iterator<Item = f64> {
        periods(self.base, self.rotary_size().div_ceil(2), self.rotary_size())
    }
}

/// base^(2i/size) for i = 0 … pairs − 1.
pub fn periods(base: f64, pairs: usize, size: usize) -> impl Iterator<Item = f64> {
    (0..pairs).map(move |pair| base.powf(2.0 * pair as f64 / size as f64))
}
