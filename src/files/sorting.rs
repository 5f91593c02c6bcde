//! One sort for all that a file needs sorted: for each type of its own it would be another kilobyte for the browser.

use std::cmp::Ordering;

/// A number to sort by, and an index.
pub type Entry = (u64, usize);

#[inline(never)]
pub fn sort(entries: &mut [Entry], compare: &dyn Fn(&Entry, &Entry) -> Ordering) {
    entries.sort_unstable_by(compare);
}
