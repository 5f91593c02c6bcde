//! The header of a safetensors file: read in one pass, checked before anything is made of it.
//!
//! The safetensors crate's own reader (0.8) buffers every value of the header before it looks at it (some fifty bytes
//! for two in a list of numbers) and adds up the last offset and the header unchecked; files come from strangers here.

use json_event_parser::JsonEvent;

use super::sorting::{Entry, sort};
use super::{Directory, Dtype, Stored};
use crate::error::Error;
use crate::json::Reader;

/// Bytes of the number that begins the file: the header's length, little-endian.
const PREFIX: usize = 8;

/// The format's own limit to a header.
const LONGEST_HEADER: u64 = 100_000_000;

/// No tensor of a model that runs here has more than two dimensions that count.
const MOST_DIMENSIONS: usize = 8;

/// The longest name of a type that is kept.
const LONGEST_DTYPE: usize = 16;

/// Bytes that the header takes, the number in front of it included.
///
/// # Errors
/// A PyTorch pickle; fewer than eight bytes; a header longer than the format allows.
pub fn header_bytes(start: &[u8]) -> Result<u64, Error> {
    let Some((prefix, rest)) = start.split_first_chunk::<PREFIX>() else {
        refuse_pickle(start.starts_with(ZIP))?;
        return Err(Error::CutShort { expected: PREFIX as u64, found: start.len() as u64 });
    };
    let length = u64::from_le_bytes(*prefix);
    let brace = rest.first().map(|first| *first == b'{');
    // A header may begin like a pickle, but not one of a length that there is.
    let pickle = matches!(prefix, [0x80, 2..=5, ..]) && brace.map_or(length > LONGEST_HEADER, |brace| !brace);
    refuse_pickle(pickle || prefix.starts_with(ZIP))?;
    if brace == Some(false) {
        return Err(malformed("its header does not begin with {".into()));
    }
    if length > LONGEST_HEADER {
        return Err(malformed(format!("its header claims {length} bytes")));
    }
    Ok(PREFIX as u64 + length)
}

/// PyTorch's files are zip archives; older ones are bare pickles (protocol 2 and up).
const ZIP: &[u8] = b"PK\x03\x04";

fn refuse_pickle(pickle: bool) -> Result<(), Error> {
    if pickle { Err(Error::Pickle) } else { Ok(()) }
}

/// Reads the header at the beginning of `bytes`; see [`Directory::parse`].
pub fn read(bytes: &[u8], file_length: Option<u64>) -> Result<Directory, Error> {
    let header = header_bytes(bytes)?;
    let text = usize::try_from(header).ok().and_then(|end| bytes.get(PREFIX..end));
    let text = text.ok_or(Error::CutShort { expected: header, found: bytes.len() as u64 })?;
    let tensors = tensors(text).map_err(|error| malformed(format!("header: {error}")))?;
    let data = check_ranges(&tensors)?;
    let directory = Directory { tensors, header, data };
    if let Some(length) = file_length {
        directory.check_length(length)?;
    }
    Ok(directory)
}

impl Directory {
    /// Refuses a file of `found` bytes that ends before its last tensor or goes on behind it.
    pub(super) fn check_length(&self, found: u64) -> Result<(), Error> {
        let expected = self.header.saturating_add(self.data);
        if found < expected {
            return Err(Error::CutShort { expected, found });
        }
        if found > expected {
            return Err(malformed(format!("{} bytes at its end belong to no tensor", found - expected)));
        }
        Ok(())
    }
}

pub(super) fn malformed(reason: String) -> Error {
    Error::MalformedCheckpoint { reason }
}

