//! The header of a safetensors file: read in one pass, checked before anything is made of it.
//!
//! The safetensors crate's own reader (0.8) buffers every value of the header before it looks at it (some fifty bytes
//! for two in a list of numbers) and adds up the last offset and the header unchecked; files come from strangers here.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::error::Error;

/// Bytes of the number that begins the file: the header's length, little-endian.
const PREFIX: usize = 8;

/// The format's own limit to a header.
const LONGEST_HEADER: u64 = 100_000_000;

/// No tensor of a RoFormer has more than two dimensions.
const MOST_DIMENSIONS: usize = 8;

/// The longest name of a type that is kept.
const LONGEST_DTYPE: usize = 16;

/// What the header says of one tensor.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// As the file names it, e.g. "F32".
    pub dtype: String,
    pub shape: Vec<usize>,
    /// Where its bytes lie in the data.
    pub range: Range<usize>,
}

impl Entry {
    /// How many numbers the shape holds, if that can be counted.
    pub fn elements(&self) -> Option<usize> {
        self.shape.iter().try_fold(1_usize, |product, size| product.checked_mul(*size))
    }
}

/// Bytes of one element, for the types of whole bytes that safetensors knows.
pub fn element_bytes(dtype: &str) -> Option<usize> {
    match dtype {
        "BOOL" | "U8" | "I8" | "F8_E5M2" | "F8_E4M3" | "F8_E8M0" | "F8_E4M3FNUZ" | "F8_E5M2FNUZ" => Some(1),
        "U16" | "I16" | "F16" | "BF16" => Some(2),
        "U32" | "I32" | "F32" => Some(4),
        "U64" | "I64" | "F64" | "C64" => Some(8),
        _ => None,
    }
}

/// Splits a file into its tensors, by name, and their data, with every range inside the data.
///
/// # Errors
/// A file that ends early; a header that is no JSON of that form, or holds a name twice; ranges that overlap, leave
/// gaps, or do not have the size of their shape.
pub fn read(bytes: &[u8]) -> Result<(BTreeMap<String, Entry>, &[u8]), Error> {
    let found = bytes.len() as u64;
    let cut = |expected: u64| Error::CutShort { expected, found };
    let (prefix, rest) = bytes.split_first_chunk::<PREFIX>().ok_or_else(|| cut(PREFIX as u64))?;
    let length = u64::from_le_bytes(*prefix);
    if rest.first().is_some_and(|first| *first != b'{') {
        return Err(malformed("its header does not begin with {".into()));
    }
    if length > LONGEST_HEADER {
        return Err(malformed(format!("its header claims {length} bytes")));
    }
    let (header, data) = usize::try_from(length)
        .ok()
        .and_then(|length| rest.split_at_checked(length))
        .ok_or_else(|| cut(length.saturating_add(PREFIX as u64)))?;
    let Header(tensors) = serde_json::from_slice(header).map_err(|error| malformed(format!("header: {error}")))?;
    let end = check_ranges(&tensors)?;
    if end > data.len() {
        return Err(cut(((bytes.len() - data.len()) as u64).saturating_add(end as u64)));
    }
    if end < data.len() {
        return Err(malformed(format!("{} bytes at its end belong to no tensor", data.len() - end)));
    }
    Ok((tensors, data))
}

fn malformed(reason: String) -> Error {
    Error::MalformedCheckpoint { reason }
}

/// Ranges must follow one another without gaps, each of the size of its shape. Returns where the last one ends.
fn check_ranges(tensors: &BTreeMap<String, Entry>) -> Result<usize, Error> {
    let mut in_order: Vec<(&String, &Entry)> = tensors.iter().collect();
    in_order.sort_by_key(|(_, entry)| (entry.range.start, entry.range.end));
    let mut end = 0;
    for (name, entry) in in_order {
        if entry.range.start != end || entry.range.end < end {
            return Err(malformed(format!("the bytes of {name:?} overlap others or leave a gap")));
        }
        end = entry.range.end;
        let size = element_bytes(&entry.dtype).map(|bytes| entry.elements().and_then(|n| n.checked_mul(bytes)));
        // A type unknown here is refused when it is asked for: other tensors can still be read.
        if size.is_some_and(|size| size != Some(entry.range.len())) {
            let Entry { shape, dtype, range } = entry;
            return Err(malformed(format!(
                "{name:?} has {} bytes, which is not what shape {shape:?} in {dtype} takes",
                range.len()
            )));
        }
    }
    Ok(end)
}

struct Header(BTreeMap<String, Entry>);

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

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntryVisitor)
    }
}

struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = Entry;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("dtype, shape and data_offsets of a tensor")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entry, A::Error> {
        let (mut dtype, mut shape, mut range) = (None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "dtype" => dtype = Some(map.next_value::<Dtype>()?.0),
                "shape" => shape = Some(map.next_value::<Shape>()?.0),
                "data_offsets" => {
                    let (start, end) = map.next_value::<(usize, usize)>()?;
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
        Ok(Entry { dtype, shape, range })
    }
}

struct Dtype(String);

impl<'de> Deserialize<'de> for Dtype {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name.len() > LONGEST_DTYPE || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(D::Error::custom("dtype names no type"));
        }
        Ok(Dtype(name))
    }
}

struct Shape(Vec<usize>);

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
        while let Some(size) = sequence.next_element::<usize>()? {
            if shape.len() == MOST_DIMENSIONS {
                return Err(A::Error::custom(format_args!("a shape has more than {MOST_DIMENSIONS} dimensions")));
            }
            shape.push(size);
        }
        Ok(Shape(shape))
    }
}
