//! Rows of a quantised weight, dequantised.
//!
//! No statics, no allocation, no panics: workers run this code without a stack.

use super::format::QuantisedFormat;
use crate::simd::F32x4;

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
            let [low, high] = [(byte << 4) as i8 >> 4, byte as i8 >> 4].map(f32::from);
            // SAFETY: one word is left for the first load, two for the second.
            let (bytes, halves) =
                unsafe { (F32x4::load_int8(words[3..].as_ptr()), F32x4::load_int4(words[2..].as_ptr(), 2)) };
            assert_eq!(bytes.to_array()[1], f32::from(byte as i8));
            assert_eq!(halves.to_array()[2..], [low, high]);
        }
    }
}
