//! WebAssembly's products with a quantised weight: rows of f16 or bf16 multiplied as they are read, and rows dequantised as a panel. Native
//! tests run them, too.
//!
//! No statics, no allocation, no panics: workers run this code without a stack.

use super::format::QuantisedFormat;
use super::rows::dequantise_row;
use crate::gemm::{PANEL, interleave_rows};
use crate::simd::F32x4;

/// Partial sums of a dot product, so that no step waits for the one before.
const SUMS: usize = 4;

/// out = x · weightᵀ, a GEMV with an f16 weight, or bf16. x: (inner, padded with 0 to whole vectors), words: (columns, row_words), out:
/// (columns).
///
/// # Safety
/// `x` and `words` are readable and `out` is writable for these shapes; `out` overlaps neither.
#[inline(never)]
pub unsafe fn half_gemv(
    (out, columns): (*mut f32, usize),
    x: *const f32,
    (words, row_words): (*const u32, usize),
    (format, inner): (QuantisedFormat, usize),
) {
    let vectors = inner.div_ceil(F32x4::LANES);
    let rows = (words, row_words, columns);
    // SAFETY: each row has `vectors` vectors, and the padding of `x` gives it as many numbers.
    unsafe {
        if format == QuantisedFormat::BF16 {
            for_each_row(out, rows, |row| dot_halves(row, x, vectors, F32x4::load_16_bf16, F32x4::load_bf16));
        } else {
            for_each_row(out, rows, |row| dot_halves(row, x, vectors, F32x4::load_16_f16, F32x4::load_f16));
        }
    }
}

/// # Safety
/// `out` has `columns` writable numbers. `words + column · row_words` is in bounds for each column, and has a row that `dot` can read.
#[inline(always)]
unsafe fn for_each_row(
    out: *mut f32,
    (words, row_words, columns): (*const u32, usize, usize),
    dot: impl Fn(*const u32) -> f32,
) {
    let mut column = 0;
    while column < columns {
        // SAFETY: `column < columns`.
        unsafe { *out.add(column) = dot(words.add(column * row_words)) };
        column += 1;
    }
}

/// The dot product with `vectors` vectors of 16-bit numbers.
///
/// # Safety
/// `x` has `4 · vectors` readable numbers, `words` half as many words. `load_16` requires no more than 8 readable words, `load_4` than 2.
#[inline(always)]
unsafe fn dot_halves(
    mut words: *const u32,
    mut x: *const f32,
    mut vectors: usize,
    load_16: unsafe fn(*const u32) -> [F32x4; SUMS],
    load_4: unsafe fn(*const u32) -> F32x4,
) -> f32 {
    let mut sums = [F32x4::ZERO; SUMS];
    // SAFETY: `vectors` counts the vectors that are left: four of them, or one, before each load.
    unsafe {
        while vectors >= SUMS {
            for (at, (sum, numbers)) in sums.iter_mut().zip(load_16(words)).enumerate() {
                *sum = sum.plus_product(numbers, F32x4::load(x.add(at * F32x4::LANES)));
            }
            let count = SUMS * F32x4::LANES;
            (words, x, vectors) = (words.add(count / 2), x.add(count), vectors - SUMS);
        }
        while vectors > 0 {
            sums[0] = sums[0].plus_product(load_4(words), F32x4::load(x));
            (words, x, vectors) = (words.add(F32x4::LANES / 2), x.add(F32x4::LANES), vectors - 1);
        }
    }
    total(sums)
}

#[inline(always)]
fn total([a, b, c, d]: [F32x4; SUMS]) -> f32 {
    a.plus(b).plus(c.plus(d)).sum()
}

/// Dequantises eight rows as a panel: number (row, k) goes to `k · 8 + row`. The last row stands in for missing ones.
///
/// words: (rows, row_words), panel: (inner, 8), scratch: (8, inner up to whole blocks of [`QuantisedFormat::BLOCK`]).
///
/// # Safety
/// `rows >= 1`; `words` is readable and `panel` and `scratch` are writable for these shapes and overlap nothing.
#[inline(never)]
pub unsafe fn dequantise_panel(
    (panel, scratch): (*mut f32, *mut f32),
    (words, row_words): (*const u32, usize),
    rows: usize,
    (format, inner): (QuantisedFormat, usize),
) {
    let (count, stride) = (PANEL.min(rows), inner.next_multiple_of(QuantisedFormat::BLOCK));
    let mut row = 0;
    // SAFETY: `row < count <= rows`, and scratch has eight rows of `stride` numbers, of which the first `count >= 1` are written.
    unsafe {
        while row < count {
            dequantise_row(scratch.add(row * stride), words.add(row * row_words), (format, inner));
            row += 1;
        }
        interleave_rows(panel, PANEL, scratch, stride, count, inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_sums_of_the_dequantised_numbers() {
        for format in QuantisedFormat::ALL {
            for inner in [1, 3, 4, 7, 16, 31, 32, 33, 64, 95, 96, 97, 576] {
                let (columns, row_words) = (5, format.row_words(inner));
                let mut words = vec![0; columns * row_words];
                let weight: Vec<f32> = (0..columns * inner).map(|at| ((at * 37) as f32).sin() * 3.0).collect();
                for (row, words) in weight.chunks_exact(inner).zip(words.chunks_exact_mut(row_words)) {
                    assert!(format.quantise(row, words));
                }
                let mut x: Vec<f32> = (0..inner).map(|at| ((at * 53) as f32).cos()).collect();
                x.resize(inner.next_multiple_of(QuantisedFormat::BLOCK), 0.0);
                let (mut found, mut row) = (vec![7.0; columns], vec![0.0; inner]);
                let rows = (words.as_ptr(), row_words);
                if format.block_words().is_none() {
                    // SAFETY: all vectors have the lengths of their shapes.
                    unsafe { half_gemv((found.as_mut_ptr(), columns), x.as_ptr(), rows, (format, inner)) };
                }
                let (mut panel, mut scratch) = (vec![7.0; inner * PANEL], vec![7.0; x.len() * PANEL]);
                // SAFETY: `words` has `columns` rows of `row_words`; the panel has `inner` rows of PANEL numbers, scratch PANEL rows of the
                // blocks' length.
                unsafe {
                    dequantise_panel((panel.as_mut_ptr(), scratch.as_mut_ptr()), rows, columns, (format, inner));
                }
                for (column, words) in words.chunks_exact(row_words).enumerate() {
                    format.dequantise(words, &mut row);
                    let column_of_panel: Vec<f32> =
                        panel.iter().skip(column).step_by(PANEL).take(inner).copied().collect();
                    assert_eq!(column_of_panel, row, "{format:?}: row {column} of a panel");
                    if format.block_words().is_some() {
                        continue;
                    }
                    let found = found[column];
                    let expected: f64 = row.iter().zip(&x).map(|(w, x)| f64::from(*w) * f64::from(*x)).sum();
                    let of: f64 = row.iter().zip(&x).map(|(w, x)| f64::from((w * x).abs())).sum();
                    let off = (f64::from(found) - expected).abs();
                    assert!(off <= 1e-6 * of, "{format:?} of {inner}: {found}, not {expected}");
                }
            }
        }
    }
}
