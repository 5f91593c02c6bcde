//! Four f32 in a 128-bit vector, which WASM, x86-64 and AArch64 all have.
//!
//! Natively the vector is an array, which the compiler turns into SSE2 or NEON instructions.

/// Four numbers: WASM's `v128`.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Copy)]
pub struct F32x4(pub(crate) std::arch::wasm32::v128);

#[cfg(target_arch = "wasm32")]
impl F32x4 {
    pub const ZERO: Self = Self(std::arch::wasm32::f32x4(0.0, 0.0, 0.0, 0.0));

    #[inline(always)]
    pub fn splat(number: f32) -> Self {
        Self(std::arch::wasm32::f32x4_splat(number))
    }

    #[inline(always)]
    pub fn to_array(self) -> [f32; 4] {
        use std::arch::wasm32::f32x4_extract_lane as lane;
        [lane::<0>(self.0), lane::<1>(self.0), lane::<2>(self.0), lane::<3>(self.0)]
    }

    /// `self`, but 0 in the lanes where `other` is less than `limit`.
    #[inline(always)]
    pub fn zero_where_less(self, other: Self, limit: Self) -> Self {
        use std::arch::wasm32::{f32x4_lt, v128_andnot};
        Self(v128_andnot(self.0, f32x4_lt(other.0, limit.0)))
    }

    /// 2ⁿ of each lane, where n is the integer in the lane's lowest bits.
    #[inline(always)]
    pub fn power_of_two(self) -> Self {
        use std::arch::wasm32::{i32x4_add, i32x4_shl, i32x4_splat};
        Self(i32x4_shl(i32x4_add(self.0, i32x4_splat(127)), 23))
    }

    #[inline(always)]
    pub fn over(self, other: Self) -> Self {
        Self(std::arch::wasm32::f32x4_div(self.0, other.0))
    }

    /// The larger of both, lane by lane; NaN where `self` is NaN.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        Self(std::arch::wasm32::f32x4_pmax(self.0, other.0))
    }

    /// The smaller of both, lane by lane; NaN where `self` is NaN.
    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        Self(std::arch::wasm32::f32x4_pmin(self.0, other.0))
    }

    /// The sum of the lanes, added in f64.
    #[inline(always)]
    pub fn wide_sum(self) -> f64 {
        let [a, b, c, d] = self.to_array().map(f64::from);
        (a + b) + (c + d)
    }

    /// self + x · y, the product and the sum each rounded.
    #[cfg(not(target_feature = "relaxed-simd"))]
    #[inline(always)]
    pub fn plus_product(self, x: Self, y: Self) -> Self {
        use std::arch::wasm32::{f32x4_add, f32x4_mul};
        Self(f32x4_add(self.0, f32x4_mul(x.0, y.0)))
    }

    /// self + x · y, rounded once or twice, whichever is faster on the processor.
    #[cfg(target_feature = "relaxed-simd")]
    #[inline(always)]
    pub fn plus_product(self, x: Self, y: Self) -> Self {
        Self(std::arch::wasm32::f32x4_relaxed_madd(x.0, y.0, self.0))
    }

    /// # Safety
    /// `numbers .. numbers + 4` is readable; it need not be aligned.
    #[inline(always)]
    pub unsafe fn load(numbers: *const f32) -> Self {
        // SAFETY: the caller guarantees four readable numbers; `v128_load` needs no alignment.
        Self(unsafe { std::arch::wasm32::v128_load(numbers.cast()) })
    }

    /// `[*number, 0, 0, 0]`
    ///
    /// # Safety
    /// `number` is readable.
    #[inline(always)]
    pub unsafe fn load_one(number: *const f32) -> Self {
        // SAFETY: the caller guarantees one readable number; `v128_load32_zero` needs no alignment.
        Self(unsafe { std::arch::wasm32::v128_load32_zero(number.cast()) })
    }

    /// # Safety
    /// `numbers .. numbers + 4` is writable; it need not be aligned.
    #[inline(always)]
    pub unsafe fn store(self, numbers: *mut f32) {
        // SAFETY: the caller guarantees four writable numbers; `v128_store` needs no alignment.
        unsafe { std::arch::wasm32::v128_store(numbers.cast(), self.0) };
    }

    /// The transpose of a 4 × 4 matrix, by rows.
    #[inline(always)]
    pub fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        use std::arch::wasm32::{i32x4_shuffle as numbers, i64x2_shuffle as pairs};
        let (ab, cd) = (numbers::<0, 4, 1, 5>(a.0, b.0), numbers::<0, 4, 1, 5>(c.0, d.0));
        let (ab_2, cd_2) = (numbers::<2, 6, 3, 7>(a.0, b.0), numbers::<2, 6, 3, 7>(c.0, d.0));
        [pairs::<0, 2>(ab, cd), pairs::<1, 3>(ab, cd), pairs::<0, 2>(ab_2, cd_2), pairs::<1, 3>(ab_2, cd_2)].map(Self)
    }
}

