//! Turns a file's bytes into weights while they arrive.

use std::ops::Range;

use super::row_writer::{Chunking, Destination, RowWriter, Sinks};
use super::{HostSink, Sink, WeightTable};
use crate::error::Error;
use crate::weights::{FileDefect, Header};

struct TensorRead {
    bytes: Range<u64>,
    chunking: Chunking,
    destinations: Vec<Destination>,
}

/// Takes the data of a file in pieces of any size and writes all weights of a table. It needs at most a megabyte, however large the
/// tensors are. Writes are as large as that allows, and the same whatever the pieces were.
pub struct WeightStream {
    /// In the order of their bytes.
    reads: std::vec::IntoIter<TensorRead>,
    read: Option<TensorRead>,
    /// Bytes of data so far.
    position: u64,
    header_length: u64,
    data_length: u64,
    writer: RowWriter,
    host: HostSink,
}

impl WeightStream {
    /// For the weights of `table` from the file with this header.
    pub fn new(table: &WeightTable, header: &Header) -> Result<Self, Error> {
        table.check(header)?;
        let host = HostSink::for_host(table, header)?;
        let mut reads = reads(table, header).into_iter();
        let (read, writer) = (reads.next(), RowWriter::default());
        let (header_length, data_length) = (header.length(), header.data_length());
        Ok(Self { read, reads, position: 0, header_length, data_length, writer, host })
    }

    /// Takes the next bytes of the data, which begins after the header. After an error the stream cannot be used any more.
    pub fn push(&mut self, chunk: &[u8], sink: &mut dyn Sink) -> Result<(), Error> {
        let end = self.position.saturating_add(chunk.len() as u64);
        if end > self.data_length {
            let defect = FileDefect::TrailingBytes { bytes: end - self.data_length };
            return Err(Error::MalformedCheckpoint { defect });
        }
        let mut rest = chunk;
        while let Some(read) = &self.read {
            let skipped = read.bytes.start.saturating_sub(self.position);
            rest = rest.get(bounded(skipped, rest)..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
            self.position = end - rest.len() as u64;
            let (bytes, after) = rest.split_at(bounded(read.bytes.end - self.position, rest));
            let mut sinks = Sinks { device: &mut *sink, host: &mut self.host };
            self.writer.write(bytes, &read.chunking, &read.destinations, &mut sinks)?;
            rest = after;
            self.position = end - rest.len() as u64;
            if self.position < read.bytes.end {
                break;
            }
            self.writer.finish(&read.chunking, &read.destinations, &mut sinks)?;
            self.read = self.reads.next();
        }
        self.position = end;
        Ok(())
    }

    /// The host's weights, after all bytes.
    pub fn finish(self) -> Result<HostSink, Error> {
        if self.position < self.data_length {
            let [expected, found] =
                [self.data_length, self.position].map(|bytes| self.header_length.saturating_add(bytes));
            return Err(Error::Truncated { expected, found });
        }
        Ok(self.host)
    }
}

/// The tensors to read, in the order of their bytes. Ranges of a header do not overlap, and no number is split.
fn reads(table: &WeightTable, header: &Header) -> Vec<TensorRead> {
    let mut reads: Vec<TensorRead> = Vec::new();
    let device = table.weights.iter().enumerate().map(|(index, spec)| (index, false, spec));
    let host = table.host.iter().enumerate().map(|(index, spec)| (index, true, spec));
    for (weight, on_host, spec) in device.chain(host) {
        for part in &spec.parts {
            let found = part.find(header, &table.aliases).filter(|tensor| !tensor.range.is_empty());
            let Some(tensor) = found else { continue };
            let destination = Destination {
                weight,
                on_host,
                elements: spec.elements(),
                columns: spec.columns,
                format: spec.format,
                part: part.clone(),
            };
            let start = tensor.range.start;
            let at = reads.binary_search_by_key(&start, |read| read.bytes.start).unwrap_or_else(|at| {
                let chunking = Chunking::new(&tensor.dtype, part.row());
                reads.insert(at, TensorRead { bytes: tensor.range.clone(), chunking, destinations: Vec::new() });
                at
            });
            reads[at].chunking.adapt(&destination);
            reads[at].destinations.push(destination);
        }
    }
    reads
}

/// The smaller of `count` and the length of `bytes`.
fn bounded(count: u64, bytes: &[u8]) -> usize {
    usize::try_from(count).map_or(bytes.len(), |count| count.min(bytes.len()))
}
