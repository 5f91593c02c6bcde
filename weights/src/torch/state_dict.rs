//! From a pickle's values to the tensors of a state dict.

use std::collections::BTreeSet;

use super::pickle::{Id, Pickle, PickledTensor, Value};
use crate::dtype::Dtype;
use crate::error::{Error, TensorDefect, quoted};

/// Keys under which training programs save a model's state dict together with other values.
const WRAPPERS: [&str; 2] = ["state_dict", "model"];

/// A tensor as a range of its storage.
#[derive(Debug)]
pub struct StorageView {
    pub name: String,
    pub dtype: Dtype,
    pub shape: Vec<u64>,
    /// The storage's key and length.
    pub storage: String,
    pub storage_bytes: u64,
    /// The tensor's first byte in the storage, and its length in bytes.
    pub start: u64,
    pub bytes: u64,
}

/// The tensors of a state dict. Other entries are skipped.
pub fn tensors(pickle: &Pickle<'_>, file: &str) -> Result<Vec<StorageView>, Error> {
    let entries = entries(pickle);
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for (name, value) in entries {
        let (Some(name), Value::Tensor(tensor)) = (pickle.text(*name), pickle.get(*value)) else { continue };
        let refused = |defect| Error::InvalidTensor { file: file.into(), tensor: quoted(name), defect };
        if !names.insert(name) {
            return Err(refused(TensorDefect::SameNameTwice));
        }
        found.push(view(name, tensor).map_err(refused)?);
    }
    if found.is_empty() {
        let keys = entries.iter().filter_map(|(key, _)| pickle.text(*key)).take(5).map(quoted).collect();
        return Err(Error::NoTensors { file: file.into(), keys });
    }
    Ok(found)
}

/// The entries of the state dict: the pickle's own dict, or one that it wraps.
fn entries<'p>(pickle: &'p Pickle<'_>) -> &'p [(Id, Id)] {
    let inner = WRAPPERS.iter().find_map(|name| match pickle.entry(name)? {
        Value::Dict { entries, .. } => Some(entries.as_slice()),
        _ => None,
    });
    inner.unwrap_or(match pickle.root() {
        Value::Dict { entries, .. } => entries,
        _ => &[],
    })
}

fn view(name: &str, tensor: &PickledTensor<'_>) -> Result<StorageView, TensorDefect> {
    let PickledTensor { storage, dtype, offset, shape, strides } = tensor;
    let width = dtype.bytes().unwrap_or(1);
    let outside = || TensorDefect::OutsideStorage;
    let elements = shape.iter().try_fold(1_u64, |product, size| product.checked_mul(*size)).ok_or_else(outside)?;
    if !contiguous(shape, strides, elements) {
        return Err(TensorDefect::OtherOrder { shape: format!("{shape:?}"), strides: format!("{strides:?}") });
    }
    let bytes = elements.checked_mul(width).ok_or_else(outside)?;
    // An empty tensor may have any offset.
    let start = if elements == 0 { Some(0) } else { offset.checked_mul(width) };
    let start = start.filter(|start| start.checked_add(bytes).is_some_and(|end| end <= storage.bytes()));
    Ok(StorageView {
        name: name.into(),
        dtype: dtype.clone(),
        shape: shape.clone(),
        storage: storage.key.into(),
        storage_bytes: storage.bytes(),
        start: start.ok_or_else(outside)?,
        bytes,
    })
}

/// Whether the tensor is row-major without gaps or repeated numbers.
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
