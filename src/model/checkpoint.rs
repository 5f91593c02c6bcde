//! model.safetensors over borrowed bytes: checked when opened, converted tensor by tensor when asked.

use std::collections::BTreeMap;

use half::{bf16, f16};

use crate::error::Error;

mod header;

use header::Entry;

/// What Hugging Face puts before every name but those of the heads.
const PREFIX: &str = "roformer.";

/// Tensors that hold nothing learned of their own: the table of angles, and the copies of tied tensors.
const DERIVED: [&str; 3] =
    ["encoder.embed_positions.weight", "cls.predictions.decoder.weight", "cls.predictions.decoder.bias"];

/// The tensors of one file. Nothing is copied before [`Checkpoint::tensor`].
#[derive(Debug)]
pub struct Checkpoint<'a> {
    tensors: BTreeMap<String, Entry>,
    data: &'a [u8],
}

impl<'a> Checkpoint<'a> {
    /// Checks a whole file: its header, and that each tensor's bytes are there and as many as its shape takes.
    ///
    /// # Errors
    /// A PyTorch pickle, a file cut short, or one that is not safetensors.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if is_pickle(bytes) {
            return Err(Error::Pickle { file: "the file of weights".into() });
        }
        let (tensors, data) = header::read(bytes)?;
        Ok(Checkpoint { tensors, data })
    }

    /// Whether a tensor is there, under the name that Hugging Face gives it today or an older one.
    pub fn contains(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The shape of a tensor as the file has it.
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        self.find(name).map(|entry| entry.shape.as_slice())
    }

    /// A tensor as f32, row-major. `name` is Hugging Face's long one, e.g.
    /// "roformer.encoder.layer.0.attention.self.query.weight"; files without the prefix, or with gamma and beta for
    /// LayerNorm's weight and bias, are found by it, too.
    ///
    /// # Errors
    /// The tensor is missing, has another shape, or is not stored as F32, F16 or BF16.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
        let entry = self.find(name).ok_or_else(|| Error::MissingTensor { name: name.into() })?;
        if entry.shape != shape {
            let [expected, found] =
                [shape, &entry.shape[..]].map(|shape| shape.iter().map(|size| *size as u64).collect());
            return Err(Error::WrongShape { name: name.into(), expected, found });
        }
        // Tensors may begin at any byte: they are read number by number, never cast.
        let bytes = self.data.get(entry.range.clone()).unwrap_or_default();
        match entry.dtype.as_str() {
            "F32" => Ok(decode(bytes, f32::from_le_bytes)),
            "F16" => Ok(decode(bytes, |number| f16::from_le_bytes(number).to_f32())),
            "BF16" => Ok(decode(bytes, |number| bf16::from_le_bytes(number).to_f32())),
            dtype => Err(Error::UnsupportedDtype { name: name.into(), dtype: dtype.into() }),
        }
    }

    /// The names of all tensors, as the file has them, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// How many learned numbers the file holds: without the table of angles and copies of tied tensors.
    pub fn parameters(&self) -> u64 {
        let learned = |name: &str| !DERIVED.contains(&name.strip_prefix(PREFIX).unwrap_or(name));
        let tensors = self.tensors.iter().filter(|(name, _)| learned(name));
        tensors.map(|(_, entry)| entry.elements().unwrap_or_default() as u64).fold(0, u64::saturating_add)
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        let bare = name.strip_prefix(PREFIX);
        [Some(name), bare].into_iter().flatten().find_map(|name| {
            let today = self.tensors.get(name);
            today.or_else(|| older_name(name).and_then(|older| self.tensors.get(&older)))
        })
    }
}

/// LayerNorm's weight and bias were gamma and beta once.
fn older_name(name: &str) -> Option<String> {
    let renamed = |parameter: &str, older: &str| {
        let layer = name.strip_suffix(parameter).filter(|layer| layer.ends_with("LayerNorm"));
        layer.map(|layer| format!("{layer}{older}"))
    };
    renamed(".weight", ".gamma").or_else(|| renamed(".bias", ".beta"))
}

fn decode<const WIDTH: usize>(bytes: &[u8], number: impl Fn([u8; WIDTH]) -> f32) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks::<WIDTH>();
    numbers.iter().map(|bytes| number(*bytes)).collect()
}

/// PyTorch's files are zip archives, older ones bare pickles (protocol 2 and up).
fn is_pickle(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || matches!(bytes, [0x80, 2..=5, rest @ ..] if rest.get(6) != Some(&b'{'))
}

#[cfg(test)]
mod tests;
