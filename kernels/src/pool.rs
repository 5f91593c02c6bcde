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

use crate::processor::Processor;
use backoff::Backoff;
use std::hint::spin_loop;
use std::ptr::from_ref;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicU32, fence};

/// A kernel's computation, which `run` cuts into chunks.
///
/// # Safety
/// No other type has the same [`JobKind`], but for `Native`.
pub unsafe trait Work {
    const KIND: JobKind;

    /// The time of the work on one thread, in multiply-adds.
    fn cost(&self) -> u64;

    /// Numbers (f32) of scratch that each thread needs.
    fn scratch(&self) -> usize;

    /// Runs chunks, of a split over `threads`, until `next` yields a number past the last one's. `next` yields 0, 1, 2, … once over all threads.
    /// A work may give the numbers to its chunks in another order.
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
    #[cfg(any(target_arch = "wasm32", test))]
    QuantisedGemm,
    IntegerGemm,
    Attention,
    Norm,
    /// Work that no other module runs.
    #[cfg(not(target_arch = "wasm32"))]
    Native,
}

/// [`Work::run_chunks`] of a job's work.
///
/// # Safety
/// That of [`Work::run_chunks`]. The caller must be in the module that made the job: elsewhere the address names other code.
type Runner = unsafe fn(job: &Job, threads: usize, scratch: *mut f32, next: &mut dyn FnMut() -> usize);

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
    runner: Runner,
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
        /// The job's work is a `W`, as `new` sets it; the rest is [`Runner`]'s condition.
        unsafe fn run_chunks<W: Work>(job: &Job, threads: usize, scratch: *mut f32, next: &mut dyn FnMut() -> usize) {
            // SAFETY: `work` points to a `W`, and the rest is this function's condition.
            unsafe { (*job.work.cast::<W>()).run_chunks(threads, scratch, next) }
        }
        /// `run_chunks`, compiled for wider vectors.
        ///
        /// # Safety
        /// That of `run_chunks`, and the processor has these instructions.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,f16c")]
        unsafe fn run_chunks_with_avx2<W: Work>(
            job: &Job,
            threads: usize,
            scratch: *mut f32,
            next: &mut dyn FnMut() -> usize,
        ) {
            // SAFETY: `work` points to a `W`, and the rest is this function's condition.
            unsafe { (*job.work.cast::<W>()).run_chunks(threads, scratch, next) }
        }
        let runner: Runner = match Processor::detect() {
            #[cfg(target_arch = "x86_64")]
            Processor::Vnni | Processor::Avx2 => run_chunks_with_avx2::<W>,
            #[cfg(target_arch = "aarch64")]
            Processor::DotProduct => run_chunks::<W>,
            Processor::Baseline => run_chunks::<W>,
        };
        Self {
            kind: W::KIND,
            work: from_ref(work).cast(),
            cost: work.cost(),
            scratch,
            scratch_per_thread: work.scratch(),
            runner,
            pool: &raw const THREAD_POOL,
        }
    }
}

impl Job {
    /// Runs the chunks that `next` yields, of a split over `threads`.
    ///
    /// # Safety
    /// The job was made in this module. Its work lives, and the rest is [`Work::run_chunks`]'s condition.
    pub(crate) unsafe fn run_chunks(&self, threads: usize, scratch: *mut f32, mut next: impl FnMut() -> usize) {
        // SAFETY: by this function's condition the address names this module's code, and the job is valid.
        unsafe { (self.runner)(self, threads, scratch, &mut next) }
    }

