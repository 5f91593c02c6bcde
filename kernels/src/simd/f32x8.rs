//! Eight f32: two vectors, so that a browser's compiler loads each constant once for both.

use super::f32x4::F32x4;

/// Eight numbers.
#[derive(Clone, Copy)]
pub struct F32x8([F32x4; 2]);

impl F32x8 {
    /// Numbers in both vectors.
    pub const LANES: usize = 2 * F32x4::LANES;

    #[inline(always)]
    pub fn splat(number: f32) -> Self {
        Self([F32x4::splat(number); 2])
    }

    #[inline(always)]
    pub fn from_array(numbers: &[f32; Self::LANES]) -> Self {
        // SAFETY: the array has eight numbers.
        unsafe { Self::load(numbers.as_ptr()) }
    }

    /// # Safety
    /// `numbers .. numbers + 8` is readable; it need not be aligned.
    #[inline(always)]
    pub unsafe fn load(numbers: *const f32) -> Self {
        // SAFETY: the caller guarantees eight readable numbers, four for each vector.
        unsafe { Self([F32x4::load(numbers), F32x4::load(numbers.add(F32x4::LANES))]) }
    }

    /// # Safety
    /// `numbers .. numbers + 8` is writable; it need not be aligned.
    #[inline(always)]
    pub unsafe fn store(self, numbers: *mut f32) {
        let [low, high] = self.0;
        // SAFETY: the caller guarantees eight writable numbers, four for each vector.
        unsafe {
            low.store(numbers);
            high.store(numbers.add(F32x4::LANES));
        }
    }

    /// Lane 0.
    #[inline(always)]
    pub fn first(self) -> f32 {
        self.0[0].to_array()[0]
    }

    /// The largest lane; NaN only if all are NaN.
    #[inline(always)]
    pub fn largest(self) -> f32 {
        let [low, high] = self.0;
        low.max(high).to_array().into_iter().fold(f32::MIN, |one, other| if one < other { other } else { one })
    }

    /// The sum of the lanes, added in f64.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        self.0[0].wide_sum() + self.0[1].wide_sum()
    }

    /// self + x · y, rounded once or twice.
    #[inline(always)]
    pub fn plus_product(self, x: Self, y: Self) -> Self {
        Self([self.0[0].plus_product(x.0[0], y.0[0]), self.0[1].plus_product(x.0[1], y.0[1])])
    }

    /// `self`, but 0 in the lanes where `other` is less than `limit`.
    #[inline(always)]
    pub fn zero_where_less(self, other: Self, limit: Self) -> Self {
        Self([self.0[0].zero_where_less(other.0[0], limit.0[0]), self.0[1].zero_where_less(other.0[1], limit.0[1])])
    }

    /// 2ⁿ of each lane, where n is the integer in the lane's lowest bits.
    #[inline(always)]
    pub fn power_of_two(self) -> Self {
        Self(self.0.map(F32x4::power_of_two))
    }
}

/// Operations of [`F32x4`], on both vectors.
macro_rules! of_both {
    ($($name:ident)+) => {
        impl F32x8 {$(
            #[inline(always)]
            pub fn $name(self, other: Self) -> Self {
                Self([self.0[0].$name(other.0[0]), self.0[1].$name(other.0[1])])
            }
        )+}
    };
}

of_both! { plus times over max min }

/// Replaces each number of a row by `apply` of it.
#[inline(always)]
pub fn map(row: &mut [f32], apply: impl Fn(F32x8) -> F32x8) {
    let (eights, rest) = row.as_chunks_mut::<{ F32x8::LANES }>();
    for eight in eights {
        // SAFETY: the chunk has eight numbers and is borrowed mutably.
        unsafe { apply(F32x8::from_array(eight)).store(eight.as_mut_ptr()) };
    }
    rest.iter_mut().for_each(|number| *number = apply(F32x8::splat(*number)).first());
}
