//! Four numbers at once, for kernels in which the compiler does not find them by itself.

/// Numbers of a 128-bit vector, which WASM and every x86-64 and AArch64 have.
pub const LANES: usize = 4;

/// 2¹¹²
const RAISED: f32 = f32::from_bits((127 + 112) << 23);

/// A vector of f32: WASM's own.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Copy)]
pub struct Lanes(std::arch::wasm32::v128);

#[cfg(target_arch = "wasm32")]
impl Lanes {
    pub const ZERO: Self = Self(std::arch::wasm32::f32x4(0.0, 0.0, 0.0, 0.0));

    #[inline(always)]
    pub fn all(number: f32) -> Self {
        Self(std::arch::wasm32::f32x4_splat(number))
    }

    #[inline(always)]
    pub fn numbers(self) -> [f32; LANES] {
        use std::arch::wasm32::f32x4_extract_lane as lane;
        [lane::<0>(self.0), lane::<1>(self.0), lane::<2>(self.0), lane::<3>(self.0)]
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self(std::arch::wasm32::f32x4_add(self.0, other.0))
    }

    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        Self(std::arch::wasm32::f32x4_mul(self.0, other.0))
    }

    #[inline(always)]
    pub fn over(self, other: Self) -> Self {
        Self(std::arch::wasm32::f32x4_div(self.0, other.0))
    }

    /// The larger of both, NaN where this one is.
    #[inline(always)]
    pub fn at_least(self, least: Self) -> Self {
        Self(std::arch::wasm32::f32x4_pmax(self.0, least.0))
    }

    /// The smaller of both, NaN where this one is.
    #[inline(always)]
    pub fn at_most(self, most: Self) -> Self {
        Self(std::arch::wasm32::f32x4_pmin(self.0, most.0))
    }

    /// 0 in place of each number whose number in `other` is below the limit.
    #[inline(always)]
    pub fn or_zero_where(self, other: Self, below: Self) -> Self {
        use std::arch::wasm32::{f32x4_lt, v128_andnot};
        Self(v128_andnot(self.0, f32x4_lt(other.0, below.0)))
    }

    /// 2ⁿ, where the lowest bits of the number are those of n.
    #[inline(always)]
    pub fn power_of_two(self) -> Self {
        use std::arch::wasm32::{i32x4_add, i32x4_shl, i32x4_splat};
        Self(i32x4_shl(i32x4_add(self.0, i32x4_splat(127)), 23))
    }

    #[cfg(not(target_feature = "relaxed-simd"))]
    #[inline(always)]
    pub fn plus_product(self, x: Self, y: Self) -> Self {
        use std::arch::wasm32::{f32x4_add, f32x4_mul};
        Self(f32x4_add(self.0, f32x4_mul(x.0, y.0)))
    }

    /// Rounded once or twice, as is quicker on the processor.
    #[cfg(target_feature = "relaxed-simd")]
    #[inline(always)]
    pub fn plus_product(self, x: Self, y: Self) -> Self {
        Self(std::arch::wasm32::f32x4_relaxed_madd(x.0, y.0, self.0))
    }

    /// The four numbers at an address.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn at(numbers: *const f32) -> Self {
        // SAFETY: as the caller has it; vectors need no alignment.
        Self(unsafe { std::arch::wasm32::v128_load(numbers.cast()) })
    }

    /// Four finite f16 at an address, two a word, exactly.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn halves(words: *const u32) -> Self {
        use std::arch::wasm32::*;
        // SAFETY: as the caller has it; vectors need no alignment.
        Self::raised(i32x4_extend_low_i16x8(unsafe { v128_load64_zero(words.cast()) }))
    }

    /// Sixteen of them.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn sixteen_halves(words: *const u32) -> [Self; 4] {
        use std::arch::wasm32::*;
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
        use std::arch::wasm32::*;
        // SAFETY: as the caller has it.
        Self::raised(i32x4_extend_low_i16x8(unsafe { v128_load16_splat(words.cast::<u16>().add(at)) }))
    }

    /// f16 from their bits, before which their sign stands sixteen times more: an exponent of f16 is 112 less than that of the same bits as f32.
    #[inline(always)]
    fn raised(bits: std::arch::wasm32::v128) -> Self {
        use std::arch::wasm32::*;
        Self(f32x4_mul(v128_and(u32x4_shl(bits, 13), u32x4_splat(0x8fff_ffff)), f32x4_splat(RAISED)))
    }

    /// Four bf16 at an address, two a word.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn short_halves(words: *const u32) -> Self {
        use std::arch::wasm32::*;
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
        use std::arch::wasm32::*;
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
        use std::arch::wasm32::*;
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
        use std::arch::wasm32::*;
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
        Self::of_bytes(unsafe { std::arch::wasm32::v128_load(words.cast()) })
    }

    /// The sixteen half-bytes at an address, with their signs, from the lowest of each byte.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn sixteen_half_bytes(words: *const u32) -> [Self; 4] {
        use std::arch::wasm32::*;
        // 8 more than the numbers.
        // SAFETY: as the caller has it; vectors need no alignment.
        let raised = v128_xor(unsafe { v128_load64_zero(words.cast()) }, u8x16_splat(0x88));
        let (low, high) = (v128_and(raised, u8x16_splat(15)), v128_and(u16x8_shr(raised, 4), u8x16_splat(15)));
        let beside = u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(low, high);
        Self::of_bytes(u8x16_sub(beside, u8x16_splat(8)))
    }

    #[inline(always)]
    fn of_bytes(bytes: std::arch::wasm32::v128) -> [Self; 4] {
        use std::arch::wasm32::*;
        let (low, high) = (i16x8_extend_low_i8x16(bytes), i16x8_extend_high_i8x16(bytes));
        [
            Self(f32x4_convert_i32x4(i32x4_extend_low_i16x8(low))),
            Self(f32x4_convert_i32x4(i32x4_extend_high_i16x8(low))),
            Self(f32x4_convert_i32x4(i32x4_extend_low_i16x8(high))),
            Self(f32x4_convert_i32x4(i32x4_extend_high_i16x8(high))),
        ]
    }

    /// The number at an address, and three zeros.
    ///
    /// # Safety
    /// It lies there.
    #[inline(always)]
    pub unsafe fn lone(number: *const f32) -> Self {
        // SAFETY: as the caller has it; vectors need no alignment.
        Self(unsafe { std::arch::wasm32::v128_load32_zero(number.cast()) })
    }

    /// Writes the four numbers to an address.
    ///
    /// # Safety
    /// There is room for them.
    #[inline(always)]
    pub unsafe fn put(self, numbers: *mut f32) {
        // SAFETY: as the caller has it; vectors need no alignment.
        unsafe { std::arch::wasm32::v128_store(numbers.cast(), self.0) };
    }

    /// Columns of four rows.
    #[inline(always)]
    pub fn transposed([a, b, c, d]: [Self; LANES]) -> [Self; LANES] {
        use std::arch::wasm32::{i32x4_shuffle as numbers, i64x2_shuffle as pairs};
        let (ab, cd) = (numbers::<0, 4, 1, 5>(a.0, b.0), numbers::<0, 4, 1, 5>(c.0, d.0));
        let (ab_2, cd_2) = (numbers::<2, 6, 3, 7>(a.0, b.0), numbers::<2, 6, 3, 7>(c.0, d.0));
        [pairs::<0, 2>(ab, cd), pairs::<1, 3>(ab, cd), pairs::<0, 2>(ab_2, cd_2), pairs::<1, 3>(ab_2, cd_2)].map(Self)
    }

    /// The sum of all four in f64.
    #[inline(always)]
    pub fn wide_sum(self) -> f64 {
        let [a, b, c, d] = self.numbers().map(f64::from);
        (a + b) + (c + d)
    }

    #[inline(always)]
    pub fn sum(self) -> f32 {
        let [a, b, c, d] = self.numbers();
        (a + b) + (c + d)
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy)]
pub struct Lanes([f32; LANES]);

