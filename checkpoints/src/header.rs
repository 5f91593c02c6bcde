//! The safetensors header of tensors that lie anywhere in files, and the pieces of those files that follow it.

use std::fmt::Write as _;

use crate::reading::Span;
use crate::refusal::{Refusal, quoted};
use crate::shard::METADATA;

/// How numbers are stored: safetensors' name of the type, and bytes of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dtype {
    pub name: &'static str,
    pub width: u64,
}

/// A tensor in a file. `dtype` is safetensors' name; the span holds its numbers and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    pub name: String,
    pub dtype: String,
    pub shape: Vec<u64>,
    pub span: Span,
}

/// Bytes [start, end) of a file that the checkpoint goes on with; `file` counts the files that were given.
pub type Piece = Span;

/// A safetensors file that is written nowhere: `header`, then the bytes of all `pieces`, one behind the other. A stretch that
/// several tensors share is there as often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The length of the JSON (8 bytes, little-endian) and the JSON.
    pub header: Vec<u8>,
    pub pieces: Vec<Piece>,
}

impl Checkpoint {
    /// Bytes of the whole file.
    pub fn length(&self) -> u64 {
        let data = self.pieces.iter().fold(0, |sum: u64, piece| sum.saturating_add(piece.end - piece.start));
        data.saturating_add(self.header.len() as u64)
    }
}

/// Puts the tensors behind a header, in the order of their files and of their places there.
pub fn checkpoint(mut tensors: Vec<Tensor>, main: &str) -> Result<Checkpoint, Refusal> {
    tensors.sort_by(|one, other| (one.span, &one.name).cmp(&(other.span, &other.name)));
    let mut json = String::from("{");
    let mut pieces: Vec<Piece> = Vec::new();
    let mut at = 0_u64;
    for Tensor { name, dtype, shape, span } in &tensors {
        let too_much = || Refusal::Malformed { file: main.into(), reason: "its tensors come to too many bytes".into() };
        let end = at.checked_add(span.end.saturating_sub(span.start)).ok_or_else(too_much)?;
        if name == METADATA {
            let reason = format!("a tensor is called {}", quoted(name));
            return Err(Refusal::Malformed { file: main.into(), reason });
        }
        let comma = if json.len() > 1 { "," } else { "" };
        let (name, dtype) = (text(name), text(dtype));
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
    // As the format's own writer does, so that numbers begin at a multiple of eight bytes.
    json.extend(std::iter::repeat_n(' ', json.len().wrapping_neg() % 8));
    let mut header = (json.len() as u64).to_le_bytes().to_vec();
    header.extend(json.bytes());
    Ok(Checkpoint { header, pieces })
}

/// A JSON string.
fn text(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}
