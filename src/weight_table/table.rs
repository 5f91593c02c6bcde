//! The weights that a family declares, each with its tensors.

use super::sink::MAX_NUMBERS;
use super::{Aliases, RowOrder, row_order::place};
use crate::error::Error;
use crate::kernels::Format;
use crate::plan::Weight;
use crate::weights::{Dtype, Header, TensorInfo};
use std::rc::Rc;

/// The part of a weight that comes from one tensor.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightPart {
    /// The tensor's name in Hugging Face's class with a head. Of several names, the first that the file has is read.
    pub names: Vec<String>,
    /// The tensor's shape. Its rows are counted along the first dimension; a vector's rows are its numbers.
    pub shape: Vec<u64>,
    /// The orders of its rows, applied one after the other.
    pub orders: Vec<RowOrder>,
    /// The row of the weight at which the part begins.
    pub first_row: u64,
    /// Added to each number: some families store a norm's gain minus 1.
    pub addend: f32,
}

impl WeightPart {
    /// The tensor `name` of `shape`, as stored.
    pub fn new(name: impl Into<String>, shape: &[usize]) -> Self {
        Self::either([name.into()], shape)
    }

    /// The first tensor of `names` that the file has, as stored.
    pub fn either(names: impl Into<Vec<String>>, shape: &[usize]) -> Self {
        let shape = shape.iter().map(|size| *size as u64).collect();
        Self { names: names.into(), shape, orders: Vec::new(), first_row: 0, addend: 0.0 }
    }

    /// Appends an order of its rows.
    pub fn ordered(mut self, order: RowOrder) -> Self {
        self.orders.push(order);
        self
    }

    /// Adds `addend` to each number.
    pub fn plus(mut self, addend: f32) -> Self {
        self.addend = addend;
        self
    }

    /// Parts below each other: q, k and v as one matrix, their biases as one vector.
    pub fn stacked(parts: impl IntoIterator<Item = WeightPart>) -> Vec<WeightPart> {
        let mut next = 0_u64;
        let below = |part: WeightPart| {
            let first_row = next;
            next = next.saturating_add(part.shape.first().copied().unwrap_or(1));
            WeightPart { first_row, ..part }
        };
        parts.into_iter().map(below).collect()
    }

    pub(super) fn row(&self) -> u64 {
        self.shape.iter().skip(1).fold(1, |product, size| product.saturating_mul(*size))
    }

    /// A name for messages.
    pub(super) fn name(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    fn elements(&self) -> u64 {
        self.shape.iter().fold(1, |product, size| product.saturating_mul(*size))
    }

    pub(super) fn find<'a>(&self, header: &'a Header, aliases: &Aliases) -> Option<&'a TensorInfo> {
        self.find_named(header, aliases).map(|(_, tensor)| tensor)
    }

    /// The name that the file has the tensor under.
    fn find_name(&self, header: &Header, aliases: &Aliases) -> Option<String> {
        self.names.iter().find_map(|name| aliases.name_in(header, name))
    }

    fn find_named<'a>(&self, header: &'a Header, aliases: &Aliases) -> Option<(&str, &'a TensorInfo)> {
        self.names.iter().find_map(|name| aliases.find(header, name).map(|tensor| (name.as_str(), tensor)))
    }

    /// Refuses a file without the tensor, unless it is optional, or with one of another shape or an unsupported type.
    fn check(&self, header: &Header, aliases: &Aliases, optional: bool) -> Result<(), Error> {
        let Some((name, tensor)) = self.find_named(header, aliases) else {
            return if optional { Ok(()) } else { Err(Error::MissingTensor { name: self.names.join(" or ") }) };
        };
        if tensor.shape != self.shape {
            let (expected, found) = (self.shape.clone(), tensor.shape.clone());
            return Err(Error::WrongShape { name: name.into(), expected, found });
        }
        match &tensor.dtype {
            Dtype::F32 | Dtype::F16 | Dtype::BF16 => Ok(()),
            Dtype::Other(dtype) => Err(Error::UnsupportedDtype { name: name.into(), dtype: dtype.to_string() }),
        }
    }
}

/// The role of a tensor in a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Learned: of a matrix product, a bias or a norm.
    Parameter,
    /// Learned: a row for each id.
    Embedding,
    /// Not learned, as PyTorch's buffers.
    Buffer,
    /// A second name of another tensor.
    Tied,
}

