//! Greedy decoding on the device: the best id of each row goes to where the next step's embedding reads it.

use crate::plan::{Inputs, Kernel, Launch, Op, Operand, Sizes, Use, Value, parameters};
use std::ops::Range;

/// Puts the best of each row's fills where `to` is: the ids of the next step, which has one token a row.
pub struct Feed {
    /// (rows, 2k): k logarithms, best first, then k ids as exact f32.
    pub top: Value,
    pub k: usize,
    /// u32 (rows)
    pub to: Operand,
}

/// What greedy decoding chooses, by logarithms with ids, best first: ties go to the lowest id.
pub fn greedy(fills: impl IntoIterator<Item = (f32, u32)>) -> Option<u32> {
    let mut fills = fills.into_iter();
    let (largest, first) = fills.next()?;
    let ties = fills.take_while(|(logarithm, _)| *logarithm == largest).map(|(_, id)| id);
    Some(ties.fold(first, u32::min))
}

parameters! {
    struct Params {
        rows: u32,
        k: u32,
    }
}

impl Op for Feed {
    fn name(&self) -> &'static str {
        "feed"
    }

    fn uses(&self) -> Vec<Use> {
        vec![Use::read(self.top), Use::change(self.to)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("feed/feed")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        Launch::new(sizes.rows.div_ceil(64), Params { rows: sizes.rows as u32, k: self.k as u32 })
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        for (row, to) in inputs.value(self.top).chunks_exact(2 * self.k).zip(&mut *outputs[0]) {
            let (logarithms, ids) = row.split_at(self.k);
            let best = greedy(logarithms.iter().copied().zip(ids.iter().map(|id| *id as u32)));
            // u32 by its bits: ids are no f32 to the embedding.
            *to = f32::from_bits(best.unwrap_or(0));
        }
    }
}
