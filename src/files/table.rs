//! The weights that a model declares: each a matrix, put together from the tensors of a file.

use super::{Directory, Dtype, Names, RowOrder, Stored, gather};
use crate::error::Error;
use crate::kernels::Format;
use crate::plan::Weight;
use std::rc::Rc;

/// A tensor's share of a weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The tensor's name in Hugging Face's long form; where several are listed, the first that is there.
    pub names: Vec<String>,
    /// The shape that it must have. Its rows are counted along the first dimension: numbers, where there is no other.
    pub shape: Vec<u64>,
    /// Where its rows go, one order after the other.
    pub orders: Vec<RowOrder>,
    /// The row of the weight from which those places are counted.
    pub first_row: u64,
    /// What is added to each of its numbers: a norm's gain may be stored as what it is beyond 1.
    pub raised: f32,
}

impl Part {
    /// The tensor `name` of `shape`, as it is stored.
    pub fn new(name: impl Into<String>, shape: &[usize]) -> Self {
        Self::either([name.into()], shape)
    }

    /// The first tensor of `names` that is there, as it is stored.
    pub fn either(names: impl Into<Vec<String>>, shape: &[usize]) -> Self {
        let shape = shape.iter().map(|size| *size as u64).collect();
        Self { names: names.into(), shape, orders: Vec::new(), first_row: 0, raised: 0.0 }
    }

    /// Its rows in another order, after those that it has already.
    pub fn ordered(mut self, order: RowOrder) -> Self {
        self.orders.push(order);
        self
    }

    /// Its numbers, each with `by` added.
    pub fn raised(mut self, by: f32) -> Self {
        self.raised = by;
        self
    }

    /// Parts one below the other: q, k and v as one matrix, their biases as one vector.
    pub fn stacked(parts: impl IntoIterator<Item = Part>) -> Vec<Part> {
        let mut next = 0_u64;
        let below = |part: Part| {
            let first_row = next;
            next = next.saturating_add(part.shape.first().copied().unwrap_or(1));
            Part { first_row, ..part }
        };
        parts.into_iter().map(below).collect()
    }

    /// Numbers of one row.
    pub(super) fn row(&self) -> u64 {
        self.shape.iter().skip(1).fold(1, |product, size| product.saturating_mul(*size))
    }

    fn elements(&self) -> u64 {
        self.shape.iter().fold(1, |product, size| product.saturating_mul(*size))
    }

    pub(super) fn find<'a>(&self, directory: &'a Directory, names: &Names) -> Option<&'a Stored> {
        self.found(directory, names).map(|(_, stored)| stored)
    }

    fn found<'a>(&self, directory: &'a Directory, names: &Names) -> Option<(&str, &'a Stored)> {
        self.names.iter().find_map(|name| directory.find(name, names).map(|stored| (name.as_str(), stored)))
    }

    /// Whether the tensor is there, in this shape, and can be read.
    fn check(&self, directory: &Directory, names: &Names, optional: bool) -> Result<(), Error> {
        let Some((name, stored)) = self.found(directory, names) else {
            return if optional { Ok(()) } else { Err(Error::MissingTensor { name: self.names.join(" or ") }) };
        };
        if stored.shape != self.shape {
            let (expected, found) = (self.shape.clone(), stored.shape.clone());
            return Err(Error::WrongShape { name: name.into(), expected, found });
        }
        match &stored.dtype {
            Dtype::F32 | Dtype::F16 | Dtype::BF16 => Ok(()),
            Dtype::Other(dtype) => Err(Error::UnsupportedDtype { name: name.into(), dtype: dtype.to_string() }),
        }
    }
}

/// What a declared tensor is to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Multiplied with, added, or a norm's.
    Computed,
    /// A row is taken for each id.
    LookedUp,
    /// Not learned, and kept on the host.
    Fixed,
    /// Another name of numbers that are declared already.
    Tied,
}

