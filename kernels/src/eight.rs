//! Eight numbers at once: two vectors, for which a browser's compiler makes each constant once.

use super::lanes::{LANES, Lanes};

/// So many numbers.
pub const EIGHT: usize = 2 * LANES;

#[derive(Clone, Copy)]
pub struct Eight([Lanes; 2]);

impl Eight {
    #[inline(always)]
    pub fn all(number: f32) -> Self {
        Self([Lanes::all(number); 2])
    }

    #[inline(always)]
    pub fn of(numbers: &[f32; EIGHT]) -> Self {
        // SAFETY: as many lie there.
        unsafe { Self::at(numbers.as_ptr()) }
    }

    /// The eight numbers at an address.
    ///
    /// # Safety
    /// They lie there.
    #[inline(always)]
    pub unsafe fn at(numbers: *const f32) -> Self {
        // SAFETY: as the caller has it.
        unsafe { Self([Lanes::at(numbers), Lanes::at(numbers.add(LANES))]) }
    }

    /// Writes the eight numbers to an address.
    ///
    /// # Safety
    /// There is room for them.
    #[inline(always)]
    pub unsafe fn put(self, numbers: *mut f32) {
        let [low, high] = self.0;
        // SAFETY: as the caller has it.
        unsafe {
            low.put(numbers);
            high.put(numbers.add(LANES));
        }
    }

    /// The first number.
    #[inline(always)]
    pub fn first(self) -> f32 {
        self.0[0].numbers()[0]
    }

    /// The largest number; NaN only where all are.
    #[inline(always)]
    pub fn largest(self) -> f32 {
        let [low, high] = self.0;
        low.at_least(high).numbers().into_iter().fold(f32::MIN, |one, other| if one < other { other } else { one })
    }

    /// The sum of all in f64.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        self.0[0].wide_sum() + self.0[1].wide_sum()
    }

    #[inline(always)]
    fn with(self, other: Self, made: impl Fn(Lanes, Lanes) -> Lanes) -> Self {
        Self([made(self.0[0], other.0[0]), made(self.0[1], other.0[1])])
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        self.with(other, Lanes::plus)
    }

    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        self.with(other, Lanes::times)
    }

    #[inline(always)]
    pub fn over(self, other: Self) -> Self {
        self.with(other, Lanes::over)
    }

    /// The larger of both, NaN where this one is.
    #[inline(always)]
    pub fn at_least(self, least: Self) -> Self {
        self.with(least, Lanes::at_least)
    }

    /// The smaller of both, NaN where this one is.
    #[inline(always)]
    pub fn at_most(self, most: Self) -> Self {
        self.with(most, Lanes::at_most)
    }

    /// This and x · y, rounded once or twice.
    #[inline(always)]
    pub fn plus_product(self, x: Self, y: Self) -> Self {
        Self([self.0[0].plus_product(x.0[0], y.0[0]), self.0[1].plus_product(x.0[1], y.0[1])])
    }

    /// 0 in place of each number whose number in `other` is below the limit.
    #[inline(always)]
    pub fn or_zero_where(self, other: Self, below: Self) -> Self {
        Self([self.0[0].or_zero_where(other.0[0], below.0[0]), self.0[1].or_zero_where(other.0[1], below.0[1])])
    }

    /// 2ⁿ, where the lowest bits of the number are those of n.
    #[inline(always)]
    pub fn power_of_two(self) -> Self {
        Self(self.0.map(Lanes::power_of_two))
    }
}

/// Replaces each number of a row.
#[inline(always)]
pub fn map(row: &mut [f32], with: impl Fn(Eight) -> Eight) {
    let (eights, rest) = row.as_chunks_mut::<EIGHT>();
    for eight in eights {
        // SAFETY: as many lie there.
        unsafe { with(Eight::of(eight)).put(eight.as_mut_ptr()) };
    }
    rest.iter_mut().for_each(|number| *number = with(Eight::all(*number)).first());
}
