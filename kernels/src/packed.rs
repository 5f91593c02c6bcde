//! Numbers of a weight as they are kept: f32, 16 bits, or blocks of small whole numbers with a scale each.
//!
//! A packed row begins at a word of its own. 16 bits: two numbers a word, the row filled up to a multiple of four. Blocks: 32 numbers
//! along the row, a byte or four bits each, the last block filled up with 0; behind the row's blocks their scales as f16, two a word.

use super::packed_rows::unpack_row;
use super::panels::{WIDTH, lay_out};
use half::{bf16, f16};
use std::ops::Range;

/// How the numbers of a weight are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Format {
    #[default]
    F32,
    F16,
    BF16,
    /// Whole numbers from −127 to 127, times a scale a block.
    Int8,
    /// Whole numbers from −7 to 7, times a scale a block.
    Int4,
}

/// The formats whose rows are words of their own, which are unpacked where they are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum PackedFormat {
    F16,
    BF16,
    Int8,
    Int4,
}

impl Format {
    /// Numbers that share a scale.
    pub const BLOCK: usize = PackedFormat::BLOCK;

    pub const ALL: [Format; 5] = [Format::F32, Format::F16, Format::BF16, Format::Int8, Format::Int4];

    /// As the command line and the page name it.
    pub fn name(self) -> &'static str {
        match self {
            Format::F32 => "f32",
            Format::F16 => "f16",
            Format::BF16 => "bf16",
            Format::Int8 => "int8",
            Format::Int4 => "int4",
        }
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The shaders' `format`.
    pub fn code(self) -> f64 {
        f64::from(self as u8)
    }

    /// How its rows are packed; none where they are numbers as they are.
    pub fn packed(self) -> Option<PackedFormat> {
        match self {
            Format::F32 => None,
            Format::F16 => Some(PackedFormat::F16),
            Format::BF16 => Some(PackedFormat::BF16),
            Format::Int8 => Some(PackedFormat::Int8),
            Format::Int4 => Some(PackedFormat::Int4),
        }
    }

    /// Words (4 bytes) of a row of `columns` numbers.
    pub fn row_words(self, columns: usize) -> usize {
        self.packed().map_or(columns, |format| format.row_words(columns))
    }

    /// Packs a row. words: (row_words), all 0. False where a number, or a block's scale, is beyond what the format holds.
    pub fn pack(self, row: &[f32], words: &mut [u32]) -> bool {
        let Some(format) = self.packed() else {
            words.iter_mut().zip(row).for_each(|(word, number)| *word = number.to_bits());
            return true;
        };
        format.pack(row, words)
    }

    /// The numbers of a row. words: (row_words).
    pub fn unpack(self, words: &[u32], row: &mut [f32]) {
        match self.packed() {
            Some(format) => format.unpack(words, row),
            None => row.iter_mut().zip(words).for_each(|(number, word)| *number = f32::from_bits(*word)),
        }
    }
}

impl PackedFormat {
    /// Numbers that share a scale.
    pub const BLOCK: usize = 32;

    pub const ALL: [PackedFormat; 4] = [PackedFormat::F16, PackedFormat::BF16, PackedFormat::Int8, PackedFormat::Int4];

    /// Words (4 bytes) of a row of `columns` numbers.
    pub fn row_words(self, columns: usize) -> usize {
        match self.block_words() {
            None => 2 * columns.div_ceil(4),
            Some(words) => {
                let blocks = columns.div_ceil(Self::BLOCK);
                blocks * words + blocks.div_ceil(2)
            }
        }
    }

    /// Words of a block without its scale.
    fn block_words(self) -> Option<usize> {
        match self {
            PackedFormat::F16 | PackedFormat::BF16 => None,
            PackedFormat::Int8 => Some(8),
            PackedFormat::Int4 => Some(4),
        }
    }

    /// The largest whole number of a block.
    fn largest(self) -> f32 {
        if self == PackedFormat::Int8 { 127.0 } else { 7.0 }
    }

