//! The values of a pickle: plain data, tensors, and the few classes that tensors are made with.

use std::collections::BTreeMap;

use super::class::Class;
use crate::dtype::Dtype;

/// The index of a value. Values refer to each other by index, so that a list may contain itself.
pub type Id = usize;

#[derive(Debug, Clone)]
pub enum Value<'a> {
    None,
    Bool(bool),
    Int(i128),
    /// A float, bytes or a device: nothing depends on its content.
    Other,
    Text(&'a str),
    Tuple(Vec<Id>),
    List(Vec<Id>),
    Set,
    /// `ordered`: an OrderedDict, which may have attributes.
    Dict {
        entries: Vec<(Id, Id)>,
        ordered: bool,
    },
    Class(Class),
    Storage(Box<Storage<'a>>),
    Tensor(Box<PickledTensor<'a>>),
}

/// A block of numbers in the file, which tensors refer to.
#[derive(Debug, Clone)]
pub struct Storage<'a> {
    pub key: &'a str,
    pub dtype: Dtype,
    /// Its number of elements.
    pub count: u64,
}

impl Storage<'_> {
    /// Its length; u64::MAX if that overflows, which is more than any file has.
    pub fn bytes(&self) -> u64 {
        self.count.saturating_mul(self.dtype.bytes().unwrap_or(1))
    }
}

/// The arguments that PyTorch rebuilds a tensor from. Offset and strides count elements.
#[derive(Debug, Clone)]
pub struct PickledTensor<'a> {
    pub storage: Storage<'a>,
    pub dtype: Dtype,
    pub offset: u64,
    pub shape: Vec<u64>,
    pub strides: Vec<i128>,
}

/// A pickle in memory.
#[derive(Debug)]
pub struct Pickle<'a> {
    pub(super) values: Vec<Value<'a>>,
    pub(super) root: Id,
    /// Its length in bytes.
    pub end: usize,
}

impl<'a> Pickle<'a> {
    pub fn get(&self, id: Id) -> &Value<'a> {
        self.values.get(id).unwrap_or(&Value::None)
    }

    pub fn root(&self) -> &Value<'a> {
        self.get(self.root)
    }

    pub fn text(&self, id: Id) -> Option<&'a str> {
        if let Value::Text(text) = self.get(id) { Some(text) } else { None }
    }

    /// The root as a number.
    pub fn int(&self) -> Option<i128> {
        if let Value::Int(number) = self.root() { Some(*number) } else { None }
    }

    /// The value under a key of the root, a dict. Of a repeated key it is the last value, as in Python.
    pub fn entry(&self, name: &str) -> Option<&Value<'a>> {
        let Value::Dict { entries, .. } = self.root() else { return None };
        let found = entries.iter().rev().find(|(key, _)| self.text(*key) == Some(name));
        found.map(|(_, value)| self.get(*value))
    }

    /// All storages that the pickle names, by their keys.
    pub fn storages(&self) -> BTreeMap<&'a str, &Storage<'a>> {
        let storages = self.values.iter().filter_map(|value| match value {
            Value::Storage(storage) => Some((storage.key, &**storage)),
            _ => None,
        });
        storages.collect()
    }
}
