use super::*;
use crate::activation::Activation;
use crate::attention::{AttentionJob, MaskPattern, QUERY_BLOCK, RawHeads};
use crate::epilogue::RawEpilogue;
use crate::gemm::{GemmJob, PANEL, TILE_ROWS};
use crate::norm::NormJob;
use crate::quant::{BlockRows, IntegerGemmJob, QuantisedFormat, QuantisedGemmJob};
use crate::tests::sines;
use crate::work::{run_chunks, run_job};
use std::sync::atomic::AtomicBool;
use std::thread::{scope, yield_now};

struct Yield;

impl Host for Yield {
    fn wait(&self, number: &AtomicU32, while_it_is: u32) {
        while number.load(Relaxed) == while_it_is {
            yield_now();
        }
    }

    fn wake(&self, _number: &AtomicU32) {}

    unsafe fn run_chunks(&self, job: &Job, threads: usize, scratch: *mut f32, next: impl FnMut() -> usize) {
        // SAFETY: the pool gives a live job, scratch of this thread's own, and each chunk's number to one thread alone.
        unsafe { run_chunks(job, threads, scratch, next) }
    }
}

/// The numbers that the work of a shape writes, if `how` does its job with scratch for `threads` threads.
fn result(shape: Shape, threads: usize, how: impl Fn(&Job)) -> Vec<f32> {
    match shape {
        Shape::Gemm(shape) => gemm(shape, threads, how),
        Shape::Quantised(format, shape) => quantised_gemm(format, shape, threads, how),
        Shape::Integer(format, shape) => integer_gemm(format, shape, threads, how),
        Shape::Attention(shape) => attention(shape, threads, how),
        Shape::Norm(shape) => norm(shape, threads, how),
    }
}

fn with_job(work: &impl Work, threads: usize, how: impl Fn(&Job)) {
    let mut scratch = vec![f32::NAN; threads * work.scratch()];
    // SAFETY: the scratch is for `threads` threads, and the job does not outlive the work.
    how(&unsafe { Job::new(work, scratch.as_mut_ptr()) });
}

fn gemm_job<T>([rows, inner, panels]: [usize; 3], how: impl Fn(&GemmJob) -> T) -> (Vec<f32>, T) {
    let (x_stride, out_stride) = (inner + 3, panels * PANEL + 2);
    let (x, w) = (sines(rows * x_stride, 1), sines(panels * PANEL * inner, 2));
    let (bias, residual) = (sines(panels * PANEL, 3), sines(rows * out_stride, 4));
    let mut out = vec![1.0; rows * out_stride];
    let job = GemmJob {
        out: out.as_mut_ptr(),
        out_stride,
        x: x.as_ptr(),
        x_stride,
        w: w.as_ptr(),
        w_stride: PANEL,
        panel_step: PANEL * inner,
        rows,
        inner,
        panels,
        scale: 0.5,
        accumulate: true,
        epilogue: RawEpilogue {
            bias: bias.as_ptr(),
            activation: Activation::code(Some(Activation::Gelu)),
            residual: residual.as_ptr(),
        },
    };
    let result = how(&job);
    (out, result)
}

/// With every part of the epilogue.
fn gemm(shape: [usize; 3], threads: usize, how: impl Fn(&Job)) -> Vec<f32> {
    gemm_job(shape, |job| with_job(job, threads, &how)).0
}

/// Without the epilogue of the tail, which is not the job's.
fn quantised_gemm(
    format: QuantisedFormat,
    [rows, inner, columns]: [usize; 3],
    threads: usize,
    how: impl Fn(&Job),
) -> Vec<f32> {
    let (x_stride, row_words) = (inner.next_multiple_of(QuantisedFormat::BLOCK), format.row_words(inner));
    let (mut x, weight) = (sines(rows * x_stride, 1), sines(columns * inner, 2));
    x.chunks_exact_mut(x_stride).for_each(|x| x[inner..].fill(0.0));
    let mut words = vec![0; columns * row_words];
    for (row, words) in weight.chunks_exact(inner).zip(words.chunks_exact_mut(row_words)) {
        assert!(format.quantise(row, words));
    }
    let bias = sines(columns, 3);
    let mut out = vec![1.0; rows * columns];
    let epilogue = RawEpilogue { bias: bias.as_ptr(), activation: Activation::code(None), residual: std::ptr::null() };
    let job = QuantisedGemmJob::new(&mut out, (&x, x_stride), (format, &words), [rows, inner, columns], epilogue);
    with_job(&job, threads, how);
    out
}

