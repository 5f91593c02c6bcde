//! Elementwise arithmetic of rows.

use crate::activation::Activation;
use crate::processor::with_widest_vectors;
use crate::simd::F32x8;

/// row += other.
#[inline(never)]
pub fn add(row: &mut [f32], other: &[f32]) {
    row.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
}

/// row += weights · factors, number by number.
#[inline(never)]
pub fn add_products(row: &mut [f32], weights: &[f32], factors: &[f32]) {
    let pairs = weights.iter().zip(factors);
    row.iter_mut().zip(pairs).for_each(|(sum, (weight, factor))| *sum += weight * factor);
}

/// row *= factor.
#[inline(never)]
pub fn scale(row: &mut [f32], factor: f32) {
    row.iter_mut().for_each(|x| *x *= factor);
}

/// row -= number.
#[inline(never)]
pub fn subtract(row: &mut [f32], number: f32) {
    row.iter_mut().for_each(|x| *x -= number);
}

/// The mean of a matrix's column over the rows where `mask` is true; 0 if there are none. `column` begins at the column's first number and
/// may end anywhere after its last: every `width`-th number is the column's. mask: (rows)
#[inline(never)]
pub fn column_mean(column: &[f32], width: usize, mask: &[bool]) -> f32 {
    let count = mask.iter().filter(|unmasked| **unmasked).count().max(1);
    let numbers = column.iter().step_by(width.max(1)).zip(mask);
    let sum: f64 = numbers.filter(|(_, unmasked)| **unmasked).map(|(x, _)| f64::from(*x)).sum();
    (sum / count as f64) as f32
}

/// out = activation(gate) · up, of interleaved pairs (gate, up). pairs: (2 · width), out: (width).
#[inline(never)]
pub fn gate(out: &mut [f32], pairs: &[f32], activation: Activation) {
    let (pairs, _) = pairs.as_chunks::<2>();
    with_widest_vectors!(out.iter_mut().zip(pairs).for_each(|(gate, [x, _])| *gate = *x));
    activation.apply(out);
    with_widest_vectors!(out.iter_mut().zip(pairs).for_each(|(gate, [_, up])| *gate *= up));
}

/// out += numbers; nothing if `numbers` is null.
///
/// # Safety
/// `out` has `count` writable numbers, and `numbers` as many readable ones unless it is null.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub unsafe fn add_row(out: *mut f32, count: usize, numbers: *const f32) {
    // SAFETY: `out` has `count` numbers; `numbers` is null or has as many.
    unsafe { combine_row(out, count, numbers, F32x8::plus) }
}

/// out = combine(out, numbers), lane by lane; nothing if `numbers` is null.
///
/// # Safety
/// `out` has `count` writable numbers, and `numbers` as many readable ones unless it is null.
#[inline(always)]
pub unsafe fn combine_row(out: *mut f32, count: usize, numbers: *const f32, combine: impl Fn(F32x8, F32x8) -> F32x8) {
    if numbers.is_null() {
        return;
    }
    let mut at = 0;
    // SAFETY: `at + 8 <= count` for vectors and `at < count` for the tail. Both pointers have `count` numbers: neither is null here.
    unsafe {
        while at + F32x8::LANES <= count {
            combine(F32x8::load(out.add(at)), F32x8::load(numbers.add(at))).store(out.add(at));
            at += F32x8::LANES;
        }
        while at < count {
            *out.add(at) = combine(F32x8::splat(*out.add(at)), F32x8::splat(*numbers.add(at))).first();
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Activation, add, add_products, column_mean, gate, scale};

    #[test]
    fn the_first_number_of_a_pair_is_the_gate() {
        let mut out = [7.0; 3];
        gate(&mut out, &[2.0, 3.0, -1.0, 5.0, 0.5, -4.0], Activation::Relu);
        assert_eq!(out, [6.0, 0.0, -2.0]);
        add(&mut out, &[1.0, 2.0, 3.0]);
        assert_eq!(out, [7.0, 2.0, 1.0]);
        scale(&mut out, 0.5);
        assert_eq!(out, [3.5, 1.0, 0.5]);
    }

    #[test]
    fn a_mean_is_of_one_column_over_unmasked_rows() {
        let rows = [1.0, 10.0, 2.0, 20.0, 6.0, 30.0];
        for (mask, first, second) in
            [([true, true, true], 3.0, 20.0), ([false, true, true], 4.0, 25.0), ([false; 3], 0.0, 0.0)]
        {
            assert_eq!([column_mean(&rows, 2, &mask), column_mean(&rows[1..], 2, &mask)], [first, second]);
        }
    }

    #[test]
    fn products_are_added() {
        let mut sums = [1.0, 2.0];
        add_products(&mut sums, &[0.5, 0.25], &[2.0, 8.0]);
        assert_eq!(sums, [2.0, 4.0]);
    }
}
