//! From what a pickle holds to tensors by name.

use std::collections::BTreeSet;

use crate::header::Dtype;
use crate::pickle::{Id, Pickle, Rebuilt, Value};
use crate::refusal::{Refusal, quoted};

/// Names under which training programs keep a model's state dict beside other things.
const WRAPPED: [&str; 2] = ["state_dict", "model"];

/// A tensor, and where it lies in its storage.
#[derive(Debug)]
pub struct Stored {
    pub name: String,
    pub dtype: Dtype,
    pub shape: Vec<u64>,
    /// The storage's key, and how many bytes it has.
    pub storage: String,
    pub storage_bytes: u64,
    /// Where the tensor's bytes begin in it, and how many there are.
    pub start: u64,
    pub bytes: u64,
}

/// The tensors of a state dict. Entries that are none are left out.
pub fn tensors(pickle: &Pickle<'_>, file: &str) -> Result<Vec<Stored>, Refusal> {
    let entries = state(pickle);
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for (name, value) in entries {
        let (Some(name), Value::Tensor(tensor)) = (pickle.text(*name), pickle.get(*value)) else { continue };
        let refused = |(what, remedy): (String, &'static str)| Refusal::Tensor {
            file: file.into(),
            tensor: quoted(name),
            what,
            remedy,
        };
        if !names.insert(name) {
            return Err(refused(("is there twice".into(), "save the model again")));
        }
        found.push(stored(name, tensor).map_err(refused)?);
    }
    if found.is_empty() {
        let keys: Vec<String> = entries.iter().filter_map(|(key, _)| pickle.text(*key)).take(5).map(quoted).collect();
        let found = if keys.is_empty() { String::new() } else { format!("; it holds {}", keys.join(", ")) };
        return Err(Refusal::NoTensors { file: file.into(), found });
    }
    Ok(found)
}

/// The entries of the state dict: those of the whole, or of what is wrapped in it.
fn state<'p>(pickle: &'p Pickle<'_>) -> &'p [(Id, Id)] {
    let wrapped = WRAPPED.iter().find_map(|name| match pickle.entry(name)? {
        Value::Dict { entries, .. } => Some(entries.as_slice()),
        _ => None,
    });
    wrapped.unwrap_or(match pickle.root() {
        Value::Dict { entries, .. } => entries,
        _ => &[],
    })
}

fn stored(name: &str, tensor: &Rebuilt<'_>) -> Result<Stored, (String, &'static str)> {
    let Rebuilt { storage, dtype, offset, shape, strides } = tensor;
    let outside = || ("reaches out of its storage".into(), "download the file again");
    let elements = shape.iter().try_fold(1_u64, |product, size| product.checked_mul(*size)).ok_or_else(outside)?;
    if !contiguous(shape, strides, elements) {
        let remedy = "save it again with tensor.contiguous(), or the model with save_pretrained()";
        return Err((
            format!("has its numbers in another order than its shape {shape:?} (strides {strides:?})"),
            remedy,
        ));
    }
    let bytes = elements.checked_mul(dtype.width).ok_or_else(outside)?;
    // Without elements it lies nowhere.
    let start = if elements == 0 { Some(0) } else { offset.checked_mul(dtype.width) };
    let start = start.filter(|start| start.checked_add(bytes).is_some_and(|end| end <= storage.bytes()));
    Ok(Stored {
        name: name.into(),
        dtype: *dtype,
        shape: shape.clone(),
        storage: storage.key.into(),
        storage_bytes: storage.bytes(),
        start: start.ok_or_else(outside)?,
        bytes,
    })
}

/// Whether the last index runs fastest, and every number is there once.
fn contiguous(shape: &[u64], strides: &[i128], elements: u64) -> bool {
    let mut next: i128 = 1;
    shape.len() == strides.len()
        && (elements == 0
            || shape.iter().zip(strides).rev().all(|(size, stride)| {
                let fits = *size == 1 || *stride == next;
                next = next.saturating_mul(i128::from(*size));
                fits
            }))
}
