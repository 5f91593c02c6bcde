//! Header, table and stream together: files in pieces.

mod stream;

use super::{HostSink, Sink, WeightStream, WeightTable};
use crate::Error;
use crate::weights::Header;

/// A safetensors file of the given header and data.
pub fn file(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

/// A safetensors file under construction.
#[derive(Default)]
pub struct Draft {
    entries: Vec<String>,
    pub data: Vec<u8>,
}

impl Draft {
    /// Adds the tensor `name` with numbers stored as `dtype`; numbers of unknown types take one byte each.
    pub fn add(mut self, name: &str, dtype: &str, shape: &[u64], numbers: &[f32]) -> Self {
        let start = self.data.len();
        for number in numbers {
            match dtype {
                "F32" => self.data.extend(number.to_le_bytes()),
                "F16" => self.data.extend(half::f16::from_f32(*number).to_le_bytes()),
                "BF16" => self.data.extend(half::bf16::from_f32(*number).to_le_bytes()),
                _ => self.data.push(*number as u8),
            }
        }
        let end = self.data.len();
        let offsets = format!("\"data_offsets\":[{start},{end}]");
        self.entries.push(format!("{name:?}:{{\"dtype\":{dtype:?},\"shape\":{shape:?},{offsets}}}"));
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        file(&format!("{{{}}}", self.entries.join(",")), &self.data)
    }
}

/// Increasing numbers, exact in every type.
pub fn ramp(count: usize, first: f32) -> Vec<f32> {
    (0..count).map(|index| first + index as f32).collect()
}

/// A sink that records its calls.
pub struct Writes {
    pub memory: HostSink,
    /// Weight, first word, number of words.
    pub calls: Vec<(usize, u64, usize)>,
}

impl Writes {
    /// The f32 weights by index.
    pub fn plain(&self) -> Vec<Vec<f32>> {
        self.memory.weights().iter().map(|weight| weight.plain().to_vec()).collect()
    }
}

impl Sink for Writes {
    fn write(&mut self, weight: usize, first: u64, words: &[u32]) -> Result<(), Error> {
        self.calls.push((weight, first, words.len()));
        self.memory.write(weight, first, words)
    }
}

/// Fills the weights of a table from a file in pieces of these sizes, then the rest.
pub fn fill(table: &WeightTable, bytes: &[u8], pieces: &[usize]) -> Result<(Writes, HostSink), Error> {
    let header = Header::parse(bytes, None)?;
    let mut stream = WeightStream::new(table, &header)?;
    let mut writes = Writes { memory: HostSink::new(table)?, calls: Vec::new() };
    let mut rest = &bytes[header.length() as usize..];
    for piece in pieces {
        let (chunk, later) = rest.split_at(rest.len().min(*piece));
        stream.push(chunk, &mut writes)?;
        rest = later;
    }
    stream.push(rest, &mut writes)?;
    Ok((writes, stream.finish()?))
}
