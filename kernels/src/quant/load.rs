//! Loads of quantised numbers as f32, 4 or 16 at once: exactly, but without the scale of their block.

use crate::simd::F32x4;
#[cfg(target_arch = "wasm32")]
use std::arch::wasm32::*;

/// 2¹¹²: the exponent of f16 is 112 less than that of the same bits as f32.
const RAISE: f32 = f32::from_bits((127 + 112) << 23);

#[cfg(target_arch = "wasm32")]
impl F32x4 {
    /// Four finite f16, two a word.
    ///
    /// # Safety
    /// `words` has 2 readable words.
    #[inline(always)]
    pub unsafe fn load_f16(words: *const u32) -> Self {
        // SAFETY: the caller guarantees 2 readable words; vector loads need no alignment.
        Self::f16_to_f32(i32x4_extend_low_i16x8(unsafe { v128_load64_zero(words.cast()) }))
    }

    /// Sixteen finite f16, two a word.
    ///
    /// # Safety
    /// `words` has 8 readable words.
    #[inline(always)]
    pub unsafe fn load_16_f16(words: *const u32) -> [Self; 4] {
        // SAFETY: the caller guarantees 8 readable words; vector loads need no alignment.
        let [low, high] = unsafe { [v128_load(words.cast()), v128_load(words.cast::<v128>().add(1))] };
        [
            Self::f16_to_f32(i32x4_extend_low_i16x8(low)),
            Self::f16_to_f32(i32x4_extend_high_i16x8(low)),
            Self::f16_to_f32(i32x4_extend_low_i16x8(high)),
            Self::f16_to_f32(i32x4_extend_high_i16x8(high)),
        ]
    }

    /// The finite f16 number `at` of an array, two a word, in all lanes.
    ///
    /// # Safety
    /// `words` has `at / 2 + 1` readable words.
    #[inline(always)]
    pub unsafe fn splat_f16(words: *const u32, at: usize) -> Self {
        // SAFETY: the caller guarantees `at / 2 + 1` readable words.
        Self::f16_to_f32(i32x4_extend_low_i16x8(unsafe { v128_load16_splat(words.cast::<u16>().add(at)) }))
    }

    /// Finite f16 from their bits, sign-extended to 32.
    #[inline(always)]
    fn f16_to_f32(bits: v128) -> Self {
        Self(f32x4_mul(v128_and(u32x4_shl(bits, 13), u32x4_splat(0x8fff_ffff)), f32x4_splat(RAISE)))
    }

    /// Four bf16, two a word.
    ///
    /// # Safety
    /// `words` has 2 readable words.
    #[inline(always)]
    pub unsafe fn load_bf16(words: *const u32) -> Self {
        // SAFETY: the caller guarantees 2 readable words; vector loads need no alignment.
        let bits = unsafe { v128_load64_zero(words.cast()) };
        Self(u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(u32x4_splat(0), bits))
    }

    /// Sixteen bf16, two a word.
    ///
    /// # Safety
    /// `words` has 8 readable words.
    #[inline(always)]
    pub unsafe fn load_16_bf16(words: *const u32) -> [Self; 4] {
        // SAFETY: the caller guarantees 8 readable words; vector loads need no alignment.
        let [low, high] = unsafe { [v128_load(words.cast()), v128_load(words.cast::<v128>().add(1))] };
        let zero = u32x4_splat(0);
        [
            Self(u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(zero, low)),
            Self(u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(zero, low)),
            Self(u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(zero, high)),
            Self(u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(zero, high)),
        ]
    }

    /// The four signed bytes of a word.
    ///
    /// # Safety
    /// `word` is readable.
    #[inline(always)]
    pub unsafe fn load_int8(word: *const u32) -> Self {
        // SAFETY: the caller guarantees a readable word.
        let bytes = i16x8_extend_low_i8x16(unsafe { v128_load32_zero(word) });
        Self(f32x4_convert_i32x4(i32x4_extend_low_i16x8(bytes)))
    }