#[cfg(not(target_arch = "wasm32"))]
impl Lanes {
    pub const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    pub fn all(number: f32) -> Self {
        Self([number; LANES])
    }

    #[inline(always)]
    pub fn numbers(self) -> [f32; LANES] {
        self.0
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] * other.0[lane]))
    }

    #[inline(always)]
    pub fn over(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] / other.0[lane]))
    }

    /// The larger of both, NaN where this one is.
    #[inline(always)]
    pub fn at_least(self, least: Self) -> Self {
        Self(std::array::from_fn(|lane| if self.0[lane] < least.0[lane] { least.0[lane] } else { self.0[lane] }))
    }

    /// The smaller of both, NaN where this one is.
    #[inline(always)]
    pub fn at_most(self, most: Self) -> Self {
        Self(std::array::from_fn(|lane| if most.0[lane] < self.0[lane] { most.0[lane] } else { self.0[lane] }))
    }

    /// 0 in place of each number whose number in `other` is below the limit.
    #[inline(always)]
    pub fn or_zero_where(self, other: Self, below: Self) -> Self {
        Self(std::array::from_fn(|lane| if other.0[lane] < below.0[lane] { 0.0 } else { self.0[lane] }))
    }

    /// 2ⁿ, where the lowest bits of the number are those of n.
    #[inline(always)]
    pub fn power_of_two(self) -> Self {
        Self(self.0.map(|number| f32::from_bits(number.to_bits().wrapping_add(127) << 23)))
    }

    #[inline(always)]
    pub fn plus_product(self, x: Self, y: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + x.0[lane] * y.0[lane]))
    }

    /// The four numbers at an address.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn at(numbers: *const f32) -> Self {
        // SAFETY: as the caller has it.
        Self(unsafe { numbers.cast::<[f32; LANES]>().read_unaligned() })
    }

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

    /// The number at an address, and three zeros.
    ///
    /// # Safety
    /// It lies there.
    #[inline(always)]
    pub unsafe fn lone(number: *const f32) -> Self {
        // SAFETY: as the caller has it.
        Self([unsafe { number.read() }, 0.0, 0.0, 0.0])
    }

    /// Writes the four numbers to an address.
    ///
    /// # Safety
    /// There is room for them.
    #[inline(always)]
    pub unsafe fn put(self, numbers: *mut f32) {
        // SAFETY: as the caller has it.
        unsafe { numbers.cast::<[f32; LANES]>().write_unaligned(self.0) };
    }

    /// Columns of four rows.
    #[inline(always)]
    pub fn transposed(rows: [Self; LANES]) -> [Self; LANES] {
        std::array::from_fn(|column| Self(rows.map(|row| row.0[column])))
    }

    /// The sum of all four in f64.
    #[inline(always)]
    pub fn wide_sum(self) -> f64 {
        let [a, b, c, d] = self.numbers().map(f64::from);
        (a + b) + (c + d)
    }

    #[inline(always)]
    pub fn sum(self) -> f32 {
        let [a, b, c, d] = self.numbers();
        (a + b) + (c + d)
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn shorts([low, high]: [u32; 2]) -> [u32; LANES] {
    [low & 0xffff, low >> 16, high & 0xffff, high >> 16]
}

/// A finite f16 from its bits: an exponent of f16 is 112 less than that of the same bits as f32.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn raised(bits: u32) -> f32 {
    let magnitude = f32::from_bits((bits & 0x7fff) << 13) * RAISED;
    f32::from_bits(magnitude.to_bits() | (bits & 0x8000) << 16)
}
