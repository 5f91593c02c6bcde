//! A rope before its scaling.

/// The settings of a rope without its scaling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnscaledRope {
    pub head_size: usize,
    /// Dimensions of a head that rotate, see [`Rope::rotary_dimensions`](crate::rope::Rope::rotary_dimensions).
    pub rotary_size: usize,
    /// `rope_theta`.
    pub base: f64,
    pub max_position_embeddings: u64,
}

impl UnscaledRope {
    /// 1/θ = base^(2i/rotary_size) of each pair that rotates. An odd last dimension counts as a pair.
    pub fn periods(self) -> impl Iterator<Item = f64> {
        periods(self.base, self.rotary_size.div_ceil(2), self.rotary_size)
    }
}

/// base^(2i/size) for i = 0 … pairs − 1.
pub fn periods(base: f64, pairs: usize, size: usize) -> impl Iterator<Item = f64> {
    (0..pairs).map(move |pair| base.powf(2.0 * pair as f64 / size as f64))
}
