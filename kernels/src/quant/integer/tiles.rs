//! Products of some rows of x with some columns at a time, on any processor.

use super::job::{COLUMN_STEP, IntegerGemmJob};
use super::products::BlockProducts;
use crate::quant::QuantisedFormat;

/// Columns of the result that are computed side by side.
pub const COLUMNS: usize = 4;
const _: () = assert!(COLUMN_STEP.is_multiple_of(COLUMNS));

/// The body for each of the columns. A loop with a long body is not unrolled, and its arrays would need a stack.
macro_rules! for_each_column {
    ($column:ident => $body:block) => {
        for_each_column!($column => $body, 0 1 2 3)
    };
    ($column:ident => $body:block, $($number:literal)+) => {$({
        #[allow(non_upper_case_globals)]
        const $column: usize = $number;
        $body
    })+};
}

/// Columns ahead of which the weight is asked for: processors do not foresee the end of a row.
const PREFETCH: usize = 8;

/// Words (4 bytes) of a line of the cache.
const LINE: usize = 16;

impl IntegerGemmJob {
    /// All chunks that `next` yields.
    ///
    /// # Safety
    /// That of [`Work::run_chunks`](crate::pool::Work::run_chunks), and the processor has the instructions of P.
    #[inline(always)]
    pub unsafe fn run_with<P: BlockProducts>(&self, scratch: *mut f32, mut next: impl FnMut() -> usize) {
        // No closure: it would not be compiled for P's instructions.
        while let Some((first, end)) = self.chunk(next()) {
            let mut column = first;
            // SAFETY: the columns are this chunk's alone, and the rest is this function's condition.
            unsafe {
                while column < end {
                    match self.format {
                        QuantisedFormat::Int4 => self.columns_from::<P, 4>(column, end, scratch),
                        _ => self.columns_from::<P, 8>(column, end, scratch),
                    }
                    column += COLUMNS;
                }
                self.apply_epilogue((first, end));
            }
        }
    }

    /// All rows times up to [`COLUMNS`] columns from `first` on, below `end`.
    ///
    /// # Safety
    /// That of `run_with`, and `first < end`.
    #[inline(always)]
    unsafe fn columns_from<P: BlockProducts, const BITS: usize>(&self, first: usize, end: usize, scales: *mut f32) {
        // SAFETY: columns are clamped below `end`, and rows below `rows`; a row of the weight has its blocks and their scales after them.
        unsafe {
            // Not a loop over an array: one with loops in it is not unrolled, and the array would need a stack.
            let row_of = |column: usize| self.words.add((first + column).min(end - 1) * self.row_words);
            let mut column = 0;
            while column < COLUMNS {
                let halves = row_of(column).add(self.blocks * BITS);
                P::prefetch(halves.wrapping_add(PREFETCH * self.row_words));
                P::convert_f16(halves, scales.add(column * self.blocks), self.blocks);
                column += 1;
            }
            let weights = std::array::from_fn(row_of);
            let mut row = 0;
            while row + P::ROWS <= self.rows {
                // The compiler unrolls the loops over constants.
                match P::ROWS {
                    4 => self.tile::<P, BITS, 4>(row, (first, end), weights, scales),
                    2 => self.tile::<P, BITS, 2>(row, (first, end), weights, scales),
                    _ => break,
                }
                row += P::ROWS;
            }
            while row < self.rows {
                self.tile::<P, BITS, 1>(row, (first, end), weights, scales);
                row += 1;
            }
        }
    }

    /// R rows times [`COLUMNS`] columns.
    ///
    /// # Safety
    /// That of `run_with`; `row + R <= rows`. `weights` are the rows of the weight from `first` on, and `scales` has their scales.
    #[inline(always)]
    unsafe fn tile<P: BlockProducts, const BITS: usize, const R: usize>(
        &self,
        row: usize,
        (first, end): (usize, usize),
        weights: [*const u32; COLUMNS],
        scales: *const f32,
    ) {
        // SAFETY: `block < blocks` for each of R rows of x and of the weight; `out` is written below `end`.
        unsafe {
            let x: [_; R] = std::array::from_fn(|r| self.x.add((row + r) * self.blocks));
            let x_scales: [_; R] = std::array::from_fn(|r| self.x_scales.add((row + r) * self.blocks));
            let mut sums = [[P::zero(); R]; COLUMNS];
            let mut block = 0;
            while block < self.blocks {
                let at = block * BITS;
                for_each_column!(column => {
                    let words = weights[column].add(at);
                    if R == 1 && at.is_multiple_of(LINE) {
                        P::prefetch(words.wrapping_add(PREFETCH * self.row_words));
                    }
                    let weight = if BITS == 4 { P::int4(words) } else { P::int8(words) };
                    let scale = *scales.add(column * self.blocks + block);
                    for r in 0..R {
                        let x_scale = *x_scales[r].add(block);
                        let x = &*x[r].add(block);
                        sums[column][r] = P::add_product::<BITS>(sums[column][r], weight, x, scale * x_scale);
                    }
                });
                block += 1;
            }
            for_each_column!(column => {
                if first + column < end {
                    for (r, sums) in sums[column].into_iter().enumerate() {
                        *self.out.add((row + r) * self.columns + first + column) = P::total(sums);
                    }
                }
            });
        }
    }
}
