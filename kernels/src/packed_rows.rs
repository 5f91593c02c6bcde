//! Rows of a packed weight: times a row of x, unpacked where they are multiplied and never written; and laid out as panels.
//!
//! Nothing here has an address of its own, takes room or can panic: threads run it without a stack.

use super::lanes::{LANES, Lanes};
use super::packed::PackedFormat;
use super::panels::{WIDTH, interleave};

/// Vectors that are unpacked at once, and sums that are made side by side, so that none waits for the one before.
const SUMS: usize = 4;

/// out = x · weightᵀ for a single row. x: (inner), and 0 up to whole blocks of [`PackedFormat::BLOCK`]; out: (columns); words: (columns, each).
///
/// # Safety
/// As many numbers lie there, and may be written at `out`, which overlaps nothing.
#[inline(never)]
pub unsafe fn multiply_packed_row(
    (out, columns): (*mut f32, usize),
    x: *const f32,
    (words, each): (*const u32, usize),
    (format, inner): (PackedFormat, usize),
) {
    let (vectors, count) = (inner.div_ceil(LANES), inner.div_ceil(PackedFormat::BLOCK));
    let rows = (words, each, columns);
    // SAFETY: as the caller has it.
    unsafe {
        match format {
            PackedFormat::F16 => {
                for_each(out, rows, |row| short(row, x, vectors, Lanes::sixteen_halves, Lanes::halves))
            }
            PackedFormat::BF16 => {
                for_each(out, rows, |row| short(row, x, vectors, Lanes::sixteen_short_halves, Lanes::short_halves));
            }
            PackedFormat::Int8 => for_each(out, rows, |row| blocks::<8>(row, x, count, Lanes::sixteen_bytes)),
            PackedFormat::Int4 => for_each(out, rows, |row| blocks::<4>(row, x, count, Lanes::sixteen_half_bytes)),
        }
    }
}

/// A number of each row.
///
/// # Safety
/// So many rows lie there, and numbers may be written at `out`.
#[inline(always)]
unsafe fn for_each(
    out: *mut f32,
    (words, each, columns): (*const u32, usize, usize),
    number: impl Fn(*const u32) -> f32,
) {
    let mut column = 0;
    while column < columns {
        // SAFETY: as the caller has it.
        unsafe { *out.add(column) = number(words.add(column * each)) };
        column += 1;
    }
}

/// The product with a row of 16-bit numbers, so many vectors of them.
///
/// # Safety
/// They lie there, and as many numbers of x.
#[inline(always)]
unsafe fn short(
    mut words: *const u32,
    mut x: *const f32,
    mut vectors: usize,
    sixteen: unsafe fn(*const u32) -> [Lanes; SUMS],
    four: unsafe fn(*const u32) -> Lanes,
) -> f32 {
    let mut sums = [Lanes::ZERO; SUMS];
    // SAFETY: as the caller has it.
    unsafe {
        while vectors >= SUMS {
            for (at, (sum, numbers)) in sums.iter_mut().zip(sixteen(words)).enumerate() {
                *sum = sum.plus_product(numbers, Lanes::at(x.add(at * LANES)));
            }
            (words, x, vectors) = (words.add(SUMS * LANES / 2), x.add(SUMS * LANES), vectors - SUMS);
        }
        while vectors > 0 {
            sums[0] = sums[0].plus_product(four(words), Lanes::at(x));
            (words, x, vectors) = (words.add(LANES / 2), x.add(LANES), vectors - 1);
        }
    }
    total(sums)
}

