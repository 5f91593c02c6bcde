//! The widest vectors of f32 that kernels of native programs use, by processor.

use super::F32x4;

/// Vectors of f32 on one kind of processor.
///
/// # Safety
/// Every function may be called only on a processor that has the type's instructions, and is inlined into code that is compiled for them.
pub unsafe trait NativeVectors {
    /// [`NativeVectors::LANES`] numbers.
    type Vector: Copy;
    /// Numbers of a vector.
    const LANES: usize;
    /// Rows of x, at most four, that a product takes at a time, as registers allow.
    const ROWS: usize;

    /// 0 in all lanes.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn zero() -> Self::Vector;

    /// # Safety
    /// That of the trait, and a vector of f32 is readable; it need not be aligned.
    unsafe fn load(numbers: *const f32) -> Self::Vector;

    /// # Safety
    /// That of the trait, and a vector of finite f16 is readable.
    unsafe fn load_f16(numbers: *const u16) -> Self::Vector;

    /// # Safety
    /// That of the trait, and a vector of bf16 is readable.
    unsafe fn load_bf16(numbers: *const u16) -> Self::Vector;

    /// # Safety
    /// That of the trait, and room for a vector of f32 is writable.
    unsafe fn store(vector: Self::Vector, numbers: *mut f32);

    /// sums + x · w, rounded once or twice.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn plus_product(sums: Self::Vector, x: Self::Vector, w: Self::Vector) -> Self::Vector;

    /// The sum of the lanes.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn total(sums: Self::Vector) -> f32;

    /// Asks for the memory at `address`, which need not be readable.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn prefetch<T>(address: *const T);
}

/// What every processor of the architecture has.
pub struct BaselineVectors;

// SAFETY: it needs no special instructions.
unsafe impl NativeVectors for BaselineVectors {
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

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2Vectors, Avx512Vectors};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::NativeVectors;
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
}
