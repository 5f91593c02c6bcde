use super::super::activation::Activation;
use super::super::attending::{Attention, Packed, QUERIES, Sight};
use super::super::job::{Work, run};
use super::super::norm::Norms;
use super::super::packed::PackedFormat;
use super::super::packed_product::PackedProduct;
use super::super::panels::{ROWS, WIDTH};
use super::super::product::{End, Product};
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

/// What some work writes, by a way to do its job with room for so many threads.
fn made(kind: Kind, threads: usize, how: impl Fn(&Job)) -> Vec<f32> {
    match kind {
        Kind::Product(shape) => product(shape, threads, how),
        Kind::Packed(format, shape) => packed(format, shape, threads, how),
        Kind::Attention(shape) => attention(shape, threads, how),
        Kind::Norms(shape) => norms(shape, threads, how),
    }
}

fn job(work: Work, room: &mut Vec<f32>, threads: usize) -> Job {
    let each = work.room();
    room.resize(threads * each, f32::NAN);
    Job { work, room: room.as_mut_ptr(), each }
}

/// A product of these sizes, with all that may follow one.
fn product([rows, inner, panels]: [usize; 3], threads: usize, how: impl Fn(&Job)) -> Vec<f32> {
    let (x_stride, out_stride) = (inner + 3, panels * WIDTH + 2);
    let (x, w) = (numbers(rows * x_stride, 1), numbers(panels * WIDTH * inner, 2));
    let (bias, residual) = (numbers(panels * WIDTH, 3), numbers(rows * out_stride, 4));
    let (mut out, mut room) = (vec![1.0; rows * out_stride], Vec::new());
    let product = Product {
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
        adds: true,
        end: End {
            bias: bias.as_ptr(),
            activation: Activation::code(Some(Activation::Gelu)),
            residual: residual.as_ptr(),
        },
    };
    how(&job(Work::Product(product), &mut room, threads));
    out
}

/// A product of these sizes with a packed weight; so much of it as the job ends.
fn packed(format: PackedFormat, [rows, inner, columns]: [usize; 3], threads: usize, how: impl Fn(&Job)) -> Vec<f32> {
    let (x_stride, row_words) = (inner.next_multiple_of(PackedFormat::BLOCK), format.row_words(inner));
    let (mut x, weight) = (numbers(rows * x_stride, 1), numbers(columns * inner, 2));
    x.chunks_exact_mut(x_stride).for_each(|x| x[inner..].fill(0.0));
    let mut words = vec![0; columns * row_words];
    for (row, words) in weight.chunks_exact(inner).zip(words.chunks_exact_mut(row_words)) {
        assert!(format.pack(row, words));
    }
    let bias = numbers(columns, 3);
    let (mut out, mut room) = (vec![1.0; rows * columns], Vec::new());
    let product = PackedProduct {
        out: out.as_mut_ptr(),
        x: x.as_ptr(),
        x_stride,
        words: words.as_ptr(),
        row_words,
        format,
        rows,
        inner,
        columns,
        end: End { bias: bias.as_ptr(), activation: Activation::code(None), residual: std::ptr::null() },
    };
    how(&job(Work::Packed(product), &mut room, threads));
    out
}

/// Causal attention of so many queries and keys over heads of a size, two of which share keys: context and statistics.
fn attention([length, keys, head_size]: [usize; 3], threads: usize, how: impl Fn(&Job)) -> Vec<f32> {
    let (heads, width) = (4, 4 * head_size);
    let (query, key) = (numbers(length * width, 1), numbers(keys * width, 2));
    let mask: Vec<f32> = (0..keys).map(|key| if key % 7 == 3 { f32::MIN } else { 0.0 }).collect();
    let (mut out, mut room) = (vec![7.0; length * (width + 2 * heads)], Vec::new());
    let (context, statistics) = out.split_at_mut(length * width);
    let packed = |data: &[f32], pitch: usize| Packed { data: data.as_ptr(), stride: width, pitch };
    let attention = Attention {
        context: context.as_mut_ptr(),
        statistics: statistics.as_mut_ptr(),
        statistics_pitch: length,
        query: packed(&query, length),
        key: packed(&key, keys),
        value: packed(&key[2 * head_size..], keys),
        mask: mask.as_ptr(),
        heads,
        group: 2,
        head_size,
        length,
        keys,
        sight: Sight { past: keys - length, causal: true, window: usize::MAX },
        scale: 0.3,
        first: 0,
        end: heads * length.div_ceil(QUERIES),
    };
    how(&job(Work::Attention(attention), &mut room, threads));
    out
}

