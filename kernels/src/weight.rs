//! A weight matrix in memory.

use crate::gemm::{PANEL, pack_panels};
use crate::quant::{Format, QuantisedFormat};
use std::ops::Range;

/// A weight matrix, owned.
#[derive(Debug, Clone, PartialEq)]
pub enum WeightData {
    /// Row-major.
    Plain(Vec<f32>),
    /// Packed for WASM's products: panels of eight rows, one number of each row after the other. Rows after the last whole panel are plain.
    Packed(Vec<f32>),
    /// Rows of [`QuantisedFormat::row_words`] words.
    Quantised(QuantisedFormat, Vec<u32>),
}

impl WeightData {
    /// Bytes that it takes.
    pub fn bytes(&self) -> u64 {
        match self {
            WeightData::Plain(numbers) | WeightData::Packed(numbers) => 4 * numbers.len() as u64,
            WeightData::Quantised(_, words) => 4 * words.len() as u64,
        }
    }

    /// A weight of `words` words (4 bytes), all 0; `None` if the machine has not enough memory.
    pub fn zeros(format: Format, words: usize) -> Option<Self> {
        fn filled<T: Clone + Default>(count: usize) -> Option<Vec<T>> {
            let mut numbers = Vec::new();
            numbers.try_reserve_exact(count).ok()?;
            #[cfg(target_os = "linux")]
            advise_huge_pages(numbers.spare_capacity_mut());
            numbers.resize(count, T::default());
            Some(numbers)
        }
        match format.quantised() {
            None => filled(words).map(WeightData::Plain),
            Some(format) => Some(WeightData::Quantised(format, filled(words)?)),
        }
    }

    /// Packs a plain weight with rows of `columns` numbers in place; others stay as they are.
    pub fn pack(&mut self, columns: usize) {
        let WeightData::Plain(numbers) = self else { return };
        let mut numbers = std::mem::take(numbers);
        let mut rows = vec![0.0; PANEL * columns];
        for panel in numbers.chunks_exact_mut(rows.len().max(1)) {
            rows.copy_from_slice(panel);
            pack_panels(panel, (&rows, columns), columns);
        }
        *self = WeightData::Packed(numbers);
    }

    /// The numbers of a plain weight; empty for others.
    pub fn plain(&self) -> &[f32] {
        if let WeightData::Plain(numbers) = self { numbers } else { &[] }
    }

    /// Borrows it.
    pub fn view(&self) -> WeightView<'_> {
        match self {
            WeightData::Plain(numbers) => WeightView::Plain(numbers),
            WeightData::Packed(numbers) => WeightView::Packed(numbers),
            WeightData::Quantised(format, words) => WeightView::Quantised(*format, words),
        }
    }
}

/// Asks for huge pages for the memory of `numbers`: a processor that reads a weight from one end to the other looks up fewer addresses.
#[cfg(target_os = "linux")]
fn advise_huge_pages<T>(numbers: &mut [T]) {
    /// Bytes of a page; larger ones are multiples.
    const PAGE: usize = 4096;
    /// Bytes of a huge page on x86-64, the smallest of the usual ones.
    const HUGE_PAGE: usize = 1 << 21;
    let memory = numbers.as_mut_ptr_range();
    let first = memory.start.addr().next_multiple_of(PAGE);
    let length = memory.end.addr().saturating_sub(first) / PAGE * PAGE;
    if length < HUGE_PAGE {
        return;
    }
    // SAFETY: the advice changes how memory is mapped, and nothing that it holds. A system that cannot follow it says so, which is no error.
    unsafe { libc::madvise(memory.start.with_addr(first).cast(), length, libc::MADV_HUGEPAGE) };
}