/// Ranges must follow one another without gaps, each of the size of its shape. Returns where the last one ends.
fn check_ranges(tensors: &[(String, Stored)]) -> Result<u64, Error> {
    // By their middles: an empty tensor comes before what begins at the same byte.
    let middle =
        |(index, (_, stored)): (usize, &(String, Stored))| (stored.range.start.saturating_add(stored.range.end), index);
    let mut in_order: Vec<Entry> = tensors.iter().enumerate().map(middle).collect();
    sort(&mut in_order, &Entry::cmp);
    let mut end = 0;
    for (name, stored) in in_order.iter().filter_map(|(_, index)| tensors.get(*index)) {
        if stored.range.start != end || stored.range.end < end {
            return Err(malformed(format!("the bytes of {name:?} overlap others or leave a gap")));
        }
        end = stored.range.end;
        let bytes = stored.range.end - stored.range.start;
        let size = stored.dtype.bytes().map(|width| stored.elements().and_then(|count| count.checked_mul(width)));
        // A type unknown here is refused when it is asked for: other tensors can still be read.
        if size.is_some_and(|size| size != Some(bytes)) {
            let (shape, dtype) = (&stored.shape, stored.dtype.name());
            return Err(malformed(format!(
                "{name:?} has {bytes} bytes, which is not what shape {shape:?} in {dtype} takes"
            )));
        }
    }
    Ok(end)
}

/// Every tensor of the header, sorted by its name.
fn tensors(text: &[u8]) -> Result<Vec<(String, Stored)>, String> {
    let mut reader = Reader::new(text);
    let mut tensors = Vec::new();
    reader.object("tensors")?;
    while let Some(name) = reader.key()? {
        match &*name {
            "__metadata__" => reader.skip()?,
            _ => tensors.push((name.into_owned(), stored(&mut reader)?)),
        }
    }
    reader.end()?;
    let mut in_order: Vec<Entry> = (0..tensors.len()).map(|index| (0, index)).collect();
    let name = |(_, index): &Entry| tensors.get(*index).map(|(name, _)| name);
    sort(&mut in_order, &|a, b| name(a).cmp(&name(b)));
    let mut tensors: Vec<_> = tensors.into_iter().map(Some).collect();
    let tensors: Vec<_> = in_order.iter().filter_map(|(_, index)| tensors.get_mut(*index)?.take()).collect();
    let twice =
        tensors.windows(2).find_map(|pair| if let [(a, _), (b, _)] = pair { (a == b).then_some(a) } else { None });
    match twice {
        Some(name) => Err(format!("tensor {name:?} is there twice")),
        None => Ok(tensors),
    }
}

/// dtype, shape and data_offsets of a tensor. A header describes its own file alone.
fn stored(reader: &mut Reader<'_>) -> Result<Stored, String> {
    let (mut dtype, mut shape, mut range) = (None, None, None);
    reader.object("dtype, shape and data_offsets")?;
    while let Some(key) = reader.key()? {
        match &*key {
            "dtype" => dtype = Some(type_name(reader)?),
            "shape" => shape = Some(wholes(reader, "shape", MOST_DIMENSIONS)?),
            "data_offsets" => {
                range = match wholes(reader, "data_offsets", 2)?[..] {
                    [start, end] if start <= end => Some(start..end),
                    _ => return Err("data_offsets are not where a tensor starts and ends".into()),
                }
            }
            _ => reader.skip()?,
        }
    }
    match (dtype, shape, range) {
        (Some(dtype), Some(shape), Some(range)) => Ok(Stored { dtype, shape, file: 0, range }),
        _ => Err("a tensor is without dtype, shape or data_offsets".into()),
    }
}

fn type_name(reader: &mut Reader<'_>) -> Result<Dtype, String> {
    match reader.event()? {
        JsonEvent::String(name) if name.len() <= LONGEST_DTYPE && name.bytes().all(|byte| byte.is_ascii_graphic()) => {
            Ok(Dtype::named(&name))
        }
        _ => Err("dtype names no type".into()),
    }
}

/// A list of up to `most` whole numbers.
fn wholes(reader: &mut Reader<'_>, key: &str, most: usize) -> Result<Vec<u64>, String> {
    let mut numbers = Vec::new();
    if reader.event()? != JsonEvent::StartArray {
        return Err(format!("{key} is no list"));
    }
    loop {
        match reader.event()? {
            JsonEvent::EndArray => return Ok(numbers),
            JsonEvent::Number(_) if numbers.len() == most => return Err(format!("{key} has more than {most} numbers")),
            JsonEvent::Number(digits) => {
                numbers.push(digits.parse().map_err(|_| format!("{key} has {digits}, which is no size"))?)
            }
            _ => return Err(format!("{key} holds something else than whole numbers")),
        }
    }
}

#[cfg(test)]
mod tests;
