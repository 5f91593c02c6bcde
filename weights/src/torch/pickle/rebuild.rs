//! The allowed classes, called with the arguments in the pickle.

use super::PickleError;
use super::class::Class;
use super::value::{Id, PickledTensor, Storage, Value};
use crate::dtype::Dtype;
use crate::error::FileForm;

/// The result of a call: a new value, or one of the arguments. No value is copied: a small file could become large.
pub enum CallResult<'a> {
    New(Value<'a>),
    Argument(Id),
}

/// PyTorch's own limit.
const MAX_DIMENSIONS: usize = 64;

/// More arguments than any of the classes takes.
const MAX_ARGUMENTS: usize = 16;

/// The storage of a persistent id: ("storage", class, key, device, elements[, view]).
pub fn storage<'a>(values: &[Value<'a>], id: Id) -> Result<Storage<'a>, PickleError> {
    let Some(Value::Tuple(parts)) = values.get(id) else { return Err(PickleError::Broken) };
    let parts: Vec<&Value<'a>> = parts.iter().filter_map(|id| values.get(*id)).collect();
    match parts.as_slice() {
        [
            Value::Text("storage"),
            Value::Class(Class::Storage(dtype)),
            Value::Text(key),
            _,
            Value::Int(count),
            view @ ..,
        ] => {
            if view.first().is_some_and(|view| !matches!(view, Value::None)) {
                return Err(PickleError::Unsupported(FileForm::OverlappingStorages));
            }
            Ok(Storage { key, dtype: dtype.clone(), count: u64::try_from(*count).map_err(|_| PickleError::Broken)? })
        }
        _ => Err(PickleError::Broken),
    }
}

pub fn call<'a>(values: &[Value<'a>], class: &Class, ids: &[Id]) -> Result<CallResult<'a>, PickleError> {
    let arguments: Vec<&Value<'a>> = ids.iter().take(MAX_ARGUMENTS).filter_map(|id| values.get(*id)).collect();
    let first = ids.first().copied().unwrap_or_default();
    match (class, arguments.as_slice()) {
        (Class::OrderedDict, []) => Ok(CallResult::New(Value::Dict { entries: Vec::new(), ordered: true })),
        (Class::Tensor, [Value::Storage(storage), Value::Int(offset), size, stride, _, _, more @ ..]) => {
            tensor(values, storage, &storage.dtype, *offset, (size, stride), more).map(CallResult::New)
        }
        (Class::TypedTensor, [Value::Storage(storage), Value::Int(offset), size, stride, _, _, dtype, more @ ..]) => {
            let Value::Class(Class::Dtype(dtype)) = dtype else { return Err(PickleError::Broken) };
            tensor(values, storage, dtype, *offset, (size, stride), more).map(CallResult::New)
        }
        (Class::Parameter, [Value::Tensor(_), ..]) | (Class::Size, [Value::Tuple(_)]) => {
            Ok(CallResult::Argument(first))
        }
        (Class::Device, _) => Ok(CallResult::New(Value::Other)),
        _ => Err(PickleError::Broken),
    }
}

fn tensor<'a>(
    values: &[Value<'a>],
    storage: &Storage<'a>,
    dtype: &Dtype,
    offset: i128,
    (size, stride): (&Value<'a>, &Value<'a>),
    more: &[&Value<'a>],
) -> Result<Value<'a>, PickleError> {
    let numbers = |value: &Value<'a>| -> Option<Vec<i128>> {
        let Value::Tuple(ids) = value else { return None };
        if ids.len() > MAX_DIMENSIONS {
            return None;
        }
        ids.iter().map(|id| if let Some(Value::Int(number)) = values.get(*id) { Some(*number) } else { None }).collect()
    };
    // Metadata marks tensors whose numbers must be conjugated or negated.
    let plain = more.iter().all(|value| match value {
        Value::None => true,
        Value::Dict { entries, .. } => entries.is_empty(),
        _ => false,
    });
    if !plain {
        return Err(PickleError::Unsupported(FileForm::ConjugatedTensor));
    }
    let sizes = numbers(size).ok_or(PickleError::Broken)?;
    let shape: Result<Vec<u64>, _> = sizes.into_iter().map(u64::try_from).collect();
    Ok(Value::Tensor(Box::new(PickledTensor {
        storage: storage.clone(),
        dtype: dtype.clone(),
        offset: u64::try_from(offset).map_err(|_| PickleError::Broken)?,
        shape: shape.map_err(|_| PickleError::Broken)?,
        strides: numbers(stride).ok_or(PickleError::Broken)?,
    })))
}
