//! The operands of a product of integer blocks, and how it is cut into chunks.

use super::block::{Block, BlockRows};
use crate::epilogue::RawEpilogue;
use crate::gemm::PANEL;
use crate::pool::chunk_in_parts;
use crate::quant::QuantisedFormat;

/// Multiply-adds of a chunk: enough to make its start cheap, few enough that no thread waits long for the last one.
const CHUNK: u64 = 1 << 16;

/// out = epilogue(x · weightᵀ).
#[repr(C)]
pub struct IntegerGemmJob {
    /// (rows, columns)
    pub out: *mut f32,
    /// (rows, blocks)
    pub x: *const Block,
    /// (rows, blocks)
    pub x_scales: *const f32,
    /// (rows, blocks)
    pub x_totals: *const i32,
    /// (columns, row_words)
    pub words: *const u32,
    pub row_words: usize,
    /// Int8 or int4.
    pub format: QuantisedFormat,
    pub rows: usize,
    /// Blocks of a row.
    pub blocks: usize,
    pub columns: usize,
    /// Applied to whole panels of 8 columns only; the caller applies it to the tail.
    pub epilogue: RawEpilogue,
}

impl IntegerGemmJob {
    /// A product with slices of the shapes above; their lengths are not checked.
    pub fn new(
        out: &mut [f32],
        x: &BlockRows,
        (format, words): (QuantisedFormat, &[u32]),
        [rows, inner, columns]: [usize; 3],
        epilogue: RawEpilogue,
    ) -> Self {
        Self {
            out: out.as_mut_ptr(),
            x: x.blocks.as_ptr(),
            x_scales: x.scales.as_ptr(),
            x_totals: x.totals.as_ptr(),
            words: words.as_ptr(),
            row_words: format.row_words(inner),
            format,
            rows,
            blocks: inner.div_ceil(QuantisedFormat::BLOCK),
            columns,
            epilogue,
        }
    }

    /// The columns of the chunk for request `request` of `threads` threads; `None` past the last. Code computes `at_once` of them at a time.
    #[inline(always)]
    pub fn chunk(&self, request: usize, threads: usize, at_once: usize) -> Option<(usize, usize)> {
        // Whole panels of the epilogue.
        let least = at_once.max(PANEL);
        let cost = (self.rows * self.blocks * QuantisedFormat::BLOCK * least) as u64;
        let each = (CHUNK.checked_div(cost).unwrap_or(1).max(1) as usize) * least;
        let first = chunk_in_parts(request, self.columns.div_ceil(each), threads)? * each;
        Some((first, self.columns.min(first + each)))
    }

    /// Applies the epilogue to the columns of a chunk.
    ///
    /// # Safety
    /// That of [`Work::run_chunks`](crate::pool::Work::run_chunks), and the columns have been computed.
    #[inline(always)]
    pub unsafe fn apply_epilogue(&self, (first, end): (usize, usize)) {
        let full = (end - first) / PANEL * PANEL;
        let mut row = 0;
        while row < self.rows {
            let at = row * self.columns + first;
            // SAFETY: `row < rows` and `end <= columns`; the rest is this function's condition.
            unsafe { self.epilogue.apply(self.out.add(at), full, (first, at)) };
            row += 1;
        }
    }
}
