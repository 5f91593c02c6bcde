//! A source that the encoder has read.

use super::run_key::RunKey;
use super::source::SourceText;
use crate::backend::States;
use crate::plan::Sizes;

/// A source that the encoder has read: its keys and values for every layer of the decoder.
pub struct EncodedSource {
    pub text: SourceText,
    pub states: States,
    /// Sources, and tokens of them.
    pub sizes: Sizes,
    /// The encoder's run, and whether its heads are stored; `None` before it has ended.
    pub run: Option<(RunKey, bool)>,
    /// Unique within its context.
    pub id: u64,
}
