//! Decoding on the device: the next id of each row becomes the input of the next step.

use crate::plan::{Inputs, Kernel, Launch, Op, Operand, Sizes, Use, Value, parameters};
use std::ops::Range;

/// Writes the next id of each row to `to`, the ids of a next step with one token a row.
pub struct Feed {
    /// (rows, stride), with an id as exact f32 at a place of each row: the best one of [`top_k`](crate::plan::PlanBuilder::top_k), or a drawn
    /// one of [`sample`](crate::plan::PlanBuilder::sample).
    pub results: Value,
    pub stride: usize,
    /// The place of the id in a row.
    pub place: usize,
    /// u32 (rows)
    pub to: Operand,
}

impl Op for Feed {
    fn uses(&self) -> Vec<Use> {
        vec![Use::read("results", self.results), Use::change("ids", self.to)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("feed/feed")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let params = parameters! { rows: u32 = sizes.rows, stride: u32 = self.stride, place: u32 = self.place };
        Launch::for_elements(sizes.rows, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        for (row, to) in inputs.value(self.results).chunks_exact(self.stride).zip(&mut *outputs[0]) {
            // The bits of a u32: the embedding reads u32.
            *to = f32::from_bits(row[self.place] as u32);
        }
    }
}