/// One tensor of a model, as it is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared<'a> {
    /// Hugging Face's name; where several are looked for, the first.
    pub name: &'a str,
    pub shape: &'a [u64],
    pub role: Role,
}

impl Declared<'_> {
    /// Numbers that it adds to the model: a tied one none.
    pub fn parameters(&self) -> u64 {
        let elements = self.shape.iter().fold(1, |product: u64, size| product.saturating_mul(*size));
        if self.role == Role::Tied { 0 } else { elements }
    }
}

/// A weight that stays on the host: no kernel reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostWeight {
    pub index: usize,
}

/// Makes row `row` of a weight so wide.
pub type Make = fn(row: usize, width: usize) -> Vec<f32>;

#[derive(Debug, Clone)]
pub(super) struct Entry {
    rows: usize,
    columns: usize,
    pub parts: Vec<Part>,
    optional: bool,
    made: Option<Make>,
    role: Role,
    /// How it is kept.
    pub format: Format,
    /// Whether it is kept as f32 whatever is asked for.
    plain: bool,
}

impl Entry {
    fn weight(&self, index: usize) -> Weight {
        Weight { index, rows: self.rows, columns: self.columns }
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Words (4 bytes) that it takes as it is kept.
    pub fn words(&self) -> u64 {
        (self.rows as u64).saturating_mul(self.format.row_words(self.columns) as u64)
    }

    /// What it is kept as where all are kept as stored, and its tensors agree.
    fn stored(&self, directory: &Directory, names: &Names) -> Format {
        let dtype = |part: &Part| part.find(directory, names).map(|stored| stored.dtype.clone());
        let all = |dtype_: Dtype| self.parts.iter().all(|part| dtype(part).as_ref() == Some(&dtype_));
        match () {
            () if all(Dtype::F16) => Format::F16,
            () if all(Dtype::BF16) => Format::BF16,
            () => Format::F32,
        }
    }

    pub fn elements(&self) -> u64 {
        (self.rows as u64).saturating_mul(self.columns as u64)
    }

    /// A name for labels and messages: that of the first tensor.
    pub fn name(&self) -> &str {
        self.parts.first().and_then(|part| part.names.first()).map_or("", String::as_str)
    }

    /// What a family declared must make up the weight.
    fn check_parts(&self) -> Result<(), Error> {
        let fits = |part: &Part| self.rows == 1 || part.row() == self.columns as u64;
        let total = self.parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.elements()));
        if total == self.elements() && self.parts.iter().all(fits) {
            return Ok(());
        }
        let shapes: Vec<&[u64]> = self.parts.iter().map(|part| &part.shape[..]).collect();
        let (name, rows, columns) = (self.name(), self.rows, self.columns);
        let message = format!("tensors of {shapes:?} from {name} on do not make up a weight ({rows}, {columns})");
        Err(Error::ShapeMismatch { op: "weights", message })
    }
}

/// The weights of a model, by index, and the tensors that they are made of.
#[derive(Debug, Clone, Default)]
pub struct WeightTable {
    pub(super) names: Names,
    pub(super) weights: Vec<Entry>,
    pub(super) host: Vec<Entry>,
    /// Other names of weights, in the shapes that they have there.
    ties: Vec<Part>,
}

impl WeightTable {
    /// An empty table for a family whose tensors go by these names.
    pub fn new(names: Names) -> Self {
        Self { names, ..Self::default() }
    }

    /// The tensor `name` (rows, columns) as it is stored.
    pub fn matrix(&mut self, name: impl Into<String>, rows: usize, columns: usize) -> Weight {
        self.weight(rows, columns, vec![Part::new(name, &[rows, columns])])
    }

    /// The tensor `name` (rows, columns), of which a row is taken for each id.
    pub fn lookup(&mut self, name: impl Into<String>, rows: usize, columns: usize) -> Weight {
        self.lookup_either(vec![name.into()], rows, columns)
    }