    /// Four signed 4-bit numbers, the `at`-th four of an array, lowest bits first.
    ///
    /// # Safety
    /// `words` has `at / 2 + 1` readable words.
    #[inline(always)]
    pub unsafe fn load_int4(words: *const u32, at: usize) -> Self {
        // SAFETY: the caller guarantees `at / 2 + 1` readable words.
        let all = unsafe { v128_load16_splat(words.cast::<u16>().add(at)) };
        // Each number plus 8, still at its place in the 16 bits, that is, times a power of 16.
        let shifted = v128_and(v128_xor(all, u16x8_splat(0x8888)), u32x4(0xf, 0xf0, 0xf00, 0xf000));
        let scales = f32x4(1.0, 1.0 / 16.0, 1.0 / 256.0, 1.0 / 4096.0);
        Self(f32x4_sub(f32x4_mul(f32x4_convert_i32x4(shifted), scales), f32x4_splat(8.0)))
    }
}

/// The same natively.
#[cfg(not(target_arch = "wasm32"))]
impl F32x4 {
    /// # Safety
    /// `words` has 2 readable words.
    #[inline(always)]
    pub unsafe fn load_f16(words: *const u32) -> Self {
        // SAFETY: the caller guarantees 2 readable words.
        Self(halves(unsafe { [*words, *words.add(1)] }).map(f16_to_f32))
    }

    /// # Safety
    /// `words` has 8 readable words.
    #[cfg(test)]
    #[inline(always)]
    pub unsafe fn load_16_f16(words: *const u32) -> [Self; 4] {
        // SAFETY: `at < 4`, so that a load reads two of the 8 words.
        std::array::from_fn(|at| unsafe { Self::load_f16(words.add(2 * at)) })
    }

    /// # Safety
    /// `words` has `at / 2 + 1` readable words.
    #[inline(always)]
    pub unsafe fn splat_f16(words: *const u32, at: usize) -> Self {
        // SAFETY: the caller guarantees `at / 2 + 1` readable words.
        Self::splat(f16_to_f32(unsafe { *words.add(at / 2) } >> (16 * (at % 2)) & 0xffff))
    }

    /// # Safety
    /// `words` has 2 readable words.
    #[inline(always)]
    pub unsafe fn load_bf16(words: *const u32) -> Self {
        // SAFETY: the caller guarantees 2 readable words.
        Self(halves(unsafe { [*words, *words.add(1)] }).map(|bits| f32::from_bits(bits << 16)))
    }

    /// # Safety
    /// `words` has 8 readable words.
    #[cfg(test)]
    #[inline(always)]
    pub unsafe fn load_16_bf16(words: *const u32) -> [Self; 4] {
        // SAFETY: `at < 4`, so that a load reads two of the 8 words.
        std::array::from_fn(|at| unsafe { Self::load_bf16(words.add(2 * at)) })
    }

    /// # Safety
    /// `word` is readable.
    #[inline(always)]
    pub unsafe fn load_int8(word: *const u32) -> Self {
        // SAFETY: the caller guarantees a readable word.
        Self(unsafe { *word }.to_le_bytes().map(|byte| f32::from(byte as i8)))
    }

    /// # Safety
    /// `words` has `at / 2 + 1` readable words.
    #[inline(always)]
    pub unsafe fn load_int4(words: *const u32, at: usize) -> Self {
        // SAFETY: the caller guarantees `at / 2 + 1` readable words.
        let bits = unsafe { *words.add(at / 2) } >> (16 * (at % 2));
        Self([28, 24, 20, 16].map(|up| ((bits << up) as i32 >> 28) as f32))
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn halves([low, high]: [u32; 2]) -> [u32; 4] {
    [low & 0xffff, low >> 16, high & 0xffff, high >> 16]
}

/// A finite f16 from its bits.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn f16_to_f32(bits: u32) -> f32 {
    let magnitude = f32::from_bits((bits & 0x7fff) << 13) * RAISE;
    f32::from_bits(magnitude.to_bits() | (bits & 0x8000) << 16)
}
