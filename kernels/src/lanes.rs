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
    pub fn plus_product(self, x: Self, y: Self) -> Self {
        use std::arch::wasm32::{f32x4_add, f32x4_mul};
        Self(f32x4_add(self.0, f32x4_mul(x.0, y.0)))
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

    #[inline(always)]
    pub fn of(numbers: &[f32; LANES]) -> Self {
        Self(*numbers)
    }

    #[inline(always)]
    pub fn all(number: f32) -> Self {
        Self([number; LANES])
    }

    #[inline(always)]
    pub fn numbers(self) -> [f32; LANES] {
        self.0
    }

    #[inline(always)]
    pub fn plus_product(self, x: Self, y: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + x.0[lane] * y.0[lane]))
    }

    pub fn sum(self) -> f32 {
        let [a, b, c, d] = self.numbers();
        (a + b) + (c + d)
    }
}
