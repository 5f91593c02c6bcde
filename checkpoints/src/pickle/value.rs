//! What a pickle may hold: plain data, tensors, and the few classes that tensors are made with.

use std::collections::BTreeMap;

use super::class::Class;
use crate::header::Dtype;

/// A value by its number: values hold each other by number, so that one that holds itself does no harm.
pub type Id = usize;

#[derive(Debug, Clone)]
pub enum Value<'a> {
    None,
    Bool(bool),
    Int(i128),
    /// A number, bytes or a device, of which no more needs to be known.
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
    Tensor(Box<Rebuilt<'a>>),
}

/// A stretch of numbers in the file.
#[derive(Debug, Clone, Copy)]
pub struct Storage<'a> {
    pub key: &'a str,
    pub dtype: Dtype,
    /// How many elements it has.
    pub count: u64,
}

impl Storage<'_> {
    /// As many as there can be where they cannot be counted: no file has them.
    pub fn bytes(&self) -> u64 {
        self.count.saturating_mul(self.dtype.width)
    }
}

/// A tensor as its class would be called: offset and strides count elements.
#[derive(Debug, Clone)]
pub struct Rebuilt<'a> {
    pub storage: Storage<'a>,
    pub dtype: Dtype,
    pub offset: u64,
    pub shape: Vec<u64>,
    pub strides: Vec<i128>,
}

/// A pickle that was read to its end.
#[derive(Debug)]
pub struct Pickle<'a> {
    pub(super) values: Vec<Value<'a>>,
    pub(super) root: Id,
    /// Bytes that it takes.
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

    /// The root, or another value, as a number.
    pub fn int(&self, id: Option<Id>) -> Option<i128> {
        if let Value::Int(number) = self.get(id.unwrap_or(self.root)) { Some(*number) } else { None }
    }

    /// What the root, a dict, has under a name; of several the last, as Python would have it.
    pub fn entry(&self, name: &str) -> Option<&Value<'a>> {
        let Value::Dict { entries, .. } = self.root() else { return None };
        let found = entries.iter().rev().find(|(key, _)| self.text(*key) == Some(name));
        found.map(|(_, value)| self.get(*value))
    }

    /// All storages that are spoken of, by their keys.
    pub fn storages(&self) -> BTreeMap<&'a str, Storage<'a>> {
        let storage =
            |value: &Value<'a>| if let Value::Storage(storage) = value { Some((storage.key, **storage)) } else { None };
        self.values.iter().filter_map(storage).collect()
    }
}
