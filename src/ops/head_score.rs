//! What questions about kept heads and attention over clamped distances share: a query's scores on the CPU, and what
//! `shaders/shared/head_score.wgsl` binds and reads.

use super::attention::seen;
use crate::kernels::{
    Matrix, add_mask, gemm, log_magnitudes, replace_far, rotate_pairs, signed_weights, softmax, softmax_of_shifted,
    subtract, unrotated_product,
};
use crate::plan::{Heads, Input, Inputs, Kernel, Sizes, Use, parameters, pitch};
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

/// A kernel that imports `shaders/shared/head_score.wgsl`.
pub(super) fn kernel(shader: &'static str, heads: &Heads) -> Kernel {
    Kernel::new(shader).set("clamps", heads.clamped_by().is_some())
}

/// A kernel that imports `shaders/shared/row_statistics.wgsl`, too.
pub(super) fn weights_kernel(shader: &'static str, heads: &Heads) -> Kernel {
    kernel(shader, heads).set("linear", heads.linear)
}

parameters! {
    /// `Heads` of `shaders/shared/head_score.wgsl`.
    pub(super) struct HeadParams {
        keys: u32,
        first_position: u32,
        query_heads: u32,
        group: u32,
        head_size: u32,
        query_first: u32,
        query_stride: u32,
        query_pitch: u32,
        key_first: u32,
        key_stride: u32,
        key_pitch: u32,
        statistics_pitch: u32,
        causal: u32,
        window: u32,
        sequence: u32,
        past: u32,
        length: u32,
        reach: u32,
        scale: f32,
        /// A struct in a uniform is a multiple of 16 bytes long.
        padding: u32,
    }
}

impl HeadParams {
    pub fn new(heads: &Heads, sequence: usize, sizes: Sizes) -> Self {
        let Heads { query, key, statistics, causal, window, reach, scale, .. } = *heads;
        Self {
            keys: heads.keys(sizes) as u32,
            first_position: heads.first_query(sizes) as u32,
            query_heads: query.heads as u32,
            group: (query.heads / key.heads) as u32,
            head_size: query.head_size as u32,
            query_first: query.first as u32,
            query_stride: query.stride as u32,
            query_pitch: query.pitch(sizes) as u32,
            key_first: key.first as u32,
            key_stride: key.stride as u32,
            key_pitch: key.pitch(sizes) as u32,
            statistics_pitch: pitch(statistics, sizes) as u32,
            causal: u32::from(causal),
            window: window.unwrap_or(0) as u32,
            sequence: sequence as u32,
            past: sizes.past as u32,
            length: sizes.length as u32,
            // The shader compares it with differences, which are i32.
            reach: reach.map_or(0, |reach| reach.min(i32::MAX as usize)) as u32,
            scale,
            padding: 0,
        }
    }
}

/// Query rows whose scores are made together: each key is read once for all of them.
pub const BLOCK: usize = 32;
/// Where a pair's second number lies behind its first, and the next pair.
const PAIRS: [usize; 2] = [1, 2];

/// The rows of one head of a sequence. Scores are asked for row after row: those of a few are made at once.
pub(super) struct HeadScores<'a> {
    heads: &'a Heads,
    sequence: usize,
    head: usize,
    sizes: Sizes,
    queries: &'a [f32],
    keys: &'a [f32],
    inputs: &'a dyn Inputs,
    /// Of the sequence: what is added to the scores of each key.
    pub mask: &'a [f32],
    /// Query rows whose scores are there, and these: (rows, keys).
    made: Range<usize>,
    scores: Vec<f32>,
    /// Key rows turned back, (keys, head_size), where distances are clamped.
    plain_keys: Vec<f32>,
}

impl<'a> HeadScores<'a> {
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
            made: 0..0,
            scores: Vec::new(),
            plain_keys: Vec::new(),
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
    pub fn scores(&mut self, row: usize, scores: &mut [f32]) {
        if !self.made.contains(&row) {
            // The same blocks whatever is asked for: natively a product's last bits depend on how many rows it has.
            let first = row - row % BLOCK;
            self.make(first..(first + BLOCK).min(self.heads.queries(self.sizes)));
        }
        let keys = self.heads.keys(self.sizes);
        scores.copy_from_slice(&self.scores[(row - self.made.start) * keys..][..keys]);
    }

