//! The k largest logits of each row as log-probabilities; ties go to the lower id.

use super::bans::{banned, bans_of};
use crate::kernels::{Bans, log_sum_exp, top_k};
use crate::plan::{Input, Inputs, Kernel, Launch, Op, PlanBuilder, Shape, Sizes, Use, Value, parameters};
use std::ops::Range;

/// The largest k.
pub const MAX_TOP_K: usize = 64;

/// The best entries of each row, of each slice of a row, or of the results of such slices.
struct TopK {
    /// Logits, (rows, count), or results of slices, (rows, merged · (2k + 2)).
    entries: Value,
    /// Entries of a row.
    count: usize,
    k: usize,
    /// Slices of a row; 1: the op finishes the row.
    slices: usize,
    /// Slices whose results the entries are; 0: the entries are logits.
    merged: usize,
    /// Ids that rank last. Their logits stay in the sum.
    bans: Option<Input>,
    top: Value,
}

/// Rows with more logits are split into slices, which takes a second dispatch.
const UNSPLIT: usize = 1 << 14;

/// Logits of a slice, roughly.
const SLICE: usize = 1 << 12;

/// Numbers of a slice's result: k logits, k ids, max, ln Σ e^(logit − max).
fn slice_result(k: usize) -> usize {
    2 * k + 2
}

impl PlanBuilder {
    /// (rows, vocabulary) → (rows, 2k): k log-probabilities of each row, best first, then their k ids as exact f32. NaN ranks last. With
    /// `has_bans`, the tokens of [`Input::Bans`] rank as logits of f32::MIN, though the probabilities are those of the whole row. Rows of
    /// more than 16,384 logits take two dispatches. Errors: k is 0, above 64 or above the vocabulary; a vocabulary of 2²⁴ or more, whose
    /// ids f32 cannot hold.
    pub fn top_k(&mut self, logits: Value, k: usize, has_bans: bool) -> Value {
        let shape = self.shape(logits);
        let Some(vocabulary) = shape.fixed_width().filter(|_| shape.is_rows()) else {
            self.fail("top_k", format!("logits are {}, expected (rows, vocabulary)", shape.describe()));
            return logits;
        };
        if k == 0 || k > MAX_TOP_K.min(vocabulary) {
            self.fail("top_k", format!("k is {k}, expected 1 to {}", MAX_TOP_K.min(vocabulary)));
        }
        if vocabulary >= 1 << 24 {
            self.fail("top_k", format!("a vocabulary of {vocabulary} is too large: ids must stay below 16777216"));
        }
        let bans = has_bans.then(|| bans_of(vocabulary));
        let (mut entries, mut count, mut merged) = (logits, vocabulary, 0);
        if vocabulary > UNSPLIT {
            merged = vocabulary.div_ceil(SLICE);
            let top = self.value(Shape::rows(merged * slice_result(k)));
            self.step(TopK { entries, count, k, slices: merged, merged: 0, bans, top });
            (entries, count) = (top, merged * k);
        }
        let top = self.value(Shape::rows(2 * k));
        self.step(TopK { entries, count, k, slices: 1, merged, bans, top });
        top
    }
}

impl TopK {
    /// Writes the result of a slice of logits, whose first id is `first`.
    fn slice(&self, logits: &[f32], first: usize, bans: Option<Bans<'_>>, out: &mut [f32]) {
        let (best, largest) = match bans {
            None => {
                let best = top_k(logits, self.k);
                let largest = best.first().map_or(0.0, |first| first.0);
                (best, largest)
            }
            Some(bans) => {
                let ranked = logits.iter().zip(first..).map(|(x, id)| if bans.contains(id) { f32::MIN } else { *x });
                let largest = logits.iter().copied().reduce(f32::max).unwrap_or(0.0);
                (top_k(&ranked.collect::<Vec<f32>>(), self.k), largest)
            }
        };
        for (at, (logit, id)) in best.into_iter().enumerate() {
            (out[at], out[self.k + at]) = (logit, (first + id) as f32);
        }
        // A slice of −∞ alone adds nothing to other slices.
        let log_sum = if largest == f32::NEG_INFINITY { 0.0 } else { log_sum_exp(logits, largest) };
        (out[2 * self.k], out[2 * self.k + 1]) = (largest, log_sum as f32);
    }

    /// Writes the k largest of a row, from the results of its slices.
    fn merge(&self, row: &[f32], out: &mut [f32]) {
        let slices = || row.chunks_exact(slice_result(self.k));
        let logits: Vec<f32> = slices().flat_map(|slice| &slice[..self.k]).copied().collect();
        let best = top_k(&logits, self.k);
        let largest = slices().map(|slice| slice[2 * self.k]).reduce(f32::max).unwrap_or(0.0);
        let sums: Vec<f32> = slices().map(|slice| slice[2 * self.k] - largest + slice[2 * self.k + 1]).collect();
        let log_sum = log_sum_exp(&sums, 0.0);
        for (at, (logit, entry)) in best.into_iter().enumerate() {
            out[at] = (f64::from(logit - largest) - log_sum) as f32;
            out[self.k + at] = row[entry / self.k * slice_result(self.k) + self.k + entry % self.k];
        }
    }
}

impl Op for TopK {
    fn uses(&self) -> Vec<Use> {
        vec![Use::read("entries", self.entries), Use::read_if("bans", self.bans), Use::write("top", self.top)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("top_k/top_k").when("bans", self.bans.is_some())
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let Self { count, k, slices, merged, .. } = *self;
        let params = parameters! {
            rows: u32 = sizes.rows,
            count: u32 = count,
            k: u32 = k,
            slices: u32 = slices,
            merged_slices: u32 = merged,
        };
        Launch::new(sizes.rows * slices, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let Self { count, k, slices, .. } = *self;
        let rows = |width: usize| inputs.value(self.entries).chunks_exact(width);
        if self.merged > 0 {
            let outs = outputs[0].chunks_exact_mut(2 * k);
            return rows(self.merged * slice_result(k)).zip(outs).for_each(|(row, out)| self.merge(row, out));
        }
        let mut found = vec![0.0; slices * slice_result(k)];
        let width = if slices > 1 { found.len() } else { 2 * k };
        for (index, (row, out)) in rows(count).zip(outputs[0].chunks_exact_mut(width)).enumerate() {
            let bans = self.bans.map(|bans| banned(inputs.indices(bans), index, count));
            let mut first = 0;
            for (slice, found) in found.chunks_exact_mut(slice_result(k)).enumerate() {
                let end = first + count / slices + usize::from(slice < count % slices);
                self.slice(&row[first..end], first, bans, found);
                first = end;
            }
            match slices {
                1 => self.merge(&found, out),
                _ => out.copy_from_slice(&found),
            }
        }
    }
}