/// A weight matrix, borrowed: see [`WeightData`].
#[derive(Debug, Clone, Copy)]
pub enum WeightView<'a> {
    /// [`WeightData::Plain`]
    Plain(&'a [f32]),
    /// [`WeightData::Packed`]
    Packed(&'a [f32]),
    /// [`WeightData::Quantised`]
    Quantised(QuantisedFormat, &'a [u32]),
}

impl<'a> WeightView<'a> {
    /// The rows `rows` of a weight with rows of `columns` numbers. They begin with a whole panel and end with one or with the last row.
    pub fn slice(self, rows: Range<usize>, columns: usize) -> WeightView<'a> {
        let of = |each: usize| rows.start * each..rows.end * each;
        match self {
            WeightView::Plain(numbers) => WeightView::Plain(&numbers[of(columns)]),
            WeightView::Packed(numbers) => WeightView::Packed(&numbers[of(columns)]),
            WeightView::Quantised(format, words) => {
                WeightView::Quantised(format, &words[of(format.row_words(columns))])
            }
        }
    }

    /// Copies row `at`, of `row.len()` numbers.
    pub fn row(self, at: usize, row: &mut [f32]) {
        match self {
            WeightView::Packed(numbers) if (at / PANEL + 1) * PANEL * row.len() <= numbers.len() => {
                let panel = &numbers[at / PANEL * PANEL * row.len()..];
                row.iter_mut().zip(panel.chunks_exact(PANEL)).for_each(|(number, eight)| *number = eight[at % PANEL]);
            }
            WeightView::Plain(numbers) | WeightView::Packed(numbers) => {
                row.copy_from_slice(&numbers[at * row.len()..][..row.len()]);
            }
            WeightView::Quantised(format, words) => {
                let each = format.row_words(row.len());
                format.dequantise(&words[at * each..][..each], row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize) -> Vec<f32> {
        (0..count).map(|at| ((at * 37) % 23) as f32 / 8.0 - 1.0).collect()
    }

    fn packed(weight: &[f32], columns: usize) -> WeightData {
        let mut packed = WeightData::Plain(weight.to_vec());
        packed.pack(columns);
        packed
    }

    #[test]
    fn rows_of_a_packed_weight_are_its_rows() {
        let mut row = [7.0; 37];
        for rows in [1, 7, 8, 9, 43] {
            let weight = numbers(rows * row.len());
            let packed = packed(&weight, row.len());
            for (at, expected) in weight.chunks_exact(row.len()).enumerate() {
                packed.view().row(at, &mut row);
                assert_eq!(row, expected, "row {at} of {rows}");
            }
        }
    }

    #[test]
    fn a_slice_has_the_rows_of_the_weight() {
        let (rows, columns) = (43, 37);
        let weight = numbers(rows * columns);
        let quantised = QuantisedFormat::ALL.map(|format| {
            let mut words = vec![0; rows * format.row_words(columns)];
            let rows = words.chunks_mut(format.row_words(columns)).zip(weight.chunks(columns));
            rows.for_each(|(words, row)| assert!(format.quantise(row, words)));
            WeightData::Quantised(format, words)
        });
        let packed = packed(&weight, columns);
        for data in [WeightData::Plain(weight), packed].into_iter().chain(quantised) {
            for range in [0..16, 8..43, 40..43, 0..43, 24..24] {
                let [mut expected, mut found] = [vec![7.0; columns], vec![8.0; columns]];
                for at in range.clone() {
                    data.view().row(at, &mut expected);
                    data.view().slice(range.clone(), columns).row(at - range.start, &mut found);
                    assert_eq!(found, expected, "row {at} of {range:?}");
                }
            }
        }
    }

    /// A quantised weight is never f32: no product can take its words for another format's.
    #[test]
    fn zeros_of_f32_are_plain() {
        assert_eq!(WeightData::zeros(Format::F32, 3), Some(WeightData::Plain(vec![0.0; 3])));
        for format in QuantisedFormat::ALL {
            let zeros = WeightData::zeros(Format::ALL[1 + format as usize], 3);
            assert_eq!(zeros, Some(WeightData::Quantised(format, vec![0; 3])));
        }
    }
}
