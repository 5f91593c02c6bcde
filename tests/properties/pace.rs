//! A pace that stops a run.

use ropescope::backend::Pace;
use std::cell::Cell;
use std::future::{Future, ready};
use std::pin::Pin;

/// Stops the run when it has paused so often; pauses come before each op, and in one after so many multiplications.
pub struct StopAt {
    pub pauses: Cell<usize>,
    pub work: usize,
}

impl StopAt {
    /// Lets so many ops run.
    pub fn ops(ops: usize) -> Self {
        Self { pauses: Cell::new(ops), work: usize::MAX }
    }
}

impl Pace for StopAt {
    fn work(&self) -> usize {
        self.work
    }

    fn due(&self) -> bool {
        true
    }

    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>> {
        let left = self.pauses.get();
        self.pauses.set(left.saturating_sub(1));
        Box::pin(ready(left > 0))
    }
}
