//! WebAssembly's GEMM with a quantised weight as work for several threads. Few rows of x are multiplied as f16 and bf16 are read; otherwise
//! each thread dequantises panels into its scratch. Native tests run it, too.

use super::format::QuantisedFormat;
use super::gemv::{dequantise_panel, half_gemv};
use crate::epilogue::{LinearEpilogue, RawEpilogue};
use crate::gemm::{PACKING_PAYS, PANEL, TILE_ROWS, multiply_panels};
use crate::pool::{JobKind, Work};
#[cfg(target_arch = "wasm32")]
use crate::run::run;

/// Numbers of the weight (256 KB) that are dequantised at once for all rows of x: they stay in the L2 cache.
const L2_BLOCK: usize = 1 << 16;

/// Least cost of a chunk.
const CHUNK: u64 = 1 << 16;

/// Chunks of a product, about, so that threads end together.
const CHUNKS: u64 = 32;

/// Cost of dequantising a number, in multiply-adds.
const DEQUANTISING: usize = 3;

/// out = epilogue(x · weightᵀ).
#[repr(C)]
pub struct QuantisedGemmJob {
    /// (rows, columns)
    pub out: *mut f32,
    /// (rows, inner), its rows `x_stride` numbers apart. Fewer rows than [`PACKING_PAYS`] are padded with 0 to whole blocks of
    /// [`QuantisedFormat::BLOCK`].
    pub x: *const f32,
    pub x_stride: usize,
    /// (columns, row_words)
    pub words: *const u32,
    pub row_words: usize,
    pub format: QuantisedFormat,
    pub rows: usize,
    pub inner: usize,
    pub columns: usize,
    /// Applied to whole panels of 8 columns only; the caller applies it to the tail.
    pub epilogue: RawEpilogue,
}

// SAFETY: no other work has this kind.
unsafe impl Work for QuantisedGemmJob {
    const KIND: JobKind = JobKind::QuantisedGemm;

    fn cost(&self) -> u64 {
        (self.rows + DEQUANTISING) as u64 * (self.inner * self.columns) as u64
    }

    /// Panels, and eight dequantised rows; once the panels are made, these hold interleaved rows of x and the result of a last, partial
    /// panel.
    fn scratch(&self) -> usize {
        if self.reads_halves() {
            return 0;
        }
        (self.panels_at_once() + 1) * PANEL * self.depth()
    }

    #[inline(always)]
    unsafe fn run_chunks(&self, threads: usize, scratch: *mut f32, mut next: impl FnMut() -> usize) {
        // SAFETY: `run_chunks` requires pointers that are valid for the shapes, to which `quantised_gemm` cuts its slices, and scratch of
        // this thread's own.
        unsafe { while self.run_chunk(threads, next(), scratch) {} }
    }
}

impl QuantisedGemmJob {
    /// A product with slices of the shapes above; their lengths are not checked.
    pub fn new(
        out: &mut [f32],
        (x, x_stride): (&[f32], usize),
        (format, words): (QuantisedFormat, &[u32]),
        [rows, inner, columns]: [usize; 3],
        epilogue: RawEpilogue,
    ) -> Self {
        let (out, x, words, row_words) = (out.as_mut_ptr(), x.as_ptr(), words.as_ptr(), format.row_words(inner));
        Self { out, x, x_stride, words, row_words, format, rows, inner, columns, epilogue }
    }

    /// Whether the weight is multiplied as it is read.
    #[inline(always)]
    fn reads_halves(&self) -> bool {
        self.rows < PACKING_PAYS && self.format.block_words().is_none()
    }

    /// `inner`, up to whole blocks.
    #[inline(always)]
    fn depth(&self) -> usize {
        self.inner.next_multiple_of(QuantisedFormat::BLOCK)
    }

    /// Panels in a thread's scratch.
    #[inline(always)]
    fn panels_at_once(&self) -> usize {
        // Checked: a panic would need data, which the module that workers run does not have.
        (L2_BLOCK / PANEL).checked_div(self.depth()).unwrap_or(1).max(1).min(self.columns.div_ceil(PANEL))
    }