    /// Makes the scores of these query rows.
    fn make(&mut self, rows: Range<usize>) {
        let Heads { query, key, scale, .. } = *self.heads;
        let keys = self.heads.keys(self.sizes);
        let left = Matrix::rows(
            &self.queries[query.head(self.head).at(self.sequence, rows.start, self.sizes)..],
            query.stride,
        );
        let first = key.head(self.heads.key_head(self.head)).at(self.sequence, 0, self.sizes);
        let transposed = Matrix::transposed(&self.keys[first..], key.stride);
        let mut scores = std::mem::take(&mut self.scores);
        scores.resize(rows.len() * keys, 0.0);
        gemm(&mut scores, keys, left, transposed, [rows.len(), query.head_size, keys], scale);
        if let Some((table, reach)) = self.heads.clamped_by().zip(self.heads.reach) {
            for behind in [false, true] {
                self.clamp(table, reach, behind, rows.clone(), &mut scores);
            }
        }
        (self.made, self.scores) = (rows, scores);
    }

    /// Gives keys that are further away than `reach` the scores that they would have there: those before the query, or where it
    /// stands `behind` them, those after it. Queries turned to that distance meet keys that are not turned, all in one product.
    fn clamp(&mut self, table: Input, reach: usize, behind: bool, rows: Range<usize>, scores: &mut [f32]) {
        let keys = self.heads.keys(self.sizes);
        let places: Vec<usize> = (0..keys).map(|key| self.table_row(key)).collect();
        let first_query = self.heads.first_query(self.sizes);
        let here: Vec<usize> = rows.clone().map(|row| self.table_row(first_query + row)).collect();
        let (ahead, back) = if behind { (&places, &here) } else { (&here, &places) };
        if ahead.iter().max() <= back.iter().min().map(|least| least.saturating_add(reach)).as_ref() {
            return;
        }
        if self.plain_keys.is_empty() {
            let mut plain = Vec::new();
            for (key, place) in places.iter().enumerate() {
                let start = plain.len();
                plain.extend_from_slice(self.key(key));
                rotate_pairs(&mut plain[start..], self.turns(table, *place), PAIRS, true);
            }
            self.plain_keys = plain;
        }
        let size = self.heads.query.head_size;
        let mut queries = Vec::new();
        for (row, place) in rows.clone().zip(&here) {
            let start = queries.len();
            queries.extend_from_slice(self.query(row));
            let query = &mut queries[start..];
            rotate_pairs(query, self.turns(table, *place), PAIRS, true);
            // HeadScores may begin anywhere: an angle is the difference of two.
            rotate_pairs(query, self.turns(table, reach), PAIRS, behind);
            rotate_pairs(query, self.turns(table, 0), PAIRS, !behind);
        }
        let mut far = vec![0.0; scores.len()];
        let (left, right) = (Matrix::rows(&queries, size), Matrix::transposed(&self.plain_keys, size));
        gemm(&mut far, keys, left, right, [rows.len(), size, keys], self.heads.scale);
        for (here, (scores, far)) in here.into_iter().zip(scores.chunks_exact_mut(keys).zip(far.chunks_exact(keys))) {
            replace_far(scores, far, &places, here, reach, behind);
        }
    }

    /// The score that they would have without rotation: both turned back by the table.
    pub fn unrotated(&self, table: Input, [row, key]: [usize; 2]) -> f32 {
        unrotated_product([self.query(row), self.key(key)], self.turns_of(table, [row, key])) * self.heads.scale
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
    pub fn masked_scores(&mut self, row: usize, scores: &mut [f32]) {
        self.scores(row, scores);
        add_mask(scores, self.mask, self.seen(row));
    }

    /// The weights that attention gave with a query row: (keys).
    pub fn weights(&mut self, row: usize, weights: &mut [f32]) {
        let [largest, sum] = self.statistics(row);
        if self.heads.linear {
            self.scores(row, weights);
            return signed_weights(weights, self.mask, self.seen(row), sum);
        }
        self.masked_scores(row, weights);
        subtract(weights, largest);
        softmax_of_shifted(weights, sum);
    }

    /// Logarithms of the weights' magnitudes but for what a row has in common, less the largest; and the sum of e^ of them. With a
    /// softmax these are the scores with the mask.
    pub fn logarithms(&mut self, row: usize, scores: &mut [f32]) -> f32 {
        let mut statistics = self.statistics(row);
        if self.heads.linear {
            self.scores(row, scores);
            log_magnitudes(scores, self.mask, self.seen(row));
            statistics = softmax(&mut scores.to_vec());
        } else {
            self.masked_scores(row, scores);
        }
        let [largest, sum] = statistics;
        subtract(scores, largest);
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
