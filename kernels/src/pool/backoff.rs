//! How long the calling thread works alone after a job that the threads did not share.
//!
//! Beside other programs a worker may get the core of the calling thread. Then two threads take longer than one, because a worker that
//! looks for work takes the time of the one that has it. Nothing says so but the chunks: threads that run at the same time take about
//! as many each.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Multiply-adds of one unit of the numbers below.
const UNIT: u64 = 1 << 16;

/// The first backoff: 2²³ multiply-adds, some 0.5 ms in a browser.
const SHORTEST: u32 = 1 << 7;

/// The longest backoff: 2³¹ multiply-adds, some 130 ms in a browser.
const LONGEST: u32 = 1 << 15;

/// Jobs with fewer requests for a chunk say nothing: they end before a worker that slept has come.
const FEWEST_REQUESTS: u32 = 6;

/// A job is shared if the calling thread and the workers each took at least their even share divided by this.
const TOLERANCE: u32 = 3;

/// Each job that is not shared doubles the backoff, and each that is shared halves the next one. Only the calling thread writes it.
#[repr(C)]
pub struct Backoff {
    /// Units that the calling thread still computes alone.
    left: AtomicU32,
    /// Half the units of the next backoff, before its limits.
    length: AtomicU32,
}

impl Backoff {
    pub const fn new() -> Self {
        Self { left: AtomicU32::new(0), length: AtomicU32::new(0) }
    }

    /// Whether the calling thread works alone.
    pub fn is_active(&self) -> bool {
        self.left.load(Relaxed) > 0
    }

    /// The calling thread did a job alone. cost: in multiply-adds.
    pub fn spend(&self, cost: u64) {
        let units = u32::try_from(cost / UNIT).unwrap_or(u32::MAX).max(1);
        self.left.store(self.left.load(Relaxed).saturating_sub(units), Relaxed);
    }

    /// `threads` threads could take part in a job. They asked for a chunk `all` times, the calling thread `own` times of these.
    pub fn record(&self, own: u32, all: u32, threads: u32) {
        if all < FEWEST_REQUESTS {
            return;
        }
        // Checked: the module that workers run cannot panic.
        let (even, length) = (all.checked_div(threads).unwrap_or(all), self.length.load(Relaxed));
        let is_shared = own * TOLERANCE >= even && (all - own) * TOLERANCE >= all - even;
        if is_shared {
            self.length.store(length / 2, Relaxed);
        } else {
            let length = (2 * length).clamp(SHORTEST, LONGEST);
            self.length.store(length, Relaxed);
            self.left.store(length, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units that the calling thread works alone after a job of these requests.
    fn after(backoff: &Backoff, own: u32, all: u32, threads: u32) -> u32 {
        backoff.record(own, all, threads);
        let left = backoff.left.load(Relaxed);
        backoff.spend(u64::from(left) * UNIT);
        assert!(!backoff.is_active());
        left
    }

    #[test]
    fn jobs_that_are_not_shared_are_followed_by_ever_longer_backoffs() {
        let backoff = Backoff::new();
        let lengths: Vec<u32> = (0..11).map(|_| after(&backoff, 33, 33, 2)).collect();
        assert_eq!(lengths, [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256].map(|times| times * SHORTEST));
    }

    #[test]
    fn shared_jobs_shorten_the_next_backoff() {
        let backoff = Backoff::new();
        (0..4).for_each(|_| assert!(after(&backoff, 33, 33, 2) > 0));
        (0..2).for_each(|_| assert_eq!(after(&backoff, 17, 34, 2), 0));
        assert_eq!(after(&backoff, 33, 33, 2), 4 * SHORTEST);
    }

    #[test]
    fn a_job_is_shared_if_both_sides_take_a_third_of_their_even_share() {
        for (own, all, threads, shared) in [
            (6, 36, 2, true),
            (5, 36, 2, false),
            (30, 36, 2, true),
            (31, 36, 2, false),
            // One of three workers is missing.
            (12, 36, 4, true),
            (27, 36, 4, true),
            (28, 36, 4, false),
            // Too few to say.
            (5, 5, 2, true),
        ] {
            assert_eq!(after(&Backoff::new(), own, all, threads) == 0, shared, "{own} of {all} by {threads}");
        }
    }

    #[test]
    fn cheap_jobs_end_a_backoff_too() {
        let backoff = Backoff::new();
        backoff.record(33, 33, 2);
        (0..SHORTEST - 1).for_each(|_| backoff.spend(1));
        assert!(backoff.is_active());
        backoff.spend(1);
        assert!(!backoff.is_active());
        backoff.record(33, 33, 2);
        backoff.spend(u64::MAX);
        assert!(!backoff.is_active());
    }
}