/// Without the epilogue of the tail, which is not the job's.
fn integer_gemm(
    format: QuantisedFormat,
    [rows, inner, columns]: [usize; 3],
    threads: usize,
    how: impl Fn(&Job),
) -> Vec<f32> {
    let (row_words, weight) = (format.row_words(inner), sines(columns * inner, 2));
    let mut words = vec![0; columns * row_words];
    for (row, words) in weight.chunks_exact(inner).zip(words.chunks_exact_mut(row_words)) {
        assert!(format.quantise(row, words));
    }
    let x = BlockRows::new(&sines(rows * inner, 1), inner, format);
    let bias = sines(columns, 3);
    let mut out = vec![1.0; rows * columns];
    let epilogue = RawEpilogue { bias: bias.as_ptr(), activation: Activation::code(None), residual: std::ptr::null() };
    let job = IntegerGemmJob::new(&mut out, &x, (format, &words), [rows, inner, columns], epilogue);
    with_job(&job, threads, how);
    out
}

/// Causal attention of four heads, two of which share keys: outputs and statistics.
fn attention([length, keys, head_size]: [usize; 3], threads: usize, how: impl Fn(&Job)) -> Vec<f32> {
    let (heads, width) = (4, 4 * head_size);
    let (query, key) = (sines(length * width, 1), sines(keys * width, 2));
    let mask: Vec<f32> = (0..keys).map(|key| if key % 7 == 3 { f32::MIN } else { 0.0 }).collect();
    let mut out = vec![7.0; length * (width + 2 * heads)];
    let (head_outputs, statistics) = out.split_at_mut(length * width);
    let raw = |data: &[f32], pitch: usize| RawHeads { data: data.as_ptr(), stride: width, pitch };
    let job = AttentionJob {
        head_outputs: head_outputs.as_mut_ptr(),
        statistics: statistics.as_mut_ptr(),
        statistics_pitch: length,
        query: raw(&query, length),
        key: raw(&key, keys),
        value: raw(&key[2 * head_size..], keys),
        mask: mask.as_ptr(),
        heads,
        group: 2,
        head_size,
        length,
        keys,
        pattern: MaskPattern { past: keys - length, causal: true, window: usize::MAX },
        scale: 0.3,
        first: 0,
        end: heads * length.div_ceil(QUERY_BLOCK),
    };
    with_job(&job, threads, how);
    out
}