/// One tensor of a model, as its family declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorSpec<'a> {
    /// Hugging Face's name; the first of several.
    pub name: &'a str,
    pub shape: &'a [u64],
    pub role: Role,
}

impl TensorSpec<'_> {
    /// Numbers that it adds to the model's size: none for a tied tensor.
    pub fn parameters(&self) -> u64 {
        let elements = self.shape.iter().fold(1, |product: u64, size| product.saturating_mul(*size));
        if self.role == Role::Tied { 0 } else { elements }
    }
}

/// A weight in the host's memory, which no kernel reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostWeight {
    /// Its index among the host's weights.
    pub index: usize,
}

/// Generates the row `row` of a weight, `width` numbers.
pub type GenerateRow = fn(row: usize, width: usize) -> Vec<f32>;

#[derive(Debug, Clone)]
pub(super) struct WeightSpec {
    rows: usize,
    pub columns: usize,
    pub parts: Vec<WeightPart>,
    optional: bool,
    /// Generates the rows if the file does not have them.
    generate: Option<GenerateRow>,
    role: Role,
    pub format: Format,
    /// Whether the format is always f32, because the kernel reads nothing else.
    f32_only: bool,
}

impl WeightSpec {
    fn new(rows: usize, columns: usize, parts: Vec<WeightPart>) -> Self {
        let (role, format) = (Role::Parameter, Format::F32);
        Self { rows, columns, parts, optional: false, generate: None, role, format, f32_only: false }
    }

    fn weight(&self, index: usize) -> Weight {
        Weight { index, rows: self.rows, columns: self.columns }
    }

    /// Whether kernels read it as a matrix in any format.
    pub fn is_matrix(&self) -> bool {
        self.rows > 1 && !self.f32_only
    }

    /// Its size in memory, in words of 4 bytes.
    pub fn words(&self) -> u64 {
        (self.rows as u64).saturating_mul(self.format.row_words(self.columns) as u64)
    }

    /// The format of its tensors in the file; f32 if they differ.
    fn stored_format(&self, header: &Header, aliases: &Aliases) -> Format {
        let all = |dtype: Dtype| {
            let has_dtype = |part: &WeightPart| part.find(header, aliases).is_some_and(|tensor| tensor.dtype == dtype);
            self.parts.iter().all(has_dtype)
        };
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
        self.parts.first().map_or("", WeightPart::name)
    }

    /// Refuses parts that do not fill the weight.
    fn check_parts(&self) -> Result<(), Error> {
        let fits = |part: &WeightPart| self.rows == 1 || part.row() == self.columns as u64;
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

/// A number of a tensor in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct TensorIndex {
    pub tensor: String,
    /// Row and column; of a vector the row alone.
    pub index: Vec<u64>,
    /// What the engine adds to it.
    pub addend: f32,
}

/// The weights of a model by index, each with its tensors.
#[derive(Debug, Clone, Default)]
pub struct WeightTable {
    pub(super) aliases: Aliases,
    pub(super) weights: Vec<WeightSpec>,
    pub(super) host: Vec<WeightSpec>,
    /// Other names of weights, in their shapes under these names.
    ties: Vec<WeightPart>,
}

impl WeightTable {
    pub fn new(aliases: Aliases) -> Self {
        Self { aliases, ..Self::default() }
    }

    /// Declares the tensor `name` (rows, columns) as a matrix.
    pub fn matrix(&mut self, name: impl Into<String>, rows: usize, columns: usize) -> Weight {
        self.weight(rows, columns, vec![WeightPart::new(name, &[rows, columns])])
    }

    /// Declares the tensor `name` (rows, columns) as an embedding, with a row for each id.
    pub fn lookup(&mut self, name: impl Into<String>, rows: usize, columns: usize) -> Weight {
        self.lookup_either(vec![name.into()], rows, columns)
    }

    /// As [`WeightTable::lookup`], for the first tensor of `names` that the file has.
    pub fn lookup_either(&mut self, names: Vec<String>, rows: usize, columns: usize) -> Weight {
        let weight = self.weight(rows, columns, vec![WeightPart::either(names, &[rows, columns])]);
        if let Some(spec) = self.weights.last_mut() {
            spec.role = Role::Embedding;
        }
        weight
    }

