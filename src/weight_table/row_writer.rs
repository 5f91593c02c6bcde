//! The bytes of one tensor become numbers of weights: decoded, collected into long writes, converted to the weight's format.

use half::{bf16, f16};

use super::{RowOrder, Sink, place};
use crate::error::Error;
use crate::kernels::Format;
use crate::weights::Dtype;

/// Numbers that are collected for one write: half a megabyte, and as much again if rows change places.
pub(super) const SCRATCH: u64 = 1 << 17;

/// The most rows whose places are sorted together.
const MOST_ROWS: u64 = 1 << 12;

/// The type of a tensor's numbers, and how many are written together.
pub(super) struct Chunking {
    dtype: Dtype,
    /// Numbers of a row.
    row: u64,
    /// Whether a destination needs whole rows: for another order or another format.
    whole_rows: bool,
    /// Rows that stay together under the orders of all destinations.
    period: u64,
    /// Added to each number; all destinations agree on it.
    addend: f32,
}

impl Chunking {
    /// For a tensor of `dtype` with rows of `row` numbers (not 0).
    pub fn new(dtype: &Dtype, row: u64) -> Self {
        Self { dtype: dtype.clone(), row: row.max(1), whole_rows: false, period: 1, addend: 0.0 }
    }

    /// Adapts to one more destination.
    pub fn suit(&mut self, destination: &Destination) {
        self.whole_rows |= destination.is_ordered() || destination.format != Format::F32;
        self.addend = destination.addend;
        self.period = destination.orders.iter().map(RowOrder::period).fold(self.period, u64::max);
    }

    /// How many numbers from `first` on are written together: whole rows, or a piece of one.
    fn numbers(&self, first: u64) -> usize {
        let numbers = match self.row {
            _ if !self.whole_rows => SCRATCH,
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

/// A weight that a tensor is written to.
pub(super) struct Destination {
    /// For messages.
    pub name: Box<str>,
    pub weight: usize,
    /// Whether it is one of the host's weights.
    pub host: bool,
    /// Numbers of the weight, and of each row.
    pub elements: u64,
    pub columns: usize,
    pub format: Format,
    pub orders: Vec<RowOrder>,
    pub first_row: u64,
    pub addend: f32,
}

/// The sinks for [`Destination::host`].
struct Sinks<'a> {
    device: &'a mut dyn Sink,
    host: &'a mut dyn Sink,
}

impl Destination {
    fn is_ordered(&self) -> bool {
        self.orders.iter().any(|order| *order != RowOrder::AsStored)
    }

    /// The index in the weight of column `column` of the tensor's row `row`, whose rows have `width` numbers.
    fn offset(&self, row: u64, width: u64, column: u64) -> u64 {
        let placed = place(&self.orders, row).saturating_add(self.first_row);
        placed.saturating_mul(width).saturating_add(column)
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
        sink.write_words(self.weight, first / self.columns as u64 * each as u64, &words)
    }
}

/// Writes the tensors of a file, one after the other.
#[derive(Default)]
pub(super) struct RowWriter {
    /// The first bytes of a number whose other bytes are still missing.
    torn: [u8; 4],
    torn_bytes: usize,
    numbers: Vec<f32>,
    /// The index in the tensor of the first of `numbers`.
    first: u64,
    /// The row of the weight for each row in `numbers`, by which they are sorted.
    places: Vec<(u64, usize)>,
    /// Rows in the weight's order.
    permuted: Vec<f32>,
}

impl RowWriter {
    /// Takes the tensor's next bytes.
    pub fn write(
        &mut self,
        bytes: &[u8],
        chunking: &Chunking,
        destinations: &[Destination],
        device: &mut dyn Sink,
        host: &mut dyn Sink,
    ) -> Result<(), Error> {
        let mut sinks = Sinks { device, host };
        match chunking.dtype {
            Dtype::F16 => {
                self.decode(bytes, |bytes| f16::from_le_bytes(bytes).to_f32(), chunking, destinations, &mut sinks)
            }
            Dtype::BF16 => {
                self.decode(bytes, |bytes| bf16::from_le_bytes(bytes).to_f32(), chunking, destinations, &mut sinks)
            }
            _ => self.decode(bytes, f32::from_le_bytes, chunking, destinations, &mut sinks),
        }
    }

    /// Writes the rest of the tensor and prepares for the next one.
    pub fn finish(
        &mut self,
        chunking: &Chunking,
        destinations: &[Destination],
        device: &mut dyn Sink,
        host: &mut dyn Sink,
    ) -> Result<(), Error> {
        self.flush(chunking, destinations, &mut Sinks { device, host })?;
        self.first = 0;
        self.torn_bytes = 0;
        Ok(())
    }

    fn decode<const WIDTH: usize>(
        &mut self,
        bytes: &[u8],
        number: impl Fn([u8; WIDTH]) -> f32,
        chunking: &Chunking,
        destinations: &[Destination],
        sinks: &mut Sinks<'_>,
    ) -> Result<(), Error> {
        let mut rest = bytes;
        while !rest.is_empty() {
            rest = match rest.split_first_chunk::<WIDTH>() {
                Some(_) if self.torn_bytes == 0 => {
                    let room = chunking.numbers(self.first).saturating_sub(self.numbers.len());
                    let (now, later) = rest.split_at(rest.len().min(room * WIDTH));
                    let (whole, torn) = now.as_chunks::<WIDTH>();
                    self.numbers.extend(whole.iter().map(|bytes| number(*bytes)));
                    &rest[rest.len() - later.len() - torn.len()..]
                }
                _ => self.complete(rest, &number),
            };
            if self.numbers.len() >= chunking.numbers(self.first) {
                self.flush(chunking, destinations, sinks)?;
            }
        }
        Ok(())
    }

    /// Completes the torn number; returns the bytes after it.
    fn complete<'a, const WIDTH: usize>(&mut self, bytes: &'a [u8], number: impl Fn([u8; WIDTH]) -> f32) -> &'a [u8] {
        let (own, rest) = bytes.split_at(bytes.len().min(WIDTH - self.torn_bytes));
        for (place, byte) in self.torn.iter_mut().skip(self.torn_bytes).zip(own) {
            *place = *byte;
        }
        self.torn_bytes += own.len();
        if let Some(whole) = self.torn.first_chunk::<WIDTH>().filter(|_| self.torn_bytes == WIDTH) {
            self.numbers.push(number(*whole));
            self.torn_bytes = 0;
        }
        rest
    }

