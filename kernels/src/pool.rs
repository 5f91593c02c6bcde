//! The scheduler: runs a kernel's work on the calling thread, or on a thread pool that shares its memory.
//!
//! Work is cut into chunks. A chunk writes its own numbers of the result, and the scratch of the thread that runs it. It reads no number
//! that another chunk writes. Every cut computes a number by the same operations, so that results are equal bit for bit.
//!
//! Threads take chunks from a counter, so that a worker that comes late only takes fewer of them. The gate is open while there may be
//! chunks left. Nobody enters a closed gate, and the calling thread returns only when the gate is closed and every worker has left.
//! So workers touch memory only while the calling thread is inside [`ThreadPool::run`].
//!
//! In WebAssembly the workers run another module on the same memory, compiled for threads or relaxed SIMD. Function pointers mean
//! nothing there. Therefore a [`Job`] is plain numbers and addresses, and that module finds the code by [`JobKind`] (`work.rs`).

use std::hint::spin_loop;
use std::ptr::from_ref;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicU32, fence};

/// A kernel's computation, which `run` cuts into chunks.
///
/// # Safety
/// No other type has the same [`JobKind`].
pub unsafe trait Work {
    const KIND: JobKind;

    /// The time of the work on one thread, in multiply-adds.
    fn cost(&self) -> u64;

    /// Numbers (f32) of scratch that each thread needs.
    fn scratch(&self) -> usize;

    /// Runs the chunks that `next` yields, of a split over `threads`, until it yields one past the last.
    ///
    /// # Safety
    /// The pointers of the work are valid for its shapes. No two threads run the same chunk, and `scratch` has
    /// [`Work::scratch`] writable numbers that no other thread uses.
    unsafe fn run_chunks(&self, threads: usize, scratch: *mut f32, next: impl FnMut() -> usize);
}

/// The type of a [`Job`]'s work.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    Gemm,
    QuantisedGemm,
    Attention,
    Norm,
}

/// A kernel's work, with scratch for each thread that may take part.
#[repr(C)]
pub struct Job {
    pub(crate) kind: JobKind,
    /// The type that [`JobKind`] says.
    pub(crate) work: *const (),
    cost: u64,
    pub(crate) scratch: *mut f32,
    /// Numbers of scratch for each thread, one thread's after the other's.
    scratch_per_thread: usize,
    /// Runs all chunks on the calling thread. Its caller must be in the module that made the job: elsewhere the address names other code.
    run_here: unsafe fn(&Job),
    /// The threads that may take part.
    pub pool: *const ThreadPool,
}

impl Job {
    /// A job that does `work`.
    ///
    /// # Safety
    /// `scratch` has `work.scratch()` writable numbers for each thread that runs the job. The job is used only while `work` lives and its
    /// pointers are valid.
    pub(crate) unsafe fn new<W: Work>(work: &W, scratch: *mut f32) -> Self {
        /// # Safety
        /// The job's work is a `W`, as `new` sets it, which lives and has valid pointers. No other thread runs the job.
        unsafe fn run_here<W: Work>(job: &Job) {
            // SAFETY: `work` points to a `W`. One thread runs each chunk once, with the first thread's scratch.
            unsafe { (*job.work.cast::<W>()).run_chunks(1, job.scratch, count()) }
        }
        Self {
            kind: W::KIND,
            work: from_ref(work).cast(),
            cost: work.cost(),
            scratch,
            scratch_per_thread: work.scratch(),
            run_here: run_here::<W>,
            pool: &raw const THREAD_POOL,
        }
    }
}

/// 0, 1, 2, …: every chunk, for one thread.
pub fn count() -> impl FnMut() -> usize {
    let mut next = 0;
    move || {
        next += 1;
        next - 1
    }
}

/// Runs all of `work`, on this thread unless the host has replaced [`job_runner`].
///
/// # Safety
/// The pointers of `work` are valid for its shapes, and no other code touches what they point to.
pub unsafe fn run<W: Work>(work: &W) {
    let mut scratch = Vec::<f32>::with_capacity(THREAD_POOL.threads() * work.scratch());
    // SAFETY: the vector has scratch for all threads of the pool, the work outlives the call, and `run` requires valid pointers.
    unsafe { job_runner()(&Job::new(work, scratch.as_mut_ptr())) };
}

