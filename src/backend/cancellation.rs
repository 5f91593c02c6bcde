//! Pauses of the CPU backend, at which a run can be cancelled.

use std::future::Future;
use std::pin::Pin;

/// Decides when the CPU backend pauses, and whether it continues. The GPU backend never calls it.
pub trait Cancellation {
    /// Multiply-adds between two calls of [`Cancellation::is_due`].
    fn work(&self) -> usize {
        usize::MAX
    }

    /// Whether it is time to pause.
    fn is_due(&self) -> bool;

    /// Pauses, so that other tasks can run. `false` cancels the run, which then ends with
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>>;
}

/// Never pauses and never cancels: for native programs.
pub struct NeverCancelled;

impl Cancellation for NeverCancelled {
    fn is_due(&self) -> bool {
        false
    }

    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>> {
        Box::pin(async { true })
    }
}
