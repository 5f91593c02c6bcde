//! Whether helpers take part in a run: where the machine's other cores are asleep or taken, one thread is quicker than two that wait for
//! each other.

/// So many of the last runs are looked at, once there are [`KNOWN`].
const LAST: usize = 5;
const KNOWN: usize = 3;

/// One thread has to be so much quicker, lest noise decides.
const QUICKER: f64 = 0.9;

/// Milliseconds of the last runs of one way; the middle one is what it takes.
#[derive(Clone, Copy, Default)]
struct Times {
    last: [f64; LAST],
    count: usize,
}

impl Times {
    fn add(&mut self, milliseconds: f64) {
        self.last[self.count % LAST] = milliseconds;
        self.count += 1;
    }

    fn middle(&self) -> Option<f64> {
        let mut sorted = self.last;
        let sorted = &mut sorted[..self.count.min(LAST)];
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().filter(|_| self.count >= KNOWN)
    }
}

/// What is known of runs of about as many tokens.
#[derive(Clone, Copy, Default)]
struct Size {
    runs: usize,
    helped: Times,
    alone: Times,
}

/// Every so many runs the slower way is tried again, helpers more often: the machine may have other work by now.
const ALONE_AGAIN: usize = 8;
const HELPED_AGAIN: usize = 4;

/// Runs up to 2^15 tokens are told apart by powers of two.
const SIZES: usize = 16;

/// Of one model.
#[derive(Default)]
pub struct Helped([Size; SIZES]);

impl Helped {
    fn size(&mut self, tokens: usize) -> &mut Size {
        &mut self.0[(tokens.max(1).ilog2() as usize).min(SIZES - 1)]
    }

    /// Whether the next run of so many tokens is made by one thread.
    pub fn leaves_out(&mut self, tokens: usize) -> bool {
        let size = self.size(tokens);
        size.runs += 1;
        match (size.helped.middle(), size.alone.middle()) {
            (None, _) => false,
            (_, None) => size.runs.is_multiple_of(2),
            (Some(helped), Some(alone)) if alone < QUICKER * helped => !size.runs.is_multiple_of(HELPED_AGAIN),
            _ => size.runs.is_multiple_of(ALONE_AGAIN),
        }
    }

    /// Notes what such a run took.
    pub fn took(&mut self, tokens: usize, alone: bool, milliseconds: f64) {
        let size = self.size(tokens);
        if alone { size.alone.add(milliseconds) } else { size.helped.add(milliseconds) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of 16 tokens that take so long with help and alone; how many were made alone.
    fn made_alone(helped: &mut Helped, runs: usize, milliseconds: impl Fn(usize, bool) -> f64) -> usize {
        let mut count = 0;
        for run in 0..runs {
            let alone = helped.leaves_out(16);
            helped.took(16, alone, milliseconds(run, alone));
            count += usize::from(alone);
        }
        count
    }

    #[test]
    fn the_quicker_way_is_taken_and_the_other_tried_now_and_then() {
        let mut helped = Helped::default();
        assert_eq!(made_alone(&mut helped, 3, |_, _| 2.0), 0, "first with help");
        let learned = made_alone(&mut helped, 6, |_, alone| if alone { 4.0 } else { 2.0 });
        assert!((1..=4).contains(&learned), "{learned} of six");
        assert_eq!(made_alone(&mut helped, 80, |_, alone| if alone { 4.0 } else { 2.0 }), 10, "every eighth");
        // The other cores are taken now: noticed once the other way was tried, and help is slower than it was.
        let changed = made_alone(&mut helped, 80, |_, alone| if alone { 4.0 } else { 7.0 });
        assert!((50..=60).contains(&changed), "{changed} of eighty: three of four");
    }

    #[test]
    fn a_late_run_among_others_changes_nothing() {
        let mut helped = Helped::default();
        made_alone(&mut helped, 20, |_, alone| if alone { 4.0 } else { 2.0 });
        let alone = made_alone(&mut helped, 64, |run, alone| match (alone, run % 5) {
            (false, 0) => 40.0,
            (false, _) => 2.0,
            (true, _) => 4.0,
        });
        assert_eq!(alone, 8);
    }

    #[test]
    fn sizes_are_told_apart() {
        let mut helped = Helped::default();
        made_alone(&mut helped, 40, |_, alone| if alone { 1.0 } else { 2.0 });
        let mut of_many = [0, 1, usize::MAX].map(|tokens| helped.leaves_out(tokens)).to_vec();
        of_many.dedup();
        assert_eq!(of_many, [false]);
    }
}
