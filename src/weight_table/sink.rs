//! The target of weights.

use crate::error::Error;

/// Numbers that are collected for one write: half a megabyte, and the same again if rows are permuted.
pub(super) const MAX_NUMBERS: u64 = 1 << 17;

/// The memory that weights are written to.
pub trait Sink {
    /// Writes words of 4 bytes to a weight (row-major) from its word `first` on: bits of f32 numbers, or entire rows of
    /// [`Format::row_words`](crate::kernels::Format::row_words) words in another format. Words that are never written are 0.
    fn write(&mut self, weight: usize, first: u64, words: &[u32]) -> Result<(), Error>;
}
