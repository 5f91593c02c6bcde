//! Where the numbers of weights go.

use crate::error::Error;

/// The memory that weights are written to.
pub trait Sink {
    /// Writes `numbers` to the f32 weight `weight` (row-major) from its number `first` on. Numbers never written are 0.
    ///
    /// # Errors
    /// Those of the memory.
    fn write(&mut self, weight: usize, first: u64, numbers: &[f32]) -> Result<(), Error>;

    /// Writes words to a weight in another format, from its word `first` on: whole rows of
    /// [`Format::row_words`](crate::kernels::Format::row_words) words.
    ///
    /// # Errors
    /// As [`Sink::write`].
    fn write_words(&mut self, weight: usize, first: u64, words: &[u32]) -> Result<(), Error>;
}