/// The product with a row of blocks of so many words, and behind them their scales.
///
/// # Safety
/// They lie there, and as many numbers of x.
#[inline(always)]
unsafe fn blocks<const WORDS: usize>(
    words: *const u32,
    mut x: *const f32,
    count: usize,
    sixteen: unsafe fn(*const u32) -> [Lanes; SUMS],
) -> f32 {
    let mut sums = [Lanes::ZERO; SUMS];
    let mut block = 0;
    // SAFETY: as the caller has it.
    unsafe {
        let scales = words.add(count * WORDS);
        while block < count {
            let at = words.add(block * WORDS);
            let (first, second) = (sixteen(at), sixteen(at.add(WORDS / 2)));
            let scale = Lanes::all_of_half(scales, block);
            for (at, sum) in sums.iter_mut().enumerate() {
                let (x, x_behind) = (Lanes::at(x.add(at * LANES)), Lanes::at(x.add((SUMS + at) * LANES)));
                *sum = sum.plus_product(first[at].times(x).plus_product(second[at], x_behind), scale);
            }
            (block, x) = (block + 1, x.add(PackedFormat::BLOCK));
        }
    }
    total(sums)
}

#[inline(always)]
fn total([a, b, c, d]: [Lanes; SUMS]) -> f32 {
    a.plus(b).plus(c.plus(d)).sum()
}

/// Unpacks eight rows as a panel, number (row, k) at `k · 8 + row`. In the place of rows that are not there comes the last. words: (rows, each);
/// panel: (8, inner); room: (8, inner), inner up to whole blocks of [`PackedFormat::BLOCK`].
///
/// # Safety
/// As many lie there, one row at least, and may be written at `panel` and `room`, which overlap nothing.
#[inline(never)]
pub unsafe fn unpack_panel(
    (panel, room): (*mut f32, *mut f32),
    (words, each): (*const u32, usize),
    rows: usize,
    (format, inner): (PackedFormat, usize),
) {
    let (count, stride) = (WIDTH.min(rows), inner.next_multiple_of(PackedFormat::BLOCK));
    let mut row = 0;
    // SAFETY: as the caller has it.
    unsafe {
        while row < count {
            unpack_row(room.add(row * stride), words.add(row * each), (format, inner));
            row += 1;
        }
        interleave(panel, WIDTH, room, stride, count, inner);
    }
}

/// Unpacks a row of a packed format, with what it is filled up with. row: inner numbers, up to whole blocks of [`PackedFormat::BLOCK`].
///
/// # Safety
/// The row's words lie there, and there is room for its numbers.
#[inline(never)]
pub unsafe fn unpack_row(row: *mut f32, words: *const u32, (format, inner): (PackedFormat, usize)) {
    let (vectors, count) = (inner.div_ceil(LANES), inner.div_ceil(PackedFormat::BLOCK));
    // SAFETY: as the caller has it.
    unsafe {
        match format {
            PackedFormat::F16 => put_each(row, vectors, |at| Lanes::halves(words.add(2 * at))),
            PackedFormat::BF16 => put_each(row, vectors, |at| Lanes::short_halves(words.add(2 * at))),
            PackedFormat::Int8 => put_blocks(row, (words, 8), count, |words, at| Lanes::bytes(words.add(at))),
            PackedFormat::Int4 => put_blocks(row, (words, 4), count, |words, at| Lanes::half_bytes(words, at)),
        }
    }
}

/// # Safety
/// That of [`unpack_row`].
#[inline(always)]
unsafe fn put_each(row: *mut f32, vectors: usize, four: impl Fn(usize) -> Lanes) {
    let mut at = 0;
    while at < vectors {
        // SAFETY: as the caller has it.
        unsafe { four(at).put(row.add(at * LANES)) };
        at += 1;
    }
}

