//! Weights in the host's memory.

use super::table::Entry;
use super::{Directory, HostWeight, Sink, WeightTable};
use crate::error::Error;
use crate::plan::Weight;

/// Weights as f32, row-major, by index; 0 where nothing was written.
#[derive(Debug, Default)]
pub struct HostSink {
    weights: Vec<Vec<f32>>,
}

impl HostSink {
    /// Memory for every weight that kernels read: what the CPU backend runs on.
    ///
    /// # Errors
    /// [`Error::MemoryRefused`], with the bytes of all weights, where the machine cannot give them.
    pub fn new(table: &WeightTable) -> Result<Self, Error> {
        Self::of(table.weights.iter().map(Entry::elements))
    }

    /// Memory for those weights of the host that the file has.
    pub(super) fn kept(table: &WeightTable, directory: &Directory) -> Result<Self, Error> {
        let there = |entry: &Entry| entry.parts.iter().all(|part| part.find(directory, &table.names).is_some());
        Self::of(table.host.iter().map(|entry| if there(entry) { entry.elements() } else { 0 }))
    }

    fn of(sizes: impl Iterator<Item = u64> + Clone) -> Result<Self, Error> {
        let needed = sizes.clone().fold(0, u64::saturating_add).saturating_mul(4);
        let refused = || Error::MemoryRefused { what: "a copy of the weights".into(), needed };
        let zeros = |size: u64| {
            let size = usize::try_from(size).map_err(|_| refused())?;
            let mut numbers = Vec::new();
            numbers.try_reserve_exact(size).map_err(|_| refused())?;
            numbers.resize(size, 0.0);
            Ok(numbers)
        };
        Ok(Self { weights: sizes.map(zeros).collect::<Result<_, Error>>()? })
    }

    /// A weight (rows, columns), row-major.
    pub fn numbers(&self, weight: Weight) -> &[f32] {
        self.weights.get(weight.index).map_or(&[], Vec::as_slice)
    }

    /// All weights, by index.
    pub fn into_weights(self) -> Vec<Vec<f32>> {
        self.weights
    }
}

impl Sink for HostSink {
    fn write(&mut self, weight: usize, first: u64, numbers: &[f32]) -> Result<(), Error> {
        let place = usize::try_from(first).ok().and_then(|first| {
            let end = first.checked_add(numbers.len())?;
            self.weights.get_mut(weight)?.get_mut(first..end)
        });
        let place = place.ok_or_else(|| Error::ShapeMismatch {
            op: "weights",
            message: format!("{} numbers from {first} on lie outside weight {weight}", numbers.len()),
        })?;
        place.copy_from_slice(numbers);
        Ok(())
    }
}

/// The weights that a model keeps on the host, see [`WeightTable::host`].
#[derive(Debug, Default)]
pub struct HostWeights(pub(super) HostSink);

impl HostWeights {
    /// A weight's numbers as f32, row-major; none where the file does not have it.
    pub fn get(&self, weight: HostWeight) -> Option<&[f32]> {
        self.0.weights.get(weight.index).map(Vec::as_slice).filter(|numbers| !numbers.is_empty())
    }
}
