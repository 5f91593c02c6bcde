//! Natively, products of few rows of x with an f32, f16 or bf16 weight: what decoding and short prompts spend their time in. The weight is
//! read from memory once, as it is stored: for later rows of x the cache has it.

use super::float_weight::{Bf16Numbers, F16Numbers, F32Numbers, FloatFormat, FloatNumbers, FloatWeight};
use crate::pool::{JobKind, Work, chunk_in_parts};
use crate::processor::Processor;
use crate::run::run;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2Vectors, Avx512Vectors};
use crate::simd::{BaselineVectors, NativeVectors};

/// Columns of the result that are computed side by side.
const COLUMNS: usize = 4;

/// Columns, times the numbers of a word, ahead of which the weight is asked for: processors do not foresee the end of a row.
const PREFETCH: usize = 4;

/// Words (4 bytes) of a line of the cache.
const LINE: usize = 16;

/// Numbers of the weight in a chunk: enough to make its start cheap, few enough that no thread waits long for the last one.
const CHUNK: usize = 1 << 15;

/// out = x · weightᵀ.
struct FewRowsJob {
    /// (rows, columns)
    out: *mut f32,
    /// (rows, inner)
    x: *const f32,
    /// (columns, row_words)
    words: *const u32,
    row_words: usize,
    format: FloatFormat,
    rows: usize,
    inner: usize,
    columns: usize,
}

// SAFETY: no other module runs it.
unsafe impl Work for FewRowsJob {
    const KIND: JobKind = JobKind::Native;

    fn cost(&self) -> u64 {
        (self.rows * self.inner) as u64 * self.columns as u64
    }

    fn scratch(&self) -> usize {
        0
    }

    #[inline(always)]
    unsafe fn run_chunks(&self, threads: usize, _scratch: *mut f32, mut next: impl FnMut() -> usize) {
        let chunks = self.columns.div_ceil(self.chunk_columns());
        // SAFETY: the condition is this function's own, and the machine has the instructions that were detected.
        unsafe { self.run_on(Processor::detect(), || chunk_in_parts(next(), chunks, threads)) }
    }
}

/// # Safety
/// That of [`Work::run_chunks`], and the processor has these instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn run_with_avx2(job: &FewRowsJob, next: impl FnMut() -> usize) {
    // SAFETY: this function has the instructions; the rest is the caller's condition.
    unsafe { job.run_with::<Avx2Vectors>(next) }
}

/// # Safety
/// That of [`Work::run_chunks`], and the processor has these instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma,f16c")]
unsafe fn run_with_avx512(job: &FewRowsJob, next: impl FnMut() -> usize) {
    // SAFETY: this function has the instructions; the rest is the caller's condition.
    unsafe { job.run_with::<Avx512Vectors>(next) }
}

impl FewRowsJob {
    /// Panics if a slice is smaller than its shape.
    fn new(out: &mut [f32], x: &[f32], weight: FloatWeight<'_>, [rows, inner, columns]: [usize; 3]) -> Self {
        let (words, row_words, format) = weight.rows([columns, inner]);
        assert!(out.len() >= rows * columns && x.len() >= rows * inner, "a matrix is smaller than its shape");
        Self { out: out.as_mut_ptr(), x: x.as_ptr(), words, row_words, format, rows, inner, columns }
    }

    /// Columns of a chunk.
    #[inline(always)]
    fn chunk_columns(&self) -> usize {
        (CHUNK / self.inner.max(1)).max(1).next_multiple_of(COLUMNS)
    }

    /// # Safety
    /// That of [`Work::run_chunks`], and this machine is such a processor.
    #[inline(always)]
    unsafe fn run_on(&self, processor: Processor, next: impl FnMut() -> usize) {
        // SAFETY: the condition is this function's own.
        unsafe {
            match processor {
                #[cfg(target_arch = "x86_64")]
                Processor::Vnni => run_with_avx512(self, next),
                #[cfg(target_arch = "x86_64")]
                Processor::Avx2 => run_with_avx2(self, next),
                #[cfg(target_arch = "aarch64")]
                Processor::DotProduct => self.run_with::<BaselineVectors>(next),
                Processor::Baseline => self.run_with::<BaselineVectors>(next),
            }
        }
    }

    /// # Safety
    /// That of [`Work::run_chunks`], and the processor has V's instructions.
    #[inline(always)]
    unsafe fn run_with<V: NativeVectors>(&self, mut next: impl FnMut() -> usize) {
        let each = self.chunk_columns();
        while let Some(first) = next().checked_mul(each).filter(|first| *first < self.columns) {
            let end = self.columns.min(first + each);
            // SAFETY: the columns are this chunk's alone, and the rest is this function's condition.
            unsafe {
                match self.format {
                    FloatFormat::F32 => self.columns::<V, F32Numbers>(first, end),
                    FloatFormat::F16 => self.columns::<V, F16Numbers>(first, end),
                    FloatFormat::BF16 => self.columns::<V, Bf16Numbers>(first, end),
                }
            }
        }
    }

    /// All rows times the columns from `first` to `end`.
    ///
    /// # Safety
    /// That of `run_with`, and `first < end <= columns`.
    #[inline(always)]
    unsafe fn columns<V: NativeVectors, N: FloatNumbers>(&self, first: usize, end: usize) {
        for column in (first..end).step_by(COLUMNS) {
            let mut row = 0;
            while row < self.rows {
                let count = V::ROWS.min(self.rows - row);
                // SAFETY: `column < end` and `row + count <= rows`; no type has more than four ROWS.
                unsafe {
                    match count {
                        1 => self.tile::<V, N, 1>(row, column, end),
                        2 => self.tile::<V, N, 2>(row, column, end),
                        3 => self.tile::<V, N, 3>(row, column, end),
                        _ => self.tile::<V, N, 4>(row, column, end),
                    }
                }
                row += count;
            }
        }
    }

