//! A row of x times a packed weight: numbers are unpacked where they are multiplied, and never written.

use super::lanes::{LANES, Lanes};
use super::packed::{Format, half};

/// Sums that are made side by side, so that none waits for the one before.
const SUMS: usize = 4;

/// out = x · weightᵀ. x: (inner), and 0 up to whole blocks of [`Format::BLOCK`]; out: (columns); words: (columns, row_words) in a packed format.
#[inline(never)]
pub fn multiply_packed_row(out: &mut [f32], x: &[f32], (format, words): (Format, &[u32]), inner: usize) {
    let rows = out.iter_mut().zip(words.chunks_exact(format.row_words(inner).max(1)));
    match format {
        Format::F32 => {}
        Format::F16 => rows.for_each(|(out, words)| *out = short(words, x, Lanes::halves)),
        Format::BF16 => rows.for_each(|(out, words)| *out = short(words, x, Lanes::short_halves)),
        Format::Int8 => rows.for_each(|(out, words)| *out = blocks::<8>(words, x, |words, at| Lanes::bytes(words[at]))),
        Format::Int4 => rows.for_each(|(out, words)| {
            *out = blocks::<4>(words, x, |words, at| Lanes::half_bytes(words[at / 2] >> (16 * (at % 2))));
        }),
    }
}

/// Four numbers in two words.
#[inline(always)]
fn short(words: &[u32], x: &[f32], numbers: impl Fn([u32; 2]) -> Lanes) -> f32 {
    let (pairs, x) = (words.as_chunks::<2>().0, x.as_chunks::<LANES>().0);
    let mut sums = [Lanes::ZERO; SUMS];
    let (many, x_many) = (pairs.as_chunks::<SUMS>().0, x.as_chunks::<SUMS>().0);
    for (pairs, x) in many.iter().zip(x_many) {
        for at in 0..SUMS {
            sums[at] = sums[at].plus_product(numbers(pairs[at]), Lanes::of(&x[at]));
        }
    }
    let done = many.len() * SUMS;
    for (pair, x) in pairs.iter().zip(x).skip(done) {
        sums[0] = sums[0].plus_product(numbers(*pair), Lanes::of(x));
    }
    total(sums)
}

/// Blocks of so many words, and behind them their scales.
#[inline(always)]
fn blocks<const WORDS: usize>(words: &[u32], x: &[f32], numbers: impl Fn(&[u32; WORDS], usize) -> Lanes) -> f32 {
    // A scale is half a word.
    let count = 2 * words.len() / (2 * WORDS + 1);
    let (blocks, scales) = words.split_at(count * WORDS);
    let mut sums = [Lanes::ZERO; SUMS];
    let pairs = blocks.as_chunks::<WORDS>().0.iter().zip(x.as_chunks::<{ Format::BLOCK }>().0);
    for (block, (words, x)) in pairs.enumerate() {
        let x = x.as_chunks::<LANES>().0;
        let mut of_block = [Lanes::ZERO; SUMS];
        for at in 0..Format::BLOCK / LANES {
            of_block[at % SUMS] = of_block[at % SUMS].plus_product(numbers(words, at), Lanes::of(&x[at]));
        }
        let scale = Lanes::all(half((scales[block / 2] >> (16 * (block % 2))) as u16));
        for at in 0..SUMS {
            sums[at] = sums[at].plus_product(of_block[at], scale);
        }
    }
    total(sums)
}

#[inline(always)]
fn total([a, b, c, d]: [Lanes; SUMS]) -> f32 {
    a.plus(b).plus(c.plus(d)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_sums_of_the_unpacked_numbers() {
        for format in [Format::F16, Format::BF16, Format::Int8, Format::Int4] {
            for inner in [1, 3, 4, 7, 16, 31, 32, 33, 64, 95, 96, 97, 576] {
                let (columns, each) = (5, format.row_words(inner));
                let mut words = vec![0; columns * each];
                let weight: Vec<f32> = (0..columns * inner).map(|at| ((at * 37) as f32).sin() * 3.0).collect();
                for (row, words) in weight.chunks_exact(inner).zip(words.chunks_exact_mut(each)) {
                    assert!(format.pack(row, words));
                }
                let mut x: Vec<f32> = (0..inner).map(|at| ((at * 53) as f32).cos()).collect();
                x.resize(inner.next_multiple_of(Format::BLOCK), 0.0);
                let (mut found, mut row) = (vec![7.0; columns], vec![0.0; inner]);
                multiply_packed_row(&mut found, &x, (format, &words), inner);
                for (found, words) in found.iter().zip(words.chunks_exact(each)) {
                    format.unpack(words, &mut row);
                    let expected: f64 = row.iter().zip(&x).map(|(w, x)| f64::from(*w) * f64::from(*x)).sum();
                    let of: f64 = row.iter().zip(&x).map(|(w, x)| f64::from((w * x).abs())).sum();
                    let off = (f64::from(*found) - expected).abs();
                    assert!(off <= 1e-6 * of, "{format:?} of {inner}: {found}, not {expected}");
                }
            }
        }
    }

    #[test]
    fn every_finite_half_and_every_number_of_a_block_is_exact() {
        for bits in (0..=u16::MAX).filter(|bits| bits & 0x7c00 != 0x7c00) {
            let word = u32::from(bits) << 16;
            assert_eq!(Lanes::halves([word, 0]).numbers()[1].to_bits(), half(bits).to_bits());
        }
        for byte in 0..=u8::MAX {
            assert_eq!(Lanes::bytes(u32::from(byte) << 8).numbers()[1], f32::from(byte as i8));
            let four = f32::from((byte << 4) as i8 >> 4);
            assert_eq!(Lanes::half_bytes(u32::from(byte) << 4).numbers()[1], four);
        }
    }
}
