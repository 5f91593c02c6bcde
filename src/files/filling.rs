//! A file's bytes become weights while they arrive.

use std::ops::Range;

use super::gather::{Block, Gather, Want};
use super::safetensors::malformed;
use super::{Directory, HostSink, HostWeights, WeightTable};
use crate::error::Error;

/// Where numbers go.
pub trait Sink {
    /// Takes `numbers` of weight `weight`, which is kept as f32, row-major, from its number `first` on. Numbers that never come are 0.
    ///
    /// # Errors
    /// What the memory behind it reports.
    fn write(&mut self, weight: usize, first: u64, numbers: &[f32]) -> Result<(), Error>;

    /// The same of a weight that is kept packed: whole rows of [`Format::row_words`](crate::kernels::Format::row_words) words.
    ///
    /// # Errors
    /// As [`Sink::write`].
    fn write_packed(&mut self, weight: usize, first: u64, words: &[u32]) -> Result<(), Error>;
}

/// A tensor that somebody wants.
struct Job {
    bytes: Range<u64>,
    block: Block,
    wants: Vec<Want>,
}

/// Takes the data of a file in pieces of any size, and writes every weight of a table. It holds a megabyte at most, however
/// large the tensors are; writes are as large as that allows, and the same whatever the pieces were.
pub struct Filling {
    /// In the order of their bytes.
    jobs: std::vec::IntoIter<Job>,
    job: Option<Job>,
    /// Bytes of data that were taken.
    taken: u64,
    header: u64,
    data: u64,
    gather: Gather,
    host: HostSink,
}

impl Filling {
    /// Prepares to fill the weights of `table` from the file that `directory` describes.
    ///
    /// # Errors
    /// Those of [`WeightTable::check`]; [`Error::MemoryRefused`] for weights that stay on the host.
    pub fn new(table: &WeightTable, directory: &Directory) -> Result<Self, Error> {
        table.check(directory)?;
        let host = HostSink::kept(table, directory)?;
        let mut jobs = jobs(table, directory).into_iter();
        let (header, data) = (directory.header_length(), directory.data_length());
        Ok(Self { job: jobs.next(), jobs, taken: 0, header, data, gather: Gather::default(), host })
    }

    /// Takes the next bytes of the data, which begins behind the header. After an error the filling is of no more use.
    ///
    /// # Errors
    /// More bytes than the directory knows of; what the sink reports.
    pub fn push(&mut self, chunk: &[u8], sink: &mut dyn Sink) -> Result<(), Error> {
        let end = self.taken.saturating_add(chunk.len() as u64);
        if end > self.data {
            return Err(malformed(format!("at least {} bytes at its end belong to no tensor", end - self.data)));
        }
        let mut rest = chunk;
        while let Some(job) = &self.job {
            let skipped = job.bytes.start.saturating_sub(self.taken);
            rest = rest.get(upto(skipped, rest)..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
            self.taken = end - rest.len() as u64;
            let (bytes, behind) = rest.split_at(upto(job.bytes.end - self.taken, rest));
            self.gather.take(bytes, &job.block, &job.wants, sink, &mut self.host)?;
            rest = behind;
            self.taken = end - rest.len() as u64;
            if self.taken < job.bytes.end {
                break;
            }
            self.gather.end(&job.block, &job.wants, sink, &mut self.host)?;
            self.job = self.jobs.next();
        }
        self.taken = end;
        Ok(())
    }

    /// The weights that stay on the host, once all bytes are there.
    ///
    /// # Errors
    /// [`Error::CutShort`] where bytes are missing.
    pub fn finish(self) -> Result<HostWeights, Error> {
        if self.taken < self.data {
            let (expected, found) = (self.header.saturating_add(self.data), self.header.saturating_add(self.taken));
            return Err(Error::CutShort { expected, found });
        }
        Ok(HostWeights(self.host))
    }
}

/// The tensors that are wanted, in the order of their bytes. Ranges do not overlap; those of a checked directory hold
/// whole numbers.
fn jobs(table: &WeightTable, directory: &Directory) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    let device = table.weights.iter().enumerate().map(|(index, entry)| (index, false, entry));
    let host = table.host.iter().enumerate().map(|(index, entry)| (index, true, entry));
    for (weight, host, entry) in device.chain(host) {
        for part in &entry.parts {
            let found = part.find(directory, &table.names).filter(|stored| !stored.range.is_empty());
            let Some(stored) = found else { continue };
            let want = Want {
                name: entry.name().into(),
                weight,
                host,
                elements: entry.elements(),
                columns: entry.columns(),
                format: entry.format,
                orders: part.orders.clone(),
                first_row: part.first_row,
                raised: part.raised,
            };
            let start = stored.range.start;
            let at = jobs.binary_search_by_key(&start, |job| job.bytes.start).unwrap_or_else(|at| {
                let block = Block::new(&stored.dtype, part.row());
                jobs.insert(at, Job { bytes: stored.range.clone(), block, wants: Vec::new() });
                at
            });
            jobs[at].block.suit(&want);
            jobs[at].wants.push(want);
        }
    }
    jobs
}

/// As many of `bytes` as there are up to `count`.
fn upto(count: u64, bytes: &[u8]) -> usize {
    usize::try_from(count).map_or(bytes.len(), |count| count.min(bytes.len()))
}