/// # Safety
/// That of [`unpack_row`].
#[inline(always)]
unsafe fn put_blocks(
    row: *mut f32,
    (words, each): (*const u32, usize),
    count: usize,
    four: impl Fn(*const u32, usize) -> Lanes,
) {
    let mut block = 0;
    while block < count {
        // SAFETY: as the caller has it.
        unsafe {
            let scale = Lanes::all_of_half(words.add(count * each), block);
            let words = words.add(block * each);
            put_each(row.add(block * PackedFormat::BLOCK), PackedFormat::BLOCK / LANES, |at| {
                four(words, at).times(scale)
            });
        }
        block += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::f16;

    #[test]
    fn agrees_with_sums_of_the_unpacked_numbers() {
        for format in PackedFormat::ALL {
            for inner in [1, 3, 4, 7, 16, 31, 32, 33, 64, 95, 96, 97, 576] {
                let (columns, each) = (5, format.row_words(inner));
                let mut words = vec![0; columns * each];
                let weight: Vec<f32> = (0..columns * inner).map(|at| ((at * 37) as f32).sin() * 3.0).collect();
                for (row, words) in weight.chunks_exact(inner).zip(words.chunks_exact_mut(each)) {
                    assert!(format.pack(row, words));
                }
                let mut x: Vec<f32> = (0..inner).map(|at| ((at * 53) as f32).cos()).collect();
                x.resize(inner.next_multiple_of(PackedFormat::BLOCK), 0.0);
                let (mut found, mut row) = (vec![7.0; columns], vec![0.0; inner]);
                let packed = (words.as_ptr(), each);
                // SAFETY: all are as long as their shapes.
                unsafe { multiply_packed_row((found.as_mut_ptr(), columns), x.as_ptr(), packed, (format, inner)) };
                let (mut panel, mut room) = (vec![7.0; inner * WIDTH], vec![7.0; x.len() * WIDTH]);
                // SAFETY: as above.
                unsafe {
                    unpack_panel((panel.as_mut_ptr(), room.as_mut_ptr()), packed, columns, (format, inner));
                }
                for (column, (found, words)) in found.iter().zip(words.chunks_exact(each)).enumerate() {
                    format.unpack(words, &mut row);
                    let expected: f64 = row.iter().zip(&x).map(|(w, x)| f64::from(*w) * f64::from(*x)).sum();
                    let of: f64 = row.iter().zip(&x).map(|(w, x)| f64::from((w * x).abs())).sum();
                    let off = (f64::from(*found) - expected).abs();
                    assert!(off <= 1e-6 * of, "{format:?} of {inner}: {found}, not {expected}");
                    let laid: Vec<f32> = panel.iter().skip(column).step_by(WIDTH).take(inner).copied().collect();
                    assert_eq!(laid, row, "{format:?}: row {column} of a panel");
                }
            }
        }
    }

    #[test]
    fn every_finite_half_and_every_number_of_a_block_is_exact() {
        for bits in (0..=u16::MAX).filter(|bits| bits & 0x7c00 != 0x7c00) {
            let word = u32::from(bits) << 16;
            // SAFETY: two words lie there.
            let [found, all] = unsafe { [Lanes::halves([word, 0].as_ptr()), Lanes::all_of_half([word].as_ptr(), 1)] };
            let expected = f16::from_bits(bits).to_f32().to_bits();
            assert_eq!(found.numbers()[1].to_bits(), expected, "{bits:04x}");
            assert_eq!(all.numbers().map(f32::to_bits), [expected; LANES]);
        }
        for byte in 0..=u8::MAX {
            let words = [0, 0, 0, u32::from(byte) << 8];
            // SAFETY: as many words lie there.
            let (bytes, halves) =
                unsafe { (Lanes::sixteen_bytes(words.as_ptr()), Lanes::sixteen_half_bytes(words[2..].as_ptr())) };
            assert_eq!(bytes[3].numbers()[1], f32::from(byte as i8));
            let [low, high] = [(byte << 4) as i8 >> 4, byte as i8 >> 4].map(f32::from);
            assert_eq!(halves[2].numbers()[2..], [low, high]);
            // SAFETY: as above.
            let (bytes, halves) =
                unsafe { (Lanes::bytes(words[3..].as_ptr()), Lanes::half_bytes(words[2..].as_ptr(), 2)) };
            assert_eq!(bytes.numbers()[1], f32::from(byte as i8));
            assert_eq!(halves.numbers()[2..], [low, high]);
        }
    }
}
