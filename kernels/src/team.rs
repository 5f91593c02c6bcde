//! A product made by several threads on one memory: the engine's, which has the [`Job`], and helpers, which sleep until there is one.
//!
//! A job is cut into chunks that are taken, not dealt, so that a thread that is late or has no core costs nothing but its help. The gate is open
//! while there are chunks to take; nobody enters a closed one, and the engine goes on only when it is closed and everybody has left. So helpers
//! touch memory while the engine's thread is inside [`Team::run`], and never else.

use super::panels::{Job, ROWS, WIDTH, at_once, run, run_block};
use std::hint::spin_loop;
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicU32, fence};

/// What the threads share. JavaScript knows the places of the first two: `web/engine/threads.ts`.
#[repr(C)]
pub struct Team {
    /// Threads beside the engine's, so many at most: each has a part of a job's room.
    pub helpers: AtomicU32,
    /// Jobs that there were. A helper sleeps until it is another number.
    pub jobs: AtomicU32,
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

/// A job of fewer multiplications, some 40 µs of them, is the engine's alone.
const WORTH_IT: u64 = 1 << 20;

/// Multiplications of a chunk: enough that taking it costs nothing, and few enough that nobody waits long for the last one.
const CHUNK: Range<u64> = 1 << 18..1 << 22;

/// Chunks of a job, about, so that threads end together.
const CHUNKS: u64 = 16;

/// Rows of a chunk, at least, where there are as many: their panels are read from memory once.
const CHUNK_ROWS: usize = 16;

/// So often a helper looks for the next job before it sleeps, some tens of µs: the products of a layer follow each other.
const LOOKS: u32 = 1 << 13;

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
            gate: AtomicU32::new(0),
            next: AtomicU32::new(0),
            job: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// Threads that a job has to have room for.
    pub fn threads(&self) -> usize {
        1 + self.helpers.load(Relaxed) as usize
    }

    /// Does a job, with the helpers' help where that is worth it. False: a helper failed, and the product is not there.
    ///
    /// # Safety
    /// That of [`run`], with room for 4 · inner numbers of each thread. One thread calls this, and none but these touch what the job describes.
    pub unsafe fn run(&self, job: &Job, sleep: &impl Sleep) -> bool {
        if self.threads() == 1 || work(job) < WORTH_IT {
            // SAFETY: as the caller has it.
            unsafe { run(job) };
            return true;
        }
        self.next.store(0, Relaxed);
        self.job.store(std::ptr::from_ref(job).cast_mut(), Relaxed);
        // Whoever sees it open sees the job, too.
        self.gate.store(OPEN, Release);
        self.jobs.fetch_add(1, Release);
        sleep.wake(&self.jobs);
        // SAFETY: as the caller has it; the first part of the room is this thread's.
        unsafe { self.take_chunks(job, 0) };
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
        while looks < LOOKS {
            let jobs = self.jobs.load(Acquire);
            if jobs == known {
                looks += 1;
                spin_loop();
                continue;
            }
            (known, looks) = (jobs, 0);
            if self.enter() {
                // SAFETY: the engine's thread keeps the job until all who entered have left.
                unsafe { self.take_chunks(&*self.job.load(Relaxed), thread) };
                self.leave(0, sleep);
            }
        }
        known
    }

    /// A helper failed inside, in the middle of [`Team::help`]: what it was making is not there.
    pub fn fail(&self, sleep: &impl Sleep) {
        self.leave(BROKEN, sleep);
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
    /// That of [`run`]; the thread has its part of the room.
    unsafe fn take_chunks(&self, job: &Job, thread: usize) {
        let chunks = Chunks::of(job);
        loop {
            let chunk = self.next.fetch_add(1, Relaxed) as usize;
            let Some((rows, panels)) = chunks.get(job, chunk) else { return };
            // SAFETY: a chunk is taken once, and lies inside the job.
            unsafe { run_block(job, job.room.add(thread * ROWS * job.inner), rows, panels) };
        }
    }
}

impl Default for Team {
    fn default() -> Self {
        Self::new()
    }
}

/// How a job is cut: rows in whole blocks of [`ROWS`], so that each number is made as one thread makes it.
struct Chunks {
    rows: usize,
    panels: usize,
    across: usize,
    count: usize,
}

impl Chunks {
    // Checked: the module that threads run has no data, and so no panic to speak of.
    fn of(job: &Job) -> Self {
        let panel = (job.inner.max(1) * WIDTH) as u64;
        let work = (work(job) / CHUNKS).clamp(CHUNK.start, CHUNK.end);
        let of = |work: u64, each: u64| work.checked_div(each).unwrap_or(0) as usize;
        let most = at_once(job).min(job.panels).max(1);
        let rows = of(work, most as u64 * panel).max(CHUNK_ROWS).next_multiple_of(ROWS);
        let panels = of(work, rows.min(job.rows) as u64 * panel).max(1).min(most);
        let across = of((job.rows + rows - 1) as u64, rows as u64);
        Self { rows, panels, across, count: across * of((job.panels + panels - 1) as u64, panels as u64) }
    }

