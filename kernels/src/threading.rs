//! Whether workers take part in a run of a model. Where the machine's other cores are asleep or busy, one thread is faster than two
//! that wait for each other.

/// The number of recent runs of which the median is taken.
const RECENT: usize = 5;

/// The fewest runs that have a median.
const ENOUGH: usize = 3;

/// One thread wins only if its time is below this share of the other's: less could be noise.
const MARGIN: f64 = 0.9;

/// Milliseconds of recent runs.
#[derive(Clone, Copy, Default)]
struct Times {
    recent: [f64; RECENT],
    count: usize,
}

impl Times {
    fn add(&mut self, milliseconds: f64) {
        self.recent[self.count % RECENT] = milliseconds;
        self.count += 1;
    }

    fn median(&self) -> Option<f64> {
        let mut sorted = self.recent;
        let sorted = &mut sorted[..self.count.min(RECENT)];
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().filter(|_| self.count >= ENOUGH)
    }
}

/// Runs of texts of similar length.
#[derive(Clone, Copy, Default)]
struct Bucket {
    runs: usize,
    threaded: Times,
    single_threaded: Times,
}

/// After this many runs the slower way is tried again, workers more often than one thread: the machine may have other work by now.
const RETRY_SINGLE_THREADED: usize = 8;
const RETRY_THREADED: usize = 4;

/// A bucket for each power of two up to 2^15 tokens.
const BUCKETS: usize = 16;

/// Chooses the threads for the runs of one model by the times of its earlier runs.
#[derive(Default)]
pub struct ThreadingPolicy([Bucket; BUCKETS]);

impl ThreadingPolicy {
    fn bucket(&mut self, tokens: usize) -> &mut Bucket {
        &mut self.0[(tokens.max(1).ilog2() as usize).min(BUCKETS - 1)]
    }

    /// Whether the next run, of this many tokens, should use one thread.
    pub fn prefers_one_thread(&mut self, tokens: usize) -> bool {
        let bucket = self.bucket(tokens);
        bucket.runs += 1;
        match (bucket.threaded.median(), bucket.single_threaded.median()) {
            (None, _) => false,
            (_, None) => bucket.runs.is_multiple_of(2),
            (Some(threaded), Some(single)) if single < MARGIN * threaded => !bucket.runs.is_multiple_of(RETRY_THREADED),
            _ => bucket.runs.is_multiple_of(RETRY_SINGLE_THREADED),
        }
    }

    /// Records the time of a run, in milliseconds.
    pub fn record(&mut self, tokens: usize, single_threaded: bool, milliseconds: f64) {
        let bucket = self.bucket(tokens);
        let times = if single_threaded { &mut bucket.single_threaded } else { &mut bucket.threaded };
        times.add(milliseconds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of single-threaded ones among `runs` runs of 16 tokens. `milliseconds(run, alone)` is how long a run takes.
    fn single_threaded_runs(
        policy: &mut ThreadingPolicy,
        runs: usize,
        milliseconds: impl Fn(usize, bool) -> f64,
    ) -> usize {
        let mut count = 0;
        for run in 0..runs {
            let alone = policy.prefers_one_thread(16);
            policy.record(16, alone, milliseconds(run, alone));
            count += usize::from(alone);
        }
        count
    }

    #[test]
    fn the_faster_way_wins_and_the_other_is_retried() {
        let mut policy = ThreadingPolicy::default();
        assert_eq!(single_threaded_runs(&mut policy, 3, |_, _| 2.0), 0, "first with workers");
        let learned = single_threaded_runs(&mut policy, 6, |_, alone| if alone { 4.0 } else { 2.0 });
        assert!((1..=4).contains(&learned), "{learned} of six");
        assert_eq!(single_threaded_runs(&mut policy, 80, |_, alone| if alone { 4.0 } else { 2.0 }), 10, "every eighth");
        // The other cores are busy from now on: the policy notices when it retries, and workers are slower than before.
        let changed = single_threaded_runs(&mut policy, 80, |_, alone| if alone { 4.0 } else { 7.0 });
        assert!((50..=60).contains(&changed), "{changed} of eighty: three of four");
    }

    #[test]
    fn an_outlier_changes_nothing() {
        let mut policy = ThreadingPolicy::default();
        single_threaded_runs(&mut policy, 20, |_, alone| if alone { 4.0 } else { 2.0 });
        let alone = single_threaded_runs(&mut policy, 64, |run, alone| match (alone, run % 5) {
            (false, 0) => 40.0,
            (false, _) => 2.0,
            (true, _) => 4.0,
        });
        assert_eq!(alone, 8);
    }

    #[test]
    fn each_length_is_learned_alone() {
        let mut policy = ThreadingPolicy::default();
        single_threaded_runs(&mut policy, 40, |_, alone| if alone { 1.0 } else { 2.0 });
        let mut of_many = [0, 1, usize::MAX].map(|tokens| policy.prefers_one_thread(tokens)).to_vec();
        of_many.dedup();
        assert_eq!(of_many, [false]);
    }
}
