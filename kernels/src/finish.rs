//! What follows the product of a linear layer: bias, activation, residual.

use super::activation::{Activation, gelu, gelu_tanh, silu};
use super::eight::{EIGHT, Eight};
use super::lanes::{LANES, Lanes};

/// Adds the bias, applies the activation of that code, adds the residual: each of `count` numbers, a multiple of [`EIGHT`]. Null and 0 where there is none.
///
/// # Safety
/// As many numbers lie there, and may be written at `out`.
#[inline(never)]
pub unsafe fn finish_row(out: *mut f32, count: usize, bias: *const f32, activation: usize, residual: *const f32) {
    // SAFETY: as the caller has it.
    unsafe {
        add_numbers(out, count, bias);
        match Activation::of_code(activation) {
            None => {}
            Some(Activation::Gelu) => each(out, count, gelu),
            Some(Activation::GeluTanh) => each(out, count, gelu_tanh),
            Some(Activation::Relu) => each(out, count, |x| x.at_least(Eight::all(0.0))),
            Some(Activation::Silu) => each(out, count, silu),
        }
        add_numbers(out, count, residual);
    }
}

/// Adds as many numbers; none where they are null.
///
/// # Safety
/// They lie there.
#[inline(never)]
pub unsafe fn add_numbers(out: *mut f32, count: usize, numbers: *const f32) {
    if numbers.is_null() {
        return;
    }
    let mut at = 0;
    // SAFETY: as the caller has it; `at` stays below `count`.
    unsafe {
        while at + LANES <= count {
            Lanes::at(out.add(at)).plus(Lanes::at(numbers.add(at))).put(out.add(at));
            at += LANES;
        }
        while at < count {
            *out.add(at) += *numbers.add(at);
            at += 1;
        }
    }
}

/// # Safety
/// That of [`finish_row`].
#[inline(always)]
unsafe fn each(out: *mut f32, count: usize, with: impl Fn(Eight) -> Eight) {
    let mut at = 0;
    while at < count {
        // SAFETY: as the caller has it; `at` stays below `count`.
        unsafe { with(Eight::at(out.add(at))).put(out.add(at)) };
        at += EIGHT;
    }
}

/// Applies an activation to any number of them.
pub fn activate(values: &mut [f32], activation: usize) {
    let (eights, rest) = values.as_chunks_mut::<EIGHT>();
    let mut last = [0.0; EIGHT];
    last[..rest.len()].copy_from_slice(rest);
    for numbers in [eights.as_flattened_mut(), &mut last] {
        // SAFETY: these numbers are borrowed mutably.
        unsafe { finish_row(numbers.as_mut_ptr(), numbers.len(), std::ptr::null(), activation, std::ptr::null()) };
    }
    rest.copy_from_slice(&last[..rest.len()]);
}
