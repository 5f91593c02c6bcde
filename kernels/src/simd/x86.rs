//! Vectors of f32 on x86-64.

use super::native::NativeVectors;
use std::arch::x86_64::*;

/// The instructions of [`Processor::Avx2`](crate::processor::Processor::Avx2).
pub struct Avx2Vectors;

// SAFETY: its functions use what the set has.
unsafe impl NativeVectors for Avx2Vectors {
    type Vector = __m256;
    const LANES: usize = 8;
    const ROWS: usize = 3;

    #[inline(always)]
    unsafe fn zero() -> __m256 {
        // SAFETY: the caller guarantees the instructions.
        unsafe { _mm256_setzero_ps() }
    }

    #[inline(always)]
    unsafe fn load(numbers: *const f32) -> __m256 {
        // SAFETY: the caller guarantees the instructions and eight numbers; the load needs no alignment.
        unsafe { _mm256_loadu_ps(numbers) }
    }

    #[inline(always)]
    unsafe fn load_f16(numbers: *const u16) -> __m256 {
        // SAFETY: the caller guarantees the instructions and eight numbers; the load needs no alignment.
        unsafe { _mm256_cvtph_ps(_mm_loadu_si128(numbers.cast())) }
    }

    #[inline(always)]
    unsafe fn load_bf16(numbers: *const u16) -> __m256 {
        // SAFETY: the caller guarantees the instructions and eight numbers; the load needs no alignment.
        unsafe {
            let bits = _mm256_cvtepu16_epi32(_mm_loadu_si128(numbers.cast()));
            _mm256_castsi256_ps(_mm256_slli_epi32::<16>(bits))
        }
    }

    #[inline(always)]
    unsafe fn store(vector: __m256, numbers: *mut f32) {
        // SAFETY: the caller guarantees the instructions and room for eight numbers; the store needs no alignment.
        unsafe { _mm256_storeu_ps(numbers, vector) }
    }

    #[inline(always)]
    unsafe fn plus_product(sums: __m256, x: __m256, w: __m256) -> __m256 {
        // SAFETY: the caller guarantees the instructions.
        unsafe { _mm256_fmadd_ps(x, w, sums) }
    }

    #[inline(always)]
    unsafe fn total(sums: __m256) -> f32 {
        // SAFETY: the caller guarantees the instructions.
        unsafe {
            let four = _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps::<1>(sums));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
        }
    }

    #[inline(always)]
    unsafe fn prefetch<T>(address: *const T) {
        // SAFETY: a prefetch reads nothing that the program could notice.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
}

/// AVX-512F, which [`Processor::Vnni`](crate::processor::Processor::Vnni) has.
pub struct Avx512Vectors;

// SAFETY: its functions use what the set has.
unsafe impl NativeVectors for Avx512Vectors {
    type Vector = __m512;
    const LANES: usize = 16;
    const ROWS: usize = 4;

    #[inline(always)]
    unsafe fn zero() -> __m512 {
        // SAFETY: the caller guarantees the instructions.
        unsafe { _mm512_setzero_ps() }
    }

    #[inline(always)]
    unsafe fn load(numbers: *const f32) -> __m512 {
        // SAFETY: the caller guarantees the instructions and 16 numbers; the load needs no alignment.
        unsafe { _mm512_loadu_ps(numbers) }
    }

    #[inline(always)]
    unsafe fn load_f16(numbers: *const u16) -> __m512 {
        // SAFETY: the caller guarantees the instructions and 16 numbers; the load needs no alignment.
        unsafe { _mm512_cvtph_ps(_mm256_loadu_si256(numbers.cast())) }
    }

    #[inline(always)]
    unsafe fn load_bf16(numbers: *const u16) -> __m512 {
        // SAFETY: the caller guarantees the instructions and 16 numbers; the load needs no alignment.
        unsafe {
            let bits = _mm512_cvtepu16_epi32(_mm256_loadu_si256(numbers.cast()));
            _mm512_castsi512_ps(_mm512_slli_epi32::<16>(bits))
        }
    }

    #[inline(always)]
    unsafe fn store(vector: __m512, numbers: *mut f32) {
        // SAFETY: the caller guarantees the instructions and room for 16 numbers; the store needs no alignment.
        unsafe { _mm512_storeu_ps(numbers, vector) }
    }

    #[inline(always)]
    unsafe fn plus_product(sums: __m512, x: __m512, w: __m512) -> __m512 {
        // SAFETY: the caller guarantees the instructions.
        unsafe { _mm512_fmadd_ps(x, w, sums) }
    }

    #[inline(always)]
    unsafe fn total(sums: __m512) -> f32 {
        // SAFETY: the caller guarantees the instructions.
        unsafe { _mm512_reduce_add_ps(sums) }
    }

    #[inline(always)]
    unsafe fn prefetch<T>(address: *const T) {
        // SAFETY: a prefetch reads nothing that the program could notice.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
}
