//! GEMM with a packed right operand as work for several threads, with its epilogue.

use super::panels::{PANEL, TILE_ROWS, multiply_panels};
use crate::epilogue::{LinearEpilogue, RawEpilogue};
use crate::pool::{JobKind, Work};
use crate::run::run;
use std::ops::Range;

/// Numbers of w (256 KB) that all rows of x are multiplied by before the next ones: they stay in the L2 cache.
const L2_BLOCK: usize = 1 << 16;

/// Multiply-adds of a chunk of four rows or more: enough to make its start cheap, few enough that no thread waits long for the last
/// chunk. Chunks of fewer rows have less, because they wait for memory.
const CHUNK: Range<u64> = 1 << 19..1 << 22;

/// About how many chunks a product has: enough that all threads end at nearly the same time.
const CHUNKS: u64 = 32;

/// A chunk has at least this many rows, or all of them: each chunk reads its panels from memory once.
const CHUNK_ROWS: usize = 16;

/// out = epilogue(scale · x · w), or of out + scale · x · w if `accumulate`.
#[repr(C)]
pub struct GemmJob {
    /// (rows, panels · 8), its rows `out_stride` numbers apart.
    pub out: *mut f32,
    pub out_stride: usize,
    /// (rows, inner), its rows `x_stride` numbers apart.
    pub x: *const f32,
    pub x_stride: usize,
    /// (inner, panels · 8): number (k, column) at `column / 8 · panel_step + k · w_stride + column % 8`.
    pub w: *const f32,
    pub w_stride: usize,
    pub panel_step: usize,
    pub rows: usize,
    pub inner: usize,
    pub panels: usize,
    pub scale: f32,
    pub accumulate: bool,
    pub epilogue: RawEpilogue,
}

/// The cut of a product into chunks. Rows are cut between tiles, so that every number is computed as by one thread.
pub struct Chunks {
    rows: usize,
    panels: usize,
    across: usize,
    count: usize,
}

// SAFETY: no other work has this kind.
unsafe impl Work for GemmJob {
    const KIND: JobKind = JobKind::Gemm;

    fn cost(&self) -> u64 {
        (self.rows * self.inner) as u64 * (self.panels * PANEL) as u64
    }

    fn scratch(&self) -> usize {
        TILE_ROWS * self.inner
    }

    #[inline(always)]
    unsafe fn run_chunks(&self, threads: usize, scratch: *mut f32, mut next: impl FnMut() -> usize) {
        let chunks = self.chunks(threads);
        while let Some(chunk) = self.chunk(&chunks, next()) {
            // SAFETY: `chunk` has rows and panels of this product only. `run_chunks` requires pointers that are valid for the shapes, which
            // `gemm_panels` asserts, and scratch of this thread's own.
            unsafe { self.run_chunk(chunk, scratch) };
        }
    }
}

impl GemmJob {
    // Divisions are checked: a panic would need data, which the module that workers run does not have.
    /// The chunks for `threads` threads.
    pub fn chunks(&self, threads: usize) -> Chunks {
        let panel = (self.inner.max(1) * PANEL) as u64;
        let div = |work: u64, each: u64| work.checked_div(each).unwrap_or(0) as usize;
        let in_l2 = (L2_BLOCK / PANEL).checked_div(self.inner).unwrap_or(usize::MAX);
        let most = in_l2.min(self.panels).max(1);
        let work = if threads > 1 {
            let least = CHUNK.start / TILE_ROWS as u64 * self.rows.clamp(1, TILE_ROWS) as u64;
            (self.cost() / CHUNKS).clamp(least, CHUNK.end)
        } else {
            u64::MAX
        };
        let rows =
            div(work, most as u64 * panel).clamp(CHUNK_ROWS, self.rows.max(CHUNK_ROWS)).next_multiple_of(TILE_ROWS);
        let panels = div(work, rows.min(self.rows) as u64 * panel).max(1).min(most);
        let across = div((self.rows + rows - 1) as u64, rows as u64);
        Chunks { rows, panels, across, count: across * div((self.panels + panels - 1) as u64, panels as u64) }
    }

    /// Rows and panels of chunk `at`; `None` past the last. Chunks of the same panels follow each other.
    pub fn chunk(&self, chunks: &Chunks, at: usize) -> Option<(Range<usize>, Range<usize>)> {
        if at >= chunks.count {
            return None;
        }
        let (row, panel) =
            (at.checked_rem(chunks.across)? * chunks.rows, at.checked_div(chunks.across)? * chunks.panels);
        Some((row..self.rows.min(row + chunks.rows), panel..self.panels.min(panel + chunks.panels)))
    }

    /// # Safety
    /// The pointers are valid for their shapes, and `rows` and `panels` are in bounds. `scratch` has [`Work::scratch`] writable numbers,
    /// and no other thread has this chunk or scratch.
    #[inline(always)]
    unsafe fn run_chunk(&self, (rows, panels): (Range<usize>, Range<usize>), scratch: *mut f32) {
        // SAFETY: `rows` and `panels` are in this product, so that every offset below is in bounds.
        unsafe {
            let first = rows.start * self.out_stride + panels.start * PANEL;
            multiply_panels(
                (self.out.add(first), self.out_stride),
                (self.x.add(rows.start * self.x_stride), self.x_stride),
                (self.w.add(panels.start * self.panel_step), self.w_stride),
                (self.panel_step, panels.end - panels.start),
                (rows.end - rows.start, self.inner),
                (self.scale, self.accumulate),
                scratch,
            );
            let (mut at, mut left) = (first, rows.end - rows.start);
            while left > 0 {
                let count = (panels.end - panels.start) * PANEL;
                self.epilogue.apply(self.out.add(at), count, (panels.start * PANEL, at));
                (at, left) = (at + self.out_stride, left - 1);
            }
        }
    }
}

