//! The tensors of a forward pass in which an intervention may put numbers.

use super::operand::ENTRY_WORDS;
use super::{Index, Input, TensorName};

/// These tensors. A plan has an op behind each of them that its runs may change.
const TENSORS: [TensorName; 8] = [
    TensorName::Embeddings,
    TensorName::HiddenStates,
    TensorName::LayerResidual,
    TensorName::Query,
    TensorName::Key,
    TensorName::Value,
    TensorName::Head,
    TensorName::FeedForward,
];

/// Entries that a plan with such tensors has room for, at least.
const LEAST_ENTRIES: usize = 64;

/// The tensors, each of every layer, in which the runs of a plan may put numbers; none by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct NumberTensors {
    /// Bit i: the tensor i of the list.
    mask: u32,
    layers: usize,
    /// Entries that there is room for.
    capacity: usize,
}

/// A number, and the index where it goes. An index that covers several entries puts it in each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberEntry {
    pub tensor: TensorName,
    pub layer: usize,
    /// Head, row and column, each one entry or all; rows count from the run's first token.
    pub index: [Index; 3],
    pub number: f32,
}

/// The head, row or column of an entry that covers all of them.
pub const EVERY_INDEX: u32 = u32::MAX;

impl NumberTensors {
    /// All that take numbers, without a layer.
    pub fn all() -> impl Iterator<Item = TensorName> {
        TENSORS.into_iter()
    }

    /// Of a model with this many layers, with room for at least as many entries.
    pub fn new(tensors: impl IntoIterator<Item = TensorName>, layers: usize, entries: usize) -> Self {
        let mask = tensors.into_iter().filter_map(place).fold(0, |mask, place| mask | 1 << place);
        if mask == 0 {
            return Self::default();
        }
        Self { mask, layers, capacity: entries.max(LEAST_ENTRIES).next_power_of_two() }
    }

    /// Whether runs may put numbers in this tensor.
    pub fn contains(self, tensor: TensorName) -> bool {
        place(tensor).is_some_and(|place| self.mask >> place & 1 == 1)
    }

    pub fn is_empty(self) -> bool {
        self.mask == 0
    }

    /// The input with the entries.
    pub fn input(self) -> Input {
        Input::NumberEntries { targets: TENSORS.len() * (self.layers + 1), entries: self.capacity }
    }

    /// The number of a tensor of a layer in that input.
    pub fn target(self, tensor: TensorName, layer: usize) -> usize {
        place(tensor).unwrap_or(0) * (self.layers + 1) + layer
    }

    /// The words of the input.
    pub fn words(self, entries: &[NumberEntry]) -> Vec<u32> {
        let Input::NumberEntries { targets, .. } = self.input() else { return Vec::new() };
        let mut words = vec![0; targets + 1];
        for target in 0..targets {
            words[target] = ((words.len() - targets - 1) / ENTRY_WORDS) as u32;
            let of_target = entries.iter().filter(|entry| self.target(entry.tensor, entry.layer) == target);
            for NumberEntry { index, number, .. } in of_target {
                let word = |index: Index| if let Index::At(at) = index { at as u32 } else { EVERY_INDEX };
                words.extend(index.map(word));
                words.push(number.to_bits());
            }
        }
        words[targets] = ((words.len() - targets - 1) / ENTRY_WORDS) as u32;
        words
    }
}

fn place(tensor: TensorName) -> Option<usize> {
    TENSORS.iter().position(|other| *other == tensor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stand_by_their_tensor_and_layer() {
        let tensors = NumberTensors::new([TensorName::FeedForward, TensorName::Value], 2, 3);
        assert!(tensors.contains(TensorName::Value) && !tensors.contains(TensorName::Key));
        let at = Index::At;
        let entry = |tensor, layer, index, number| NumberEntry { tensor, layer, index, number };
        let words = tensors.words(&[
            entry(TensorName::FeedForward, 1, [Index::All, at(3), at(5)], 0.5),
            entry(TensorName::Value, 0, [at(2), Index::All, at(1)], -1.0),
            entry(TensorName::FeedForward, 1, [Index::All, Index::All, at(6)], 2.0),
        ]);
        let targets = 8 * 3;
        let [value, network] = [tensors.target(TensorName::Value, 0), tensors.target(TensorName::FeedForward, 1)];
        assert_eq!(words[value..value + 2], [0, 1]);
        assert_eq!(words[network..network + 2], [1, 3]);
        assert_eq!(words[targets], 3);
        let entries: Vec<&[u32]> = words[targets + 1..].chunks(ENTRY_WORDS).collect();
        assert_eq!(entries[0], [2, EVERY_INDEX, 1, (-1.0_f32).to_bits()]);
        assert_eq!(entries[1], [EVERY_INDEX, 3, 5, 0.5_f32.to_bits()]);
        assert_eq!(entries[2], [EVERY_INDEX, EVERY_INDEX, 6, 2.0_f32.to_bits()]);
    }

    #[test]
    fn a_plan_has_room_for_more_entries() {
        let capacity = |entries| NumberTensors::new([TensorName::Head], 1, entries).capacity;
        assert_eq!([1, 64, 65].map(capacity), [64, 64, 128]);
        assert!(NumberTensors::new([], 1, 0).is_empty());
    }
}
