//! Eight f32. In WebAssembly two vectors, so that a browser's compiler loads each constant once for both; natively an array, which the
//! compiler turns into the widest vectors that the code around it is compiled for.

#[cfg(target_arch = "wasm32")]
use super::f32x4::F32x4;

/// Eight numbers.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Copy)]
pub struct F32x8([F32x4; 2]);

#[cfg(target_arch = "wasm32")]
impl F32x8 {
    pub const ZERO: Self = Self([F32x4::ZERO; 2]);

    #[inline(always)]
    pub fn splat(number: f32) -> Self {
        Self([F32x4::splat(number); 2])
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
        largest(low.max(high).to_array())
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

/// Eight numbers. Its functions compute the same as those above.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy)]
pub struct F32x8([f32; 8]);

#[cfg(not(target_arch = "wasm32"))]
impl F32x8 {
    pub const ZERO: Self = Self([0.0; Self::LANES]);

    #[inline(always)]
    pub fn splat(number: f32) -> Self {
        Self([number; Self::LANES])
    }

    /// # Safety
    /// `numbers .. numbers + 8` is readable; it need not be aligned.
    #[inline(always)]
    pub unsafe fn load(numbers: *const f32) -> Self {
        // SAFETY: the caller guarantees eight readable numbers; `read_unaligned` needs no alignment.
        Self(unsafe { numbers.cast::<[f32; Self::LANES]>().read_unaligned() })
    }

    /// # Safety
    /// `numbers .. numbers + 8` is writable; it need not be aligned.
    #[inline(always)]
    pub unsafe fn store(self, numbers: *mut f32) {
        // SAFETY: the caller guarantees eight writable numbers; `write_unaligned` needs no alignment.
        unsafe { numbers.cast::<[f32; Self::LANES]>().write_unaligned(self.0) };
    }

    #[inline(always)]
    pub fn first(self) -> f32 {
        self.0[0]
    }

    #[inline(always)]
    pub fn largest(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.0;
        let max = |one: f32, other: f32| if one < other { other } else { one };
        largest([max(a, e), max(b, f), max(c, g), max(d, h)])
    }

    #[inline(always)]
    pub fn sum(self) -> f64 {
        let [a, b, c, d, e, f, g, h] = self.0.map(f64::from);
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    }

    #[inline(always)]
    pub fn plus_product(self, x: Self, y: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + x.0[lane] * y.0[lane]))
    }

    #[inline(always)]
    pub fn zero_where_less(self, other: Self, limit: Self) -> Self {
        Self(std::array::from_fn(|lane| if other.0[lane] < limit.0[lane] { 0.0 } else { self.0[lane] }))
    }

    #[inline(always)]
    pub fn power_of_two(self) -> Self {
        Self(self.0.map(|number| f32::from_bits(number.to_bits().wrapping_add(127) << 23)))
    }
}

#[inline(always)]
fn largest(lanes: [f32; 4]) -> f32 {
    lanes.into_iter().fold(f32::MIN, |one, other| if one < other { other } else { one })
}

impl F32x8 {
    /// Numbers in it.
    pub const LANES: usize = 8;

    #[inline(always)]
    pub fn from_array(numbers: &[f32; Self::LANES]) -> Self {
        // SAFETY: the array has eight numbers.
        unsafe { Self::load(numbers.as_ptr()) }
    }
}

/// Operations lane by lane: those of [`F32x4`](super::F32x4).
macro_rules! lane_by_lane {
    ($($name:ident: |$x:ident, $y:ident| $number:expr;)+) => {
        impl F32x8 {$(
            #[inline(always)]
            pub fn $name(self, other: Self) -> Self {
                #[cfg(target_arch = "wasm32")]
                let lanes = [self.0[0].$name(other.0[0]), self.0[1].$name(other.0[1])];
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
    plus: |x, y| x + y;
    times: |x, y| x * y;
    over: |x, y| x / y;
    max: |x, y| if x < y { y } else { x };
    min: |x, y| if y < x { y } else { x };
}

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
