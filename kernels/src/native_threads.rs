//! The threads of a native program: workers of [`THREAD_POOL`] that sleep while there is no work.
//!
//! One calling thread at a time uses the workers. Others that compute meanwhile run their work alone, with the same results.

use crate::pool::{Host, Job, LEAST_COST, THREAD_POOL, Work};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The workers, which whoever locks them may use.
static WORKERS: Mutex<Workers> = Mutex::new(Workers { started: 0, number_is_set: false });

struct Workers {
    /// Threads that were started. They never end.
    started: usize,
    /// Whether the number of those that take part was set.
    number_is_set: bool,
}

impl Workers {
    /// Starts what is missing of `threads` threads, the calling one included.
    fn set(&mut self, threads: usize) {
        self.number_is_set = true;
        while self.started + 1 < threads {
            let thread = self.started + 1;
            let start = thread::Builder::new().name(format!("ropescope {thread}"));
            // A machine that gives no more threads computes with those that it gave.
            if start.spawn(move || work(thread)).is_err() {
                break;
            }
            self.started = thread;
        }
        THREAD_POOL.workers.store((threads.max(1) - 1).min(self.started) as u32, Relaxed);
    }
}

/// Sets the number of threads of all kernels in the program, the calling one included. Results do not depend on it. Without a call it is
/// the number of physical cores.
pub fn set_threads(threads: NonZeroUsize) {
    WORKERS.lock().unwrap_or_else(PoisonError::into_inner).set(threads.get());
}

/// The number of threads of large work.
pub fn threads() -> usize {
    drop(with_default(WORKERS.lock().unwrap_or_else(PoisonError::into_inner)));
    THREAD_POOL.threads()
}

/// The workers, whose default number is chosen unless one was set.
fn with_default(mut workers: MutexGuard<'_, Workers>) -> MutexGuard<'_, Workers> {
    if !workers.number_is_set {
        workers.set(num_cpus::get_physical().min(num_cpus::get()));
    }
    workers
}

/// Runs all of `work`, with the workers if it is large enough and no other thread uses them.
///
/// # Safety
/// The pointers of `work` are valid for its shapes, and no other code touches what they point to.
pub unsafe fn run<W: Work>(work: &W) {
    let workers = if work.cost() < LEAST_COST { None } else { WORKERS.try_lock().ok().map(with_default) };
    let threads = if workers.is_some() { THREAD_POOL.threads() } else { 1 };
    let mut scratch = Vec::<f32>::with_capacity(threads * work.scratch());
    // SAFETY: the vector has scratch for `threads` threads; work and scratch outlive the job; the pointers are valid by this function's
    // condition. The lock, if it is held, keeps the number of threads and gives the pool to this thread alone.
    unsafe {
        let job = Job::new(work, scratch.as_mut_ptr());
        if threads == 1 {
            job.run_here()
        } else {
            let complete = THREAD_POOL.run(&job, &Native);
            debug_assert!(complete, "a kernel that panics ends the program");
        }
    }
}

/// A worker's thread.
fn work(thread: usize) {
    let mut known = 0;
    loop {
        // SAFETY: `Workers::set` gives each thread its own number.
        known = unsafe { THREAD_POOL.work(thread, known, &Native) };
        Native.wait(&THREAD_POOL.jobs, known);
    }
}

/// Sleep and wake by one condition: whoever is woken looks whether it is its number that changed.
static CHANGE: (Mutex<()>, Condvar) = (Mutex::new(()), Condvar::new());

struct Native;

impl Host for Native {
    fn wait(&self, number: &AtomicU32, value: u32) {
        let (mutex, condition) = &CHANGE;
        let guard = mutex.lock().unwrap_or_else(PoisonError::into_inner);
        drop(condition.wait_while(guard, |()| number.load(Relaxed) == value));
    }

    fn wake(&self, _number: &AtomicU32) {
        let (mutex, condition) = &CHANGE;
        // With the lock: a thread that is about to sleep has either seen the change or hears the notification.
        drop(mutex.lock());
        condition.notify_all();
    }

    unsafe fn run_chunks(&self, job: &Job, threads: usize, scratch: *mut f32, next: impl FnMut() -> usize) {
        let abort = AbortOnPanic;
        // SAFETY: the pool gives a live job, scratch of this thread's own, and each chunk's number to one thread alone.
        unsafe { job.run_chunks(threads, scratch, next) };
        std::mem::forget(abort);
    }
}

/// Ends the program where a kernel panics: the other threads still use the job, which unwinding would free. Kernels check their shapes
/// before they make a job.
struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        std::process::abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::{FloatWeight, Matrix, gemm, multiply_few_rows};
    use crate::rows::for_each_row;
    use crate::tests::eighths;

    /// A product of many rows, one of few rows, and rows that are computed one by one.
    fn results() -> [Vec<f32>; 3] {
        let [rows, inner, columns] = [37, 300, 1000];
        let (x, w) = (eighths(rows * inner, 1), eighths(columns * inner, 2));
        let [mut many, mut few, mut sums] = [vec![0.0; rows * columns], vec![0.0; 5 * columns], vec![0.0; columns]];
        // Workers take part, also where they were late for the product before.
        THREAD_POOL.backoff.spend(u64::MAX);
        gemm(&mut many, columns, Matrix::rows(&x, inner), Matrix::transposed(&w, inner), [rows, inner, columns], 0.5);
        THREAD_POOL.backoff.spend(u64::MAX);
        multiply_few_rows(&mut few, &x, FloatWeight::F32(&w), [5, inner, columns]);
        THREAD_POOL.backoff.spend(u64::MAX);
        for_each_row(&mut sums, 1, inner, |row, sum| sum[0] += w[row * inner..][..inner].iter().sum::<f32>());
        [many, few, sums]
    }

    #[test]
    fn results_are_the_same_with_any_number_of_threads_and_beside_other_callers() {
        let count = |threads| NonZeroUsize::new(threads).unwrap();
        set_threads(count(1));
        let expected = results();
        for number in [3, 1, 4, 2] {
            set_threads(count(number));
            assert_eq!(threads(), number);
            thread::scope(|scope| {
                let others: Vec<_> = (0..3).map(|_| scope.spawn(results)).collect();
                assert!(results() == expected, "{number} threads");
                others.into_iter().for_each(|other| assert!(other.join().unwrap() == expected, "{number} threads"));
            });
        }
    }
}
