//! Natively, weights whose numbers have no scale: f32, f16 and bf16.

use crate::processor::Processor;
use crate::quant::{QuantisedFormat, dequantise_row};
#[cfg(target_arch = "x86_64")]
use crate::simd::Avx2Vectors;
use crate::simd::{BaselineVectors, F32x4, NativeVectors};

/// A weight (columns, inner), by rows.
#[derive(Debug, Clone, Copy)]
pub enum FloatWeight<'a> {
    F32(&'a [f32]),
    /// Rows of [`QuantisedFormat::row_words`] words.
    F16(&'a [u32]),
    /// Rows of [`QuantisedFormat::row_words`] words.
    BF16(&'a [u32]),
}

/// The storage format of a [`FloatWeight`].
#[derive(Debug, Clone, Copy)]
pub enum FloatFormat {
    F32,
    F16,
    BF16,
}

impl FloatWeight<'_> {
    /// Its words, the words of a row, and their format. Panics if it has fewer than `columns` rows.
    pub fn rows(self, [columns, inner]: [usize; 2]) -> (*const u32, usize, FloatFormat) {
        let (count, words, row_words, format) = match self {
            Self::F32(numbers) => (numbers.len(), numbers.as_ptr().cast(), inner, FloatFormat::F32),
            Self::F16(words) => (words.len(), words.as_ptr(), QuantisedFormat::F16.row_words(inner), FloatFormat::F16),
            Self::BF16(words) => {
                (words.len(), words.as_ptr(), QuantisedFormat::BF16.row_words(inner), FloatFormat::BF16)
            }
        };
        assert!(count >= columns * row_words, "the weight is smaller than its shape");
        (words, row_words, format)
    }
}

/// Reads numbers of a [`FloatFormat`].
pub trait FloatNumbers {
    /// Numbers in a word.
    const PER_WORD: usize;

    /// The vector of numbers from `at` on, a multiple of [`FloatNumbers::PER_WORD`].
    ///
    /// # Safety
    /// The processor has V's instructions, and the row has these numbers.
    unsafe fn vector<V: NativeVectors>(row: *const u32, at: usize) -> V::Vector;

    /// Number `at`.
    ///
    /// # Safety
    /// The row has this number.
    unsafe fn number(row: *const u32, at: usize) -> f32;
}

pub struct F32Numbers;
pub struct F16Numbers;
pub struct Bf16Numbers;

impl FloatNumbers for F32Numbers {
    const PER_WORD: usize = 1;

    #[inline(always)]
    unsafe fn vector<V: NativeVectors>(row: *const u32, at: usize) -> V::Vector {
        // SAFETY: by this function's condition.
        unsafe { V::load(row.add(at).cast()) }
    }

    #[inline(always)]
    unsafe fn number(row: *const u32, at: usize) -> f32 {
        // SAFETY: by this function's condition.
        f32::from_bits(unsafe { *row.add(at) })
    }
}

impl FloatNumbers for F16Numbers {
    const PER_WORD: usize = 2;

    #[inline(always)]
    unsafe fn vector<V: NativeVectors>(row: *const u32, at: usize) -> V::Vector {
        // SAFETY: by this function's condition.
        unsafe { V::load_f16(row.cast::<u16>().add(at)) }
    }

    #[inline(always)]
    unsafe fn number(row: *const u32, at: usize) -> f32 {
        // SAFETY: by this function's condition.
        unsafe { F32x4::splat_f16(row, at) }.to_array()[0]
    }
}

impl FloatNumbers for Bf16Numbers {
    const PER_WORD: usize = 2;

    #[inline(always)]
    unsafe fn vector<V: NativeVectors>(row: *const u32, at: usize) -> V::Vector {
        // SAFETY: by this function's condition.
        unsafe { V::load_bf16(row.cast::<u16>().add(at)) }
    }

    #[inline(always)]
    unsafe fn number(row: *const u32, at: usize) -> f32 {
        // SAFETY: by this function's condition.
        f32::from_bits(u32::from(unsafe { *row.cast::<u16>().add(at) }) << 16)
    }
}

/// Converts a row to f32. out: (inner, up to whole blocks of [`QuantisedFormat::BLOCK`]), words: (row_words)
///
/// # Safety
/// `out` is writable and `words` readable for these shapes.
pub unsafe fn convert_row(out: *mut f32, words: *const u32, format: QuantisedFormat, inner: usize) {
    // SAFETY: the condition is this function's own, and the machine has the instructions that were detected.
    unsafe { convert_row_on(Processor::detect(), out, words, format, inner) }
}

/// # Safety
/// That of [`convert_row`], and this machine is such a processor.
unsafe fn convert_row_on(
    processor: Processor,
    out: *mut f32,
    words: *const u32,
    format: QuantisedFormat,
    inner: usize,
) {
    // SAFETY: the condition is this function's own.
    unsafe {
        match (format, processor) {
            (QuantisedFormat::Int8 | QuantisedFormat::Int4, _) => dequantise_row(out, words, (format, inner)),
            #[cfg(target_arch = "x86_64")]
            (_, Processor::Vnni | Processor::Avx2) => convert_with_avx2(out, words, format, inner),
            #[cfg(target_arch = "aarch64")]
            (_, Processor::DotProduct) => convert_with::<BaselineVectors>(out, words, format, inner),
            (_, Processor::Baseline) => convert_with::<BaselineVectors>(out, words, format, inner),
        }
    }
}

/// # Safety
/// That of [`convert_with`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn convert_with_avx2(out: *mut f32, words: *const u32, format: QuantisedFormat, inner: usize) {
    // SAFETY: this function has the instructions; the rest is its condition.
    unsafe { convert_with::<Avx2Vectors>(out, words, format, inner) }
}

/// # Safety
/// That of [`convert_row`], and the processor has V's instructions. The format is f16 or bf16.
#[inline(always)]
unsafe fn convert_with<V: NativeVectors>(out: *mut f32, words: *const u32, format: QuantisedFormat, inner: usize) {
    // SAFETY: by this function's condition.
    unsafe {
        if format == QuantisedFormat::BF16 {
            convert::<V, Bf16Numbers>(out, words, inner);
        } else {
            convert::<V, F16Numbers>(out, words, inner);
        }
    }
}

/// # Safety
/// That of [`convert_with`].
#[inline(always)]
unsafe fn convert<V: NativeVectors, N: FloatNumbers>(out: *mut f32, words: *const u32, inner: usize) {
    let mut k = 0;
    // SAFETY: `k + V::LANES <= inner` for a vector, and `k < inner` after the last one.
    unsafe {
        while k + V::LANES <= inner {
            V::store(N::vector::<V>(words, k), out.add(k));
            k += V::LANES;
        }
        while k < inner {
            *out.add(k) = N::number(words, k);
            k += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sines;

    #[test]
    fn every_processor_converts_a_row_exactly() {
        for format in QuantisedFormat::ALL {
            for inner in [1, 7, 8, 9, 31, 64, 301] {
                let mut words = vec![0; format.row_words(inner)];
                assert!(format.quantise(&sines(inner, 1), &mut words));
                let mut expected = vec![0.0; inner];
                format.dequantise(&words, &mut expected);
                for processor in Processor::every() {
                    let mut found = vec![7.0; inner.next_multiple_of(QuantisedFormat::BLOCK)];
                    // SAFETY: the vectors have the lengths of a row, and this machine has the instructions.
                    unsafe { convert_row_on(processor, found.as_mut_ptr(), words.as_ptr(), format, inner) };
                    assert_eq!(found[..inner], expected, "{format:?} of {inner} on {processor:?}");
                }
            }
        }
    }
}
