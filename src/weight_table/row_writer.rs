//! The bytes of one tensor become numbers of weights: decoded, collected into long writes, converted to the weight's format.

use half::{bf16, f16};

use super::row_order::place;
use super::sink::MAX_NUMBERS;
use super::{RowOrder, Sink, WeightPart};
use crate::error::Error;
use crate::kernels::Format;
use crate::weights::Dtype;

/// Rows whose places are sorted together.
const MAX_ROWS: u64 = 1 << 12;

/// The type of a tensor's numbers, and their division into writes.
pub(super) struct Chunking {
    dtype: Dtype,
    /// Numbers of a row.
    row: u64,
    /// Whether a destination needs complete rows: for another order or another format.
    complete_rows: bool,
    /// Rows that stay together under the orders of all destinations.
    period: u64,
    /// Added to each number; all destinations agree on it.
    addend: f32,
}

impl Chunking {
    /// For a tensor of `dtype` with rows of `row` numbers (not 0).
    pub fn new(dtype: &Dtype, row: u64) -> Self {
        Self { dtype: dtype.clone(), row: row.max(1), complete_rows: false, period: 1, addend: 0.0 }
    }

    /// Adapts to another destination.
    pub fn adapt(&mut self, destination: &Destination) {
        self.complete_rows |= destination.is_ordered() || destination.format != Format::F32;
        self.addend = destination.part.addend;
        self.period = destination.part.orders.iter().map(RowOrder::period).fold(self.period, u64::max);
    }

    /// Number of numbers from `first` on that are written together: complete rows, or a piece of one.
    fn numbers(&self, first: u64) -> usize {
        let numbers = match self.row {
            _ if !self.complete_rows => MAX_NUMBERS,
            row if row > MAX_NUMBERS => MAX_NUMBERS.min(row - first % row),
            row => {
                let rows = (MAX_NUMBERS / row).min(MAX_ROWS);
                let periods = rows - rows % self.period;
                row * if periods > 0 { periods } else { rows }
            }
        };
        numbers as usize
    }
}

/// A weight that a tensor is written to.
pub(super) struct Destination {
    pub weight: usize,
    /// Whether it is one of the host's weights.
    pub on_host: bool,
    /// Numbers of the weight.
    pub elements: u64,
    /// Numbers of each of its rows.
    pub columns: usize,
    pub format: Format,
    pub part: WeightPart,
}

/// The memory of all weights.
pub(super) struct Sinks<'a> {
    pub device: &'a mut dyn Sink,
    /// For [`Destination::on_host`].
    pub host: &'a mut dyn Sink,
}

impl Destination {
    fn is_ordered(&self) -> bool {
        self.part.orders.iter().any(|order| *order != RowOrder::AsStored)
    }

    /// The index in the weight of column `column` of the tensor's row `row`, whose rows have `width` numbers.
    fn offset(&self, row: u64, width: u64, column: u64) -> u64 {
        let place = place(&self.part.orders, row).saturating_add(self.part.first_row);
        place.saturating_mul(width).saturating_add(column)
    }

    fn write(&self, first: u64, numbers: &[f32], sinks: &mut Sinks<'_>) -> Result<(), Error> {
        if first.saturating_add(numbers.len() as u64) > self.elements {
            let message = format!("a row of {} is placed outside its weight", self.part.name());
            return Err(Error::ShapeMismatch { op: "weights", message });
        }
        let sink = if self.on_host { &mut sinks.host } else { &mut sinks.device };
        if self.format == Format::F32 {
            return sink.write(self.weight, first, bytemuck::cast_slice(numbers));
        }
        let row_words = self.format.row_words(self.columns);
        let mut words = vec![0; numbers.len() / self.columns * row_words];
        for (row, words) in numbers.chunks_exact(self.columns).zip(words.chunks_exact_mut(row_words)) {
            if !self.format.quantise(row, words) {
                let (name, format) = (self.part.name().to_string(), self.format.name());
                return Err(Error::BeyondFormat { name, format });
            }
        }
        sink.write(self.weight, first / self.columns as u64 * row_words as u64, &words)
    }
}

/// Writes the tensors of a file, one after the other.
#[derive(Default)]
pub(super) struct RowWriter {
    /// The first bytes of a number whose other bytes have not arrived.
    partial: [u8; 4],
    partial_length: usize,
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
        sinks: &mut Sinks<'_>,
    ) -> Result<(), Error> {
        let from_f16 = |bytes| f16::from_le_bytes(bytes).to_f32();
        let from_bf16 = |bytes| bf16::from_le_bytes(bytes).to_f32();
        match chunking.dtype {
            Dtype::F16 => self.decode(bytes, from_f16, chunking, destinations, sinks),
            Dtype::BF16 => self.decode(bytes, from_bf16, chunking, destinations, sinks),
            _ => self.decode(bytes, f32::from_le_bytes, chunking, destinations, sinks),
        }
    }

    /// Writes the rest of the tensor and prepares for the next one.
    pub fn finish(
        &mut self,
        chunking: &Chunking,
        destinations: &[Destination],
        sinks: &mut Sinks<'_>,
    ) -> Result<(), Error> {
        self.flush(chunking, destinations, sinks)?;
        self.first = 0;
        self.partial_length = 0;
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
                Some(_) if self.partial_length == 0 => {
                    let left_in_chunk = chunking.numbers(self.first).saturating_sub(self.numbers.len());
                    let (now, later) = rest.split_at(rest.len().min(left_in_chunk * WIDTH));
                    let (complete, partial) = now.as_chunks::<WIDTH>();
                    self.numbers.extend(complete.iter().map(|bytes| number(*bytes)));
                    &rest[rest.len() - later.len() - partial.len()..]
                }
                _ => self.complete(rest, &number),
            };
            if self.numbers.len() >= chunking.numbers(self.first) {
                self.flush(chunking, destinations, sinks)?;
            }
        }
        Ok(())
    }

    /// Completes the partial number. Returns the bytes after it.
    fn complete<'a, const WIDTH: usize>(&mut self, bytes: &'a [u8], number: impl Fn([u8; WIDTH]) -> f32) -> &'a [u8] {
        let (own, rest) = bytes.split_at(bytes.len().min(WIDTH - self.partial_length));
        self.partial[self.partial_length..][..own.len()].copy_from_slice(own);
        self.partial_length += own.len();
        if let Some(bytes) = self.partial.first_chunk::<WIDTH>().filter(|_| self.partial_length == WIDTH) {
            self.numbers.push(number(*bytes));
            self.partial_length = 0;
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
            if destination.is_ordered() && chunking.row <= MAX_NUMBERS {
                self.write_rows(row, chunking.row as usize, destination, sinks)?;
            } else {
                // A piece of one row, or rows in the stored order.
                destination.write(destination.offset(row, chunking.row, column), &self.numbers, sinks)?;
            }
        }
        self.first += self.numbers.len() as u64;
        self.numbers.clear();
        Ok(())
    }

    /// Writes complete rows. Rows that become neighbours are written together.
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