    /// Declares the tensor `name` (width) as a vector: a weight (1, width).
    pub fn vector(&mut self, name: impl Into<String>, width: usize) -> Weight {
        self.weight(1, width, vec![WeightPart::new(name, &[width])])
    }

    /// Declares a weight (rows, columns) of several parts, which together must fill it. The rows of a part are as wide as the
    /// weight, except in a weight of one row, where the parts follow one another.
    pub fn weight(&mut self, rows: usize, columns: usize, parts: Vec<WeightPart>) -> Weight {
        let weight = Weight { index: self.weights.len(), rows, columns };
        self.weights.push(WeightSpec::new(rows, columns, parts));
        weight
    }

    /// Declares other names of a weight, of which a file may have one. Tensors under them are not read.
    pub fn tie(&mut self, names: impl Into<Vec<String>>, weight: Weight) {
        let shape = [weight.rows, weight.columns];
        self.ties.push(WeightPart::either(names, if weight.rows == 1 { &shape[1..] } else { &shape }));
    }

    /// Keeps a weight as f32 whatever format is chosen, because its kernel reads nothing else.
    pub fn keep_f32(&mut self, weight: Weight) {
        if let Some(spec) = self.weights.get_mut(weight.index) {
            spec.f32_only = true;
        }
    }

    /// Lets the tensors of a weight be missing. Their numbers are 0 then.
    pub fn optional(&mut self, weight: Weight) {
        if let Some(spec) = self.weights.get_mut(weight.index) {
            spec.optional = true;
        }
    }

    /// Lets the tensors of an f32 weight be missing. Its rows, which are not learned, are generated then.
    pub fn generate_if_missing(&mut self, weight: Weight, generate: GenerateRow) {
        if let Some(spec) = self.weights.get_mut(weight.index) {
            (spec.optional, spec.generate, spec.role) = (true, Some(generate), Role::Buffer);
        }
    }

    /// Declares an optional tensor of `shape` that stays in the host's memory.
    pub fn host(&mut self, name: impl Into<String>, shape: &[usize]) -> HostWeight {
        self.host_as(Role::Buffer, [name.into()], shape)
    }

    /// As [`WeightTable::host`], for the first tensor of `names` that the file has, in another role.
    pub fn host_as(&mut self, role: Role, names: impl Into<Vec<String>>, shape: &[usize]) -> HostWeight {
        let columns = shape.iter().fold(1_usize, |product, size| product.saturating_mul(*size));
        let spec = WeightSpec::new(1, columns, vec![WeightPart::either(names, shape)]);
        self.host.push(WeightSpec { optional: true, role, f32_only: true, ..spec });
        HostWeight { index: self.host.len() - 1 }
    }

    /// Sets the format of every weight: `format` for matrices, or the file's if it is `None`; f32 for vectors, tables of positions and
    /// rows longer than those of any model.
    pub fn set_formats(&mut self, format: Option<Format>, header: &Header) {
        for spec in &mut self.weights {
            if spec.is_matrix() && spec.columns as u64 <= MAX_NUMBERS {
                spec.format = format.unwrap_or_else(|| spec.stored_format(header, &self.aliases));
            }
        }
    }

    /// Sets the format of a weight, if it is a matrix that may have one.
    pub fn set_format(&mut self, weight: Weight, format: Format) {
        if let Some(spec) = self.weights.get_mut(weight.index).filter(|spec| spec.is_matrix()) {
            spec.format = format;
        }
    }

    /// Takes the formats of another table of the same weights. Returns false if the weights differ.
    pub fn copy_formats(&mut self, other: &WeightTable) -> bool {
        let same = |(one, other): (&WeightSpec, &WeightSpec)| {
            (one.rows, one.columns, one.name()) == (other.rows, other.columns, other.name())
        };
        let alike = self.weights.len() == other.weights.len() && self.weights.iter().zip(&other.weights).all(same);
        for (spec, other) in self.weights.iter_mut().zip(&other.weights) {
            spec.format = other.format;
        }
        alike
    }

    /// The formats of all weights by index.
    pub fn formats(&self) -> Rc<[Format]> {
        self.weights.iter().map(|spec| spec.format).collect()
    }

