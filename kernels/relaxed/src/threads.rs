//! Jobs by several threads, each with an instance of this module on the engine's memory: the engine's thread, where it replaces the engine's
//! own `run_job`, and workers, which run nothing else there.

use ropescope_kernels::{Host, Job, ThreadPool, run_chunks};
use std::sync::atomic::AtomicU32;

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
/// As for [`ThreadPool::run`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run_job(job: &Job) {
    // SAFETY: the caller guarantees a valid job; its pool is the engine's, which lives as long as the memory.
    let complete = unsafe { (*job.pool).run(job, &Browser) };
    if !complete {
        std::arch::wasm32::unreachable();
    }
}

/// A worker's turn between two sleeps: [`ThreadPool::help`].
///
/// # Safety
/// As for [`ThreadPool::help`]; `pool` is the engine's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn help(pool: &ThreadPool, thread: usize, known: u32) -> u32 {
    // SAFETY: the caller guarantees a thread number of this worker's own.
    unsafe { pool.help(thread, known, &Browser) }
}

/// The worker trapped in [`help`].
#[unsafe(no_mangle)]
pub extern "C" fn fail(pool: &ThreadPool) {
    pool.fail(&Browser);
}
