//! The numbers of a rope that scalings change.

use crate::transcendental::pow;

/// Everything that θ depends on besides the scaling's own numbers.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub head_size: usize,
    /// Dimensions that turn, see [`Rope::rotated`](crate::rope::Rope).
    pub rotated: usize,
    pub base: f64,
    pub max_position_embeddings: u64,
    /// Tokens of the whole text.
    pub length: u64,
}

impl Setting {
    /// base^(2i/rotated), θ's inverse, of each pair that turns: an odd last dimension makes a pair of its own.
    pub fn periods(self) -> impl Iterator<Item = f64> {
        powers(self.base, self.rotated.div_ceil(2), self.rotated)
    }
}

/// base^(2i/size) for i = 0 … pairs − 1.
pub fn powers(base: f64, pairs: usize, size: usize) -> impl Iterator<Item = f64> {
    (0..pairs).map(move |pair| pow(base, 2.0 * pair as f64 / size as f64))
}
