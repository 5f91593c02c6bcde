//! The header of a safetensors file: read in one pass, checked before anything is made of it.
//!
//! The safetensors crate's own reader (0.8) buffers every value of the header before it looks at it (some fifty bytes
//! for two in a list of numbers) and adds up the last offset and the header unchecked; files come from strangers here.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{Directory, Dtype, Stored};
use crate::error::Error;

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
    if pickle { Err(Error::Pickle { file: "the file of weights".into() }) } else { Ok(()) }
}

/// Reads the header at the beginning of `bytes`; see [`Directory::parse`].
pub fn read(bytes: &[u8], file_length: Option<u64>) -> Result<Directory, Error> {
    let header = header_bytes(bytes)?;
    let text = usize::try_from(header).ok().and_then(|end| bytes.get(PREFIX..end));
    let text = text.ok_or(Error::CutShort { expected: header, found: bytes.len() as u64 })?;
    let Header(tensors) = serde_json::from_slice(text).map_err(|error| malformed(format!("header: {error}")))?;
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
fn check_ranges(tensors: &BTreeMap<String, Stored>) -> Result<u64, Error> {
    let mut in_order: Vec<(&String, &Stored)> = tensors.iter().collect();
    in_order.sort_unstable_by_key(|(_, stored)| (stored.range.start, stored.range.end));
    let mut end = 0;
    for (name, stored) in in_order {
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

struct Header(BTreeMap<String, Stored>);

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(HeaderVisitor)
    }
}

struct HeaderVisitor;

impl<'de> Visitor<'de> for HeaderVisitor {
    type Value = Header;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
        let mut tensors = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == "__metadata__" {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            match tensors.entry(name) {
                Slot::Vacant(slot) => slot.insert(map.next_value()?),
                Slot::Occupied(slot) => {
                    return Err(A::Error::custom(format_args!("tensor {:?} is there twice", slot.key())));
                }
            };
        }
        Ok(Header(tensors))
    }
}

impl<'de> Deserialize<'de> for Stored {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(StoredVisitor)
    }
}

struct StoredVisitor;

impl<'de> Visitor<'de> for StoredVisitor {
    type Value = Stored;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("dtype, shape and data_offsets of a tensor")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Stored, A::Error> {
        let (mut dtype, mut shape, mut range) = (None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "dtype" => dtype = Some(map.next_value()?),
                "shape" => shape = Some(map.next_value::<Shape>()?.0),
                "data_offsets" => {
                    let (start, end) = map.next_value::<(u64, u64)>()?;
                    if end < start {
                        return Err(A::Error::custom("data_offsets end before they start"));
                    }
                    range = Some(start..end);
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let dtype = dtype.ok_or_else(|| A::Error::missing_field("dtype"))?;
        let shape = shape.ok_or_else(|| A::Error::missing_field("shape"))?;
        let range = range.ok_or_else(|| A::Error::missing_field("data_offsets"))?;
        // A header describes its own file alone.
        Ok(Stored { dtype, shape, file: 0, range })
    }
}

impl<'de> Deserialize<'de> for Dtype {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name.len() > LONGEST_DTYPE || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(D::Error::custom("dtype names no type"));
        }
        Ok(Dtype::named(&name))
    }
}

struct Shape(Vec<u64>);

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ShapeVisitor)
    }
}

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = Shape;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("the sizes of a tensor")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Shape, A::Error> {
        let mut shape = Vec::new();
        while let Some(size) = sequence.next_element::<u64>()? {
            if shape.len() == MOST_DIMENSIONS {
                return Err(A::Error::custom(format_args!("a shape has more than {MOST_DIMENSIONS} dimensions")));
            }
            shape.push(size);
        }
        Ok(Shape(shape))
    }
}

#[cfg(test)]
mod tests;
