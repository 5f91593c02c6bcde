//! The k largest logits of each row with the logarithms of their probabilities; ties go to the lower id.

use crate::kernels::{log_sum_exp, top_k};
use crate::plan::{Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Use, Value, parameters};
use std::ops::Range;

/// The largest k.
pub const MAX_TOP_K: usize = 64;

/// Of whole rows, of their slices, or of what slices left.
struct TopK {
    /// (rows, count), or what slices left.
    entries: Value,
    /// Entries of a row.
    count: usize,
    k: usize,
    /// That a row is cut into; 1: it is finished.
    slices: usize,
    /// Slices whose entries these are; 0: logits.
    merged: usize,
    top: Value,
}

/// A row of more logits is cut into slices, which takes a dispatch more.
const WHOLE: usize = 1 << 14;

/// Logits of a slice, about.
const SLICE: usize = 1 << 12;

/// Numbers that a slice leaves: k logits, k ids, the largest, and the logarithm of the sum.
fn left(k: usize) -> usize {
    2 * k + 2
}

impl Plan {
    /// logits: (rows, vocabulary) → (rows, 2k): k logarithms of the row's softmax, best first, then their k ids as exact f32.
    /// NaN ranks last. A row of more than 16,384 logits takes two dispatches. Errors: k is 0, above 64 or above the vocabulary; a
    /// vocabulary of 2²⁴ or more, whose ids f32 cannot hold.
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
        let (mut entries, mut count, mut merged) = (logits, vocabulary, 0);
        if vocabulary > WHOLE {
            merged = vocabulary.div_ceil(SLICE);
            let top = self.value(Shape::rows(merged * left(k)));
            self.step(TopK { entries, count, k, slices: merged, merged: 0, top });
            (entries, count) = (top, merged * k);
        }
        let top = self.value(Shape::rows(2 * k));
        self.step(TopK { entries, count, k, slices: 1, merged, top });
        top
    }
}

impl TopK {
    /// The k largest of a slice of logits, the largest, and the logarithm of the sum.
    fn leave(&self, logits: &[f32], first: usize, out: &mut [f32]) {
        let best = top_k(logits, self.k);
        let largest = best.first().map_or(0.0, |first| first.0);
        for (at, (logit, id)) in best.into_iter().enumerate() {
            (out[at], out[self.k + at]) = (logit, (first + id) as f32);
        }
        // A slice of −∞ alone is nothing beside the others.
        let log_sum = if largest == f32::NEG_INFINITY { 0.0 } else { log_sum_exp(logits, largest) };
        (out[2 * self.k], out[2 * self.k + 1]) = (largest, log_sum as f32);
    }

    /// The k largest of what a row's slices left.
    fn merge(&self, row: &[f32], out: &mut [f32]) {
        let slices = || row.chunks_exact(left(self.k));
        let logits: Vec<f32> = slices().flat_map(|slice| &slice[..self.k]).copied().collect();
        let best = top_k(&logits, self.k);
        let largest = best.first().map_or(0.0, |first| first.0);
        let sums: Vec<f32> = slices().map(|slice| slice[2 * self.k] - largest + slice[2 * self.k + 1]).collect();
        let log_sum = log_sum_exp(&sums, 0.0);
        for (at, (logit, entry)) in best.into_iter().enumerate() {
            out[at] = (f64::from(logit - largest) - log_sum) as f32;
            out[self.k + at] = row[entry / self.k * left(self.k) + self.k + entry % self.k];
        }
    }
}

parameters! {
    struct Params {
        rows: u32,
        count: u32,
        k: u32,
        slices: u32,
        merged: u32,
    }
}

impl Op for TopK {
    fn name(&self) -> &'static str {
        "top_k"
    }

    fn uses(&self) -> Vec<Use> {
        vec![Use::read(self.entries), Use::write(self.top)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("top_k/top_k")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let Self { count, k, slices, merged, .. } = *self;
        let params = Params {
            rows: sizes.rows as u32,
            count: count as u32,
            k: k as u32,
            slices: slices as u32,
            merged: merged as u32,
        };
        Launch::new(sizes.rows * slices, params)
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let Self { count, k, slices, .. } = *self;
        let rows = |width: usize| inputs.value(self.entries).chunks_exact(width);
        if self.merged > 0 {
            let outs = outputs[0].chunks_exact_mut(2 * k);
            return rows(self.merged * left(k)).zip(outs).for_each(|(row, out)| self.merge(row, out));
        }
        let mut found = vec![0.0; slices * left(k)];
        let width = if slices > 1 { found.len() } else { 2 * k };
        for (row, out) in rows(count).zip(outputs[0].chunks_exact_mut(width)) {
            let mut first = 0;
            for (slice, found) in found.chunks_exact_mut(left(k)).enumerate() {
                let end = first + count / slices + usize::from(slice < count % slices);
                self.leave(&row[first..end], first, found);
                first = end;
            }
            match slices {
                1 => self.merge(&found, out),
                _ => out.copy_from_slice(&found),
            }
        }
    }
}