/// A packed right operand, see [`GemmJob`].
#[derive(Clone, Copy)]
pub struct Panels<'a> {
    pub data: &'a [f32],
    /// Numbers from one row of a panel to the next.
    pub stride: usize,
    /// Numbers from one panel to the next.
    pub step: usize,
}

/// out = epilogue(scale · x · w), or of out + scale · x · w if `accumulate`.
///
/// x: (rows, inner), w: (inner, panels · 8), out: (rows, panels · 8); rows of x and out are `stride` numbers apart, those of the residual
/// as far as those of out. Panics if a slice is smaller than its shape.
pub fn gemm_panels(
    (out, out_stride): (&mut [f32], usize),
    (x, x_stride): (&[f32], usize),
    w: Panels<'_>,
    [rows, inner, panels]: [usize; 3],
    (scale, accumulate): (f32, bool),
    epilogue: &LinearEpilogue<'_>,
) {
    let Some((last_row, last_panel)) = rows.checked_sub(1).zip(panels.checked_sub(1)) else { return };
    // In u64: usize would wrap on wasm32.
    let [panels_64, last_row, last_panel] = [panels, last_row, last_panel].map(|count| count as u64);
    let fits =
        |last: u64, stride: usize, more: u64, numbers: &[f32]| last * stride as u64 + more <= numbers.len() as u64;
    assert!(fits(last_row, out_stride, panels_64 * PANEL as u64, out), "the product does not fit");
    if let Some(last) = inner.checked_sub(1) {
        let panel = last as u64 * w.stride as u64 + PANEL as u64;
        let inside = fits(last_row, x_stride, inner as u64, x) && fits(last_panel, w.step, panel, w.data);
        assert!(inside, "a matrix is smaller than its shape");
    }
    let job = GemmJob {
        out: out.as_mut_ptr(),
        out_stride,
        x: x.as_ptr(),
        x_stride,
        w: w.data.as_ptr(),
        w_stride: w.stride,
        panel_step: w.step,
        rows,
        inner,
        panels,
        scale,
        accumulate,
        epilogue: epilogue.raw(panels * PANEL, last_row as usize * out_stride + panels * PANEL),
    };
    // SAFETY: the last number of each matrix is in its slice, as asserted; `out` is borrowed mutably.
    unsafe { run(&job) };
}

#[cfg(test)]
mod tests {
    use super::super::panels::pack_panels;
    use super::*;
    use crate::gemm::Matrix;
    use crate::tests::{check_product, eighths};

    #[test]
    fn agrees_with_plain_sums_at_every_shape() {
        let rows = [0, 1, 2, 3, 4, 5, 8, 11];
        let product = |out: (&mut [f32], usize), x: Matrix<'_>, w: Matrix<'_>, [rows, inner, columns]: [usize; 3]| {
            let mut packed = vec![0.0; columns * inner];
            pack_panels(&mut packed, (w.data, w.column_stride), inner);
            let w = Panels { data: &packed, stride: PANEL, step: PANEL * inner };
            let shape = [rows, inner, columns / PANEL];
            gemm_panels(out, (x.data, x.row_stride), w, shape, (0.5, true), &LinearEpilogue::default());
        };
        check_product([&rows, &[0, 1, 2, 3, 4, 5, 16, 37], &[0, 8, 16, 40]], true, 7.0, product);
    }

    /// More panels than the L2 block has, so that rows are read twice.
    #[test]
    fn wide_matrices_are_multiplied_in_blocks() {
        let (rows, inner, panels) = (6, L2_BLOCK / PANEL / 5 + 3, 11);
        let (x, w) = (eighths(rows * inner, 3), eighths(panels * PANEL * inner, 4));
        let mut packed = vec![0.0; w.len()];
        pack_panels(&mut packed, (&w, inner), inner);
        let mut out = vec![0.0; rows * panels * PANEL];
        let w_panels = Panels { data: &packed, stride: PANEL, step: PANEL * inner };
        gemm_panels(
            (&mut out, panels * PANEL),
            (&x, inner),
            w_panels,
            [rows, inner, panels],
            (1.0, false),
            &LinearEpilogue::default(),
        );
        for (at, found) in out.iter().enumerate() {
            let (row, column) = (at / (panels * PANEL), at % (panels * PANEL));
            let products = (0..inner).map(|k| f64::from(x[row * inner + k]) * f64::from(w[column * inner + k]));
            assert_eq!(f64::from(*found), products.sum::<f64>(), "({row}, {column})");
        }
    }

    #[test]
    #[should_panic(expected = "a matrix is smaller than its shape")]
    fn panels_that_are_too_small_are_refused() {
        let w = Panels { data: &[1.0; 23], stride: PANEL, step: 24 };
        gemm_panels((&mut [0.0; 8], 8), (&[1.0; 3], 3), w, [1, 3, 1], (1.0, false), &LinearEpilogue::default());
    }

    #[test]
    #[should_panic(expected = "the product does not fit")]
    fn a_product_that_does_not_fit_is_refused() {
        let w = Panels { data: &[1.0; 24], stride: PANEL, step: 24 };
        gemm_panels((&mut [0.0; 15], 8), (&[1.0; 6], 3), w, [2, 3, 1], (1.0, false), &LinearEpilogue::default());
    }
}
