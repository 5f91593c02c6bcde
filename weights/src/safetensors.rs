//! The header of a safetensors file, checked in full before anyone uses it.
//!
//! The files here come from strangers. The safetensors crate's own reader (0.8) buffers every value of the header before it checks it:
//! some fifty bytes for two in a list of numbers. It also adds up the last offset and the header unchecked.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use thiserror::Error;

use crate::dtype::Dtype;
use crate::error::{FileDefect, quoted};
use crate::json;

/// Bytes of the number that begins the file: the length of the JSON, little-endian.
pub const PREFIX: u64 = 8;

/// The format's own limit to the JSON.
pub const MAX_JSON_BYTES: u64 = 100_000_000;

/// The key of a header's JSON that names no tensor.
pub const METADATA: &str = "__metadata__";

/// Tensors of models that run here have at most two dimensions larger than 1.
const MAX_DIMENSIONS: usize = 8;

/// The longest name of a type.
const MAX_DTYPE_LENGTH: usize = 16;

/// The content of a safetensors file's header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    tensors: BTreeMap<String, TensorInfo>,
    length: u64,
    data: u64,
}

/// A tensor as a header describes it. Sizes are u64 because usize has 32 bits in the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    /// The type of its numbers.
    pub dtype: Dtype,
    /// Its dimensions, the last one contiguous.
    pub shape: Vec<u64>,
    /// Its bytes, counted from the end of the header.
    pub range: Range<u64>,
}

impl TensorInfo {
    /// The product of its dimensions; `None` if it overflows.
    pub fn elements(&self) -> Option<u64> {
        self.shape.iter().try_fold(1_u64, |product, size| product.checked_mul(*size))
    }
}

/// The reason for which a header is not read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HeaderError {
    /// The file is one of PyTorch's.
    #[error("it is one of PyTorch's files and not safetensors; rename it to pytorch_model.bin")]
    Pickle,
    /// The file is shorter than its header says.
    #[error("{found} of {expected} bytes are there")]
    Truncated {
        /// Bytes that the file should have.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// Something else is wrong with it.
    #[error("{0}")]
    Malformed(FileDefect),
}

impl Header {
    /// Bytes of the header, from the first eight bytes of the file.
    ///
    /// # Errors
    /// One of PyTorch's files; fewer than eight bytes; a header longer than the format allows.
    pub fn length_from(start: &[u8]) -> Result<u64, HeaderError> {
        let Some((prefix, rest)) = start.split_first_chunk() else {
            refuse_pickle(start.starts_with(ZIP))?;
            return Err(HeaderError::Truncated { expected: PREFIX, found: start.len() as u64 });
        };
        let length = u64::from_le_bytes(*prefix);
        let brace = rest.first().map(|first| *first == b'{');
        // The length of a short header may look like the start of a pickle; then a brace follows.
        let pickle = matches!(prefix, [0x80, 2..=5, ..]) && brace.map_or(length > MAX_JSON_BYTES, |brace| !brace);
        refuse_pickle(pickle || prefix.starts_with(ZIP))?;
        if brace == Some(false) || length > MAX_JSON_BYTES {
            return Err(HeaderError::Malformed(FileDefect::NoHeader));
        }
        Ok(PREFIX + length)
    }

    /// Reads the header at the start of `bytes`; bytes after it are ignored. With `file_length`, a file that is cut short or too long
    /// is refused at once.
    ///
    /// Byte ranges must follow one another without gaps and without overlap, as the format demands: a small file cannot describe large
    /// tensors.
    ///
    /// # Errors
    /// As [`Header::length_from`]; JSON of another form, or with a name twice; tensors that overlap, leave gaps, or are not as large as
    /// their shape.
    pub fn parse(bytes: &[u8], file_length: Option<u64>) -> Result<Header, HeaderError> {
        let length = Self::length_from(bytes)?;
        let text = usize::try_from(length).ok().and_then(|end| bytes.get(PREFIX as usize..end));
        let text = text.ok_or(HeaderError::Truncated { expected: length, found: bytes.len() as u64 })?;
        let malformed = HeaderError::Malformed;
        let tensors = json::read(text, Tensors).map_err(|defect| malformed(FileDefect::HeaderNotJson { defect }))?;
        let data = check(&tensors).map_err(malformed)?;
        let header = Header { tensors, length, data };
        match file_length {
            Some(found) => header.check_file_length(found).map(|()| header),
            None => Ok(header),
        }
    }

