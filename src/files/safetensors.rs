//! The header of a safetensors file: read in one pass, checked before anything is made of it.
//!
//! The safetensors crate's own reader (0.8) buffers every value of the header before it looks at it (some fifty bytes
//! for two in a list of numbers) and adds up the last offset and the header unchecked; files come from strangers here.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::sorting::{Entry, sort};
use super::{Directory, Dtype, Stored};
use crate::error::Error;
use crate::json;

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
    let tensors = json::read(text, Header).map_err(|error| malformed(format!("header: {error}")))?;
    let tensors: Vec<_> = tensors.into_iter().collect();
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

/// The tensors of a header by their names, as a seed for serde_json.
struct Header;

impl<'de> DeserializeSeed<'de> for Header {
    type Value = BTreeMap<String, Stored>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Header {
    type Value = BTreeMap<String, Stored>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut tensors = BTreeMap::new();
        while let Some(name) = object.next_key::<String>()? {
            if name == "__metadata__" {
                object.next_value::<IgnoredAny>()?;
                continue;
            }
            let tensor = object.next_value::<RawTensor<'_>>()?.checked().map_err(A::Error::custom)?;
            if tensors.contains_key(&name) {
                return Err(json::twice(&name));
            }
            tensors.insert(name, tensor);
        }
        Ok(tensors)
    }
}

/// A tensor as the header writes it.
#[derive(serde::Deserialize)]
struct RawTensor<'a> {
    #[serde(borrow)]
    dtype: Cow<'a, str>,
    shape: Shape,
    data_offsets: (u64, u64),
}

impl RawTensor<'_> {
    fn checked(self) -> Result<Stored, &'static str> {
        let RawTensor { dtype, shape: Shape(shape), data_offsets: (start, end) } = self;
        if dtype.len() > LONGEST_DTYPE || !dtype.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("dtype names no type");
        }
        if start > end {
            return Err("data_offsets are not where a tensor starts and ends");
        }
        Ok(Stored { dtype: Dtype::named(&dtype), shape, file: 0, range: start..end })
    }
}

/// A tensor's dimensions. Read one by one, so that a long list takes no memory.
struct Shape(Vec<u64>);

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Dimensions)
    }
}

struct Dimensions;

impl<'de> Visitor<'de> for Dimensions {
    type Value = Shape;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a list of at most {MOST_DIMENSIONS} whole numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Shape, A::Error> {
        let mut shape = Vec::new();
        while let Some(size) = list.next_element()? {
            if shape.len() == MOST_DIMENSIONS {
                return Err(A::Error::invalid_length(shape.len() + 1, &self));
            }
            shape.push(size);
        }
        Ok(Shape(shape))
    }
}

#[cfg(test)]
mod tests;