/// Four numbers. Its functions compute the same as those above.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy)]
pub struct F32x4(pub(crate) [f32; 4]);

#[cfg(not(target_arch = "wasm32"))]
impl F32x4 {
    pub const ZERO: Self = Self([0.0; 4]);

    #[inline(always)]
    pub fn splat(number: f32) -> Self {
        Self([number; 4])
    }

    #[inline(always)]
    pub fn to_array(self) -> [f32; 4] {
        self.0
    }

    #[inline(always)]
    pub fn plus_product(self, x: Self, y: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + x.0[lane] * y.0[lane]))
    }

    /// # Safety
    /// `numbers .. numbers + 4` is readable; it need not be aligned.
    #[inline(always)]
    pub unsafe fn load(numbers: *const f32) -> Self {
        // SAFETY: the caller guarantees four readable numbers; `read_unaligned` needs no alignment.
        Self(unsafe { numbers.cast::<[f32; 4]>().read_unaligned() })
    }

    /// # Safety
    /// `number` is readable and aligned.
    #[inline(always)]
    pub unsafe fn load_one(number: *const f32) -> Self {
        // SAFETY: the caller guarantees one readable, aligned number.
        Self([unsafe { number.read() }, 0.0, 0.0, 0.0])
    }

    /// # Safety
    /// `numbers .. numbers + 4` is writable; it need not be aligned.
    #[inline(always)]
    pub unsafe fn store(self, numbers: *mut f32) {
        // SAFETY: the caller guarantees four writable numbers; `write_unaligned` needs no alignment.
        unsafe { numbers.cast::<[f32; 4]>().write_unaligned(self.0) };
    }

    #[inline(always)]
    pub fn transpose(rows: [Self; 4]) -> [Self; 4] {
        std::array::from_fn(|column| Self(rows.map(|row| row.0[column])))
    }
}

/// Operations of two vectors, lane by lane: an instruction of WASM, and its native expression.
macro_rules! lane_by_lane {
    ($($(#[$documentation:meta])* $name:ident: $instruction:ident, |$x:ident, $y:ident| $number:expr;)+) => {
        impl F32x4 {$(
            $(#[$documentation])*
            #[inline(always)]
            pub fn $name(self, other: Self) -> Self {
                #[cfg(target_arch = "wasm32")]
                let lanes = std::arch::wasm32::$instruction(self.0, other.0);
                #[cfg(not(target_arch = "wasm32"))]
                let lanes = std::array::from_fn(|lane| {
                    let ($x, $y) = (self.0[lane], other.0[lane]);
                    $number
                });
                Self(lanes)
            }
        )+}
    };
}

lane_by_lane! {
    plus: f32x4_add, |x, y| x + y;
    times: f32x4_mul, |x, y| x * y;
}

impl F32x4 {
    /// Numbers in a vector.
    pub const LANES: usize = 4;

    #[inline(always)]
    pub fn sum(self) -> f32 {
        let [a, b, c, d] = self.to_array();
        (a + b) + (c + d)
    }
}
