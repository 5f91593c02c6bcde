//! Numbers of packed weights, four and sixteen at once: exactly what `Format::unpack` makes of them, but for blocks' scales.

use super::lanes::Lanes;
#[cfg(target_arch = "wasm32")]
use std::arch::wasm32::*;

/// 2¹¹²
const RAISED: f32 = f32::from_bits((127 + 112) << 23);

#[cfg(target_arch = "wasm32")]
impl Lanes {
    /// Four finite f16 at an address, two a word, exactly.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn halves(words: *const u32) -> Self {
        // SAFETY: as the caller has it; vectors need no alignment.
        Self::raised(i32x4_extend_low_i16x8(unsafe { v128_load64_zero(words.cast()) }))
    }

    /// Sixteen of them.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn sixteen_halves(words: *const u32) -> [Self; 4] {
        // SAFETY: as the caller has it; vectors need no alignment.
        let [low, high] = unsafe { [v128_load(words.cast()), v128_load(words.cast::<v128>().add(1))] };
        [
            Self::raised(i32x4_extend_low_i16x8(low)),
            Self::raised(i32x4_extend_high_i16x8(low)),
            Self::raised(i32x4_extend_low_i16x8(high)),
            Self::raised(i32x4_extend_high_i16x8(high)),
        ]
    }

    /// The f16 of a number among those at an address, two a word, in all places.
    ///
    /// # Safety
    /// It lies there.
    #[inline(always)]
    pub unsafe fn all_of_half(words: *const u32, at: usize) -> Self {
        // SAFETY: as the caller has it.
        Self::raised(i32x4_extend_low_i16x8(unsafe { v128_load16_splat(words.cast::<u16>().add(at)) }))
    }

    /// f16 from their bits, before which their sign stands sixteen times more: an exponent of f16 is 112 less than that of the same bits as f32.
    #[inline(always)]
    fn raised(bits: v128) -> Self {
        Self(f32x4_mul(v128_and(u32x4_shl(bits, 13), u32x4_splat(0x8fff_ffff)), f32x4_splat(RAISED)))
    }

    /// Four bf16 at an address, two a word.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn short_halves(words: *const u32) -> Self {
        // SAFETY: as the caller has it; vectors need no alignment.
        let bits = unsafe { v128_load64_zero(words.cast()) };
        Self(u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(u32x4_splat(0), bits))
    }

    /// Sixteen of them.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn sixteen_short_halves(words: *const u32) -> [Self; 4] {
        // SAFETY: as the caller has it; vectors need no alignment.
        let [low, high] = unsafe { [v128_load(words.cast()), v128_load(words.cast::<v128>().add(1))] };
        let zero = u32x4_splat(0);
        [
            Self(u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(zero, low)),
            Self(u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(zero, low)),
            Self(u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(zero, high)),
            Self(u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(zero, high)),
        ]
    }

    /// The four bytes at an address, with their signs.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn bytes(word: *const u32) -> Self {
        // SAFETY: as the caller has it.
        let bytes = i16x8_extend_low_i8x16(unsafe { v128_load32_zero(word) });
        Self(f32x4_convert_i32x4(i32x4_extend_low_i16x8(bytes)))
    }

    /// Four half-bytes among those at an address, so many fours behind it, with their signs, from the lowest of each byte.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn half_bytes(words: *const u32, at: usize) -> Self {
        // SAFETY: as the caller has it.
        let all = unsafe { v128_load16_splat(words.cast::<u16>().add(at)) };
        // 8 more than the number, at its place: a power of 16 too large.
        let raised = v128_and(v128_xor(all, u16x8_splat(0x8888)), u32x4(0xf, 0xf0, 0xf00, 0xf000));
        let places = f32x4(1.0, 1.0 / 16.0, 1.0 / 256.0, 1.0 / 4096.0);
        Self(f32x4_sub(f32x4_mul(f32x4_convert_i32x4(raised), places), f32x4_splat(8.0)))
    }

    /// The sixteen bytes at an address, with their signs.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn sixteen_bytes(words: *const u32) -> [Self; 4] {
        // SAFETY: as the caller has it; vectors need no alignment.
        Self::of_bytes(unsafe { v128_load(words.cast()) })
    }

    /// The sixteen half-bytes at an address, with their signs, from the lowest of each byte.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn sixteen_half_bytes(words: *const u32) -> [Self; 4] {
        // 8 more than the numbers.
        // SAFETY: as the caller has it; vectors need no alignment.
        let raised = v128_xor(unsafe { v128_load64_zero(words.cast()) }, u8x16_splat(0x88));
        let (low, high) = (v128_and(raised, u8x16_splat(15)), v128_and(u16x8_shr(raised, 4), u8x16_splat(15)));
        let beside = u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(low, high);
        Self::of_bytes(u8x16_sub(beside, u8x16_splat(8)))
    }

    #[inline(always)]
    fn of_bytes(bytes: v128) -> [Self; 4] {
        let (low, high) = (i16x8_extend_low_i8x16(bytes), i16x8_extend_high_i8x16(bytes));
        [
            Self(f32x4_convert_i32x4(i32x4_extend_low_i16x8(low))),
            Self(f32x4_convert_i32x4(i32x4_extend_high_i16x8(low))),
            Self(f32x4_convert_i32x4(i32x4_extend_low_i16x8(high))),
            Self(f32x4_convert_i32x4(i32x4_extend_high_i16x8(high))),
        ]
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Lanes {
    /// Four finite f16 at an address, two a word, exactly.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn halves(words: *const u32) -> Self {
        // SAFETY: as the caller has it.
        Self(shorts(unsafe { [*words, *words.add(1)] }).map(raised))
    }

    /// Sixteen of them.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn sixteen_halves(words: *const u32) -> [Self; 4] {
        // SAFETY: as the caller has it.
        std::array::from_fn(|at| unsafe { Self::halves(words.add(2 * at)) })
    }

    /// The f16 of a number among those at an address, two a word, in all places.
    ///
    /// # Safety
    /// It lies there.
    #[inline(always)]
    pub unsafe fn all_of_half(words: *const u32, at: usize) -> Self {
        // SAFETY: as the caller has it.
        Self::all(raised(unsafe { *words.add(at / 2) } >> (16 * (at % 2)) & 0xffff))
    }

    /// Four bf16 at an address, two a word.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn short_halves(words: *const u32) -> Self {
        // SAFETY: as the caller has it.
        Self(shorts(unsafe { [*words, *words.add(1)] }).map(|bits| f32::from_bits(bits << 16)))
    }

    /// Sixteen of them.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn sixteen_short_halves(words: *const u32) -> [Self; 4] {
        // SAFETY: as the caller has it.
        std::array::from_fn(|at| unsafe { Self::short_halves(words.add(2 * at)) })
    }

    /// The four bytes at an address, with their signs.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn bytes(word: *const u32) -> Self {
        // SAFETY: as the caller has it.
        Self(unsafe { *word }.to_le_bytes().map(|byte| f32::from(byte as i8)))
    }

    /// Four half-bytes among those at an address, so many fours behind it, with their signs, from the lowest of each byte.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn half_bytes(words: *const u32, at: usize) -> Self {
        // SAFETY: as the caller has it.
        let four = unsafe { *words.add(at / 2) } >> (16 * (at % 2));
        Self([28, 24, 20, 16].map(|up| ((four << up) as i32 >> 28) as f32))
    }

    /// The sixteen bytes at an address, with their signs.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn sixteen_bytes(words: *const u32) -> [Self; 4] {
        // SAFETY: as the caller has it.
        std::array::from_fn(|at| unsafe { Self::bytes(words.add(at)) })
    }

    /// The sixteen half-bytes at an address, with their signs, from the lowest of each byte.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn sixteen_half_bytes(words: *const u32) -> [Self; 4] {
        // SAFETY: as the caller has it.
        std::array::from_fn(|at| unsafe { Self::half_bytes(words, at) })
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn shorts([low, high]: [u32; 2]) -> [u32; 4] {
    [low & 0xffff, low >> 16, high & 0xffff, high >> 16]
}

/// A finite f16 from its bits: an exponent of f16 is 112 less than that of the same bits as f32.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn raised(bits: u32) -> f32 {
    let magnitude = f32::from_bits((bits & 0x7fff) << 13) * RAISED;
    f32::from_bits(magnitude.to_bits() | (bits & 0x8000) << 16)
}