    /// Panels of a chunk, for a split over `threads`.
    #[inline(always)]
    fn panels(&self, threads: usize) -> usize {
        if threads == 1 {
            return self.panels_at_once();
        }
        let panel = (self.rows + DEQUANTISING) as u64 * (self.inner * PANEL) as u64;
        let work = (self.cost() / CHUNKS).max(CHUNK);
        (work.checked_div(panel).unwrap_or(1) as usize).max(1).min(self.panels_at_once())
    }

    /// Runs chunk `chunk` of a split over `threads`; false past the last.
    ///
    /// # Safety
    /// The pointers are valid for their shapes. `scratch` has [`Work::scratch`] writable numbers. No other thread has this chunk or
    /// scratch.
    #[inline(always)]
    unsafe fn run_chunk(&self, threads: usize, chunk: usize, scratch: *mut f32) -> bool {
        let each = self.panels(threads) * PANEL;
        let first = chunk * each;
        if first >= self.columns {
            return false;
        }
        let columns = each.min(self.columns - first);
        let full = columns / PANEL * PANEL;
        // SAFETY: `first + columns <= self.columns` and `row < self.rows`; a chunk has at most `panels_at_once` panels.
        unsafe {
            let (out, words) = (self.out.add(first), self.words.add(first * self.row_words));
            if self.reads_halves() {
                let mut row = 0;
                while row < self.rows {
                    let (out, x) = (out.add(row * self.columns), self.x.add(row * self.x_stride));
                    half_gemv((out, columns), x, (words, self.row_words), (self.format, self.inner));
                    row += 1;
                }
            } else {
                self.by_panels(out, words, columns, scratch);
            }
            let mut row = 0;
            while row < self.rows {
                let at = row * self.columns;
                self.epilogue.apply(out.add(at), full, (first, first + at));
                row += 1;
            }
        }
        true
    }

    /// All rows times `columns` columns.
    ///
    /// # Safety
    /// The pointers are valid for their shapes, and `scratch` has [`Work::scratch`] writable numbers. `out` and `words` begin at the first
    /// of the columns, of which a chunk has at most `panels_at_once` panels.
    #[inline(always)]
    unsafe fn by_panels(&self, out: *mut f32, words: *const u32, columns: usize, scratch: *mut f32) {
        let step = PANEL * self.depth();
        let (full, rest) = (columns / PANEL, columns % PANEL);
        // SAFETY: scratch has `step` numbers for each panel of the columns and `step` more after them: `rows_scratch`. These hold eight
        // dequantised rows, then four rows of x (4 · inner) and four rows of the partial panel (32), at most 8 · depth together.
        unsafe {
            let rows_scratch = scratch.add(columns.div_ceil(PANEL) * step);
            let mut column = 0;
            while column < columns {
                let rows = (words.add(column * self.row_words), self.row_words);
                let panel = scratch.add(column / PANEL * step);
                dequantise_panel((panel, rows_scratch), rows, columns - column, (self.format, self.inner));
                column += PANEL;
            }
            let (x, plain) = ((self.x, self.x_stride), (1.0, false));
            let w = (scratch.cast_const(), PANEL);
            multiply_panels((out, self.columns), x, w, (step, full), (self.rows, self.inner), plain, rows_scratch);
            if rest == 0 {
                return;
            }
            let last = rows_scratch.add(TILE_ROWS * self.inner);
            let w = (scratch.add(full * step).cast_const(), PANEL);
            let mut row = 0;
            while row < self.rows {
                let count = TILE_ROWS.min(self.rows - row);
                let x = (self.x.add(row * self.x_stride), self.x_stride);
                multiply_panels((last, PANEL), x, w, (step, 1), (count, self.inner), plain, rows_scratch);
                let mut at = 0;
                while at < count * rest {
                    let (of, column) = (at / rest, at % rest);
                    *out.add((row + of) * self.columns + full * PANEL + column) = *last.add(of * PANEL + column);
                    at += 1;
                }
                row += count;
            }
        }
    }
}