    /// The weights of [`WeightTable::generate_if_missing`] that the file does not have.
    pub fn missing_generated<'a>(&'a self, header: &'a Header) -> impl Iterator<Item = (Weight, GenerateRow)> + 'a {
        let lacks = |spec: &WeightSpec| spec.parts.iter().all(|part| part.find(header, &self.aliases).is_none());
        let generates = move |(index, spec): (usize, &WeightSpec)| {
            spec.generate.filter(|_| lacks(spec)).map(|generate| (spec.weight(index), generate))
        };
        self.weights.iter().enumerate().filter_map(generates)
    }

    /// Whether the file has a tensor under any of its names.
    pub fn finds(&self, name: &str, header: &Header) -> bool {
        self.aliases.find(header, name).is_some()
    }

    /// The weights by index, each with its format and a name for labels and messages; without those of the host.
    pub fn iter(&self) -> impl Iterator<Item = (Weight, Format, &str)> {
        self.weights.iter().enumerate().map(|(index, spec)| (spec.weight(index), spec.format, spec.name()))
    }

    /// The tensor and the index in it of a number of a weight, as the file has it, and the number that was added to the file's. header: of the
    /// file, to tell which of a tensor's names it has.
    pub fn origin(&self, weight: Weight, row: usize, column: usize, header: Option<&Header>) -> Option<TensorIndex> {
        let spec = self.weights.get(weight.index)?;
        let at = row as u64 * weight.columns as u64 + column as u64;
        spec.parts.iter().find_map(|part| {
            let width = part.row().max(1);
            let rows = part.elements() / width;
            let row = (0..rows).find(|row| part.first_row + place(&part.orders, *row) == at / width)?;
            let tensor = header.and_then(|header| part.find_name(header, &self.aliases));
            let tensor = tensor.unwrap_or_else(|| part.name().into());
            let index = [row, at % width].into_iter().take(part.shape.len()).collect();
            Some(TensorIndex { tensor, index, addend: part.addend })
        })
    }

    /// All tensors of the model in the order of their declaration, then those of the host, then the tied ones.
    pub fn tensors(&self) -> impl Iterator<Item = TensorSpec<'_>> {
        let specs = self.weights.iter().chain(&self.host);
        let parts = specs.flat_map(|spec| spec.parts.iter().map(|part| (part, spec.role)));
        parts.chain(self.ties.iter().map(|part| (part, Role::Tied))).map(|(part, role)| TensorSpec {
            name: part.name(),
            shape: &part.shape,
            role,
        })
    }

    /// Tensors of a file that are neither read nor tied, with their numbers of elements.
    pub fn unread<'a>(&self, header: &'a Header) -> Vec<(&'a str, u64)> {
        let parts = self.weights.iter().chain(&self.host).flat_map(|spec| &spec.parts).chain(&self.ties);
        let known: Vec<*const TensorInfo> =
            parts.filter_map(|part| part.find(header, &self.aliases)).map(std::ptr::from_ref).collect();
        header
            .tensors()
            .filter(|(_, tensor)| !known.contains(&std::ptr::from_ref(*tensor)))
            .map(|(name, tensor)| (name, tensor.elements().unwrap_or(u64::MAX)))
            .collect()
    }

    /// Numbers of all weights that kernels read. A weight that is used twice counts once.
    pub fn parameters(&self) -> u64 {
        self.weights.iter().fold(0, |sum, spec| sum.saturating_add(spec.elements()))
    }

    /// Bytes of all weights in their formats, those of the host included.
    pub fn bytes(&self) -> u64 {
        let specs = self.weights.iter().chain(&self.host);
        specs.fold(0, |sum: u64, spec| sum.saturating_add(spec.words())).saturating_mul(4)
    }

    /// Checks that the file has every tensor in its shape and a supported type. Callers check before they allocate, so that a
    /// config.json with larger sizes than the file's costs no memory.
    ///
    /// # Errors
    /// [`Error::MissingTensor`], [`Error::WrongShape`] and [`Error::UnsupportedDtype`]; [`Error::ShapeMismatch`] for parts
    /// that do not make up their weight.
    pub fn check(&self, header: &Header) -> Result<(), Error> {
        for spec in self.weights.iter().chain(&self.host) {
            spec.check_parts()?;
            spec.parts.iter().try_for_each(|part| part.check(header, &self.aliases, spec.optional))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
