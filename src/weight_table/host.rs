//! Weights in the host's memory.

use super::table::WeightSpec;
use super::{HostWeight, Sink, WeightTable};
use crate::error::{Allocation, Error};
use crate::kernels::{Format, WeightData};
use crate::weights::Header;

/// Memory for weights in their formats, row-major, by index; 0 until something is written.
#[derive(Debug, Default)]
pub struct HostSink {
    weights: Vec<WeightData>,
}

impl HostSink {
    /// Memory for every weight that the CPU's kernels read.
    pub fn new(table: &WeightTable) -> Result<Self, Error> {
        Self::allocate(table.weights.iter().map(|spec| (spec.format, spec.words())))
    }

    /// Memory for those of the host's weights that the file has.
    pub(super) fn for_host(table: &WeightTable, header: &Header) -> Result<Self, Error> {
        let exists = |spec: &WeightSpec| spec.parts.iter().all(|part| part.find(header, &table.aliases).is_some());
        Self::allocate(table.host.iter().map(|spec| (Format::F32, if exists(spec) { spec.words() } else { 0 })))
    }

    /// Memory for weights of these formats and numbers of words.
    fn allocate(sizes: impl Iterator<Item = (Format, u64)> + Clone) -> Result<Self, Error> {
        let needed = sizes.clone().fold(0, |sum: u64, (_, words)| sum.saturating_add(words)).saturating_mul(4);
        let refused = || Error::MemoryRefused { what: Allocation::WeightsCopy, needed };
        // Checked before the first allocation, because memory that WebAssembly has once taken cannot be returned.
        usize::try_from(needed).map_err(|_| refused())?;
        let allocated = |(format, words): (Format, u64)| {
            let words = usize::try_from(words).map_err(|_| refused())?;
            WeightData::zeros(format, words).ok_or_else(refused)
        };
        Ok(Self { weights: sizes.map(allocated).collect::<Result<_, Error>>()? })
    }

    /// The numbers of one of the host's weights, row-major; `None` if the file does not have it.
    pub fn get(&self, weight: HostWeight) -> Option<&[f32]> {
        self.weights.get(weight.index).map(WeightData::plain).filter(|numbers| !numbers.is_empty())
    }

    #[cfg(test)]
    pub fn weights(&self) -> &[WeightData] {
        &self.weights
    }

    /// All weights of the table by index, as the CPU's kernels read them: in WASM matrices are packed into panels.
    pub fn into_weights(mut self, table: &WeightTable) -> Vec<WeightData> {
        if cfg!(target_arch = "wasm32") {
            for (weight, spec) in self.weights.iter_mut().zip(&table.weights).filter(|(_, spec)| spec.is_matrix()) {
                weight.pack(spec.columns);
            }
        }
        self.weights
    }
}

impl Sink for HostSink {
    fn write(&mut self, weight: usize, first: u64, words: &[u32]) -> Result<(), Error> {
        let all: Option<&mut [u32]> = match self.weights.get_mut(weight) {
            Some(WeightData::Plain(numbers)) => Some(bytemuck::cast_slice_mut(numbers)),
            Some(WeightData::Quantised(_, words)) => Some(words),
            Some(WeightData::Packed(_)) | None => None,
        };
        let range = usize::try_from(first).ok().and_then(|first| Some(first..first.checked_add(words.len())?));
        let place = all.zip(range).and_then(|(all, range)| all.get_mut(range));
        let place = place.ok_or_else(|| Error::ShapeMismatch {
            op: "weights",
            message: format!("{} words from {first} on are outside weight {weight}", words.len()),
        })?;
        place.copy_from_slice(words);
        Ok(())
    }
}
