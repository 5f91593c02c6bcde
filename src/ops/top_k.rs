//! The k largest logits of each row with their probabilities; ties go to the lower id.

use super::exponential::exp;
use crate::plan::{Access, Binding, Dispatch, Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Value, grid};

/// The largest k.
pub const MAX_TOP_K: usize = 64;

struct TopK {
    logits: Value,
    vocabulary: usize,
    k: usize,
    top: Value,
}

impl Plan {
    /// logits: (rows, vocabulary) → (rows, 2k): k probabilities of the row's softmax, best first, then their k ids as exact
    /// f32. Errors: k is 0, above 64 or above the vocabulary; a vocabulary of 2²⁴ or more, whose ids f32 cannot hold.
    pub fn top_k(&mut self, logits: Value, k: usize) -> Value {
        let shape = self.shape(logits);
        let Shape::Rows { width: vocabulary } = shape else {
            self.fail("top_k", format!("logits are {}, expected (rows, vocabulary)", shape.describe()));
            return logits;
        };
        if k == 0 || k > MAX_TOP_K.min(vocabulary) {
            self.fail("top_k", format!("k is {k}, expected 1 to {}", MAX_TOP_K.min(vocabulary)));
        }
        if vocabulary >= 1 << 24 {
            self.fail("top_k", format!("a vocabulary of {vocabulary} is too large: ids must stay below 16777216"));
        }
        let top = self.value(Shape::Rows { width: 2 * k });
        self.step(TopK { logits, vocabulary, k, top });
        top
    }
}

impl Op for TopK {
    fn name(&self) -> &'static str {
        "top_k"
    }

    fn reads(&self) -> Vec<Value> {
        vec![self.logits]
    }

    fn writes(&self) -> Vec<Value> {
        vec![self.top]
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let rows = inputs.value(self.logits).chunks_exact(self.vocabulary);
        for (row, out) in rows.zip(outputs[0].chunks_exact_mut(2 * self.k)) {
            let mut best: Vec<(f32, usize)> = Vec::with_capacity(self.k + 1);
            for (id, &logit) in row.iter().enumerate() {
                if best.len() == self.k && best.last().is_some_and(|last| logit <= last.0) {
                    continue;
                }
                let at = best.partition_point(|other| other.0 >= logit);
                best.insert(at, (logit, id));
                best.truncate(self.k);
            }
            let largest = best.first().map_or(0.0, |first| first.0);
            let total: f64 = row.iter().map(|logit| f64::from(exp(logit - largest))).sum();
            let (probabilities, ids) = out.split_at_mut(self.k);
            for (((logit, id), probability), slot) in best.into_iter().zip(probabilities).zip(ids) {
                *probability = (f64::from(exp(logit - largest)) / total) as f32;
                *slot = id as f32;
            }
        }
    }

    fn dispatches(&self, _binding_limit: u64) -> Vec<Dispatch> {
        vec![Dispatch {
            kernel: Kernel {
                name: "top_k",
                source: include_str!("../../shaders/top_k.wgsl"),
                entry: "main",
                constants: Vec::new(),
                accesses: &[Access::Read, Access::ReadWrite],
            },
            bindings: vec![Binding::Value(self.logits), Binding::Value(self.top)],
        }]
    }

    fn launch(&self, _part: usize, sizes: Sizes, _binding_limit: u64) -> Launch {
        Launch {
            workgroups: grid(sizes.rows),
            parameters: vec![sizes.rows as u32, self.vocabulary as u32, self.k as u32],
        }
    }
}
