//! Jobs by several threads, each with an instance of this module on the engine's memory: the engine's thread, where it replaces the
//! engine's own `run_job`, and workers, which run nothing else there.

use ropescope_kernels::{Host, Job, ThreadPool, run_chunks};
use std::sync::atomic::AtomicU32;

// Both may be called with the address of an aligned 32-bit word of this memory that lives during the call.
unsafe extern "C" {
    fn wait(number: *const AtomicU32, value: u32);
    fn wake(number: *const AtomicU32);
}

/// JavaScript's `Atomics.wait` and `Atomics.notify`.
struct Browser;

impl Host for Browser {
    fn wait(&self, number: &AtomicU32, value: u32) {
        // SAFETY: `number` is a reference: an aligned 32-bit word of the memory that `wait` sleeps on, alive during the call.
        unsafe { wait(number, value) }
    }

    fn wake(&self, number: &AtomicU32) {
        // SAFETY: `number` is a reference: an aligned 32-bit word of the memory that `wake` looks up its sleepers by.
        unsafe { wake(number) }
    }

    #[inline(always)]
    unsafe fn run_chunks(&self, job: &Job, threads: usize, scratch: *mut f32, next: impl FnMut() -> usize) {
        // SAFETY: the pool gives a job that lives until all threads have left, scratch of this thread's own, and each chunk's number to one
        // thread alone.
        unsafe { run_chunks(job, threads, scratch, next) }
    }
}

/// Runs a [`Job`] of the engine's thread. Traps if a worker failed.
///
/// # Safety
/// The job is valid until this returns, and has scratch for all threads of its pool. Only the engine's thread calls this, and nobody else
/// touches what the job reads and writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run_job(job: &Job) {
    // SAFETY: the job is valid by this function's condition. Its pool is the engine's, which lives as long as the memory.
    let complete = unsafe { (*job.pool).run(job, &Browser) };
    if !complete {
        std::arch::wasm32::unreachable();
    }
}

/// A worker's work between two sleeps: [`ThreadPool::work`].
///
/// # Safety
/// `thread` is this worker's own number, below [`ThreadPool::threads`], and `pool` is the engine's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn work(pool: &ThreadPool, thread: usize, known: u32) -> u32 {
    // SAFETY: `thread` is no other worker's number, by this function's condition.
    unsafe { pool.work(thread, known, &Browser) }
}

/// The worker trapped in [`work`].
#[unsafe(no_mangle)]
pub extern "C" fn fail(pool: &ThreadPool) {
    pool.fail(&Browser);
}