    /// Rows and panels of a chunk: those of the same panels come after each other.
    fn get(&self, job: &Job, chunk: usize) -> Option<(Range<usize>, Range<usize>)> {
        if chunk >= self.count {
            return None;
        }
        let (row, panel) = (chunk.checked_rem(self.across)? * self.rows, chunk.checked_div(self.across)? * self.panels);
        Some((row..job.rows.min(row + self.rows), panel..job.panels.min(panel + self.panels)))
    }
}

/// Multiplications of a job.
fn work(job: &Job) -> u64 {
    (job.rows * job.inner) as u64 * (job.panels * WIDTH) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::thread::{scope, yield_now};

    struct Yield;

    impl Sleep for Yield {
        fn wait(&self, number: &AtomicU32, while_it_is: u32) {
            while number.load(Relaxed) == while_it_is {
                yield_now();
            }
        }

        fn wake(&self, _number: &AtomicU32) {}
    }

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|at| ((at * 37 + seed * 11) as f32).sin()).collect()
    }

    /// The product of these sizes, added to ones, by a way to do the job.
    fn made([rows, inner, panels]: [usize; 3], threads: usize, how: impl Fn(&Job)) -> Vec<f32> {
        let (x_stride, out_stride) = (inner + 3, panels * WIDTH + 2);
        let (x, w) = (numbers(rows * x_stride, 1), numbers(panels * WIDTH * inner, 2));
        let (mut out, mut room) = (vec![1.0; rows * out_stride], vec![0.0; threads * ROWS * inner]);
        how(&Job {
            out: out.as_mut_ptr(),
            out_stride,
            x: x.as_ptr(),
            x_stride,
            w: w.as_ptr(),
            w_stride: WIDTH,
            panel_step: WIDTH * inner,
            rows,
            inner,
            panels,
            scale: 0.5,
            room: room.as_mut_ptr(),
        });
        out
    }

    /// Chunks of rows and of panels, remainders of both, a single row, and one too small to be shared.
    const SHAPES: [[usize; 3]; 6] =
        [[7, 301, 67], [34, 96, 48], [131, 37, 40], [1, 512, 301], [70, 384, 191], [3, 5, 2]];

    #[test]
    fn threads_make_bit_for_bit_what_one_makes() {
        for helpers in 1..=3 {
            let (team, ended) = (Team::new(), AtomicBool::new(false));
            team.helpers.store(helpers, Relaxed);
            scope(|scope| {
                for thread in 1..=helpers as usize {
                    let (team, ended) = (&team, &ended);
                    scope.spawn(move || {
                        let mut known = 0;
                        while !ended.load(Relaxed) {
                            // SAFETY: every helper has another number.
                            known = unsafe { team.help(thread, known, &Yield) };
                        }
                    });
                }
                for shape in SHAPES.into_iter().cycle().take(60) {
                    // SAFETY: the job's slices are there until it is done, and have room for all threads.
                    let found = made(shape, team.threads(), |job| assert!(unsafe { team.run(job, &Yield) }));
                    let expected = made(shape, 1, |job| unsafe { run(job) });
                    assert!(found == expected, "{shape:?} with {helpers} helpers");
                }
                ended.store(true, Relaxed);
            });
        }
    }

    #[test]
    fn helpers_that_never_come_are_not_waited_for() {
        let team = Team::new();
        team.helpers.store(3, Relaxed);
        // SAFETY: as above.
        let found = made([33, 96, 48], 4, |job| assert!(unsafe { team.run(job, &Yield) }));
        assert!(found == made([33, 96, 48], 1, |job| unsafe { run(job) }));
    }

    #[test]
    fn a_helper_that_fails_inside_ends_the_job_as_failed() {
        struct Failing<'a>(&'a Team);
        impl Sleep for Failing<'_> {
            fn wait(&self, _number: &AtomicU32, _while_it_is: u32) {
                self.0.fail(&Yield);
            }
            // A helper enters as soon as there is a job.
            fn wake(&self, _number: &AtomicU32) {
                assert!(self.0.enter());
            }
        }
        let team = Team::new();
        team.helpers.store(1, Relaxed);
        let again = |team: &Team| made([33, 96, 48], 2, |job| assert!(unsafe { team.run(job, &Yield) }));
        // SAFETY: as above.
        made([33, 96, 48], 2, |job| assert!(!unsafe { team.run(job, &Failing(&team)) }));
        // The gate is as it was: the next job is made.
        assert!(again(&team) == made([33, 96, 48], 1, |job| unsafe { run(job) }));
    }

    #[test]
    fn chunks_are_the_whole_job_and_each_number_is_in_one() {
        for shape in SHAPES {
            made(shape, 1, |job| {
                let chunks = Chunks::of(job);
                let mut times = vec![0; job.rows * job.panels];
                for (rows, panels) in (0..).map_while(|chunk| chunks.get(job, chunk)) {
                    assert!(rows.start.is_multiple_of(ROWS), "{shape:?}: {rows:?}");
                    rows.for_each(|row| panels.clone().for_each(|panel| times[row * job.panels + panel] += 1));
                }
                assert!(times.iter().all(|times| *times == 1), "{shape:?}");
            });
        }
    }
}
