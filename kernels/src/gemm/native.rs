//! Native products as work for several threads, in chunks of columns. The gemm crate multiplies: it has wider vectors than the loops for
//! WebAssembly. Chunks do not depend on the number of threads, because sums depend on the shape that the crate multiplies.

use super::float_weight::convert_row;
use super::matrix::Matrix;
use crate::pool::{JobKind, Work};
use crate::quant::QuantisedFormat;
use crate::run::run;
use std::ops::RangeInclusive;

/// About how many multiply-adds a chunk has: some 50 µs of them.
const CHUNK: usize = 1 << 21;

/// Columns of a chunk of about [`CHUNK`] multiply-adds. Each chunk packs the left matrix again, which fewer columns would not pay for.
const COLUMN_LIMITS: RangeInclusive<usize> = 64..=256;

/// To make the number of chunks even, chunks shrink to this. Smaller ones would cost more than an idle thread.
const FEWEST_COLUMNS: usize = 48;

/// Columns of chunks are multiples of it, as those of the crate's tiles are.
const TILE_COLUMNS: usize = 16;

/// Rows of a weight that are converted at once.
const CONVERTED_ROWS: usize = 32;

/// A [`Matrix`] without its length.
#[derive(Clone, Copy)]
struct RawMatrix {
    data: *const f32,
    row_stride: usize,
    column_stride: usize,
}

impl From<Matrix<'_>> for RawMatrix {
    fn from(matrix: Matrix<'_>) -> Self {
        Self { data: matrix.data.as_ptr(), row_stride: matrix.row_stride, column_stride: matrix.column_stride }
    }
}

/// Columns of a chunk. An even number of chunks lets two threads end at the same time.
fn chunk_columns([rows, inner, columns]: [usize; 3]) -> usize {
    let columns_of_work = (CHUNK / (rows * inner).max(1)).clamp(*COLUMN_LIMITS.start(), *COLUMN_LIMITS.end());
    let most = columns_of_work - columns_of_work % TILE_COLUMNS;
    let mut sizes = (FEWEST_COLUMNS..=most).rev().step_by(TILE_COLUMNS);
    sizes.find(|each| columns.div_ceil(*each).is_multiple_of(2)).unwrap_or(most)
}

/// out = scale · left · right: see [`gemm`](super::gemm()).
struct StridedGemmJob {
    out: *mut f32,
    out_stride: usize,
    left: RawMatrix,
    right: RawMatrix,
    /// Rows, inner, columns.
    shape: [usize; 3],
    scale: f32,
}

// SAFETY: no other module runs it.
unsafe impl Work for StridedGemmJob {
    const KIND: JobKind = JobKind::Native;

    fn cost(&self) -> u64 {
        self.shape.iter().map(|size| *size as u64).product()
    }

    fn scratch(&self) -> usize {
        0
    }

    unsafe fn run_chunks(&self, _threads: usize, _scratch: *mut f32, mut next: impl FnMut() -> usize) {
        let [rows, inner, columns] = self.shape;
        let each = chunk_columns(self.shape);
        while let Some(first) = next().checked_mul(each).filter(|first| *first < columns) {
            let count = each.min(columns - first);
            // SAFETY: `first + count` is at most `columns`, so that the pointers are valid by `run_chunks`'s condition. No other chunk has
            // these columns.
            unsafe {
                let right = RawMatrix { data: self.right.data.add(first * self.right.column_stride), ..self.right };
                multiply(self.out.add(first), self.out_stride, self.left, right, [rows, inner, count], self.scale);
            }
        }
    }
}

/// All of a product, whose shapes [`gemm`](super::gemm()) has checked.
pub fn multiply_strided(
    out: &mut [f32],
    out_stride: usize,
    left: Matrix<'_>,
    right: Matrix<'_>,
    shape: [usize; 3],
    scale: f32,
) {
    let job =
        StridedGemmJob { out: out.as_mut_ptr(), out_stride, left: left.into(), right: right.into(), shape, scale };
    // SAFETY: the last element of each matrix is in its slice, and `out` is borrowed mutably.
    unsafe { run(&job) }
}