/// The threads that the host gives to the engine. Native builds have no workers yet.
pub static THREAD_POOL: ThreadPool = ThreadPool::new();

/// The function that `run` calls with a valid job. In WebAssembly the host may put a function of another module into its slot of the
/// function table.
pub fn job_runner() -> unsafe extern "C" fn(&Job) {
    /// # Safety
    /// The job was made in this module. Its work and its scratch live until this returns.
    unsafe extern "C" fn run_here(job: &Job) {
        // SAFETY: `run` made the job in this module, for the length of this call alone.
        unsafe { (job.run_here)(job) }
    }
    // Hides from the compiler which function it is.
    std::hint::black_box(run_here)
}

/// The state that the threads share. JavaScript knows the addresses of the first two fields: `web/engine/worker/threads.ts`.
#[repr(C)]
pub struct ThreadPool {
    /// The most threads besides the calling one. Each has its own scratch in a job.
    pub workers: AtomicU32,
    /// Number of jobs so far. A worker sleeps until it changes.
    pub jobs: AtomicU32,
    /// Runs of a model in progress, whose jobs follow each other: workers stay awake.
    runs: AtomicU32,
    /// Not 0: the calling thread runs all jobs alone.
    single_threaded: AtomicU32,
    /// The number of workers inside, [`OPEN`], [`WAITING`] and [`BROKEN`].
    gate: AtomicU32,
    /// The next chunk to be taken.
    next: AtomicU32,
    job: AtomicPtr<Job>,
}

/// Workers may enter.
const OPEN: u32 = 1 << 16;

/// The calling thread sleeps until the last worker has left.
const WAITING: u32 = 1 << 17;

/// A worker failed inside.
const BROKEN: u32 = 1 << 18;

/// The bits that count workers.
const INSIDE: u32 = OPEN - 1;

/// Jobs that cost less, some 10 µs, run on the calling thread.
const LEAST_COST: u64 = 1 << 18;

/// The number of times that a worker looks for the next job before it sleeps: some 50 µs.
const LOOKS: u32 = 1 << 15;

/// The same during a run, some 6 ms: a worker that sleeps comes late to the next of the run's jobs, of which there are dozens.
const LOOKS_IN_RUN: u32 = 1 << 22;

/// The environment of the pool: it lets threads sleep, and finds the code of a job.
pub trait Host {
    /// Sleeps until `number` is not `value` any more, or somebody wakes it.
    fn wait(&self, number: &AtomicU32, value: u32);

    /// Wakes all who wait for `number`.
    fn wake(&self, number: &AtomicU32);

    /// `Work::run_chunks` of the job's work.
    ///
    /// # Safety
    /// The job is valid. No two threads run the same chunk, and `scratch` has what a thread of the job needs, for this thread alone.
    unsafe fn run_chunks(&self, job: &Job, threads: usize, scratch: *mut f32, next: impl FnMut() -> usize);
}

