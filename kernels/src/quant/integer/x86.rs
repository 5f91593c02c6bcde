//! Dot products of blocks on x86-64.

use super::block::Block;
use super::products::{BlockProducts, convert_f16};
use crate::simd::{Avx2Vectors, NativeVectors};
use std::arch::x86_64::*;

/// Products on vectors of 256 bits: with the instructions of [`Processor::Vnni`](crate::processor::Processor::Vnni) if `VNNI`, else of
/// [`Processor::Avx2`](crate::processor::Processor::Avx2).
pub struct X86<const VNNI: bool>;

// SAFETY: its functions use instructions of these processors only.
unsafe impl<const VNNI: bool> BlockProducts for X86<VNNI> {
    /// The instructions multiply unsigned bytes by signed ones. The weights are the unsigned ones: int4's are 8 more than they are, and for VNNI
    /// int8's 128 more.
    type Weights = __m256i;
    type Sums = __m256;
    const ROWS: usize = if VNNI { 4 } else { 2 };

    #[inline(always)]
    unsafe fn zero() -> __m256 {
        // SAFETY: the caller guarantees the instructions.
        unsafe { _mm256_setzero_ps() }
    }

    #[inline(always)]
    unsafe fn int8(words: *const u32) -> __m256i {
        // SAFETY: the caller guarantees the instructions and 32 readable bytes; the load needs no alignment.
        unsafe {
            let bytes = _mm256_loadu_si256(words.cast());
            if VNNI { _mm256_xor_si256(bytes, _mm256_set1_epi8(i8::MIN)) } else { bytes }
        }
    }

    #[inline(always)]
    unsafe fn int4(words: *const u32) -> __m256i {
        // SAFETY: the caller guarantees the instructions and 16 readable bytes.
        unsafe { half_bytes_plus_8(words) }
    }

    #[inline(always)]
    unsafe fn add_product<const BITS: usize>(sums: __m256, weights: __m256i, x: &Block, scale: f32) -> __m256 {
        // SAFETY: the caller guarantees the instructions; a block is aligned, and has 32 bytes of integers and of sums.
        unsafe {
            let integers = _mm256_load_si256(x.integers.as_ptr().cast());
            let x_sums = _mm256_load_si256(x.sums.as_ptr().cast());
            // What was added to the weights, times x.
            let offset = if BITS == 8 { _mm256_slli_epi32::<7>(x_sums) } else { _mm256_slli_epi32::<3>(x_sums) };
            let product = if VNNI {
                _mm256_dpbusd_epi32(_mm256_sub_epi32(_mm256_setzero_si256(), offset), weights, integers)
            } else if BITS == 8 {
                // x takes the signs of the weights. Two products are at most 2 · 127², which fits into 16 bits.
                let signed = _mm256_sign_epi8(integers, weights);
                _mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_abs_epi8(weights), signed), _mm256_set1_epi16(1))
            } else {
                let pairs = _mm256_maddubs_epi16(weights, integers);
                _mm256_sub_epi32(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)), offset)
            };
            _mm256_fmadd_ps(_mm256_cvtepi32_ps(product), _mm256_set1_ps(scale), sums)
        }
    }

    #[inline(always)]
    unsafe fn total(sums: __m256) -> f32 {
        // SAFETY: the caller guarantees the instructions.
        unsafe { Avx2Vectors::total(sums) }
    }

    #[inline(always)]
    unsafe fn convert_f16(halves: *const u32, numbers: *mut f32, count: usize) {
        // SAFETY: by this function's condition.
        unsafe { convert_f16::<Avx2Vectors>(halves, numbers, count) }
    }

    #[inline(always)]
    unsafe fn prefetch(address: *const u32) {
        // SAFETY: the caller guarantees the instructions.
        unsafe { Avx2Vectors::prefetch(address) }
    }
}

/// The 32 half bytes of four words as bytes, each number plus 8: the lower halves, then the upper ones.
///
/// # Safety
/// The processor has AVX2, and `words` has 4 readable words.
#[inline(always)]
unsafe fn half_bytes_plus_8(words: *const u32) -> __m256i {
    // SAFETY: the caller guarantees AVX2 and 16 readable bytes; the load needs no alignment.
    unsafe {
        let bytes = _mm_xor_si128(_mm_loadu_si128(words.cast()), _mm_set1_epi8(0x88_u8 as i8));
        let both = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(bytes), _mm_srli_epi16::<4>(bytes));
        _mm256_and_si256(both, _mm256_set1_epi8(15))
    }
}