/// out = x · weightᵀ of a quantised weight, of which some rows are converted to f32 at a time: for more rows of x than the products of few rows
/// are for.
struct ConvertedGemmJob {
    /// (rows, columns).
    out: *mut f32,
    /// (rows, inner).
    x: *const f32,
    /// (columns, row_words).
    words: *const u32,
    format: QuantisedFormat,
    /// Rows, inner, columns.
    shape: [usize; 3],
}

impl ConvertedGemmJob {
    /// Numbers of a converted row.
    fn stride(&self) -> usize {
        self.shape[1].next_multiple_of(QuantisedFormat::BLOCK)
    }
}

// SAFETY: no other module runs it.
unsafe impl Work for ConvertedGemmJob {
    const KIND: JobKind = JobKind::Native;

    fn cost(&self) -> u64 {
        self.shape.iter().map(|size| *size as u64).product()
    }

    fn scratch(&self) -> usize {
        CONVERTED_ROWS * self.stride()
    }

    unsafe fn run_chunks(&self, _threads: usize, scratch: *mut f32, mut next: impl FnMut() -> usize) {
        let [rows, inner, columns] = self.shape;
        let (stride, row_words) = (self.stride(), self.format.row_words(inner));
        while let Some(first) = next().checked_mul(CONVERTED_ROWS).filter(|first| *first < columns) {
            let count = CONVERTED_ROWS.min(columns - first);
            // SAFETY: `first + count` is at most `columns`, so that the pointers are valid by `run_chunks`'s condition. No other chunk has
            // these columns, and the scratch has `count` rows of `stride` numbers.
            unsafe {
                for row in 0..count {
                    convert_row(
                        scratch.add(row * stride),
                        self.words.add((first + row) * row_words),
                        self.format,
                        inner,
                    );
                }
                let left = RawMatrix { data: self.x, row_stride: inner, column_stride: 1 };
                let right = RawMatrix { data: scratch, row_stride: 1, column_stride: stride };
                multiply(self.out.add(first), columns, left, right, [rows, inner, count], 1.0);
            }
        }
    }
}

/// See [`ConvertedGemmJob`]. Panics if a slice is smaller than its shape.
pub fn convert_and_multiply(out: &mut [f32], x: &[f32], (format, words): (QuantisedFormat, &[u32]), shape: [usize; 3]) {
    let [rows, inner, columns] = shape;
    assert!(out.len() >= rows * columns && x.len() >= rows * inner, "a matrix is smaller than its shape");
    assert!(words.len() >= columns * format.row_words(inner), "the weight is smaller than its shape");
    let job = ConvertedGemmJob { out: out.as_mut_ptr(), x: x.as_ptr(), words: words.as_ptr(), format, shape };
    // SAFETY: the slices have all numbers of their shapes, and `out` is borrowed mutably.
    unsafe { run(&job) }
}

/// out = scale · left · right.
///
/// # Safety
/// `left` has (rows, inner) and `right` (inner, columns) readable numbers at their strides, and `out` has (rows, columns) writable ones, its
/// rows `out_stride` apart. `out` overlaps neither.
unsafe fn multiply(
    out: *mut f32,
    out_stride: usize,
    left: RawMatrix,
    right: RawMatrix,
    [rows, inner, columns]: [usize; 3],
    scale: f32,
) {
    // SAFETY: by this function's condition.
    unsafe {
        ::gemm::gemm(
            rows,
            columns,
            inner,
            out,
            1,
            out_stride as isize,
            false,
            left.data,
            left.column_stride as isize,
            left.row_stride as isize,
            right.data,
            right.column_stride as isize,
            right.row_stride as isize,
            0.0,
            scale,
            false,
            false,
            false,
            ::gemm::Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::chunk_columns;

    #[test]
    fn chunks_are_even_in_number_where_their_size_allows() {
        for (shape, each) in [
            ([128, 576, 576], 48),
            ([128, 576, 960], 48),
            ([128, 576, 3072], 64),
            ([33, 64, 3000], 256),
            // One chunk, and three that no size makes four.
            ([128, 576, 40], 64),
            ([128, 576, 129], 64),
        ] {
            assert_eq!(chunk_columns(shape), each, "{shape:?}");
        }
    }
}
