//! Dot products of a block of a weight with a block of x, on one kind of processor.

use super::block::Block;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::simd::{F32x4, NativeVectors};

/// Dot products on one kind of processor.
///
/// # Safety
/// Every function may be called only on a processor that has the type's instructions, and is inlined into code that is compiled for them.
pub unsafe trait BlockProducts {
    /// 32 integers of a weight.
    type Weights: Copy;
    /// f32 partial sums of a dot product.
    type Sums: Copy;
    /// Rows of x that are multiplied at once, as registers allow.
    const ROWS: usize;

    /// No product yet.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn zero() -> Self::Sums;

    /// A block of an int8 weight.
    ///
    /// # Safety
    /// That of the trait, and `words` has 8 readable words.
    unsafe fn int8(words: *const u32) -> Self::Weights;

    /// A block of an int4 weight, in the order of [`Block::integers`].
    ///
    /// # Safety
    /// That of the trait, and `words` has 4 readable words.
    unsafe fn int4(words: *const u32) -> Self::Weights;

    /// sums + scale · (weights · x). BITS: of the weights, 8 or 4.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn add_product<const BITS: usize>(
        sums: Self::Sums,
        weights: Self::Weights,
        x: &Block,
        scale: f32,
    ) -> Self::Sums;

    /// The dot product.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn total(sums: Self::Sums) -> f32;

    /// Converts `count` f16, two a word.
    ///
    /// # Safety
    /// That of the trait. `halves` has `count` readable f16, which are finite, and `numbers` room for `count` f32.
    unsafe fn convert_f16(halves: *const u32, numbers: *mut f32, count: usize);

    /// Asks for the memory at `address`, which need not be readable.
    ///
    /// # Safety
    /// That of the trait.
    unsafe fn prefetch(address: *const u32);
}

/// [`BlockProducts::convert_f16`] with the vectors of V.
///
/// # Safety
/// That of [`BlockProducts::convert_f16`], and the processor has V's instructions.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub unsafe fn convert_f16<V: NativeVectors>(halves: *const u32, numbers: *mut f32, count: usize) {
    let mut at = 0;
    // SAFETY: the caller guarantees the instructions and `count` numbers. `at + LANES <= count` for a vector, else `at < count`.
    unsafe {
        while at + V::LANES <= count {
            V::store(V::load_f16(halves.cast::<u16>().add(at)), numbers.add(at));
            at += V::LANES;
        }
        while at < count {
            *numbers.add(at) = F32x4::splat_f16(halves, at).to_array()[0];
            at += 1;
        }
    }
}
