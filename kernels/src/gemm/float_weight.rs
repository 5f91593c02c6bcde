//! Natively, weights whose numbers have no scale: f32, f16 and bf16.

use crate::processor::Processor;
use crate::quant::QuantisedFormat;
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

/// Converts rows to f32. out: (rows, inner), words: (rows, row_words)
///
/// # Safety
/// `out` is writable and `words` readable for these shapes.
pub unsafe fn convert_rows(out: *mut f32, rows: (*const u32, usize), format: FloatFormat, shape: [usize; 2]) {
    // SAFETY: the condition is this function's own, and the machine has the instructions that were detected.
    unsafe {
        match Processor::detect() {
            #[cfg(target_arch = "x86_64")]
            Processor::Vnni | Processor::Avx2 => convert_with_avx2(out, rows, format, shape),
            Processor::Baseline => convert_with::<BaselineVectors>(out, rows, format, shape),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn convert_with_avx2(out: *mut f32, rows: (*const u32, usize), format: FloatFormat, shape: [usize; 2]) {
    // SAFETY: this function has the instructions; the rest is the caller's condition.
    unsafe { convert_with::<Avx2Vectors>(out, rows, format, shape) }
}

/// # Safety
/// That of [`convert_rows`], and the processor has V's instructions.
#[inline(always)]
unsafe fn convert_with<V: NativeVectors>(
    out: *mut f32,
    rows: (*const u32, usize),
    format: FloatFormat,
    shape: [usize; 2],
) {
    // SAFETY: by this function's condition.
    unsafe {
        match format {
            FloatFormat::F32 => convert::<V, F32Numbers>(out, rows, shape),
            FloatFormat::F16 => convert::<V, F16Numbers>(out, rows, shape),
            FloatFormat::BF16 => convert::<V, Bf16Numbers>(out, rows, shape),
        }
    }
}

/// # Safety
/// That of [`convert_rows`], and the processor has V's instructions.
#[inline(always)]
unsafe fn convert<V: NativeVectors, N: FloatNumbers>(
    out: *mut f32,
    (words, row_words): (*const u32, usize),
    [rows, inner]: [usize; 2],
) {
    for row in 0..rows {
        // SAFETY: `row < rows`; `k + V::LANES <= inner` for a vector, and `k < inner` after the last one.
        unsafe {
            let (words, out) = (words.add(row * row_words), out.add(row * inner));
            let mut k = 0;
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
}