    /// See [`Format::pack`].
    #[inline(never)]
    pub fn pack(self, row: &[f32], words: &mut [u32]) -> bool {
        match self {
            PackedFormat::F16 => pack_halves(row, words, |number| f16::from_f32(number).to_bits(), 0x7c00),
            PackedFormat::BF16 => pack_halves(row, words, |number| bf16::from_f32(number).to_bits(), 0x7f80),
            PackedFormat::Int8 | PackedFormat::Int4 => self.pack_blocks(row, words),
        }
    }

    fn pack_blocks(self, row: &[f32], words: &mut [u32]) -> bool {
        let each = self.block_words().unwrap_or(1);
        let bits = each;
        let (blocks, scales) = words.split_at_mut(row.len().div_ceil(Self::BLOCK) * each);
        let mut fits = true;
        for (at, (block, words)) in row.chunks(Self::BLOCK).zip(blocks.chunks_exact_mut(each)).enumerate() {
            // NaN stays out of the maximum, but not out of the scale.
            let largest = block.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
            let scale = f16::from_f32(largest / self.largest());
            fits &= scale.is_finite() && block.iter().all(|number| !number.is_nan());
            scales[at / 2] |= u32::from(scale.to_bits()) << (16 * (at % 2));
            let scale = scale.to_f32();
            if scale == 0.0 {
                continue;
            }
            for (at, number) in block.iter().enumerate() {
                let whole = (number / scale).round_ties_even().clamp(-self.largest(), self.largest()) as i32;
                let bit = at * bits;
                words[bit / 32] |= (whole as u32 & ((1 << bits) - 1)) << (bit % 32);
            }
        }
        fits
    }

    /// The numbers of a packed row. words: (row_words).
    #[inline(never)]
    pub fn unpack(self, words: &[u32], row: &mut [f32]) {
        if row.len().is_multiple_of(Self::BLOCK) {
            self.unpack_filled(words, row, row.len());
        } else {
            let mut filled = vec![0.0; row.len().next_multiple_of(Self::BLOCK)];
            self.unpack_filled(words, &mut filled, row.len());
            row.copy_from_slice(&filled[..row.len()]);
        }
    }

    /// The same of a row with what it is filled up with. row: (columns), up to whole blocks.
    pub fn unpack_filled(self, words: &[u32], row: &mut [f32], columns: usize) {
        let (words, row) = (&words[..self.row_words(columns)], &mut row[..columns.next_multiple_of(Self::BLOCK)]);
        // SAFETY: both are as long as their shapes, and the row is borrowed mutably.
        unsafe { unpack_row(row.as_mut_ptr(), words.as_ptr(), (self, columns)) };
    }
}

/// infinity: the bits of the exponent, all set only where the number is beyond the format.
fn pack_halves(row: &[f32], words: &mut [u32], half: impl Fn(f32) -> u16, infinity: u16) -> bool {
    let mut fits = true;
    for (word, pair) in words.iter_mut().zip(row.chunks(2)) {
        for (at, number) in pair.iter().enumerate() {
            let bits = half(*number);
            fits &= bits & infinity != infinity;
            *word |= u32::from(bits) << (16 * at);
        }
    }
    fits
}

/// A weight in memory.
#[derive(Debug, Clone, PartialEq)]
pub enum Numbers {
    /// Row-major.
    Plain(Vec<f32>),
    /// As WASM's products read it: eight rows at a time, one number of each after the other; what is left of rows as it is.
    Panels(Vec<f32>),
    /// Rows of [`PackedFormat::row_words`] words.
    Packed(PackedFormat, Vec<u32>),
}

impl Numbers {
    /// Bytes that it takes.
    pub fn bytes(&self) -> u64 {
        match self {
            Numbers::Plain(numbers) | Numbers::Panels(numbers) => 4 * numbers.len() as u64,
            Numbers::Packed(_, words) => 4 * words.len() as u64,
        }
    }

    /// Room for so many words (4 bytes), all 0; none where the machine does not give it.
    pub fn zeros(format: Format, words: usize) -> Option<Self> {
        fn filled<T: Clone + Default>(count: usize) -> Option<Vec<T>> {
            let mut room = Vec::new();
            room.try_reserve_exact(count).ok()?;
            room.resize(count, T::default());
            Some(room)
        }
        match format.packed() {
            None => filled(words).map(Numbers::Plain),
            Some(format) => Some(Numbers::Packed(format, filled(words)?)),
        }
    }

