//! The options of a context.

/// The settings of a context: the data that it keeps after a run, and the sizes of its buffers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContextOptions {
    /// Keeps queries and keys of every layer, so that each [`Run`](super::Run) answers questions about heads. A request for one head's map
    /// or for taps of attention keeps them for its own run anyway.
    pub keep_heads: bool,
    /// Sizes buffers exactly for a program that runs once, instead of rounding up to the next power of two.
    pub exact: bool,
    /// Stores keys and values of the text as f16, in half the memory. Logits change in the third or fourth digit. It needs a GPU with WebGPU's
    /// `shader-f16`; elsewhere a request that continues answers [`Error::NoF16`](crate::Error::NoF16). The cache of a run that keeps heads, a
    /// source's keys and values, and sums of linear attention stay f32.
    pub f16_cache: bool,
}

impl ContextOptions {
    /// Whether the KV cache of a run stores f16.
    pub(super) fn stores_f16(self, keeps_heads: bool) -> bool {
        self.f16_cache && !keeps_heads
    }
}
