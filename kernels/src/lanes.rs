//! Four numbers at once, for kernels in which the compiler does not find them by itself.

/// Numbers of a 128-bit vector, which WASM and every x86-64 and AArch64 have.
pub const LANES: usize = 4;

/// A vector of f32: WASM's own.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Copy)]
pub struct Lanes(std::arch::wasm32::v128);

#[cfg(target_arch = "wasm32")]
impl Lanes {
    pub const ZERO: Self = Self(std::arch::wasm32::f32x4(0.0, 0.0, 0.0, 0.0));

    #[inline(always)]
    pub fn of(&[a, b, c, d]: &[f32; LANES]) -> Self {
        Self(std::arch::wasm32::f32x4(a, b, c, d))
    }

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

    #[cfg(test)]
    #[inline(always)]
    pub fn of(numbers: &[f32; LANES]) -> Self {
        Self(*numbers)
    }

    #[inline(always)]
    pub fn all(number: f32) -> Self {
        Self([number; LANES])
    }

    #[cfg(test)]
    #[inline(always)]
    pub fn numbers(self) -> [f32; LANES] {
        self.0
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + other.0[lane]))
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

    #[cfg(test)]
    pub fn sum(self) -> f32 {
        let [a, b, c, d] = self.numbers();
        (a + b) + (c + d)
    }
}