fn norms([rows, width, _]: [usize; 3], threads: usize, how: impl Fn(&Job)) -> Vec<f32> {
    let (x, gain) = (numbers(rows * width, 1), numbers(width, 2));
    let (mut out, mut room) = (vec![7.0; rows * width], Vec::new());
    let norms = Norms {
        out: out.as_mut_ptr(),
        x: x.as_ptr(),
        residual: x.as_ptr(),
        rows,
        width,
        gain: gain.as_ptr(),
        shift: gain.as_ptr(),
        epsilon: 1e-6,
        centres: true,
    };
    how(&job(Work::Norms(norms), &mut room, threads));
    out
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Product([usize; 3]),
    Packed(PackedFormat, [usize; 3]),
    Attention([usize; 3]),
    Norms([usize; 3]),
}
use Kind::{Attention as Attending, Norms as Norming, Packed as Unpacking, Product as Multiplying};

/// Chunks of rows and of panels, remainders of both, a single row, and one too small to be shared; blocks of queries and keys, and one query;
/// rows, and too few.
const KINDS: [Kind; 15] = [
    Multiplying([7, 301, 67]),
    Multiplying([34, 96, 48]),
    Multiplying([131, 37, 40]),
    Multiplying([1, 512, 301]),
    Multiplying([70, 384, 191]),
    Multiplying([3, 5, 2]),
    Unpacking(PackedFormat::Int4, [1, 515, 1021]),
    Unpacking(PackedFormat::F16, [2, 301, 900]),
    Unpacking(PackedFormat::Int8, [33, 70, 261]),
    Attending([70, 139, 12]),
    Attending([33, 301, 20]),
    Attending([1, 1100, 24]),
    Attending([2, 3, 4]),
    Norming([131, 261, 0]),
    Norming([5, 3, 0]),
];

/// One thread's, without a team.
fn alone(kind: Kind) -> Vec<f32> {
    // SAFETY: the job's slices are there until it is done, and have room for a thread.
    made(kind, 1, |job| unsafe { run(job) })
}

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
            for kind in KINDS.into_iter().cycle().take(5 * KINDS.len()) {
                // SAFETY: the job's slices are there until it is done, and have room for all threads.
                let found = made(kind, team.threads(), |job| assert!(unsafe { team.run(job, &Yield) }));
                assert!(found == alone(kind), "{kind:?} with {helpers} helpers");
            }
            ended.store(true, Relaxed);
        });
    }
}

#[test]
fn helpers_stay_awake_until_the_last_of_several_runs_ends() {
    let team = Team::new();
    assert_eq!(team.patience(), LOOKS);
    team.begin();
    team.begin();
    team.end();
    assert_eq!(team.patience(), LOOKS_IN_RUN);
    team.end();
    assert_eq!(team.patience(), LOOKS);
}

const PRODUCT: Kind = Multiplying([33, 96, 104]);

#[test]
fn helpers_that_never_come_are_not_waited_for() {
    let team = Team::new();
    team.helpers.store(3, Relaxed);
    // SAFETY: as above.
    let found = made(PRODUCT, 4, |job| assert!(unsafe { team.run(job, &Yield) }));
    assert!(found == alone(PRODUCT));
}

#[test]
fn helpers_that_are_left_out_are_not_asked() {
    let team = Team::new();
    team.helpers.store(3, Relaxed);
    team.leave_out(true);
    team.begin();
    assert_eq!((team.threads(), team.patience()), (1, LOOKS));
    // SAFETY: as above.
    let found = made(PRODUCT, 1, |job| assert!(unsafe { team.run(job, &Yield) }));
    assert!(found == alone(PRODUCT));
    assert_eq!(team.jobs.load(Relaxed), 0);
    team.leave_out(false);
    assert_eq!((team.threads(), team.patience()), (4, LOOKS_IN_RUN));
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
    let again = |team: &Team| made(PRODUCT, 2, |job| assert!(unsafe { team.run(job, &Yield) }));
    // SAFETY: as above.
    made(PRODUCT, 2, |job| assert!(!unsafe { team.run(job, &Failing(&team)) }));
    // The gate is as it was: the next job is made.
    assert!(again(&team) == alone(PRODUCT));
}

#[test]
fn chunks_are_the_whole_product_and_each_number_is_in_one() {
    for kind in KINDS {
        made(kind, 1, |job| {
            let Work::Product(product) = &job.work else { return };
            let chunks = product.chunks(2);
            let mut times = vec![0; product.rows * product.panels];
            for (rows, panels) in (0..).map_while(|at| product.chunk(&chunks, at)) {
                assert!(rows.start.is_multiple_of(ROWS), "{kind:?}: {rows:?}");
                rows.for_each(|row| panels.clone().for_each(|panel| times[row * product.panels + panel] += 1));
            }
            assert!(times.iter().all(|times| *times == 1), "{kind:?}");
        });
    }
}