    /// The same of the first tensor of `names` that is there.
    pub fn lookup_either(&mut self, names: Vec<String>, rows: usize, columns: usize) -> Weight {
        let weight = self.weight(rows, columns, vec![Part::either(names, &[rows, columns])]);
        if let Some(entry) = self.weights.last_mut() {
            entry.role = Role::LookedUp;
        }
        weight
    }

    /// Keeps a weight as f32, whatever is asked for: its kernel reads nothing else.
    pub fn plain(&mut self, weight: Weight) {
        if let Some(entry) = self.weights.get_mut(weight.index) {
            entry.plain = true;
        }
    }

    /// Decides how every weight is kept: matrices in this format, or as they are stored where there is none; vectors, tables of
    /// positions and rows longer than any model's as f32.
    pub fn keep(&mut self, format: Option<Format>, directory: &Directory) {
        for entry in &mut self.weights {
            if entry.rows > 1 && !entry.plain && entry.columns as u64 <= gather::SCRATCH {
                entry.format = format.unwrap_or_else(|| entry.stored(directory, &self.names));
            }
        }
    }

    /// Keeps weights as another table of the same ones does; false where they are others.
    pub fn take_over(&mut self, kept: &WeightTable) -> bool {
        let same = |(one, other): (&Entry, &Entry)| {
            (one.rows, one.columns, one.name()) == (other.rows, other.columns, other.name())
        };
        let alike = self.weights.len() == kept.weights.len() && self.weights.iter().zip(&kept.weights).all(same);
        for (entry, other) in self.weights.iter_mut().zip(&kept.weights) {
            entry.format = other.format;
        }
        alike
    }

    /// How weights are kept, by their indices.
    pub fn formats(&self) -> Rc<[Format]> {
        self.weights.iter().map(|entry| entry.format).collect()
    }

    /// Notes that a model calls a weight's numbers by another name, too, or files by one of several: a tensor of that name is not
    /// read.
    pub fn tie(&mut self, names: impl Into<Vec<String>>, weight: Weight) {
        let shape = [weight.rows, weight.columns];
        self.ties.push(Part::either(names, if weight.rows == 1 { &shape[1..] } else { &shape }));
    }

    /// The tensor `name` (width) as it is stored: a weight (1, width).
    pub fn vector(&mut self, name: impl Into<String>, width: usize) -> Weight {
        self.weight(1, width, vec![Part::new(name, &[width])])
    }

    /// A weight (rows, columns) of several parts, which together must fill it. A part's rows have as many columns as the
    /// weight, unless this has one row only: then they lie in it one behind the other.
    pub fn weight(&mut self, rows: usize, columns: usize, parts: Vec<Part>) -> Weight {
        let weight = Weight { index: self.weights.len(), rows, columns };
        let (optional, role, format, plain) = (false, Role::Computed, Format::F32, false);
        self.weights.push(Entry { rows, columns, parts, optional, made: None, role, format, plain });
        weight
    }

    /// Lets the tensors of a weight be missing; what they would have filled is 0.
    pub fn optional(&mut self, weight: Weight) {
        if let Some(entry) = self.weights.get_mut(weight.index) {
            entry.optional = true;
        }
    }

    /// Lets the tensors of a weight that is kept plain be missing: its rows are made then. They are not learned.
    pub fn made(&mut self, weight: Weight, make: Make) {
        if let Some(entry) = self.weights.get_mut(weight.index) {
            (entry.optional, entry.made, entry.role) = (true, Some(make), Role::Fixed);
        }
    }

    /// Weights whose rows are to be made, because a file lacks them.
    pub fn missing<'a>(&'a self, directory: &'a Directory) -> impl Iterator<Item = (Weight, Make)> + 'a {
        let lacks = |entry: &Entry| entry.parts.iter().all(|part| part.find(directory, &self.names).is_none());
        let makes = move |(index, entry): (usize, &Entry)| {
            entry.made.filter(|_| lacks(entry)).map(|make| (entry.weight(index), make))
        };
        self.weights.iter().enumerate().filter_map(makes)
    }

