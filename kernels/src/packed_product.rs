//! A product with a packed weight as a [`Job`](super::job::Job): of a row or two of x with numbers that are unpacked where they are multiplied, of more
//! rows with panels that each thread unpacks in its own room.

use super::job::{Work, have_done};
use super::packed::PackedFormat;
use super::packed_rows::{multiply_packed_row, unpack_panel};
use super::panels::{ROWS, WIDTH, multiply_block};
use super::product::{End, Ending};
use super::row_products::REPAYING;

/// Numbers of the weight, 256 KB, that are unpacked at once for all rows of x: they stay in the second cache.
const STRETCH: usize = 1 << 16;

/// Multiplications of a chunk, at least.
const CHUNK: u64 = 1 << 16;

/// Chunks of a product, about, so that threads end together.
const CHUNKS: u64 = 32;

/// Multiplications that take as long as what a number is unpacked by.
const UNPACKING: usize = 3;

/// out = end(x · weightᵀ).
#[repr(C)]
pub struct PackedProduct {
    /// (rows, columns).
    pub out: *mut f32,
    /// (rows, inner), its rows so many numbers apart; where it is fewer than [`REPAYING`] rows, with 0 behind each up to whole blocks of [`PackedFormat::BLOCK`].
    pub x: *const f32,
    pub x_stride: usize,
    /// (columns, row_words).
    pub words: *const u32,
    pub row_words: usize,
    pub format: PackedFormat,
    pub rows: usize,
    pub inner: usize,
    pub columns: usize,
    /// Of whole panels; what is left of columns the caller ends.
    pub end: End,
}

impl PackedProduct {
    /// Multiplications, or what takes as long.
    pub fn work(&self) -> u64 {
        (self.rows + UNPACKING) as u64 * (self.inner * self.columns) as u64
    }

    /// Rows of a panel: inner in whole blocks.
    #[inline(always)]
    fn depth(&self) -> usize {
        self.inner.next_multiple_of(PackedFormat::BLOCK)
    }

    /// Panels that a thread has room for.
    #[inline(always)]
    fn at_once(&self) -> usize {
        // Checked: the module that threads run has no data, and so no panic to speak of.
        (STRETCH / WIDTH).checked_div(self.depth()).unwrap_or(1).max(1).min(self.columns.div_ceil(WIDTH))
    }

    /// Numbers that a thread needs room for: panels, and eight unpacked rows, in whose place come rows of x beside each other and what a last panel makes.
    pub fn room(&self) -> usize {
        if self.rows < REPAYING {
            return 0;
        }
        (self.at_once() + 1) * WIDTH * self.depth()
    }

    /// Panels of a chunk, as so many threads cut it.
    #[inline(always)]
    fn panels(&self, threads: usize) -> usize {
        if threads == 1 {
            return self.at_once();
        }
        let panel = (self.rows + UNPACKING) as u64 * (self.inner * WIDTH) as u64;
        let work = (self.work() / CHUNKS).max(CHUNK);
        (work.checked_div(panel).unwrap_or(1) as usize).max(1).min(self.at_once())
    }

    /// Makes a chunk, as so many threads cut it; false where there is none of this number.
    ///
    /// # Safety
    /// What it describes lies there, and `room` has room for [`PackedProduct::room`] numbers.
    #[inline(always)]
    pub unsafe fn make(&self, threads: usize, chunk: usize, room: *mut f32) -> bool {
        let each = self.panels(threads) * WIDTH;
        let first = chunk * each;
        if first >= self.columns {
            return false;
        }
        let columns = each.min(self.columns - first);
        let whole = columns / WIDTH * WIDTH;
        // SAFETY: the columns are among those that the caller has there; panels are no more than there is room for.
        unsafe {
            let (out, words) = (self.out.add(first), self.words.add(first * self.row_words));
            if self.rows < REPAYING {
                let mut row = 0;
                while row < self.rows {
                    let (out, x) = (out.add(row * self.columns), self.x.add(row * self.x_stride));
                    multiply_packed_row((out, columns), x, (words, self.row_words), (self.format, self.inner));
                    row += 1;
                }
            } else {
                self.by_panels(out, words, columns, room);
            }
            let mut row = 0;
            while row < self.rows {
                let at = row * self.columns;
                self.end.follow(out.add(at), whole, (first, first + at));
                row += 1;
            }
        }
        true
    }

