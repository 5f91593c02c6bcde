//! Work done by several threads on one memory: the engine's, which has the [`Job`], and helpers, which sleep until there is one.
//!
//! A job is cut into chunks that are taken, not dealt, so that a thread that is late or has no core costs nothing but its help. The gate is open
//! while there are chunks to take; nobody enters a closed one, and the engine goes on only when it is closed and everybody has left. So helpers
//! touch memory while the engine's thread is inside [`Team::run`], and never else.

pub mod helped;

use super::job::Job;
use std::hint::spin_loop;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicU32, fence};

/// What the threads share. JavaScript knows the places of the first two: `web/engine/threads.ts`.
#[repr(C)]
pub struct Team {
    /// Threads beside the engine's, so many at most: each has a part of a job's room.
    pub helpers: AtomicU32,
    /// Jobs that there were. A helper sleeps until it is another number.
    pub jobs: AtomicU32,
    /// How many runs go on, whose jobs follow each other: helpers stay awake.
    runs: AtomicU32,
    /// Not 0: the engine's thread does all jobs.
    alone: AtomicU32,
    /// How many helpers are inside, [`OPEN`], [`WAITING`] and [`BROKEN`].
    gate: AtomicU32,
    next: AtomicU32,
    job: AtomicPtr<Job>,
}

/// Helpers may enter.
const OPEN: u32 = 1 << 16;

/// The engine's thread sleeps until the last helper has left.
const WAITING: u32 = 1 << 17;

/// A helper failed inside.
const BROKEN: u32 = 1 << 18;

const INSIDE: u32 = OPEN - 1;

/// A job of fewer multiplications, some 10 µs of them, is the engine's alone.
const WORTH_IT: u64 = 1 << 18;

/// So often a helper looks for the next job before it sleeps, some 50 µs.
const LOOKS: u32 = 1 << 15;

/// So often, some 6 ms, while a run goes on: a sleeper comes late to the next of its jobs, of which there are dozens.
const LOOKS_IN_RUN: u32 = 1 << 22;

/// How a thread sleeps: what WebAssembly leaves to JavaScript here.
pub trait Sleep {
    /// Until the number is another one, or somebody wakes.
    fn wait(&self, number: &AtomicU32, while_it_is: u32);
    /// All who wait for this number.
    fn wake(&self, number: &AtomicU32);
}

impl Team {
    pub const fn new() -> Self {
        Self {
            helpers: AtomicU32::new(0),
            jobs: AtomicU32::new(0),
            runs: AtomicU32::new(0),
            alone: AtomicU32::new(0),
            gate: AtomicU32::new(0),
            next: AtomicU32::new(0),
            job: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// A run begins: until it ends, helpers stay awake between its jobs. The engine's thread calls this.
    pub fn begin(&self) {
        self.runs.fetch_add(1, Relaxed);
    }

    /// A run has ended that [`Team::begin`] began.
    pub fn end(&self) {
        self.runs.fetch_sub(1, Relaxed);
    }

    /// Leaves helpers out of the jobs that come, or has them take part again. The engine's thread calls this, outside of jobs.
    pub fn leave_out(&self, helpers: bool) {
        self.alone.store(u32::from(helpers), Relaxed);
    }

    /// Threads that a job has to have room for.
    pub fn threads(&self) -> usize {
        if self.alone.load(Relaxed) != 0 { 1 } else { 1 + self.helpers.load(Relaxed) as usize }
    }

    /// Does a job, with the helpers' help where that is worth it. False: a helper failed, and what the job makes is not there.
    ///
    /// # Safety
    /// That of [`Work::make`](super::job::Work::make), with room for each thread. One thread calls this, and none but these touch what the job describes.
    pub unsafe fn run(&self, job: &Job, sleep: &impl Sleep) -> bool {
        self.next.store(0, Relaxed);
        if self.threads() == 1 || job.work.amount() < WORTH_IT {
            // The gate is closed.
            // SAFETY: as the caller has it; the first part of the room is this thread's.
            unsafe { self.take_chunks(job, 1, 0) };
            return true;
        }
        self.job.store(std::ptr::from_ref(job).cast_mut(), Relaxed);
        // Whoever sees it open sees the job, too.
        self.gate.store(OPEN, Release);
        self.jobs.fetch_add(1, Release);
        sleep.wake(&self.jobs);
        // SAFETY: as the caller has it; the first part of the room is this thread's.
        unsafe { self.take_chunks(job, self.threads(), 0) };
        let mut gate = self.gate.fetch_and(!OPEN, Acquire) & !OPEN;
        let mut looks = 0;
        while gate & INSIDE != 0 {
            looks += 1;
            if looks < LOOKS {
                spin_loop();
            } else {
                let before = self.gate.fetch_or(WAITING, Relaxed);
                if before & INSIDE != 0 {
                    sleep.wait(&self.gate, before | WAITING);
                }
            }
            gate = self.gate.load(Relaxed);
        }
        // What helpers have written is seen from here on.
        fence(Acquire);
        self.gate.store(0, Relaxed);
        gate & BROKEN == 0
    }

    /// A helper's time: does its share of jobs until there was none for a while. `thread`: 1 for the first helper. Takes and gives the number of
    /// jobs that it knows of.
    ///
    /// # Safety
    /// Each helper has a number of its own below [`Team::threads`].
    pub unsafe fn help(&self, thread: usize, mut known: u32, sleep: &impl Sleep) -> u32 {
        let mut looks = 0;
        while looks < self.patience() {
            let jobs = self.jobs.load(Acquire);
            if jobs == known {
                looks += 1;
                spin_loop();
                continue;
            }
            (known, looks) = (jobs, 0);
            if self.enter() {
                // SAFETY: the engine's thread keeps the job until all who entered have left.
                unsafe { self.take_chunks(&*self.job.load(Relaxed), self.threads(), thread) };
                self.leave(0, sleep);
            }
        }
        known
    }

    /// A helper failed inside, in the middle of [`Team::help`]: what it was making is not there.
    pub fn fail(&self, sleep: &impl Sleep) {
        self.leave(BROKEN, sleep);
    }

    /// How often a helper looks for a job before it sleeps.
    fn patience(&self) -> u32 {
        if self.runs.load(Relaxed) == 0 || self.alone.load(Relaxed) != 0 { LOOKS } else { LOOKS_IN_RUN }
    }

    fn enter(&self) -> bool {
        let mut gate = self.gate.load(Relaxed);
        while gate & OPEN != 0 {
            match self.gate.compare_exchange_weak(gate, gate + 1, Acquire, Relaxed) {
                Ok(_) => return true,
                Err(now) => gate = now,
            }
        }
        false
    }

    fn leave(&self, with: u32, sleep: &impl Sleep) {
        if with != 0 {
            self.gate.fetch_or(with, Relaxed);
        }
        let gate = self.gate.fetch_sub(1, Release) - 1;
        if gate & INSIDE == 0 && gate & WAITING != 0 {
            sleep.wake(&self.gate);
        }
    }

    /// # Safety
    /// That of [`Team::run`]; the thread has its part of the room.
    #[inline(never)]
    unsafe fn take_chunks(&self, job: &Job, threads: usize, thread: usize) {
        // SAFETY: as the caller has it; a chunk is taken once.
        unsafe { job.work.make(threads, job.room.add(thread * job.each), || self.next.fetch_add(1, Relaxed) as usize) };
    }
}

impl Default for Team {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
