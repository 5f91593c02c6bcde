//! The repetition penalty (Hugging Face's `RepetitionPenaltyLogitsProcessor`): logits of ids that a row has seen are divided by it if positive, else
//! multiplied; each id once.

use crate::plan::{Input, Inputs, Kernel, Launch, Op, PlanBuilder, Sizes, Use, Value, parameters};
use crate::sampling::penalise;
use std::ops::Range;

struct Penalty {
    logits: Value,
    vocabulary: usize,
}

impl PlanBuilder {
    /// Penalises ids that each row has seen, in place. logits: (rows, vocabulary).
    pub fn penalise(&mut self, logits: Value) {
        let shape = self.shape(logits);
        let Some(vocabulary) = shape.fixed_width().filter(|_| shape.is_rows()) else {
            return self.fail("penalty", format!("logits are {}, expected (rows, vocabulary)", shape.describe()));
        };
        self.step(Penalty { logits, vocabulary });
    }
}

impl Op for Penalty {
    fn uses(&self) -> Vec<Use> {
        vec![
            Use::read("ids", Input::PenalisedIds),
            Use::read("penalty", Input::Penalty),
            Use::change("logits", self.logits),
        ]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("penalty/penalty")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let stride = sizes.keys() + 1;
        let params = parameters! {
            rows: u32 = sizes.rows,
            vocabulary: u32 = self.vocabulary,
            stride: u32 = stride,
        };
        Launch::for_elements(sizes.rows * stride, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let penalty = inputs.numbers(Input::Penalty).first().copied().unwrap_or(1.0);
        let rows = inputs.indices(Input::PenalisedIds).chunks_exact(sizes.keys() + 1);
        for (row, ids) in outputs[0].chunks_exact_mut(self.vocabulary).zip(rows) {
            let (count, ids) = ids.split_first().unwrap_or((&0, &[]));
            penalise(row, ids.get(..*count as usize).unwrap_or(ids), f64::from(penalty));
        }
    }
}
