//! Storage formats of weights.
//!
//! A weight is *quantised* if it takes fewer than 32 bits a number: as f16 or bf16, or as blocks of integers with a scale each (much like
//! llama.cpp's q8_0 and q4_0). A quantised row begins at a word (4 bytes) of its own. 16 bits: two numbers a word, the row padded with
//! 0 to a multiple of four. Blocks: 32 numbers along the row, 8 or 4 bits each, the last block padded with 0; after the row's
//! blocks their scales as f16, two a word.

/// A storage format of a weight's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Format {
    /// 32-bit floats, as kernels compute.
    #[default]
    F32,
    /// IEEE 754 binary16.
    F16,
    /// The upper half of an f32.
    BF16,
    /// Blocks of integers from −127 to 127.
    Int8,
    /// Blocks of integers from −7 to 7.
    Int4,
}

/// A [`Format`] other than f32: rows of words, which kernels dequantise as they read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum QuantisedFormat {
    /// [`Format::F16`]
    F16,
    /// [`Format::BF16`]
    BF16,
    /// [`Format::Int8`]
    Int8,
    /// [`Format::Int4`]
    Int4,
}

impl Format {
    /// Numbers that share a scale.
    pub const BLOCK: usize = QuantisedFormat::BLOCK;

    /// Every format, from the largest to the smallest.
    pub const ALL: [Format; 5] = [Format::F32, Format::F16, Format::BF16, Format::Int8, Format::Int4];

    /// Its name on the command line and in the page.
    pub fn name(self) -> &'static str {
        match self {
            Format::F32 => "f32",
            Format::F16 => "f16",
            Format::BF16 => "bf16",
            Format::Int8 => "int8",
            Format::Int4 => "int4",
        }
    }

    /// The inverse of [`Format::name`].
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The number by which shaders know it.
    pub fn code(self) -> f64 {
        f64::from(self as u8)
    }

    /// `None` for f32.
    pub fn quantised(self) -> Option<QuantisedFormat> {
        match self {
            Format::F32 => None,
            Format::F16 => Some(QuantisedFormat::F16),
            Format::BF16 => Some(QuantisedFormat::BF16),
            Format::Int8 => Some(QuantisedFormat::Int8),
            Format::Int4 => Some(QuantisedFormat::Int4),
        }
    }

    /// Words (4 bytes) of a row of `columns` numbers.
    pub fn row_words(self, columns: usize) -> usize {
        self.quantised().map_or(columns, |format| format.row_words(columns))
    }
}

impl QuantisedFormat {
    /// Numbers that share a scale.
    pub const BLOCK: usize = 32;

    /// Every format, from the largest to the smallest.
    pub const ALL: [QuantisedFormat; 4] =
        [QuantisedFormat::F16, QuantisedFormat::BF16, QuantisedFormat::Int8, QuantisedFormat::Int4];

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

    /// Words of a block without its scale, which are the bits of a number, too; `None` for 16-bit floats.
    pub(super) fn block_words(self) -> Option<usize> {
        match self {
            QuantisedFormat::F16 | QuantisedFormat::BF16 => None,
            QuantisedFormat::Int8 => Some(8),
            QuantisedFormat::Int4 => Some(4),
        }
    }

    /// The largest integer of a block.
    pub(super) fn largest(self) -> f32 {
        if self == QuantisedFormat::Int8 { 127.0 } else { 7.0 }
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
            assert_eq!(format.quantised().is_none(), format == Format::F32);
        }
        assert_eq!(Format::ALL.into_iter().filter_map(Format::quantised).collect::<Vec<_>>(), QuantisedFormat::ALL);
    }
}