/// out = epilogue(x · weightᵀ) with a quantised weight. x: (rows, inner), words: (columns, row_words), out: (rows, columns). Panics if a
/// slice is smaller than its shape; plans check shapes before they run.
#[cfg(target_arch = "wasm32")]
pub fn quantised_gemm(
    out: &mut [f32],
    x: &[f32],
    (format, words): (QuantisedFormat, &[u32]),
    [rows, inner, columns]: [usize; 3],
    epilogue: &LinearEpilogue<'_>,
) {
    let (row_words, depth) = (format.row_words(inner), inner.next_multiple_of(QuantisedFormat::BLOCK));
    let (out, x, words) = (&mut out[..rows * columns], &x[..rows * inner], &words[..columns * row_words]);
    let mut padded = Vec::new();
    if rows < PACKING_PAYS && depth != inner {
        padded.resize(rows * depth, 0.0);
        for (padded, x) in padded.chunks_exact_mut(depth).zip(x.chunks_exact(inner)) {
            padded[..inner].copy_from_slice(x);
        }
    }
    let (x, x_stride) = if padded.is_empty() { (x, inner) } else { (&padded[..], depth) };
    let raw = epilogue.raw(columns, rows * columns);
    let job = QuantisedGemmJob::new(out, (x, x_stride), (format, words), [rows, inner, columns], raw);
    // SAFETY: all slices were cut to their shapes above; `out` is borrowed mutably.
    unsafe { run(&job) };
    epilogue.apply_columns(out, columns, columns / PANEL * PANEL..columns);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activation::Activation;
    use crate::tests::sines;

    #[test]
    fn agrees_with_plain_sums_in_any_split() {
        for format in QuantisedFormat::ALL {
            for [rows, inner, columns] in [[1, 33, 5], [2, 301, 300], [3, 64, 8], [5, 70, 43], [9, 1200, 261]] {
                let row_words = format.row_words(inner);
                let mut words = vec![0; columns * row_words];
                let mut weight = sines(columns * inner, 1);
                for (row, words) in weight.chunks_exact_mut(inner).zip(words.chunks_exact_mut(row_words)) {
                    assert!(format.quantise(row, words));
                    format.dequantise(words, row);
                }
                let x_stride = inner.next_multiple_of(QuantisedFormat::BLOCK);
                let mut x = sines(rows * x_stride, 2);
                x.chunks_exact_mut(x_stride).for_each(|x| x[inner..].fill(0.0));
                let (bias, residual) = (sines(columns, 3), sines(rows * columns, 4));
                let activation = Some(Activation::Relu);
                let epilogue = LinearEpilogue { bias: Some(&bias), activation, residual: Some(&residual) };
                let product = |threads: usize| {
                    let mut out = vec![7.0; rows * columns];
                    let raw = epilogue.raw(columns, rows * columns);
                    let job =
                        QuantisedGemmJob::new(&mut out, (&x, x_stride), (format, &words), [rows, inner, columns], raw);
                    let mut scratch = vec![f32::NAN; job.scratch()];
                    let mut chunks = 0;
                    // SAFETY: the vectors have the lengths of their shapes and outlive the job.
                    while unsafe { job.run_chunk(threads, chunks, scratch.as_mut_ptr()) } {
                        chunks += 1;
                    }
                    (out, chunks)
                };
                let ((alone, few), (shared, many)) = (product(1), product(2));
                assert_eq!(alone, shared, "{format:?}, {rows} × {inner} × {columns}");
                assert!(many > few || columns * inner < 1 << 16, "{many} chunks");
                for (at, found) in alone.iter().enumerate() {
                    let (row, column) = (at / columns, at % columns);
                    let products = || (0..inner).map(|k| f64::from(x[row * x_stride + k] * weight[column * inner + k]));
                    let mut expected = products().sum::<f64>();
                    // The epilogue of the tail is the caller's.
                    if column < columns / PANEL * PANEL {
                        expected = (expected + f64::from(bias[column])).max(0.0) + f64::from(residual[at]);
                    }
                    let off = 2e-6 * products().map(f64::abs).sum::<f64>() + 1e-6;
                    let what = format!("{format:?}, {rows} × {inner} × {columns} at {at}");
                    assert!((f64::from(*found) - expected).abs() <= off, "{what}: {found}, not {expected}");
                }
            }
        }
    }
}
