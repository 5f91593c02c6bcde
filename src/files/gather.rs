//! Bytes of one tensor become numbers in their places: converted, gathered into long stretches, written.

use half::{bf16, f16};

use super::sorting::{Entry, sort};
use super::{Dtype, RowOrder, Sink, place};
use crate::error::Error;
use crate::kernels::Format;

/// Numbers that are gathered before they are written: half a megabyte, and as much again where rows change places.
pub(super) const SCRATCH: u64 = 1 << 17;

/// Rows whose places are worked out together.
const MOST_ROWS: u64 = 1 << 12;

/// How a tensor is read: the type of its numbers, and how many are written together.
pub(super) struct Block {
    dtype: Dtype,
    /// Numbers of a row.
    row: u64,
    /// Whether anyone wants whole rows: in another order, or to pack them.
    ordered: bool,
    /// Rows that keep together under all orders.
    period: u64,
    /// What is added to each number: all who want the tensor want that.
    raised: f32,
}

impl Block {
    /// For a tensor of `dtype` with rows of `row` numbers (not 0).
    pub fn new(dtype: &Dtype, row: u64) -> Self {
        Self { dtype: dtype.clone(), row: row.max(1), ordered: false, period: 1, raised: 0.0 }
    }

    /// Keeps rows together that `want` puts side by side.
    pub fn suit(&mut self, want: &Want) {
        self.ordered |= want.is_ordered() || want.format != Format::F32;
        self.raised = want.raised;
        self.period = want.orders.iter().map(RowOrder::period).fold(self.period, u64::max);
    }

    /// Numbers from `first` on that are written together: whole rows, or a piece of one.
    fn numbers(&self, first: u64) -> usize {
        let numbers = match self.row {
            _ if !self.ordered => SCRATCH,
            row if row > SCRATCH => SCRATCH.min(row - first % row),
            row => {
                let rows = (SCRATCH / row).min(MOST_ROWS);
                let whole = rows - rows % self.period;
                row * if whole > 0 { whole } else { rows }
            }
        };
        numbers as usize
    }
}

/// A weight that wants a tensor.
pub(super) struct Want {
    /// For messages.
    pub name: Box<str>,
    pub weight: usize,
    /// Whether the weight is one of those that stay on the host.
    pub host: bool,
    /// Numbers of the weight, and of its rows.
    pub elements: u64,
    pub columns: usize,
    /// How the weight is kept.
    pub format: Format,
    pub orders: Vec<RowOrder>,
    pub first_row: u64,
    pub raised: f32,
}

/// Sinks by [`Want::host`].
struct Sinks<'a> {
    device: &'a mut dyn Sink,
    host: &'a mut dyn Sink,
}

impl Want {
    fn is_ordered(&self) -> bool {
        self.orders.iter().any(|order| *order != RowOrder::AsStored)
    }

    /// The number of the weight at which column `column` of the tensor's row `from` lies.
    fn offset(&self, from: u64, row: u64, column: u64) -> u64 {
        let placed = place(&self.orders, from).saturating_add(self.first_row);
        placed.saturating_mul(row).saturating_add(column)
    }

    fn write(&self, first: u64, numbers: &[f32], sinks: &mut Sinks<'_>) -> Result<(), Error> {
        if first.saturating_add(numbers.len() as u64) > self.elements {
            let message = format!("a row of {} is placed outside its weight", self.name);
            return Err(Error::ShapeMismatch { op: "weights", message });
        }
        let sink = if self.host { &mut sinks.host } else { &mut sinks.device };
        if self.format == Format::F32 {
            return sink.write(self.weight, first, numbers);
        }
        let each = self.format.row_words(self.columns);
        let mut words = vec![0; numbers.len() / self.columns * each];
        for (row, words) in numbers.chunks_exact(self.columns).zip(words.chunks_exact_mut(each)) {
            if !self.format.quantise(row, words) {
                let (name, format) = (self.name.to_string(), self.format.name());
                return Err(Error::BeyondFormat { name, format });
            }
        }
        sink.write_packed(self.weight, first / self.columns as u64 * each as u64, &words)
    }
}

/// The numbers of a tensor between their arrival and their writing.
#[derive(Default)]
pub(super) struct Gather {
    /// The beginning of a number whose other bytes have not come yet.
    torn: [u8; 4],
    torn_bytes: usize,
    numbers: Vec<f32>,
    /// Which number of the tensor `numbers` begins with.
    first: u64,
    /// Places of rows in the weight, and in `numbers`.
    places: Vec<Entry>,
    arranged: Vec<f32>,
}

