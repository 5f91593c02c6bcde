//! The k largest logits of each row with the logarithms of their probabilities; ties go to the lower id.

use crate::kernels::{log_sum, most_likely};
use crate::plan::{Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Use, Value};
use std::ops::Range;

/// The largest k.
pub const MAX_TOP_K: usize = 64;

struct TopK {
    logits: Value,
    vocabulary: usize,
    k: usize,
    top: Value,
}

impl Plan {
    /// logits: (rows, vocabulary) → (rows, 2k): k logarithms of the row's softmax, best first, then their k ids as exact f32.
    /// NaN ranks last. Errors: k is 0, above 64 or above the vocabulary; a vocabulary of 2²⁴ or more, whose ids f32 cannot hold.
    pub fn top_k(&mut self, logits: Value, k: usize) -> Value {
        let shape = self.shape(logits);
        let Some(vocabulary) = shape.fixed_width().filter(|_| shape.rows == Shape::rows(1).rows) else {
            self.fail("top_k", format!("logits are {}, expected (rows, vocabulary)", shape.describe()));
            return logits;
        };
        if k == 0 || k > MAX_TOP_K.min(vocabulary) {
            self.fail("top_k", format!("k is {k}, expected 1 to {}", MAX_TOP_K.min(vocabulary)));
        }
        if vocabulary >= 1 << 24 {
            self.fail("top_k", format!("a vocabulary of {vocabulary} is too large: ids must stay below 16777216"));
        }
        let top = self.value(Shape::rows(2 * k));
        self.step(TopK { logits, vocabulary, k, top });
        top
    }
}

impl Op for TopK {
    fn name(&self) -> &'static str {
        "top_k"
    }

    fn uses(&self) -> Vec<Use> {
        vec![Use::read(self.logits), Use::write(self.top)]
    }

    fn kernel(&self) -> Kernel {
        let source = shader!("top_k");
        Kernel { name: "top_k", source, entry: "main", constants: Vec::new() }
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        Launch::new(sizes.rows, &[sizes.rows, self.vocabulary, self.k])
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let rows = inputs.value(self.logits).chunks_exact(self.vocabulary);
        for (row, out) in rows.zip(outputs[0].chunks_exact_mut(2 * self.k)) {
            let best = most_likely(row, self.k);
            let largest = best.first().map_or(0.0, |first| first.0);
            let log_sum = log_sum(row, largest);
            let (logarithms, ids) = out.split_at_mut(self.k);
            for (((logit, id), logarithm), slot) in best.into_iter().zip(logarithms).zip(ids) {
                *logarithm = (f64::from(logit - largest) - log_sum) as f32;
                *slot = id as f32;
            }
        }
    }
}
