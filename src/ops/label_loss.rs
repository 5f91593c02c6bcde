//! −log p of given labels under the softmax of each row, as PyTorch's `cross_entropy` with `reduction="none"`.

use crate::kernels::cross_entropy;
use crate::plan::{Input, Inputs, Kernel, Launch, Op, PlanBuilder, Shape, Sizes, Use, Value, parameters};
use std::ops::Range;

/// The label of a row without a label.
pub const IGNORED: u32 = u32::MAX;

struct LabelLoss {
    logits: Value,
    vocabulary: usize,
    losses: Value,
}

impl PlanBuilder {
    /// −log p of each row's label in nats: (rows, vocabulary) → (rows, 1). 0 for a row without a label; NaN for logits with NaN or ∞, or all
    /// −∞; ∞ for a label with logit −∞.
    pub fn label_loss(&mut self, logits: Value) -> Value {
        let shape = self.shape(logits);
        let Some(vocabulary) = shape.fixed_width().filter(|_| shape.is_rows()) else {
            self.fail("label_loss", format!("logits are {}, expected (rows, vocabulary)", shape.describe()));
            return logits;
        };
        let losses = self.value(Shape::rows(1));
        self.step(LabelLoss { logits, vocabulary, losses });
        losses
    }
}

impl Op for LabelLoss {
    fn uses(&self) -> Vec<Use> {
        vec![Use::read("logits", self.logits), Use::read("labels", Input::Labels), Use::write("losses", self.losses)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("label_loss/label_loss")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        Launch::new(sizes.rows, parameters! { rows: u32 = sizes.rows, vocabulary: u32 = self.vocabulary })
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let rows = inputs.value(self.logits).chunks_exact(self.vocabulary);
        for ((row, label), out) in rows.zip(inputs.indices(Input::Labels)).zip(outputs[0].iter_mut()) {
            *out = if *label == IGNORED { 0.0 } else { cross_entropy(row, *label as usize) };
        }
    }
}
