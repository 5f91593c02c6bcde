//! Greedy decoding on the device: the best id of each row becomes the input of the next step.

use crate::plan::{Inputs, Kernel, Launch, Op, Operand, Sizes, Use, Value, parameters};
use std::ops::Range;

/// Writes the best candidate of each row to `to`, the ids of a next step with one token a row.
pub struct Feed {
    /// (rows, 2k): k log-probabilities, best first, then k ids as exact f32.
    pub top: Value,
    pub k: usize,
    /// u32 (rows)
    pub to: Operand,
}

/// The id that greedy decoding chooses. candidates: (log-probability, id), best first; ties go to the lowest id.
pub fn greedy(candidates: impl IntoIterator<Item = (f32, u32)>) -> Option<u32> {
    let mut candidates = candidates.into_iter();
    let (largest, first) = candidates.next()?;
    let ties = candidates.take_while(|(logarithm, _)| *logarithm == largest).map(|(_, id)| id);
    Some(ties.fold(first, u32::min))
}

impl Op for Feed {
    fn uses(&self) -> Vec<Use> {
        vec![Use::read("top", self.top), Use::change("ids", self.to)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("feed/feed")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        Launch::for_elements(sizes.rows, parameters! { rows: u32 = sizes.rows, k: u32 = self.k })
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        for (row, to) in inputs.value(self.top).chunks_exact(2 * self.k).zip(&mut *outputs[0]) {
            let (logarithms, ids) = row.split_at(self.k);
            let best = greedy(logarithms.iter().copied().zip(ids.iter().map(|id| *id as u32)));
            // The bits of a u32: the embedding reads u32.
            *to = f32::from_bits(best.unwrap_or(0));
        }
    }
}
