//! What questions about kept heads and attention over clamped distances share: a query's scores on the CPU, and what
//! `shaders/head_score.wgsl` binds and reads.

use super::attention::seen;
use crate::kernels::{
    Matrix, add_mask, attended, less, log_magnitudes, multiply, product_at, signed_weights, softmax, unrotated,
};
use crate::plan::{Heads, Input, Inputs, Sizes, Use, pitch};
use std::ops::Range;

/// Its bindings. table: where rows are turned back by it.
pub(super) fn uses(heads: &Heads, table: Option<Input>) -> Vec<Use> {
    vec![
        Use::read(heads.query.of),
        Use::read(heads.key.of),
        Use::read(heads.mask()),
        Use::read_if(table),
        Use::read_if(table.map(|_| Input::Positions)),
    ]
}

/// Its override constant.
pub(super) fn clamps(heads: &Heads) -> (&'static str, f64) {
    ("clamps", if heads.clamped_by().is_some() { 1.0 } else { 0.0 })
}

/// The override constant of `shaders/row_statistics.wgsl`.
pub(super) fn linear(heads: &Heads) -> (&'static str, f64) {
    ("linear", if heads.linear { 1.0 } else { 0.0 })
}

/// The first words of their parameters, in the order in which the shaders declare them. `scale` is their last.
pub(super) fn words(heads: &Heads, sequence: usize, sizes: Sizes) -> Vec<usize> {
    let Heads { query, key, statistics, causal, window, reach, .. } = *heads;
    vec![
        heads.keys(sizes),
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
        sizes.past,
        sizes.length,
        // Compared with differences of u32 in the shader.
        reach.map_or(0, |reach| reach.min(i32::MAX as usize)),
    ]
}

/// The rows of one head of a sequence.
pub(super) struct Rows<'a> {
    heads: &'a Heads,
    sequence: usize,
    head: usize,
    sizes: Sizes,
    queries: &'a [f32],
    keys: &'a [f32],
    inputs: &'a dyn Inputs,
    /// Of the sequence: what is added to the scores of each key.
    pub mask: &'a [f32],
}

impl<'a> Rows<'a> {
    pub fn new(heads: &'a Heads, [sequence, head]: [usize; 2], inputs: &'a dyn Inputs, sizes: Sizes) -> Self {
        let keys = heads.keys(sizes);
        Self {
            heads,
            sequence,
            head,
            sizes,
            queries: inputs.of(heads.query.of),
            keys: inputs.of(heads.key.of),
            inputs,
            mask: &inputs.numbers(heads.mask())[sequence * keys..][..keys],
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
        let Some((table, reach)) = self.heads.clamped_by().zip(self.heads.reach) else { return };
        let here = self.table_row(self.heads.first_query(self.sizes) + row);
        for (key, score) in scores.iter_mut().enumerate() {
            let there = self.table_row(key);
            if here.abs_diff(there) > reach {
                *score = self.score_at(table, [row, key], reach, there > here);
            }
        }
    }

    /// The score that a query row and a key would have so far apart, whatever their distance is. behind: the query comes before
    /// the key.
    fn score_at(&self, table: Input, [row, key]: [usize; 2], distance: usize, behind: bool) -> f32 {
        // Rows may begin anywhere: an angle is the difference of two.
        let turns = [self.turns(table, distance), self.turns(table, 0)];
        product_at([self.query(row), self.key(key)], self.turns_of(table, [row, key]), turns, behind) * self.heads.scale
    }

    /// The score that they would have without rotation: both turned back by the table.
    pub fn unrotated(&self, table: Input, [row, key]: [usize; 2]) -> f32 {
        unrotated([self.query(row), self.key(key)], self.turns_of(table, [row, key])) * self.heads.scale
    }

    /// The table's rows of a query row and a key: (head_size) each.
    fn turns_of(&self, table: Input, [row, key]: [usize; 2]) -> [&'a [f32]; 2] {
        let tokens = [self.heads.first_query(self.sizes) + row, key];
        tokens.map(|token| self.turns(table, self.table_row(token)))
    }

    fn turns(&self, table: Input, row: usize) -> &'a [f32] {
        let size = self.heads.query.head_size;
        &self.inputs.numbers(table)[row * size..][..size]
    }

    /// The table's row of a token: its position id, or its place where an earlier run computed it.
    fn table_row(&self, token: usize) -> usize {
        match token.checked_sub(self.sizes.past) {
            Some(fresh) => self.inputs.indices(Input::Positions)[self.sequence * self.sizes.length + fresh] as usize,
            None => token,
        }
    }

    /// What a query row may see: 1 or 0 for each key.
    pub fn visible(&self, row: usize, numbers: &mut [f32]) {
        let range = self.seen(row);
        for (key, number) in numbers.iter_mut().enumerate() {
            *number = if range.contains(&key) && self.mask[key] == 0.0 { 1.0 } else { 0.0 };
        }
    }

    /// Scores of a query row with the mask: (keys).
    pub fn masked_scores(&self, row: usize, scores: &mut [f32]) {
        self.scores(row, scores);
        add_mask(scores, self.mask, self.seen(row));
    }

    /// The weights that attention gave with a query row: (keys).
    pub fn weights(&self, row: usize, weights: &mut [f32]) {
        let [largest, sum] = self.statistics(row);
        if self.heads.linear {
            self.scores(row, weights);
            return signed_weights(weights, self.mask, self.seen(row), sum);
        }
        self.masked_scores(row, weights);
        less(weights, largest);
        attended(weights, sum);
    }

    /// Logarithms of the weights' magnitudes but for what a row has in common, less the largest; and the sum of e^ of them. With a
    /// softmax these are the scores with the mask.
    pub fn logarithms(&self, row: usize, scores: &mut [f32]) -> f32 {
        let mut statistics = self.statistics(row);
        if self.heads.linear {
            self.scores(row, scores);
            log_magnitudes(scores, self.mask, self.seen(row));
            statistics = softmax(&mut scores.to_vec());
        } else {
            self.masked_scores(row, scores);
        }
        let [largest, sum] = statistics;
        less(scores, largest);
        sum
    }

    /// What attention left of a query row.
    fn statistics(&self, row: usize) -> [f32; 2] {
        let first_row = self.sequence * pitch(self.heads.statistics, self.sizes);
        let at = 2 * ((first_row + row) * self.heads.query.heads + self.head);
        let statistics = self.inputs.of(self.heads.statistics);
        [statistics[at], statistics[at + 1]]
    }

    /// The keys that a query row sees, apart from padding.
    fn seen(&self, row: usize) -> Range<usize> {
        seen(self.heads, self.heads.first_query(self.sizes) + row)
    }
}
