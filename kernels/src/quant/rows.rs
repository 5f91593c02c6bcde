//! Rows of a quantised weight: multiplied as they are read, and dequantised, by rows or as a panel.
//!
//! No statics, no allocation, no panics: workers run this code without a stack.

use super::format::QuantisedFormat;
use crate::gemm::{PANEL, interleave_rows};
use crate::simd::F32x4;

/// Partial sums of a dot product, so that no step waits for the one before.
const SUMS: usize = 4;

/// out = x · weightᵀ, a GEMV. x: (inner, padded with 0 to whole blocks of [`QuantisedFormat::BLOCK`]), words: (columns, row_words),
/// out: (columns).
///
/// # Safety
/// `x` and `words` are readable and `out` is writable for these shapes; `out` overlaps neither.
#[inline(never)]
pub unsafe fn quantised_gemv(
    (out, columns): (*mut f32, usize),
    x: *const f32,
    (words, row_words): (*const u32, usize),
    (format, inner): (QuantisedFormat, usize),
) {
    let (vectors, blocks) = (inner.div_ceil(F32x4::LANES), inner.div_ceil(QuantisedFormat::BLOCK));
    let rows = (words, row_words, columns);
    // SAFETY: each row has `vectors` vectors or `blocks` blocks of its format, and the padding of `x` gives it as many numbers.
    unsafe {
        match format {
            QuantisedFormat::F16 => {
                for_each_row(out, rows, |row| dot_halves(row, x, vectors, F32x4::load_16_f16, F32x4::load_f16));
            }
            QuantisedFormat::BF16 => {
                for_each_row(out, rows, |row| dot_halves(row, x, vectors, F32x4::load_16_bf16, F32x4::load_bf16));
            }
            QuantisedFormat::Int8 => {
                for_each_row(out, rows, |row| dot_blocks::<8>(row, x, blocks, F32x4::load_16_int8));
            }
            QuantisedFormat::Int4 => {
                for_each_row(out, rows, |row| dot_blocks::<4>(row, x, blocks, F32x4::load_16_int4));
            }
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

/// The dot product with `blocks` blocks of WORDS words and, after them, their scales.
///
/// # Safety
/// `words` has `blocks` readable blocks and scales, `x` has `32 · blocks` numbers. `load_16` requires no more than WORDS / 2 readable
/// words.
#[inline(always)]
unsafe fn dot_blocks<const WORDS: usize>(
    words: *const u32,
    mut x: *const f32,
    blocks: usize,
    load_16: unsafe fn(*const u32) -> [F32x4; SUMS],
) -> f32 {
    let mut sums = [F32x4::ZERO; SUMS];
    let mut block = 0;
    // SAFETY: `block < blocks`; a block is two loads of 16 numbers, and eight vectors of x.
    unsafe {
        let scales = words.add(blocks * WORDS);
        while block < blocks {
            let at = words.add(block * WORDS);
            let (first, second) = (load_16(at), load_16(at.add(WORDS / 2)));
            let scale = F32x4::splat_f16(scales, block);
            for (at, sum) in sums.iter_mut().enumerate() {
                let (x_first, x_second) =
                    (F32x4::load(x.add(at * F32x4::LANES)), F32x4::load(x.add((SUMS + at) * F32x4::LANES)));
                *sum = sum.plus_product(first[at].times(x_first).plus_product(second[at], x_second), scale);
            }
            (block, x) = (block + 1, x.add(QuantisedFormat::BLOCK));
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

/// Dequantises a row with its padding.
///
/// # Safety
/// `words` has the readable words of a row of `inner` numbers, and `row` as many writable numbers, up to whole blocks of
/// [`QuantisedFormat::BLOCK`].
#[inline(never)]
pub unsafe fn dequantise_row(row: *mut f32, words: *const u32, (format, inner): (QuantisedFormat, usize)) {
    let (vectors, blocks) = (inner.div_ceil(F32x4::LANES), inner.div_ceil(QuantisedFormat::BLOCK));
    // SAFETY: the row has `vectors` vectors of two words, or `blocks` blocks and their scales.
    unsafe {
        match format {
            QuantisedFormat::F16 => store_vectors(row, vectors, |at| F32x4::load_f16(words.add(2 * at))),
            QuantisedFormat::BF16 => store_vectors(row, vectors, |at| F32x4::load_bf16(words.add(2 * at))),
            QuantisedFormat::Int8 => {
                store_blocks(row, (words, 8), blocks, |words, at| F32x4::load_int8(words.add(at)));
            }
            QuantisedFormat::Int4 => store_blocks(row, (words, 4), blocks, |words, at| F32x4::load_int4(words, at)),
        }
    }
}

/// # Safety
/// `row` has `4 · vectors` writable numbers, and `vector` may be called with every number below `vectors`.
#[inline(always)]
unsafe fn store_vectors(row: *mut f32, vectors: usize, vector: impl Fn(usize) -> F32x4) {
    let mut at = 0;
    while at < vectors {
        // SAFETY: `at < vectors`.
        unsafe { vector(at).store(row.add(at * F32x4::LANES)) };
        at += 1;
    }
}

/// # Safety
/// `row` has `32 · blocks` writable numbers; `words` has `blocks` readable blocks of `block_words` words, and their scales after them.
#[inline(always)]
unsafe fn store_blocks(
    row: *mut f32,
    (words, block_words): (*const u32, usize),
    blocks: usize,
    vector: impl Fn(*const u32, usize) -> F32x4,
) {
    let mut block = 0;
    while block < blocks {
        // SAFETY: as `block < blocks`, the row has 32 numbers there, `words` a block and, after all blocks, its scale.
        unsafe {
            let scale = F32x4::splat_f16(words.add(blocks * block_words), block);
            let words = words.add(block * block_words);
            let row = row.add(block * QuantisedFormat::BLOCK);
            store_vectors(row, QuantisedFormat::BLOCK / F32x4::LANES, |at| vector(words, at).times(scale));
        }
        block += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::f16;

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
                // SAFETY: all vectors have the lengths of their shapes.
                unsafe { quantised_gemv((found.as_mut_ptr(), columns), x.as_ptr(), rows, (format, inner)) };
                let (mut panel, mut scratch) = (vec![7.0; inner * PANEL], vec![7.0; x.len() * PANEL]);
                // SAFETY: `words` has `columns` rows of `row_words`; the panel has `inner` rows of PANEL numbers, scratch PANEL rows of the
                // blocks' length.
                unsafe {
                    dequantise_panel((panel.as_mut_ptr(), scratch.as_mut_ptr()), rows, columns, (format, inner));
                }
                for (column, (found, words)) in found.iter().zip(words.chunks_exact(row_words)).enumerate() {
                    format.dequantise(words, &mut row);
                    let expected: f64 = row.iter().zip(&x).map(|(w, x)| f64::from(*w) * f64::from(*x)).sum();
                    let of: f64 = row.iter().zip(&x).map(|(w, x)| f64::from((w * x).abs())).sum();
                    let off = (f64::from(*found) - expected).abs();
                    assert!(off <= 1e-6 * of, "{format:?} of {inner}: {found}, not {expected}");
                    let column_of_panel: Vec<f32> =
                        panel.iter().skip(column).step_by(PANEL).take(inner).copied().collect();
                    assert_eq!(column_of_panel, row, "{format:?}: row {column} of a panel");
                }
            }
        }
    }

    #[test]
    fn every_finite_half_and_every_number_of_a_block_is_exact() {
        for bits in (0..=u16::MAX).filter(|bits| bits & 0x7c00 != 0x7c00) {
            let word = u32::from(bits) << 16;
            // SAFETY: the arrays have two words and one.
            let [found, all] = unsafe { [F32x4::load_f16([word, 0].as_ptr()), F32x4::splat_f16([word].as_ptr(), 1)] };
            let expected = f16::from_bits(bits).to_f32().to_bits();
            assert_eq!(found.to_array()[1].to_bits(), expected, "{bits:04x}");
            assert_eq!(all.to_array().map(f32::to_bits), [expected; F32x4::LANES]);
        }
        for byte in 0..=u8::MAX {
            let words = [0, 0, 0, u32::from(byte) << 8];
            // SAFETY: four words are left for the first load, two for the second.
            let (bytes, halves) =
                unsafe { (F32x4::load_16_int8(words.as_ptr()), F32x4::load_16_int4(words[2..].as_ptr())) };
            assert_eq!(bytes[3].to_array()[1], f32::from(byte as i8));
            let [low, high] = [(byte << 4) as i8 >> 4, byte as i8 >> 4].map(f32::from);
            assert_eq!(halves[2].to_array()[2..], [low, high]);
            // SAFETY: one word is left for the first load, two for the second.
            let (bytes, halves) =
                unsafe { (F32x4::load_int8(words[3..].as_ptr()), F32x4::load_int4(words[2..].as_ptr(), 2)) };
            assert_eq!(bytes.to_array()[1], f32::from(byte as i8));
            assert_eq!(halves.to_array()[2..], [low, high]);
        }
    }
}
