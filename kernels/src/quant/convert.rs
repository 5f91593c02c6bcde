//! Quantising and dequantising rows.

use super::format::{Format, QuantisedFormat};
use super::rows::dequantise_row;
use crate::processor::with_widest_vectors;
use half::{bf16, f16};

impl Format {
    /// Stores a row. words: ([`Format::row_words`]), all 0. False if a number or a block's scale is beyond what the format holds.
    pub fn quantise(self, row: &[f32], words: &mut [u32]) -> bool {
        let Some(format) = self.quantised() else {
            words.iter_mut().zip(row).for_each(|(word, number)| *word = number.to_bits());
            return true;
        };
        format.quantise(row, words)
    }

    /// Reads a row. words: ([`Format::row_words`])
    pub fn dequantise(self, words: &[u32], row: &mut [f32]) {
        match self.quantised() {
            Some(format) => format.dequantise(words, row),
            None => row.iter_mut().zip(words).for_each(|(number, word)| *number = f32::from_bits(*word)),
        }
    }
}

impl QuantisedFormat {
    /// [`Format::quantise`] of formats other than f32.
    #[inline(never)]
    pub fn quantise(self, row: &[f32], words: &mut [u32]) -> bool {
        match self {
            QuantisedFormat::F16 => quantise_halves(row, words, |number| f16::from_f32(number).to_bits(), 0x7c00),
            QuantisedFormat::BF16 => quantise_halves(row, words, |number| bf16::from_f32(number).to_bits(), 0x7f80),
            QuantisedFormat::Int8 | QuantisedFormat::Int4 => with_widest_vectors!(self.quantise_blocks(row, words)),
        }
    }

    #[inline(always)]
    fn quantise_blocks(self, row: &[f32], words: &mut [u32]) -> bool {
        let block_words = self.block_words().unwrap_or(1);
        let (blocks, scales) = words.split_at_mut(row.len().div_ceil(Self::BLOCK) * block_words);
        let mut fits = true;
        for (at, (numbers, words)) in row.chunks(Self::BLOCK).zip(blocks.chunks_exact_mut(block_words)).enumerate() {
            let mut block = [0.0; Self::BLOCK];
            block[..numbers.len()].copy_from_slice(numbers);
            // `max` ignores NaN, so that the numbers are looked at for it.
            let largest = block.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
            let scale = f16::from_f32(largest / self.largest());
            fits &= scale.is_finite() && block.iter().all(|number| !number.is_nan());
            scales[at / 2] |= u32::from(scale.to_bits()) << (16 * (at % 2));
            let scale = scale.to_f32();
            if scale == 0.0 {
                continue;
            }
            // A number by its rounded scale may be beyond the largest integer.
            let most = self.largest();
            let integers = nearest_integers(block.map(|number| (number / scale).clamp(-most, most)));
            // A block of 32 numbers of n bits has n words.
            let bits = block_words;
            for (word, integers) in words.iter_mut().zip(integers.chunks_exact(32 / bits)) {
                let parts = integers.iter().zip((0..32).step_by(bits));
                *word = parts.fold(0, |word, (integer, at)| word | (*integer as u32 & ((1 << bits) - 1)) << at);
            }
        }
        fits
    }

    /// [`Format::dequantise`] of formats other than f32.
    #[inline(never)]
    pub fn dequantise(self, words: &[u32], row: &mut [f32]) {
        if row.len().is_multiple_of(Self::BLOCK) {
            self.dequantise_padded(words, row, row.len());
        } else {
            let mut padded = vec![0.0; row.len().next_multiple_of(Self::BLOCK)];
            self.dequantise_padded(words, &mut padded, row.len());
            row.copy_from_slice(&padded[..row.len()]);
        }
    }

    /// Reads a row with its padding. row: (columns up to whole blocks)
    pub fn dequantise_padded(self, words: &[u32], row: &mut [f32], columns: usize) {
        let (words, row) = (&words[..self.row_words(columns)], &mut row[..columns.next_multiple_of(Self::BLOCK)]);
        // SAFETY: `words` has the words of a row of `columns` numbers, `row` has whole blocks and is borrowed mutably.
        unsafe { dequantise_row(row.as_mut_ptr(), words.as_ptr(), (self, columns)) };
    }
}

/// Numbers up to 2²² rounded to the nearest integers, of two the even one.
#[inline(always)]
pub fn nearest_integers(numbers: [f32; QuantisedFormat::BLOCK]) -> [i32; QuantisedFormat::BLOCK] {
    /// Added to a small number, it rounds the number to an integer, which is in the lowest bits then.
    const ROUND: f32 = 12_582_912.0;
    numbers.map(|number| ((number + ROUND).to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32))
}

/// `exponent`: the bits of the exponent, all set only if the number is beyond the format.
fn quantise_halves(row: &[f32], words: &mut [u32], half: impl Fn(f32) -> u16, exponent: u16) -> bool {
    let mut fits = true;
    for (word, pair) in words.iter_mut().zip(row.chunks(2)) {
        for (at, number) in pair.iter().enumerate() {
            let bits = half(*number);
            fits &= bits & exponent != exponent;
            *word |= u32::from(bits) << (16 * at);
        }
    }
    fits
}
