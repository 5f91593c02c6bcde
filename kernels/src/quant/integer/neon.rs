//! Dot products of blocks on AArch64.

use super::block::Block;
use super::products::{BlockProducts, convert_f16};
use crate::simd::{NativeVectors, NeonVectors};
use std::arch::aarch64::*;
use std::arch::asm;

/// Products on NEON's vectors: with the instructions of [`Processor::DotProduct`](crate::processor::Processor::DotProduct) if
/// `DOT_PRODUCT`, else with those that every processor has.
pub struct Neon<const DOT_PRODUCT: bool>;

// SAFETY: its functions use instructions of these processors only.
unsafe impl<const DOT_PRODUCT: bool> BlockProducts for Neon<DOT_PRODUCT> {
    type Weights = [int8x16_t; 2];
    type Sums = float32x4_t;
    const ROWS: usize = 4;

    #[inline(always)]
    unsafe fn zero() -> float32x4_t {
        // SAFETY: the architecture has the instruction.
        unsafe { vdupq_n_f32(0.0) }
    }

    #[inline(always)]
    unsafe fn int8(words: *const u32) -> [int8x16_t; 2] {
        let bytes = words.cast::<i8>();
        // SAFETY: the caller guarantees 32 readable bytes; the loads need no alignment.
        unsafe { [vld1q_s8(bytes), vld1q_s8(bytes.add(16))] }
    }

    #[inline(always)]
    unsafe fn int4(words: *const u32) -> [int8x16_t; 2] {
        // SAFETY: the caller guarantees 16 readable bytes; the load needs no alignment.
        unsafe {
            let bytes = vld1q_s8(words.cast());
            [vshrq_n_s8::<4>(vshlq_n_s8::<4>(bytes)), vshrq_n_s8::<4>(bytes)]
        }
    }

    #[inline(always)]
    unsafe fn add_product<const BITS: usize>(
        sums: float32x4_t,
        [w_low, w_high]: [int8x16_t; 2],
        x: &Block,
        scale: f32,
    ) -> float32x4_t {
        let integers = x.integers.as_ptr();
        // SAFETY: a block has 32 integers, and the caller guarantees the instructions.
        unsafe {
            let (x_low, x_high) = (vld1q_s8(integers), vld1q_s8(integers.add(16)));
            let product = if DOT_PRODUCT {
                dot(dot(vdupq_n_s32(0), w_low, x_low), w_high, x_high)
            } else {
                vaddq_s32(vpaddlq_s16(sums_of_two(w_low, x_low)), vpaddlq_s16(sums_of_two(w_high, x_high)))
            };
            vfmaq_n_f32(sums, vcvtq_f32_s32(product), scale)
        }
    }

    #[inline(always)]
    unsafe fn total(sums: float32x4_t) -> f32 {
        // SAFETY: by this function's condition.
        unsafe { NeonVectors::total(sums) }
    }

    #[inline(always)]
    unsafe fn convert_f16(halves: *const u32, numbers: *mut f32, count: usize) {
        // SAFETY: by this function's condition.
        unsafe { convert_f16::<NeonVectors>(halves, numbers, count) }
    }

    #[inline(always)]
    unsafe fn prefetch(address: *const u32) {
        // SAFETY: by this function's condition.
        unsafe { NeonVectors::prefetch(address) }
    }
}

/// sums + the products of 16 bytes, four neighbours added into a lane.
///
/// # Safety
/// The processor has the dot products of [`Processor::DotProduct`](crate::processor::Processor::DotProduct).
#[inline(always)]
unsafe fn dot(mut sums: int32x4_t, w: int8x16_t, x: int8x16_t) -> int32x4_t {
    // SAFETY: the caller guarantees the instruction. The standard library's function for it is not stable. The directive lets the assembler take it,
    // should the compiler emit this function by itself.
    unsafe {
        asm!(
            ".arch_extension dotprod",
            "sdot {sums:v}.4s, {w:v}.16b, {x:v}.16b",
            sums = inout(vreg) sums,
            w = in(vreg) w,
            x = in(vreg) x,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sums
}

/// The products of 16 bytes above −128, those of bytes i and i + 8 added: at most 2 · 127², which fits into 16 bits.
///
/// # Safety
/// None beyond that of the intrinsics, which the architecture has.
#[inline(always)]
unsafe fn sums_of_two(w: int8x16_t, x: int8x16_t) -> int16x8_t {
    // SAFETY: the architecture has the instructions.
    unsafe { vmlal_s8(vmull_s8(vget_low_s8(w), vget_low_s8(x)), vget_high_s8(w), vget_high_s8(x)) }
}