    /// Runs all chunks on the calling thread.
    ///
    /// # Safety
    /// The job was made in this module. Its work and its scratch live, and no other thread runs it.
    pub(crate) unsafe fn run_here(&self) {
        // SAFETY: one thread runs each chunk once, with the first thread's scratch; the job is valid by this function's condition.
        unsafe { self.run_chunks(1, self.scratch, count()) }
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

/// The chunk of turn `turn`, of `count` chunks; past the last, any number that is not below `count`. Chunks are dealt in `threads` parts of
/// neighbours, so that threads which take turns read memory in order each, as processors foresee. Each chunk has one turn, whoever takes it.
#[inline(always)]
pub fn chunk_in_parts(turn: usize, count: usize, threads: usize) -> usize {
    if turn >= count {
        return turn;
    }
    let threads = threads.max(1);
    let (part, at) = (turn % threads, turn / threads);
    let (part_length, longer_parts) = (count / threads, count % threads);
    part * part_length + part.min(longer_parts) + at
}

/// The threads of the program. In WebAssembly the host gives them to the engine.
pub static THREAD_POOL: ThreadPool = ThreadPool::new();

/// The state that the threads share. JavaScript knows the addresses of the first two fields (`web/engine/worker/kernels.ts`), and a test those up to
/// `own_requests`.
#[repr(C)]
pub struct ThreadPool {
    /// The most threads besides the calling one. Each has its own scratch in a job.
    pub workers: AtomicU32,
    /// Number of jobs so far. A worker sleeps until it changes.
    pub jobs: AtomicU32,
    /// Runs of a model in progress, whose jobs follow each other: workers stay awake.
    runs: AtomicU32,
    /// The number of workers inside, [`OPEN`], [`WAITING`] and [`BROKEN`].
    gate: AtomicU32,
    /// The next chunk to be taken.
    next: AtomicU32,
    /// How often the calling thread asked for a chunk of the job.
    own_requests: AtomicU32,
    job: AtomicPtr<Job>,
    pub(crate) backoff: Backoff,
}

/// Workers may enter.
const OPEN: u32 = 1 << 16;

/// The calling thread sleeps until the last worker has left.
const WAITING: u32 = 1 << 17;

/// A worker failed inside.
const BROKEN: u32 = 1 << 18;

/// The bits that count workers.
const INSIDE: u32 = OPEN - 1;

/// Jobs that cost less, some 8 µs in WebAssembly and 2 µs natively, run on the calling thread.
pub const LEAST_COST: u64 = if cfg!(target_arch = "wasm32") { 1 << 17 } else { 1 << 16 };

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
            gate: AtomicU32::new(0),
            next: AtomicU32::new(0),
            own_requests: AtomicU32::new(0),
            job: AtomicPtr::new(std::ptr::null_mut()),
            backoff: Backoff::new(),
        }
    }

    /// A run of a model begins: until the result is dropped, workers stay awake between its jobs.
    pub fn begin_run(&self) -> RunInProgress<'_> {
        self.runs.fetch_add(1, Relaxed);
        RunInProgress(self)
    }

    /// Threads that a job needs scratch for: the calling one and the workers.
    pub fn threads(&self) -> usize {
        1 + self.workers.load(Relaxed) as usize
    }

    /// Runs a job, with the workers if it is large enough and they share the jobs. False if a worker failed: then the result is incomplete.
    ///
    /// # Safety
    /// The job is valid until this returns, with scratch for [`ThreadPool::threads`]. One thread calls this, and nobody else touches
    /// what the job reads and writes.
    pub unsafe fn run(&self, job: &Job, host: &impl Host) -> bool {
        self.next.store(0, Relaxed);
        self.own_requests.store(0, Relaxed);
        let alone = self.backoff.is_active();
        if self.threads() == 1 || job.cost < LEAST_COST || alone {
            // SAFETY: the gate is closed, so that this thread runs every chunk, with the first thread's scratch.
            unsafe { self.take_chunks(job, 1, 0, host) };
            if alone {
                self.backoff.spend(job.cost);
            }
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
        self.backoff.record(self.own_requests.load(Relaxed), self.next.load(Relaxed), self.threads() as u32);
        gate & BROKEN == 0
    }

    /// Takes part in jobs until there was none for a while. `thread` is 1 for the first worker. `known` and the result are
    /// the number of jobs that the worker knows of.
    ///
    /// # Safety
    /// No two workers have the same number.
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
                // There may be fewer threads than before.
                if thread < self.threads() {
                    // SAFETY: `run` keeps the job alive until all workers that entered have left; `thread` has scratch of its own.
                    unsafe { self.take_chunks(&*self.job.load(Relaxed), self.threads(), thread, host) };
                }
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
        if self.runs.load(Relaxed) == 0 || self.backoff.is_active() { LOOKS } else { LOOKS_IN_RUN }
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
            host.run_chunks(job, threads, scratch, || {
                if thread == 0 {
                    self.own_requests.store(self.own_requests.load(Relaxed) + 1, Relaxed);
                }
                self.next.fetch_add(1, Relaxed) as usize
            });
        }
    }
}

/// See [`ThreadPool::begin_run`].
pub struct RunInProgress<'a>(&'a ThreadPool);

impl Drop for RunInProgress<'_> {
    fn drop(&mut self) {
        self.0.runs.fetch_sub(1, Relaxed);
    }
}

impl Default for ThreadPool {
    fn default() -> Self {
        Self::new()
    }
}

mod backoff;
#[cfg(test)]
mod tests;
