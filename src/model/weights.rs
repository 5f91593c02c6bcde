//! The weights that a model declares: each a matrix, put together from tensors of a checkpoint.

use super::Checkpoint;
use crate::error::Error;
use crate::plan::Weight;

/// Where the rows of a weight come from.
struct Source {
    /// The tensor's name in Hugging Face's long form; where several are listed, the first that is there.
    names: Vec<String>,
    shape: Vec<usize>,
}

struct Entry {
    weight: Weight,
    sources: Vec<Source>,
}

/// The weights of a model, by index.
#[derive(Default)]
pub struct WeightTable {
    entries: Vec<Entry>,
}

impl WeightTable {
    /// A matrix (rows, columns) stored under `name`.
    pub fn matrix(&mut self, name: String, rows: usize, columns: usize) -> Weight {
        self.stacked(vec![name], rows, columns)
    }

    /// A small matrix (rows, columns) that is never split: to the backends it is one row.
    pub fn unsplit(&mut self, name: String, rows: usize, columns: usize) -> Weight {
        self.add(1, rows * columns, vec![Source { names: vec![name], shape: vec![rows, columns] }])
    }

    /// Matrices of the same shape (rows, columns), one under the other: fused projections.
    pub fn stacked(&mut self, names: Vec<String>, rows: usize, columns: usize) -> Weight {
        let total = rows * names.len();
        let sources = names.into_iter().map(|name| Source { names: vec![name], shape: vec![rows, columns] }).collect();
        self.add(total, columns, sources)
    }

    /// A vector (width) stored under `name`.
    pub fn vector(&mut self, name: String, width: usize) -> Weight {
        self.joined(vec![name], width)
    }

    /// Vectors (width) one behind the other.
    pub fn joined(&mut self, names: Vec<String>, width: usize) -> Weight {
        let total = width * names.len();
        let sources = names.into_iter().map(|name| Source { names: vec![name], shape: vec![width] }).collect();
        self.add(1, total, sources)
    }

    /// A vector (width) that goes by one of several names.
    pub fn vector_of_either(&mut self, names: Vec<String>, width: usize) -> Weight {
        self.add(1, width, vec![Source { names, shape: vec![width] }])
    }

    fn add(&mut self, rows: usize, columns: usize, sources: Vec<Source>) -> Weight {
        let weight = Weight { index: self.entries.len(), rows, columns };
        self.entries.push(Entry { weight, sources });
        weight
    }

    /// Weights in the order of their indices, with a name for error messages.
    pub fn iter(&self) -> impl Iterator<Item = (Weight, &str)> {
        self.entries.iter().map(|entry| {
            let name = entry.sources.first().and_then(|source| source.names.first());
            (entry.weight, name.map_or("", String::as_str))
        })
    }

    /// Numbers of all weights.
    pub fn parameters(&self) -> u64 {
        self.entries.iter().map(|entry| (entry.weight.rows * entry.weight.columns) as u64).sum()
    }

    /// Checks that every tensor is there in its shape, before any is converted: a config that claims more than the file
    /// holds costs nothing.
    ///
    /// # Errors
    /// [`Error::MissingTensor`] and [`Error::WrongShape`].
    pub fn check(&self, checkpoint: &Checkpoint<'_>) -> Result<(), Error> {
        for source in self.entries.iter().flat_map(|entry| &entry.sources) {
            let name = source.find(checkpoint)?;
            let found = checkpoint.shape(name).unwrap_or_default();
            if found != source.shape {
                let [expected, found] =
                    [&source.shape[..], found].map(|shape| shape.iter().map(|size| *size as u64).collect());
                return Err(Error::WrongShape { name: name.into(), expected, found });
            }
        }
        Ok(())
    }

    /// The numbers of a weight, (rows, columns) row-major as f32.
    ///
    /// # Errors
    /// Those of [`Checkpoint::tensor`].
    pub fn read(&self, weight: Weight, checkpoint: &Checkpoint<'_>) -> Result<Vec<f32>, Error> {
        let mut data = Vec::new();
        for source in self.entries.get(weight.index).map_or(&[][..], |entry| &entry.sources) {
            let part = checkpoint.tensor(source.find(checkpoint)?, &source.shape)?;
            if data.is_empty() {
                data = part;
            } else {
                data.extend_from_slice(&part);
            }
        }
        Ok(data)
    }
}

impl Source {
    fn find(&self, checkpoint: &Checkpoint<'_>) -> Result<&str, Error> {
        let found = self.names.iter().find(|name| checkpoint.contains(name));
        found.map(String::as_str).ok_or_else(|| Error::MissingTensor { name: self.names.join(" or ") })
    }
}