    /// All rows times some columns.
    ///
    /// # Safety
    /// That of [`PackedProduct::make`].
    #[inline(always)]
    unsafe fn by_panels(&self, out: *mut f32, words: *const u32, columns: usize, room: *mut f32) {
        let step = WIDTH * self.depth();
        let (whole, rest) = (columns / WIDTH, columns % WIDTH);
        // SAFETY: as the caller has it.
        unsafe {
            let spare = room.add(columns.div_ceil(WIDTH) * step);
            let mut column = 0;
            while column < columns {
                let rows = (words.add(column * self.row_words), self.row_words);
                let panel = room.add(column / WIDTH * step);
                unpack_panel((panel, spare), rows, columns - column, (self.format, self.inner));
                column += WIDTH;
            }
            let (x, plain) = ((self.x, self.x_stride), (1.0, false));
            let w = (room.cast_const(), WIDTH);
            multiply_block((out, self.columns), x, w, (step, whole), (self.rows, self.inner), plain, spare);
            if rest == 0 {
                return;
            }
            let (last, w) = (spare.add(ROWS * self.inner), (room.add(whole * step).cast_const(), WIDTH));
            let mut row = 0;
            while row < self.rows {
                let count = ROWS.min(self.rows - row);
                let x = (self.x.add(row * self.x_stride), self.x_stride);
                multiply_block((last, WIDTH), x, w, (step, 1), (count, self.inner), plain, spare);
                let mut at = 0;
                while at < count * rest {
                    let (of, column) = (at / rest, at % rest);
                    *out.add((row + of) * self.columns + whole * WIDTH + column) = *last.add(of * WIDTH + column);
                    at += 1;
                }
                row += count;
            }
        }
    }
}

/// The product with a weight in a packed format, and what follows. x: (rows, inner), words: (columns, row_words), out: (rows, columns). Panics where a
/// slice is smaller than its shape: plans have checked the shapes.
pub fn multiply_packed(
    out: &mut [f32],
    x: &[f32],
    (format, words): (PackedFormat, &[u32]),
    [rows, inner, columns]: [usize; 3],
    ending: &Ending<'_>,
) {
    let (row_words, depth) = (format.row_words(inner), inner.next_multiple_of(PackedFormat::BLOCK));
    let (out, x, words) = (&mut out[..rows * columns], &x[..rows * inner], &words[..columns * row_words]);
    let mut padded = Vec::new();
    if rows < REPAYING && depth != inner {
        padded.resize(rows * depth, 0.0);
        for (padded, x) in padded.chunks_exact_mut(depth).zip(x.chunks_exact(inner)) {
            padded[..inner].copy_from_slice(x);
        }
    }
    let (x, x_stride) = if padded.is_empty() { (x, inner) } else { (&padded[..], depth) };
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
        end: ending.addresses(columns, rows * columns),
    };
    // SAFETY: all slices are as long as their shapes; `out` is borrowed mutably.
    unsafe { have_done(Work::Packed(product)) };
    ending.follow_some(out, columns, columns / WIDTH * WIDTH..columns);
}

#[cfg(test)]
mod tests {
    use super::super::activation::Activation;
    use super::*;

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|at| ((at * 37 + seed * 11) as f32).sin()).collect()
    }

    #[test]
    fn agrees_with_plain_sums_however_it_is_cut() {
        for format in PackedFormat::ALL {
            for [rows, inner, columns] in [[1, 33, 5], [2, 301, 300], [3, 64, 8], [5, 70, 43], [9, 1200, 261]] {
                let row_words = format.row_words(inner);
                let mut words = vec![0; columns * row_words];
                let mut weight = numbers(columns * inner, 1);
                for (row, words) in weight.chunks_exact_mut(inner).zip(words.chunks_exact_mut(row_words)) {
                    assert!(format.pack(row, words));
                    format.unpack(words, row);
                }
                let x_stride = inner.next_multiple_of(PackedFormat::BLOCK);
                let mut x = numbers(rows * x_stride, 2);
                x.chunks_exact_mut(x_stride).for_each(|x| x[inner..].fill(0.0));
                let (bias, residual) = (numbers(columns, 3), numbers(rows * columns, 4));
                let activation = Some(Activation::Relu);
                let ending = Ending { bias: Some(&bias), activation, residual: Some(&residual) };
                let made = |threads: usize| {
                    let mut out = vec![7.0; rows * columns];
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
                        end: ending.addresses(columns, rows * columns),
                    };
                    let mut room = vec![f32::NAN; product.room()];
                    let mut chunks = 0;
                    // SAFETY: all lie there until it is made.
                    while unsafe { product.make(threads, chunks, room.as_mut_ptr()) } {
                        chunks += 1;
                    }
                    (out, chunks)
                };
                let ((alone, few), (shared, many)) = (made(1), made(2));
                assert_eq!(alone, shared, "{format:?}, {rows} × {inner} × {columns}");
                assert!(many > few || columns * inner < 1 << 16, "{many} chunks");
                for (at, found) in alone.iter().enumerate() {
                    let (row, column) = (at / columns, at % columns);
                    let products = || (0..inner).map(|k| f64::from(x[row * x_stride + k] * weight[column * inner + k]));
                    let mut expected = products().sum::<f64>();
                    // What is left of columns is ended by the caller.
                    if column < columns / WIDTH * WIDTH {
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
