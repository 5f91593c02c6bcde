//! Vectors of f32 on AArch64, whose processors all have NEON.

use super::native::NativeVectors;
use std::arch::aarch64::*;
use std::arch::asm;

/// NEON.
pub struct NeonVectors;

// SAFETY: every processor of the architecture has the instructions.
unsafe impl NativeVectors for NeonVectors {
    type Vector = float32x4_t;
    const LANES: usize = 4;
    const ROWS: usize = 4;

    #[inline(always)]
    unsafe fn zero() -> float32x4_t {
        // SAFETY: the architecture has the instruction.
        unsafe { vdupq_n_f32(0.0) }
    }

    #[inline(always)]
    unsafe fn load(numbers: *const f32) -> float32x4_t {
        // SAFETY: the caller guarantees four numbers; the load needs no alignment.
        unsafe { vld1q_f32(numbers) }
    }

    #[inline(always)]
    unsafe fn load_f16(numbers: *const u16) -> float32x4_t {
        let converted;
        // SAFETY: the caller guarantees four numbers, and neither instruction needs alignment. The standard library has the conversion only
        // with the type f16, which is not stable.
        unsafe {
            asm!(
                "fcvtl {converted:v}.4s, {halves:v}.4h",
                converted = lateout(vreg) converted,
                halves = in(vreg) vld1_u16(numbers),
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        converted
    }

    #[inline(always)]
    unsafe fn load_bf16(numbers: *const u16) -> float32x4_t {
        // SAFETY: the caller guarantees four numbers; the load needs no alignment.
        unsafe { vreinterpretq_f32_u32(vshll_n_u16::<16>(vld1_u16(numbers))) }
    }

    #[inline(always)]
    unsafe fn store(vector: float32x4_t, numbers: *mut f32) {
        // SAFETY: the caller guarantees room for four numbers; the store needs no alignment.
        unsafe { vst1q_f32(numbers, vector) }
    }

    #[inline(always)]
    unsafe fn plus_product(sums: float32x4_t, x: float32x4_t, w: float32x4_t) -> float32x4_t {
        // SAFETY: the architecture has the instruction.
        unsafe { vfmaq_f32(sums, x, w) }
    }

    #[inline(always)]
    unsafe fn total(sums: float32x4_t) -> f32 {
        // SAFETY: the architecture has the instruction.
        unsafe { vaddvq_f32(sums) }
    }

    #[inline(always)]
    unsafe fn prefetch<T>(address: *const T) {
        // SAFETY: a prefetch reads nothing that the program could notice.
        unsafe { asm!("prfm pldl1keep, [{}]", in(reg) address, options(readonly, nostack, preserves_flags)) };
    }
}