    /// A tensor of `shape` that is kept on the host where the file has it, for those who read it before a run.
    pub fn host(&mut self, name: impl Into<String>, shape: &[usize]) -> HostWeight {
        self.host_as(Role::Fixed, [name.into()], shape)
    }

    /// The first tensor of `names` that is there, kept as [`WeightTable::host`] has it, in this role.
    pub fn host_as(&mut self, role: Role, names: impl Into<Vec<String>>, shape: &[usize]) -> HostWeight {
        let columns = shape.iter().fold(1_usize, |product, size| product.saturating_mul(*size));
        let parts = vec![Part::either(names, shape)];
        let (optional, format, plain) = (true, Format::F32, true);
        self.host.push(Entry { rows: 1, columns, parts, optional, made: None, role, format, plain });
        HostWeight { index: self.host.len() - 1 }
    }

    /// Whether a tensor is there, by any of the names that this family gives it.
    pub fn finds(&self, name: &str, directory: &Directory) -> bool {
        directory.contains(name, &self.names)
    }

    /// Weights in the order of their indices, each with how it is kept and a name for labels and messages; without those on the host.
    pub fn iter(&self) -> impl Iterator<Item = (Weight, Format, &str)> {
        self.weights.iter().enumerate().map(|(index, entry)| (entry.weight(index), entry.format, entry.name()))
    }

    /// Every tensor that the model is made of, in the order in which it was declared; then those on the host, and the tied ones.
    pub fn tensors(&self) -> impl Iterator<Item = Declared<'_>> {
        let entries = self.weights.iter().chain(&self.host);
        let parts = entries.flat_map(|entry| entry.parts.iter().map(|part| (part, entry.role)));
        parts.chain(self.ties.iter().map(|part| (part, Role::Tied))).map(|(part, role)| Declared {
            name: part.names.first().map_or("", String::as_str),
            shape: &part.shape,
            role,
        })
    }

    /// Tensors of a file that the model neither reads nor ties, with their numbers.
    pub fn unread<'a>(&self, directory: &'a Directory) -> Vec<(&'a str, u64)> {
        let parts = self.weights.iter().chain(&self.host).flat_map(|entry| &entry.parts).chain(&self.ties);
        let known: Vec<*const Stored> =
            parts.filter_map(|part| part.find(directory, &self.names)).map(std::ptr::from_ref).collect();
        let unread = directory.names().filter_map(|name| directory.get(name).map(|stored| (name, stored)));
        unread
            .filter(|(_, stored)| !known.contains(&std::ptr::from_ref(*stored)))
            .map(|(name, stored)| (name, stored.elements().unwrap_or(u64::MAX)))
            .collect()
    }

    /// Numbers of all weights that kernels read; one that serves twice counts once.
    pub fn parameters(&self) -> u64 {
        self.weights.iter().fold(0, |sum, entry| sum.saturating_add(entry.elements()))
    }

    /// Bytes of all weights as they are kept, those on the host included.
    pub fn bytes(&self) -> u64 {
        self.weights
            .iter()
            .chain(&self.host)
            .fold(0, |sum: u64, entry| sum.saturating_add(entry.words()))
            .saturating_mul(4)
    }

    /// Checks that every tensor is there in its shape and can be read, before anything is allocated: a config that claims
    /// more than the file holds costs nothing.
    ///
    /// # Errors
    /// [`Error::MissingTensor`], [`Error::WrongShape`] and [`Error::UnsupportedDtype`]; [`Error::ShapeMismatch`] for parts
    /// that do not make up their weight.
    pub fn check(&self, directory: &Directory) -> Result<(), Error> {
        for entry in self.weights.iter().chain(&self.host) {
            entry.check_parts()?;
            entry.parts.iter().try_for_each(|part| part.check(directory, &self.names, entry.optional))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