    /// R rows from `row` on times [`COLUMNS`] columns from `first` on, of which those below `end` are written.
    ///
    /// # Safety
    /// That of `run_with`; `row + R <= rows`, and `first < end <= columns`.
    #[inline(always)]
    unsafe fn tile<V: NativeVectors, N: FloatNumbers, const R: usize>(&self, row: usize, first: usize, end: usize) {
        // SAFETY: rows and columns are in bounds, the latter clamped below `end`; `k` and the numbers after it that a step reads are below
        // `inner`.
        unsafe {
            let x: [_; R] = std::array::from_fn(|at| self.x.add((row + at) * self.inner));
            let weights: [_; COLUMNS] =
                std::array::from_fn(|column| self.words.add((first + column).min(end - 1) * self.row_words));
            let mut sums = [[V::zero(); COLUMNS]; R];
            let mut k = 0;
            while k + LINE * N::PER_WORD <= self.inner {
                if row == 0 {
                    for weight in weights {
                        V::prefetch(weight.wrapping_add(PREFETCH * N::PER_WORD * self.row_words + k / N::PER_WORD));
                    }
                }
                for at in (k..k + LINE * N::PER_WORD).step_by(V::LANES) {
                    add_products::<V, N, R>(&mut sums, x, weights, at);
                }
                k += LINE * N::PER_WORD;
            }
            while k + V::LANES <= self.inner {
                add_products::<V, N, R>(&mut sums, x, weights, k);
                k += V::LANES;
            }
            for (at, (sums, x)) in sums.into_iter().zip(x).enumerate() {
                for (column, (sum, weight)) in sums.into_iter().zip(weights).enumerate() {
                    let tail: f32 = (k..self.inner).map(|k| *x.add(k) * N::number(weight, k)).sum();
                    if first + column < end {
                        *self.out.add((row + at) * self.columns + first + column) = V::total(sum) + tail;
                    }
                }
            }
        }
    }
}

/// Adds the products of a vector of each row of x, from number `k` on, with the same of each column's weight.
///
/// # Safety
/// The processor has V's instructions, and the rows of x and of the weight have the numbers from `k` on of a vector.
#[inline(always)]
unsafe fn add_products<V: NativeVectors, N: FloatNumbers, const R: usize>(
    sums: &mut [[V::Vector; COLUMNS]; R],
    x: [*const f32; R],
    weights: [*const u32; COLUMNS],
    k: usize,
) {
    // SAFETY: by this function's condition.
    unsafe {
        let x: [_; R] = std::array::from_fn(|row| V::load(x[row].add(k)));
        for (column, weight) in weights.into_iter().enumerate() {
            let weight = N::vector::<V>(weight, k);
            for row in 0..R {
                sums[row][column] = V::plus_product(sums[row][column], x[row], weight);
            }
        }
    }
}

/// out = x · weightᵀ. x: (rows, inner), weight: (columns, inner), out: (rows, columns). Panics if a slice is smaller than its shape.
pub fn multiply_few_rows(out: &mut [f32], x: &[f32], weight: FloatWeight<'_>, shape: [usize; 3]) {
    // SAFETY: `new` checks the slices, and `out` is borrowed mutably.
    unsafe { run(&FewRowsJob::new(out, x, weight, shape)) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quant::Format;
    use crate::tests::sines;

    #[test]
    fn agrees_with_plain_sums_in_any_split_on_every_processor() {
        let shapes = [[1, 1, 1], [1, 7, 3], [2, 8, 4], [3, 33, 5], [4, 301, 300], [1, 576, 9], [2, 0, 3], [11, 70, 6]];
        let formats = [Format::F32, Format::F16, Format::BF16];
        for (format, [rows, inner, columns]) in formats.into_iter().flat_map(|of| shapes.map(|shape| (of, shape))) {
            let row_words = format.row_words(inner);
            let (x, mut numbers) = (sines(rows * inner, 1), sines(columns * inner, 2));
            let mut words = vec![0; columns * row_words];
            for (row, words) in numbers.chunks_exact_mut(inner.max(1)).zip(words.chunks_exact_mut(row_words.max(1))) {
                assert!(format.quantise(row, words));
                format.dequantise(words, row);
            }
            let weight = match format {
                Format::F16 => FloatWeight::F16(&words),
                Format::BF16 => FloatWeight::BF16(&words),
                _ => FloatWeight::F32(&numbers),
            };
            for processor in Processor::every() {
                let product = |threads: usize| {
                    let mut out = vec![7.0; rows * columns];
                    let job = FewRowsJob::new(&mut out, &x, weight, [rows, inner, columns]);
                    for thread in 0..threads {
                        let mut chunks = (thread..).step_by(threads);
                        // SAFETY: the vectors have the lengths of their shapes, and this machine has the instructions.
                        unsafe { job.run_on(processor, || chunks.next().unwrap()) };
                    }
                    out
                };
                let found = product(1);
                let what = format!("{format:?} on {processor:?}, {rows} × {inner} × {columns}");
                assert_eq!(found, product(3), "{what}");
                for (at, found) in found.iter().enumerate() {
                    let (row, column) = (at / columns, at % columns);
                    let products =
                        || (0..inner).map(|k| f64::from(x[row * inner + k]) * f64::from(numbers[column * inner + k]));
                    let off = 1e-6 * products().map(f64::abs).sum::<f64>() + 1e-7;
                    let expected: f64 = products().sum();
                    assert!((f64::from(*found) - expected).abs() <= off, "{what} at {at}: {found}, not {expected}");
                }
            }
        }
    }
}
