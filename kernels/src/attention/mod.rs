//! Softmax attention of all heads, without keeping its weights.

mod inputs;
mod job;
mod mask;

pub use inputs::{AttentionInputs, StridedHeads};
#[cfg(test)]
pub use job::RawHeads;
pub use job::{AttentionJob, QUERY_BLOCK};
pub use mask::MaskPattern;
