//! What questions about kept heads share: a query's scores on the CPU, and the words that `shaders/head_score.wgsl`
//! reads.

use super::attention::seen;
use crate::kernels::{Matrix, add_mask, less, multiply};
use crate::plan::{Heads, Input, Inputs, Sizes, pitch};

/// The first words of their parameters, in the order in which the shaders declare them. `scale` is their last.
pub(super) fn words(heads: &Heads, sequence: usize, sizes: Sizes) -> Vec<usize> {
    let Heads { query, key, statistics, causal, window, .. } = *heads;
    vec![
        sizes.keys(),
        heads.first_query(sizes),
        query.heads,
        query.heads / key.heads,
        query.head_size,
        query.first,
        query.stride,
        query.pitch(sizes),
        key.first,
        key.stride,
        key.pitch(sizes),
        pitch(statistics, sizes),
        usize::from(causal),
        window.unwrap_or(0),
        sequence,
    ]
}

/// The kept rows of one head of a sequence.
pub(super) struct Rows<'a> {
    heads: &'a Heads,
    sequence: usize,
    head: usize,
    sizes: Sizes,
    queries: &'a [f32],
    keys: &'a [f32],
    statistics: &'a [f32],
    /// Of the sequence: what is added to the scores of each key.
    pub mask: &'a [f32],
}

impl<'a> Rows<'a> {
    pub fn new(heads: &'a Heads, [sequence, head]: [usize; 2], inputs: &'a dyn Inputs, sizes: Sizes) -> Self {
        let keys = sizes.keys();
        Self {
            heads,
            sequence,
            head,
            sizes,
            queries: inputs.of(heads.query.of),
            keys: inputs.of(heads.key.of),
            statistics: inputs.of(heads.statistics),
            mask: &inputs.numbers(Input::KeyMask)[sequence * keys..][..keys],
        }
    }

    /// A query row: (head_size).
    pub fn query(&self, row: usize) -> &'a [f32] {
        let view = self.heads.query.head(self.head);
        &self.queries[view.at(self.sequence, row, self.sizes)..][..view.head_size]
    }

    /// A key row: (head_size).
    pub fn key(&self, row: usize) -> &'a [f32] {
        let view = self.heads.key.head(self.heads.key_head(self.head));
        &self.keys[view.at(self.sequence, row, self.sizes)..][..view.head_size]
    }

    /// Scores of a query row, (keys), before mask and softmax.
    pub fn scores(&self, row: usize, scores: &mut [f32]) {
        let Heads { query, key, scale, .. } = *self.heads;
        let left =
            Matrix::rows(&self.queries[query.head(self.head).at(self.sequence, row, self.sizes)..], query.stride);
        let first = key.head(self.heads.key_head(self.head)).at(self.sequence, 0, self.sizes);
        let transposed = Matrix::transposed(&self.keys[first..], key.stride);
        let keys = scores.len();
        multiply(scores, keys, left, transposed, [1, query.head_size, keys], scale);
    }

    /// The same with the mask, less the row's largest; and the row's sum of e^ of them.
    pub fn shifted_scores(&self, row: usize, scores: &mut [f32]) -> f32 {
        self.scores(row, scores);
        add_mask(scores, self.mask, seen(self.heads, self.heads.first_query(self.sizes) + row));
        let first_row = self.sequence * pitch(self.heads.statistics, self.sizes);
        let at = 2 * ((first_row + row) * self.heads.query.heads + self.head);
        let [largest, sum] = [self.statistics[at], self.statistics[at + 1]];
        less(scores, largest);
        sum
    }
}
