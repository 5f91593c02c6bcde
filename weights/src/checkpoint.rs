//! Tensors of many files as one safetensors file.

use std::fmt::Write as _;

use crate::error::{Error, FileDefect};
use crate::safetensors::METADATA;
use crate::source_files::{FileTensor, Span};

/// A safetensors file that is written nowhere: `header`, then the bytes of all `pieces` in this order. Bytes that several tensors share
/// appear once for each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The length of the JSON (8 bytes, little-endian) and the JSON.
    pub header: Vec<u8>,
    /// The data.
    pub pieces: Vec<Span>,
}

impl Checkpoint {
    /// Bytes of header and data.
    pub fn length(&self) -> u64 {
        let data = self.pieces.iter().fold(0, |sum: u64, piece| sum.saturating_add(piece.end - piece.start));
        data.saturating_add(self.header.len() as u64)
    }
}

/// Orders the tensors by file and position there and writes their header.
pub fn merge(mut tensors: Vec<FileTensor>, main: &str) -> Result<Checkpoint, Error> {
    tensors.sort_by(|one, other| (one.span, &one.name).cmp(&(other.span, &other.name)));
    let mut json = String::from("{");
    let mut pieces: Vec<Span> = Vec::new();
    let mut at = 0_u64;
    for FileTensor { name, dtype, shape, span } in &tensors {
        let malformed = |defect| Error::MalformedCheckpoint { file: main.into(), defect };
        let end = at.checked_add(span.end.saturating_sub(span.start)).ok_or_else(|| malformed(FileDefect::TooLarge))?;
        if name == METADATA {
            return Err(malformed(FileDefect::ReservedName));
        }
        let comma = if json.len() > 1 { "," } else { "" };
        let (name, dtype) = (text(name), text(dtype.name()));
        // Writing to a string cannot fail.
        let _ = write!(json, "{comma}{name}:{{\"dtype\":{dtype},\"shape\":{shape:?},\"data_offsets\":[{at},{end}]}}");
        at = end;
        match pieces.last_mut() {
            Some(last) if last.file == span.file && last.end == span.start => last.end = span.end,
            _ if span.end > span.start => pieces.push(*span),
            _ => {}
        }
    }
    json.push('}');
    // Like the format's own writer: the data begins at a multiple of eight bytes.
    json.extend(std::iter::repeat_n(' ', json.len().wrapping_neg() % 8));
    let mut header = (json.len() as u64).to_le_bytes().to_vec();
    header.extend(json.bytes());
    Ok(Checkpoint { header, pieces })
}

/// As a JSON string.
fn text(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}
