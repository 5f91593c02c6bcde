//! Vectors of f32 on processors that have no code of their own.

use super::F32x4;
use super::native::NativeVectors;

/// Four numbers, which the compiler turns into instructions that every processor of the architecture has.
pub struct PortableVectors;

// SAFETY: it needs no special instructions.
unsafe impl NativeVectors for PortableVectors {
    type Vector = F32x4;
    const LANES: usize = F32x4::LANES;
    const ROWS: usize = 2;

    #[inline(always)]
    unsafe fn zero() -> F32x4 {
        F32x4::ZERO
    }

    #[inline(always)]
    unsafe fn load(numbers: *const f32) -> F32x4 {
        // SAFETY: by this function's condition.
        unsafe { F32x4::load(numbers) }
    }

    #[inline(always)]
    unsafe fn load_f16(numbers: *const u16) -> F32x4 {
        // SAFETY: by this function's condition; four 16-bit numbers are two words.
        unsafe { F32x4::load_f16(numbers.cast()) }
    }

    #[inline(always)]
    unsafe fn load_bf16(numbers: *const u16) -> F32x4 {
        // SAFETY: by this function's condition; four 16-bit numbers are two words.
        unsafe { F32x4::load_bf16(numbers.cast()) }
    }

    #[inline(always)]
    unsafe fn store(vector: F32x4, numbers: *mut f32) {
        // SAFETY: by this function's condition.
        unsafe { vector.store(numbers) }
    }

    #[inline(always)]
    unsafe fn plus_product(sums: F32x4, x: F32x4, w: F32x4) -> F32x4 {
        sums.plus_product(x, w)
    }

    #[inline(always)]
    unsafe fn total(sums: F32x4) -> f32 {
        sums.sum()
    }

    #[inline(always)]
    unsafe fn prefetch<T>(_address: *const T) {}
}
