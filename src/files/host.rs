//! Weights in the host's memory.

use super::table::Entry;
use super::{Directory, HostWeight, Sink, WeightTable};
use crate::error::Error;
use crate::kernels::{Format, WeightData};
use crate::plan::Weight;

/// Weights as they are kept, row-major, by index; 0 where nothing was written.
#[derive(Debug, Default)]
pub struct HostSink {
    weights: Vec<WeightData>,
}

impl HostSink {
    /// Memory for every weight that kernels read: what the CPU backend runs on.
    ///
    /// # Errors
    /// [`Error::MemoryRefused`], with the bytes of all weights, where the machine cannot give them.
    pub fn new(table: &WeightTable) -> Result<Self, Error> {
        Self::of(table.weights.iter().map(|entry| (entry.format, entry.words())))
    }

    /// Memory for those weights of the host that the file has.
    pub(super) fn kept(table: &WeightTable, directory: &Directory) -> Result<Self, Error> {
        let there = |entry: &Entry| entry.parts.iter().all(|part| part.find(directory, &table.names).is_some());
        Self::of(table.host.iter().map(|entry| (Format::F32, if there(entry) { entry.words() } else { 0 })))
    }

    /// Words of each weight.
    fn of(sizes: impl Iterator<Item = (Format, u64)> + Clone) -> Result<Self, Error> {
        let needed = sizes.clone().fold(0, |sum: u64, (_, words)| sum.saturating_add(words)).saturating_mul(4);
        let refused = || Error::MemoryRefused { what: "a copy of the weights".into(), needed };
        // Before any of it is taken: in the browser no memory is ever given back.
        usize::try_from(needed).map_err(|_| refused())?;
        let made = |(format, size): (Format, u64)| {
            let size = usize::try_from(size).map_err(|_| refused())?;
            WeightData::zeros(format, size).ok_or_else(refused)
        };
        Ok(Self { weights: sizes.map(made).collect::<Result<_, Error>>()? })
    }

    /// A weight (rows, columns) that is kept as f32, row-major.
    pub fn numbers(&self, weight: Weight) -> &[f32] {
        self.weights.get(weight.index).map_or(&[], WeightData::plain)
    }

    #[cfg(test)]
    pub fn weights(&self) -> &[WeightData] {
        &self.weights
    }

    /// All weights of the table, by index, as the CPU's kernels read them: in WASM matrices are laid out in panels.
    pub fn into_weights(mut self, table: &WeightTable) -> Vec<WeightData> {
        if cfg!(target_arch = "wasm32") {
            for (weight, entry) in self.weights.iter_mut().zip(&table.weights).filter(|(_, entry)| entry.is_matrix()) {
                weight.pack(entry.columns());
            }
        }
        self.weights
    }

    fn weight(&mut self, weight: usize) -> Option<&mut WeightData> {
        self.weights.get_mut(weight)
    }
}

/// `count` numbers or words of a weight from `first` on.
fn place<T>(all: Option<&mut [T]>, weight: usize, first: u64, count: usize) -> Result<&mut [T], Error> {
    let place = usize::try_from(first).ok().and_then(|first| all?.get_mut(first..first.checked_add(count)?));
    place.ok_or_else(|| Error::ShapeMismatch {
        op: "weights",
        message: format!("{count} numbers from {first} on lie outside weight {weight}"),
    })
}

impl Sink for HostSink {
    fn write(&mut self, weight: usize, first: u64, numbers: &[f32]) -> Result<(), Error> {
        let all = self.weight(weight).and_then(WeightData::plain_mut);
        place(all, weight, first, numbers.len())?.copy_from_slice(numbers);
        Ok(())
    }

    fn write_packed(&mut self, weight: usize, first: u64, words: &[u32]) -> Result<(), Error> {
        let all = self.weight(weight).and_then(WeightData::words_mut);
        place(all, weight, first, words.len())?.copy_from_slice(words);
        Ok(())
    }
}

/// The weights that a model keeps on the host, see [`WeightTable::host`].
#[derive(Debug, Default)]
pub struct HostWeights(pub(super) HostSink);

impl HostWeights {
    /// A weight's numbers as f32, row-major; none where the file does not have it.
    pub fn get(&self, weight: HostWeight) -> Option<&[f32]> {
        self.0.weights.get(weight.index).map(WeightData::plain).filter(|numbers| !numbers.is_empty())
    }
}
