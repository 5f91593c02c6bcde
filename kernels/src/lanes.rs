//! Four numbers at once, for kernels in which the compiler does not find them by itself.

/// Numbers of a 128-bit vector, which WASM and every x86-64 and AArch64 have.
pub const LANES: usize = 4;

/// A vector of f32: WASM's own.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Copy)]
pub struct Lanes(pub(super) std::arch::wasm32::v128);

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
pub struct Lanes(pub(super) [f32; LANES]);

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
