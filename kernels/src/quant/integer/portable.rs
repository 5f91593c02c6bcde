//! Dot products of blocks in plain Rust, for processors that have no code of their own.

use super::block::{Block, SUM_LANES};
use super::products::BlockProducts;
use crate::quant::QuantisedFormat;
use crate::simd::F32x4;

/// Products without special instructions.
pub struct Portable;

// SAFETY: it needs no special instructions.
unsafe impl BlockProducts for Portable {
    type Weights = [i8; QuantisedFormat::BLOCK];
    type Sums = [f32; SUM_LANES];
    const ROWS: usize = 2;

    #[inline(always)]
    unsafe fn zero() -> Self::Sums {
        [0.0; SUM_LANES]
    }

    #[inline(always)]
    unsafe fn int8(words: *const u32) -> Self::Weights {
        // SAFETY: the caller guarantees 8 readable words, which are 32 bytes.
        unsafe { words.cast::<Self::Weights>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn int4(words: *const u32) -> Self::Weights {
        // SAFETY: the caller guarantees 4 readable words, which are 16 bytes.
        let bytes = unsafe { words.cast::<[u8; 16]>().read_unaligned() };
        std::array::from_fn(|at| match at.checked_sub(bytes.len()) {
            None => (bytes[at] << 4) as i8 >> 4,
            Some(at) => bytes[at] as i8 >> 4,
        })
    }

    #[inline(always)]
    unsafe fn add_product<const BITS: usize>(
        sums: Self::Sums,
        weights: Self::Weights,
        x: &Block,
        scale: f32,
    ) -> Self::Sums {
        std::array::from_fn(|lane| {
            let products = (4 * lane..4 * lane + 4).map(|at| i32::from(weights[at]) * i32::from(x.integers[at]));
            sums[lane] + products.sum::<i32>() as f32 * scale
        })
    }

    #[inline(always)]
    unsafe fn total(sums: Self::Sums) -> f32 {
        sums.into_iter().sum()
    }

    #[inline(always)]
    unsafe fn convert_f16(halves: *const u32, numbers: *mut f32, count: usize) {
        let mut at = 0;
        while at < count {
            // SAFETY: `at < count`.
            unsafe { *numbers.add(at) = F32x4::splat_f16(halves, at).to_array()[0] };
            at += 1;
        }
    }

    #[inline(always)]
    unsafe fn prefetch(_address: *const u32) {}
}
