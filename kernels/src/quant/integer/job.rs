//! The operands of a product of integer blocks, and how it is cut into chunks.

use super::block::{Block, BlockRows};
use crate::epilogue::RawEpilogue;
use crate::gemm::PANEL;
use crate::quant::QuantisedFormat;

/// Multiply-adds of a chunk: enough to make its start cheap, few enough that no thread waits long for the last one.
const CHUNK: u64 = 1 << 16;

/// Columns of chunks are multiples of it: of panels of the epilogue, and of the columns that any code computes side by side.
pub const COLUMN_STEP: usize = 16;
const _: () = assert!(COLUMN_STEP.is_multiple_of(PANEL));

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

    /// Columns of a chunk.
    #[inline(always)]
    fn chunk_columns(&self) -> usize {
        let cost = (self.rows * self.blocks * QuantisedFormat::BLOCK * COLUMN_STEP) as u64;
        // Checked: the module that workers run cannot panic.
        (CHUNK.checked_div(cost).unwrap_or(1).max(1) as usize) * COLUMN_STEP
    }

    /// The number of chunks.
    #[inline(always)]
    pub fn chunks(&self) -> usize {
        self.columns.div_ceil(self.chunk_columns())
    }

    /// The columns of chunk `chunk`; `None` past the last.
    #[inline(always)]
    pub fn chunk(&self, chunk: usize) -> Option<(usize, usize)> {
        let first = chunk.checked_mul(self.chunk_columns()).filter(|first| *first < self.columns)?;
        Some((first, self.columns.min(first + self.chunk_columns())))
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