impl ThreadPool {
    /// A pool without workers.
    pub const fn new() -> Self {
        Self {
            workers: AtomicU32::new(0),
            jobs: AtomicU32::new(0),
            runs: AtomicU32::new(0),
            single_threaded: AtomicU32::new(0),
            gate: AtomicU32::new(0),
            next: AtomicU32::new(0),
            job: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// A run of a model begins: until it ends, workers stay awake between its jobs. For the calling thread.
    pub fn begin_run(&self) {
        self.runs.fetch_add(1, Relaxed);
    }

    /// The end of a run that [`ThreadPool::begin_run`] began.
    pub fn end_run(&self) {
        self.runs.fetch_sub(1, Relaxed);
    }

    /// Whether the next jobs run on the calling thread alone. For the calling thread, between jobs.
    pub fn set_single_threaded(&self, single: bool) {
        self.single_threaded.store(u32::from(single), Relaxed);
    }

    /// Threads that a job needs scratch for: the calling one and the workers.
    pub fn threads(&self) -> usize {
        if self.single_threaded.load(Relaxed) != 0 { 1 } else { 1 + self.workers.load(Relaxed) as usize }
    }

    /// Runs a job, with the workers if it is large enough. False if a worker failed: then the result is incomplete.
    ///
    /// # Safety
    /// The job is valid until this returns, with scratch for [`ThreadPool::threads`]. One thread calls this, and nobody else touches
    /// what the job reads and writes.
    pub unsafe fn run(&self, job: &Job, host: &impl Host) -> bool {
        self.next.store(0, Relaxed);
        if self.threads() == 1 || job.cost < LEAST_COST {
            // SAFETY: the gate is closed, so that this thread runs every chunk, with the first thread's scratch.
            unsafe { self.take_chunks(job, 1, 0, host) };
            return true;
        }
        self.job.store(from_ref(job).cast_mut(), Relaxed);
        // Release: a thread that sees the gate open also sees the job.
        self.gate.store(OPEN, Release);
        self.jobs.fetch_add(1, Release);
        host.wake(&self.jobs);
        // SAFETY: chunks are counted by `next`, and thread 0 is this one.
        unsafe { self.take_chunks(job, self.threads(), 0, host) };
        let mut gate = self.gate.fetch_and(!OPEN, Acquire) & !OPEN;
        let mut looks = 0;
        while gate & INSIDE != 0 {
            looks += 1;
            if looks < LOOKS {
                spin_loop();
            } else {
                let before = self.gate.fetch_or(WAITING, Relaxed);
                if before & INSIDE != 0 {
                    host.wait(&self.gate, before | WAITING);
                }
            }
            gate = self.gate.load(Relaxed);
        }
        // With the workers' Release in `leave`: what they wrote is visible from here on.
        fence(Acquire);
        self.gate.store(0, Relaxed);
        gate & BROKEN == 0
    }

    /// Takes part in jobs until there was none for a while. `thread` is 1 for the first worker. `known` and the result are
    /// the number of jobs that the worker knows of.
    ///
    /// # Safety
    /// Each worker has its own number below [`ThreadPool::threads`].
    pub unsafe fn work(&self, thread: usize, mut known: u32, host: &impl Host) -> u32 {
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
                // SAFETY: `run` keeps the job alive until all workers that entered have left; `thread` has scratch of its own.
                unsafe { self.take_chunks(&*self.job.load(Relaxed), self.threads(), thread, host) };
                self.leave(0, host);
            }
        }
        known
    }

    /// A worker failed in the middle of [`ThreadPool::work`]: the job's result is incomplete.
    pub fn fail(&self, host: &impl Host) {
        self.leave(BROKEN, host);
    }

    /// The number of times that a worker looks for a job before it sleeps.
    fn patience(&self) -> u32 {
        if self.runs.load(Relaxed) == 0 || self.single_threaded.load(Relaxed) != 0 { LOOKS } else { LOOKS_IN_RUN }
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

    fn leave(&self, flag: u32, host: &impl Host) {
        if flag != 0 {
            self.gate.fetch_or(flag, Relaxed);
        }
        let gate = self.gate.fetch_sub(1, Release) - 1;
        if gate & INSIDE == 0 && gate & WAITING != 0 {
            host.wake(&self.gate);
        }
    }

    /// # Safety
    /// The job is valid and has scratch for `threads` threads. `thread` is below `threads`, and is no other thread's number.
    #[inline(never)]
    unsafe fn take_chunks(&self, job: &Job, threads: usize, thread: usize, host: &impl Host) {
        // SAFETY: `next` yields each chunk to one thread, and the scratch at `thread` is this thread's.
        unsafe {
            let scratch = job.scratch.add(thread * job.scratch_per_thread);
            host.run_chunks(job, threads, scratch, || self.next.fetch_add(1, Relaxed) as usize);
        }
    }
}

impl Default for ThreadPool {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