fn norm([rows, width]: [usize; 2], threads: usize, how: impl Fn(&Job)) -> Vec<f32> {
    let (x, gain) = (sines(rows * width, 1), sines(width, 2));
    let mut out = vec![7.0; rows * width];
    let job = NormJob {
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
    with_job(&job, threads, how);
    out
}

#[derive(Debug, Clone, Copy)]
enum Shape {
    /// Rows, inner, panels.
    Gemm([usize; 3]),
    /// Rows, inner, columns.
    Quantised(QuantisedFormat, [usize; 3]),
    /// Rows, inner, columns.
    Integer(QuantisedFormat, [usize; 3]),
    /// Queries, keys, head size.
    Attention([usize; 3]),
    /// Rows, width.
    Norm([usize; 2]),
}

/// Chunks of rows and of panels with tails of both, a single row, and shapes that are too small to be shared.
const SHAPES: [Shape; 18] = [
    Shape::Gemm([7, 301, 67]),
    Shape::Gemm([34, 96, 48]),
    Shape::Gemm([131, 37, 40]),
    Shape::Gemm([1, 512, 301]),
    Shape::Gemm([70, 384, 191]),
    Shape::Gemm([3, 5, 2]),
    Shape::Quantised(QuantisedFormat::Int4, [1, 515, 1021]),
    Shape::Quantised(QuantisedFormat::F16, [2, 301, 900]),
    Shape::Quantised(QuantisedFormat::Int8, [33, 70, 261]),
    Shape::Integer(QuantisedFormat::Int4, [1, 515, 1021]),
    Shape::Integer(QuantisedFormat::Int8, [2, 301, 900]),
    Shape::Integer(QuantisedFormat::Int8, [33, 70, 261]),
    Shape::Attention([70, 139, 12]),
    Shape::Attention([33, 301, 20]),
    Shape::Attention([1, 1100, 24]),
    Shape::Attention([2, 3, 4]),
    Shape::Norm([131, 261]),
    Shape::Norm([5, 3]),
];

/// The result of one thread.
fn single_threaded(shape: Shape) -> Vec<f32> {
    // SAFETY: `result` gives a valid job, with scratch for a thread.
    result(shape, 1, |job| unsafe { run_job(job) })
}

#[test]
fn threads_give_bit_for_bit_the_result_of_one() {
    for workers in 1..=3 {
        let (pool, ended) = (ThreadPool::new(), AtomicBool::new(false));
        pool.workers.store(workers, Relaxed);
        scope(|scope| {
            for thread in 1..=workers as usize {
                let (pool, ended) = (&pool, &ended);
                scope.spawn(move || {
                    let mut known = 0;
                    while !ended.load(Relaxed) {
                        // SAFETY: each worker has its own number.
                        known = unsafe { pool.work(thread, known, &Yield) };
                    }
                });
            }
            for shape in SHAPES.into_iter().cycle().take(5 * SHAPES.len()) {
                pool.backoff.spend(u64::MAX);
                // SAFETY: `result` gives a valid job, with scratch for all threads.
                let found = result(shape, pool.threads(), |job| assert!(unsafe { pool.run(job, &Yield) }));
                assert!(found == single_threaded(shape), "{shape:?} with {workers} workers");
            }
            ended.store(true, Relaxed);
        });
    }
}

#[test]
fn workers_stay_awake_until_the_last_of_several_runs_ends() {
    let pool = ThreadPool::new();
    assert_eq!(pool.patience(), LOOKS);
    let [first, second] = [pool.begin_run(), pool.begin_run()];
    drop(first);
    assert_eq!(pool.patience(), LOOKS_IN_RUN);
    drop(second);
    assert_eq!(pool.patience(), LOOKS);
}

const PRODUCT: Shape = Shape::Gemm([33, 96, 104]);

#[test]
fn workers_that_never_come_are_not_waited_for() {
    let pool = ThreadPool::new();
    pool.workers.store(3, Relaxed);
    // SAFETY: `result` gives a valid job, with scratch for all threads.
    let found = result(PRODUCT, 4, |job| assert!(unsafe { pool.run(job, &Yield) }));
    assert!(found == single_threaded(PRODUCT));
}

#[test]
fn workers_that_take_no_chunks_are_left_alone_for_a_while() {
    let pool = ThreadPool::new();
    pool.workers.store(1, Relaxed);
    let _run = pool.begin_run();
    let shape = Shape::Gemm([64, 256, 512]);
    // SAFETY: `result` gives a valid job, with scratch for all threads.
    let run = || assert!(result(shape, 2, |job| assert!(unsafe { pool.run(job, &Yield) })) == single_threaded(shape));
    run();
    assert_eq!((pool.jobs.load(Relaxed), pool.patience()), (1, LOOKS), "nobody came");
    run();
    assert_eq!((pool.jobs.load(Relaxed), pool.patience()), (1, LOOKS_IN_RUN), "that was the backoff");
    run();
    assert_eq!(pool.jobs.load(Relaxed), 2, "they are called again");
}

#[test]
fn a_worker_that_fails_inside_fails_the_job() {
    struct Failing<'a>(&'a ThreadPool);
    impl Host for Failing<'_> {
        fn wait(&self, _number: &AtomicU32, _while_it_is: u32) {
            self.0.fail(&Yield);
        }
        // A worker enters as soon as there is a job.
        fn wake(&self, _number: &AtomicU32) {
            assert!(self.0.enter());
        }
        unsafe fn run_chunks(&self, job: &Job, threads: usize, scratch: *mut f32, next: impl FnMut() -> usize) {
            // SAFETY: the pool gives a live job, scratch of this thread's own, and each chunk's number to one thread alone.
            unsafe { run_chunks(job, threads, scratch, next) }
        }
    }
    let pool = ThreadPool::new();
    pool.workers.store(1, Relaxed);
    // SAFETY: `result` gives a valid job, with scratch for all threads.
    result(PRODUCT, 2, |job| assert!(!unsafe { pool.run(job, &Failing(&pool)) }));
    // The gate is closed again: the next job succeeds.
    // SAFETY: `result` gives a valid job, with scratch for all threads.
    let found = result(PRODUCT, 2, |job| assert!(unsafe { pool.run(job, &Yield) }));
    assert!(found == single_threaded(PRODUCT));
}

#[test]
fn chunks_cover_the_product_once() {
    for shape in SHAPES {
        let Shape::Gemm(sizes @ [rows, _, panels]) = shape else { continue };
        let (_, chunks) = gemm_job(sizes, |job| {
            let chunks = job.chunks(2);
            (0..).map_while(|at| job.chunk(&chunks, at)).collect::<Vec<_>>()
        });
        let mut times = vec![0; rows * panels];
        for (rows, columns) in chunks {
            assert!(rows.start.is_multiple_of(TILE_ROWS), "{shape:?}: {rows:?}");
            rows.for_each(|row| columns.clone().for_each(|panel| times[row * panels + panel] += 1));
        }
        assert!(times.iter().all(|times| *times == 1), "{shape:?}");
    }
}

#[test]
fn threads_that_take_turns_get_neighbouring_chunks() {
    for (count, threads) in [(0, 1), (1, 3), (6, 1), (6, 2), (7, 2), (11, 4)] {
        let chunks: Vec<usize> = (0..count).map(|turn| chunk_in_parts(turn, count, threads)).collect();
        let mut sorted = chunks.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..count).collect::<Vec<_>>(), "{count} chunks, {threads} threads: each chunk once");
        for thread in 0..threads {
            let of_thread: Vec<usize> = chunks.iter().skip(thread).step_by(threads).copied().collect();
            assert!(of_thread.windows(2).all(|pair| pair[1] == pair[0] + 1), "{count}, {threads}: {of_thread:?}");
        }
        assert!((count..count + threads).all(|turn| chunk_in_parts(turn, count, threads) >= count));
    }
}