    /// Lays plain rows of `columns` numbers out in panels, in their own place.
    pub fn lay_out(&mut self, columns: usize) {
        let Numbers::Plain(numbers) = self else { return };
        let mut numbers = std::mem::take(numbers);
        let mut rows = vec![0.0; WIDTH * columns];
        for panel in numbers.chunks_exact_mut(rows.len().max(1)) {
            rows.copy_from_slice(panel);
            lay_out(panel, (&rows, columns), columns);
        }
        *self = Numbers::Panels(numbers);
    }

    /// Its numbers, if they are kept as f32 and row-major.
    pub fn plain(&self) -> &[f32] {
        if let Numbers::Plain(numbers) = self { numbers } else { &[] }
    }

    /// The same, to be filled; none where they are packed.
    pub fn plain_mut(&mut self) -> Option<&mut [f32]> {
        if let Numbers::Plain(numbers) = self { Some(numbers) } else { None }
    }

    /// Its words, to be filled; none where they are plain.
    pub fn packed_mut(&mut self) -> Option<&mut [u32]> {
        if let Numbers::Packed(_, words) = self { Some(words) } else { None }
    }

    /// To be read.
    pub fn kept(&self) -> Kept<'_> {
        match self {
            Numbers::Plain(numbers) => Kept::Plain(numbers),
            Numbers::Panels(numbers) => Kept::Panels(numbers),
            Numbers::Packed(format, words) => Kept::Packed(*format, words),
        }
    }
}

/// A weight that is read, see [`Numbers`].
#[derive(Debug, Clone, Copy)]
pub enum Kept<'a> {
    Plain(&'a [f32]),
    Panels(&'a [f32]),
    Packed(PackedFormat, &'a [u32]),
}

impl<'a> Kept<'a> {
    /// Some rows of `length` numbers, which begin with a whole panel, and end with one or with the last row.
    pub fn some(self, rows: Range<usize>, length: usize) -> Kept<'a> {
        let of = |each: usize| rows.start * each..rows.end * each;
        match self {
            Kept::Plain(numbers) => Kept::Plain(&numbers[of(length)]),
            Kept::Panels(numbers) => Kept::Panels(&numbers[of(length)]),
            Kept::Packed(format, words) => Kept::Packed(format, &words[of(format.row_words(length))]),
        }
    }

    /// Copies a row of `row.len()` numbers.
    pub fn row(self, at: usize, row: &mut [f32]) {
        match self {
            Kept::Panels(numbers) if (at / WIDTH + 1) * WIDTH * row.len() <= numbers.len() => {
                let panel = &numbers[at / WIDTH * WIDTH * row.len()..];
                row.iter_mut().zip(panel.chunks_exact(WIDTH)).for_each(|(number, all)| *number = all[at % WIDTH]);
            }
            Kept::Plain(numbers) | Kept::Panels(numbers) => {
                row.copy_from_slice(&numbers[at * row.len()..][..row.len()]);
            }
            Kept::Packed(format, words) => {
                let each = format.row_words(row.len());
                format.unpack(&words[at * each..][..each], row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fill_their_words() {
        for (format, words) in
            [(Format::F32, 33), (Format::F16, 18), (Format::BF16, 18), (Format::Int8, 17), (Format::Int4, 9)]
        {
            assert_eq!(format.row_words(33), words, "{format:?}");
            assert_eq!((format.row_words(0), Format::named(format.name())), (0, Some(format)));
            assert_eq!(format.packed().is_none(), format == Format::F32);
        }
        assert_eq!(Format::ALL.into_iter().filter_map(Format::packed).collect::<Vec<_>>(), PackedFormat::ALL);
    }

    /// A weight of f32 is never packed: no product takes its words for another format's.
    #[test]
    fn room_for_f32_is_plain() {
        assert_eq!(Numbers::zeros(Format::F32, 3), Some(Numbers::Plain(vec![0.0; 3])));
        for format in PackedFormat::ALL {
            assert_eq!(Numbers::zeros(Format::ALL[1 + format as usize], 3), Some(Numbers::Packed(format, vec![0; 3])));
        }
    }
}
