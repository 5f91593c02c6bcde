//! Jobs by several threads. Each has an instance of this module on the engine's memory: the engine's in the place of its own `run_job`, and helpers,
//! which run nothing else there.

use ropescope_kernels::{Job, Sleep, Team};
use std::sync::atomic::AtomicU32;

unsafe extern "C" {
    fn wait(number: *const AtomicU32, while_it_is: u32);
    fn wake(number: *const AtomicU32);
}

/// JavaScript's `Atomics.wait` and `Atomics.notify`.
struct Atomics;

impl Sleep for Atomics {
    fn wait(&self, number: &AtomicU32, while_it_is: u32) {
        // SAFETY: the host waits for a number in the memory that it has given.
        unsafe { wait(number, while_it_is) }
    }

    fn wake(&self, number: &AtomicU32) {
        // SAFETY: as above.
        unsafe { wake(number) }
    }
}

/// Does a [`Job`] of the engine's thread. Traps where a helper has failed.
///
/// # Safety
/// That of [`Team::run`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run_job(job: *const Job) {
    // SAFETY: as the caller has it.
    let done = unsafe { (*(*job).team).run(&*job, &Atomics) };
    if !done {
        std::arch::wasm32::unreachable();
    }
}

/// A helper's time between two sleeps: [`Team::help`].
///
/// # Safety
/// That of [`Team::help`], and the team is the engine's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn help(team: *const Team, thread: usize, known: u32) -> u32 {
    // SAFETY: as the caller has it.
    unsafe { (*team).help(thread, known, &Atomics) }
}

/// The helper trapped in [`help`].
///
/// # Safety
/// The team is the engine's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fail(team: *const Team) {
    // SAFETY: as the caller has it.
    unsafe { (*team).fail(&Atomics) }
}