    fn check_file_length(&self, found: u64) -> Result<(), HeaderError> {
        let expected = self.length.saturating_add(self.data);
        if found < expected {
            return Err(HeaderError::Truncated { expected, found });
        }
        if found > expected {
            return Err(HeaderError::Malformed(FileDefect::TrailingBytes { bytes: found - expected }));
        }
        Ok(())
    }

    /// A tensor by its name in the file.
    pub fn get(&self, name: &str) -> Option<&TensorInfo> {
        self.tensors.get(name)
    }

    /// All tensors, sorted by name.
    pub fn tensors(&self) -> impl Iterator<Item = (&str, &TensorInfo)> {
        self.tensors.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// Bytes of the header, which the data follows.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Bytes of all tensors.
    pub fn data_length(&self) -> u64 {
        self.data
    }
}

/// PyTorch's files are zip archives; older ones are bare pickles (protocol 2 and up).
const ZIP: &[u8] = b"PK\x03\x04";

fn refuse_pickle(pickle: bool) -> Result<(), HeaderError> {
    if pickle { Err(HeaderError::Pickle) } else { Ok(()) }
}

/// Checks types, ranges and sizes. Returns the end of the last range.
fn check(tensors: &BTreeMap<String, TensorInfo>) -> Result<u64, FileDefect> {
    let mut in_order: Vec<(&String, &TensorInfo)> = tensors.iter().collect();
    // An empty tensor comes before another that begins at the same byte.
    in_order.sort_by_key(|(_, tensor)| (tensor.range.start, tensor.range.end));
    let mut end = 0;
    for (name, tensor) in &in_order {
        let dtype = tensor.dtype.name();
        if dtype.len() > MAX_DTYPE_LENGTH || !dtype.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(FileDefect::TensorType { tensor: quoted(name) });
        }
        if tensor.range.start != end || tensor.range.end < end {
            return Err(FileDefect::TensorPlace { tensor: quoted(name) });
        }
        end = tensor.range.end;
    }
    for (name, tensor) in in_order {
        let bytes = tensor.range.end - tensor.range.start;
        let size = tensor.dtype.bytes().map(|width| tensor.elements().and_then(|count| count.checked_mul(width)));
        // A tensor of an unknown type is refused when it is loaded: the others can still be read.
        if size.is_some_and(|size| size != Some(bytes)) {
            let (shape, dtype) = (tensor.shape.clone(), tensor.dtype.name().into());
            return Err(FileDefect::TensorSize { tensor: quoted(name), bytes, shape, dtype });
        }
    }
    Ok(end)
}

/// The tensors of a header by name, as a seed for serde_json.
struct Tensors;

impl<'de> DeserializeSeed<'de> for Tensors {
    type Value = BTreeMap<String, TensorInfo>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Tensors {
    type Value = BTreeMap<String, TensorInfo>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut tensors = BTreeMap::new();
        while let Some(name) = object.next_key::<String>()? {
            if name == METADATA {
                object.next_value::<IgnoredAny>()?;
                continue;
            }
            let RawTensor { dtype, shape: Shape(shape), data_offsets: (start, end) } = object.next_value()?;
            if tensors.contains_key(&name) {
                return Err(json::duplicate_key(&name));
            }
            tensors.insert(name, TensorInfo { dtype: Dtype::named(&dtype), shape, range: start..end });
        }
        Ok(tensors)
    }
}

/// A tensor in the JSON.
#[derive(serde::Deserialize)]
struct RawTensor<'a> {
    #[serde(borrow)]
    dtype: Cow<'a, str>,
    shape: Shape,
    data_offsets: (u64, u64),
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
        write!(formatter, "a list of at most {MAX_DIMENSIONS} whole numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Shape, A::Error> {
        let mut shape = Vec::new();
        while let Some(size) = list.next_element()? {
            if shape.len() == MAX_DIMENSIONS {
                return Err(A::Error::invalid_length(shape.len() + 1, &self));
            }
            shape.push(size);
        }
        Ok(Shape(shape))
    }
}

#[cfg(test)]
mod tests;
