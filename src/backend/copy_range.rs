//! Ranges that are copied between the states of two texts.

/// A range of one state, in numbers, to copy to the same state of another text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyRange {
    /// [`State::index`](crate::plan::State::index).
    pub state: usize,
    pub from: usize,
    pub to: usize,
    pub count: usize,
}