    /// Writes the collected numbers to all destinations.
    fn flush(&mut self, chunking: &Chunking, destinations: &[Destination], sinks: &mut Sinks<'_>) -> Result<(), Error> {
        let (row, column) = (self.first / chunking.row, self.first % chunking.row);
        if self.numbers.is_empty() {
            return Ok(());
        }
        if chunking.addend != 0.0 {
            self.numbers.iter_mut().for_each(|number| *number += chunking.addend);
        }
        for destination in destinations {
            if destination.is_ordered() && chunking.row <= SCRATCH {
                self.write_rows(row, chunking.row as usize, destination, sinks)?;
            } else {
                // A piece of one row, or rows in their own order.
                destination.write(destination.offset(row, chunking.row, column), &self.numbers, sinks)?;
            }
        }
        self.first += self.numbers.len() as u64;
        self.numbers.clear();
        Ok(())
    }

    /// Writes whole rows; rows that become neighbours are written together.
    fn write_rows(
        &mut self,
        first: u64,
        width: usize,
        destination: &Destination,
        sinks: &mut Sinks<'_>,
    ) -> Result<(), Error> {
        self.places.clear();
        let rows = self.numbers.len() / width;
        self.places.extend((0..rows).map(|row| (destination.offset(first + row as u64, 1, 0), row)));
        self.places.sort_unstable();
        for run in self.places.chunk_by(|(place, _), (next, _)| place + 1 == *next) {
            let Some((place, row)) = run.first() else { continue };
            let offset = place.saturating_mul(width as u64);
            let row_of = |row: usize| &self.numbers[row * width..][..width];
            let in_order = run.iter().zip(*row..).all(|((_, row), expected)| *row == expected);
            if in_order {
                destination.write(offset, &self.numbers[row * width..][..run.len() * width], sinks)?;
            } else {
                self.permuted.clear();
                run.iter().for_each(|(_, row)| self.permuted.extend_from_slice(row_of(*row)));
                destination.write(offset, &self.permuted, sinks)?;
            }
        }
        Ok(())
    }
}
