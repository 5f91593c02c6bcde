//! Dot products of blocks in WebAssembly: with relaxed SIMD its dot product of bytes, which is exact for the numbers here, else that of
//! 16-bit integers.

use super::block::Block;
use super::products::BlockProducts;
use crate::simd::F32x4;
use std::arch::wasm32::*;

/// 128-bit vectors.
pub struct Wasm;

// SAFETY: every module is compiled for the instructions that it uses.
unsafe impl BlockProducts for Wasm {
    /// Signed bytes, but with relaxed SIMD int4's are 8 more, which makes them positive.
    type Weights = [v128; 2];
    type Sums = F32x4;
    const ROWS: usize = 1;

    #[inline(always)]
    unsafe fn zero() -> F32x4 {
        F32x4::ZERO
    }

    #[inline(always)]
    unsafe fn int8(words: *const u32) -> [v128; 2] {
        // SAFETY: the caller guarantees 8 readable words; vector loads need no alignment.
        unsafe { [v128_load(words.cast()), v128_load(words.cast::<v128>().add(1))] }
    }

    #[inline(always)]
    unsafe fn int4(words: *const u32) -> [v128; 2] {
        // The numbers plus 8.
        // SAFETY: the caller guarantees 4 readable words; vector loads need no alignment.
        let both = v128_xor(unsafe { v128_load(words.cast()) }, u8x16_splat(0x88));
        let halves = [v128_and(both, u8x16_splat(15)), u8x16_shr(both, 4)];
        if cfg!(target_feature = "relaxed-simd") { halves } else { halves.map(|half| i8x16_sub(half, i8x16_splat(8))) }
    }

    #[cfg(target_feature = "relaxed-simd")]
    #[inline(always)]
    unsafe fn add_product<const BITS: usize>(sums: F32x4, [w, w_2]: [v128; 2], x: &Block, scale: f32) -> F32x4 {
        let [a, b] = integers(x);
        // The second operand has seven bits. Two products are at most 2 · 127², which fits into 16 bits. The instruction that also adds up
        // four products gives wrong sums in V8 11.3, and LLVM takes it for a pairwise sum and another one.
        let product = if BITS == 4 {
            let pairs = i16x8_add(i16x8_relaxed_dot_i8x16_i7x16(a, w), i16x8_relaxed_dot_i8x16_i7x16(b, w_2));
            // SAFETY: the sums are four 32-bit integers.
            let sums = unsafe { v128_load(x.sums.as_ptr().cast()) };
            i32x4_sub(i32x4_extadd_pairwise_i16x8(pairs), i32x4_shl(sums, 3))
        } else {
            // x takes the signs of the weights.
            let dot = |x, w| {
                let mask = i8x16_shr(w, 7);
                let signed = i8x16_sub(v128_xor(x, mask), mask);
                i32x4_dot_i16x8(i16x8_relaxed_dot_i8x16_i7x16(signed, i8x16_abs(w)), i16x8_splat(1))
            };
            i32x4_add(dot(a, w), dot(b, w_2))
        };
        sums.plus_product(F32x4(f32x4_convert_i32x4(product)), F32x4::splat(scale))
    }

    #[cfg(not(target_feature = "relaxed-simd"))]
    #[inline(always)]
    unsafe fn add_product<const BITS: usize>(sums: F32x4, [w, w_2]: [v128; 2], x: &Block, scale: f32) -> F32x4 {
        let dot = |x, w| {
            let low = i32x4_dot_i16x8(i16x8_extend_low_i8x16(x), i16x8_extend_low_i8x16(w));
            i32x4_add(low, i32x4_dot_i16x8(i16x8_extend_high_i8x16(x), i16x8_extend_high_i8x16(w)))
        };
        let [a, b] = integers(x);
        let product = i32x4_add(dot(a, w), dot(b, w_2));
        sums.plus_product(F32x4(f32x4_convert_i32x4(product)), F32x4::splat(scale))
    }

    #[inline(always)]
    unsafe fn total(sums: F32x4) -> f32 {
        sums.sum()
    }

    #[inline(always)]
    unsafe fn convert_f16(halves: *const u32, numbers: *mut f32, count: usize) {
        let mut at = 0;
        // SAFETY: `at + 4 <= count` for four at once, else `at < count`.
        unsafe {
            while at + F32x4::LANES <= count {
                F32x4::load_f16(halves.add(at / 2)).store(numbers.add(at));
                at += F32x4::LANES;
            }
            while at < count {
                *numbers.add(at) = F32x4::splat_f16(halves, at).to_array()[0];
                at += 1;
            }
        }
    }

    /// WebAssembly has no instruction for it.
    #[inline(always)]
    unsafe fn prefetch(_address: *const u32) {}
}

#[inline(always)]
fn integers(x: &Block) -> [v128; 2] {
    let at = x.integers.as_ptr().cast::<v128>();
    // SAFETY: a block has 32 bytes of integers.
    unsafe { [v128_load(at), v128_load(at.add(1))] }
}