impl Gather {
    /// Takes the tensor's next bytes.
    pub fn take(
        &mut self,
        bytes: &[u8],
        block: &Block,
        wants: &[Want],
        device: &mut dyn Sink,
        host: &mut dyn Sink,
    ) -> Result<(), Error> {
        let mut sinks = Sinks { device, host };
        match block.dtype {
            Dtype::F16 => self.decode(bytes, |bytes| f16::from_le_bytes(bytes).to_f32(), block, wants, &mut sinks),
            Dtype::BF16 => self.decode(bytes, |bytes| bf16::from_le_bytes(bytes).to_f32(), block, wants, &mut sinks),
            _ => self.decode(bytes, f32::from_le_bytes, block, wants, &mut sinks),
        }
    }

    /// Writes what is left of the tensor, and is ready for the next one.
    pub fn end(
        &mut self,
        block: &Block,
        wants: &[Want],
        device: &mut dyn Sink,
        host: &mut dyn Sink,
    ) -> Result<(), Error> {
        self.flush(block, wants, &mut Sinks { device, host })?;
        self.first = 0;
        self.torn_bytes = 0;
        Ok(())
    }

    fn decode<const WIDTH: usize>(
        &mut self,
        bytes: &[u8],
        number: impl Fn([u8; WIDTH]) -> f32,
        block: &Block,
        wants: &[Want],
        sinks: &mut Sinks<'_>,
    ) -> Result<(), Error> {
        let mut rest = bytes;
        while !rest.is_empty() {
            rest = match rest.split_first_chunk::<WIDTH>() {
                Some(_) if self.torn_bytes == 0 => {
                    let room = block.numbers(self.first).saturating_sub(self.numbers.len());
                    let (now, later) = rest.split_at(rest.len().min(room * WIDTH));
                    let (whole, torn) = now.as_chunks::<WIDTH>();
                    self.numbers.extend(whole.iter().map(|bytes| number(*bytes)));
                    &rest[rest.len() - later.len() - torn.len()..]
                }
                _ => self.mend(rest, &number),
            };
            if self.numbers.len() >= block.numbers(self.first) {
                self.flush(block, wants, sinks)?;
            }
        }
        Ok(())
    }

    /// Adds to a torn number; returns what is behind it.
    fn mend<'a, const WIDTH: usize>(&mut self, bytes: &'a [u8], number: impl Fn([u8; WIDTH]) -> f32) -> &'a [u8] {
        let (mine, rest) = bytes.split_at(bytes.len().min(WIDTH - self.torn_bytes));
        for (place, byte) in self.torn.iter_mut().skip(self.torn_bytes).zip(mine) {
            *place = *byte;
        }
        self.torn_bytes += mine.len();
        if let Some(whole) = self.torn.first_chunk::<WIDTH>().filter(|_| self.torn_bytes == WIDTH) {
            self.numbers.push(number(*whole));
            self.torn_bytes = 0;
        }
        rest
    }

    /// Writes the numbers that are there to all who want them.
    fn flush(&mut self, block: &Block, wants: &[Want], sinks: &mut Sinks<'_>) -> Result<(), Error> {
        let (row, column) = (self.first / block.row, self.first % block.row);
        if self.numbers.is_empty() {
            return Ok(());
        }
        if block.raised != 0.0 {
            self.numbers.iter_mut().for_each(|number| *number += block.raised);
        }
        for want in wants {
            if want.is_ordered() && block.row <= SCRATCH {
                self.write_rows(row, block.row as usize, want, sinks)?;
            } else {
                // A piece of one row, or rows whose places follow one another as they do.
                want.write(want.offset(row, block.row, column), &self.numbers, sinks)?;
            }
        }
        self.first += self.numbers.len() as u64;
        self.numbers.clear();
        Ok(())
    }

    /// Writes whole rows, those that come to lie side by side together.
    fn write_rows(&mut self, first: u64, width: usize, want: &Want, sinks: &mut Sinks<'_>) -> Result<(), Error> {
        self.places.clear();
        let rows = self.numbers.len() / width;
        self.places.extend((0..rows).map(|row| (want.offset(first + row as u64, 1, 0), row)));
        sort(&mut self.places, &Entry::cmp);
        for stretch in self.places.chunk_by(|(place, _), (next, _)| place + 1 == *next) {
            let Some((place, row)) = stretch.first() else { continue };
            let offset = place.saturating_mul(width as u64);
            let stored = |row: usize| &self.numbers[row * width..][..width];
            let in_order = stretch.iter().zip(*row..).all(|((_, row), expected)| *row == expected);
            if in_order {
                want.write(offset, &self.numbers[row * width..][..stretch.len() * width], sinks)?;
            } else {
                self.arranged.clear();
                stretch.iter().for_each(|(_, row)| self.arranged.extend_from_slice(stored(*row)));
                want.write(offset, &self.arranged, sinks)?;
            }
        }
        Ok(())
    }
}
