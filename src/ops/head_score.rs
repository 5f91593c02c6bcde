//! Scores of a head's queries on the CPU, and the bindings and parameters of `shaders/shared/head_score.wgsl`. Probes of heads and
//! clamped attention share them.

use crate::kernels::{
    MaskPattern, Matrix, add_mask, log_magnitudes, multiply_by_transpose, replace_far, rotate_pairs, signed_weights,
    softmax, softmax_of_shifted, subtract, unrotated_product,
};
use crate::plan::{Heads, Input, Inputs, Kernel, Sizes, Use, parameters, pitch};
use std::ops::Range;

/// The keys that a query at this position can see, padding not left out.
pub(super) fn visible_keys(heads: &Heads, query: usize) -> Range<usize> {
    let (first, end) = mask_pattern(heads, 0).visible(query);
    first..end
}

pub(super) fn mask_pattern(heads: &Heads, past: usize) -> MaskPattern {
    MaskPattern { past, causal: heads.causal, window: heads.window.unwrap_or(usize::MAX) }
}

/// The bindings of `shaders/shared/head_score.wgsl`. table: if rows are rotated back.
pub(super) fn uses(heads: &Heads, table: Option<Input>) -> Vec<Use> {
    vec![
        Use::read("queries", heads.query.operand),
        Use::read("keys", heads.key.operand),
        Use::read("key_mask", heads.mask()),
        Use::read_if("table", table),
        Use::read_if("positions", table.map(|_| Input::Positions)),
    ]
}

/// A kernel that imports `shaders/shared/head_score.wgsl`.
pub(super) fn kernel(shader: &'static str, heads: &Heads) -> Kernel {
    Kernel::new(shader).when("f16_cache", heads.key.operand.is_f16()).set("clamps", heads.clamping_table().is_some())
}

/// The same with attention weights.
pub(super) fn weights_kernel(shader: &'static str, heads: &Heads) -> Kernel {
    kernel(shader, heads).when("stored_statistics", true).set("linear", heads.linear)
}

parameters! {
    /// `Heads` of `shaders/shared/heads.wgsl`.
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
        max_distance: u32,
        scale: f32,
        /// A nested struct in a uniform takes a multiple of 16 bytes.
        padding: u32,
    }
}

impl HeadParams {
    pub fn new(heads: &Heads, sequence: usize, sizes: Sizes) -> Self {
        let Heads { query, key, statistics, causal, window, max_distance, scale, .. } = *heads;
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
            max_distance: max_distance.map_or(0, |max_distance| max_distance.min(i32::MAX as usize)) as u32,
            scale,
            padding: 0,
        }
    }
}

/// Query rows whose scores are computed together: each key is read once for all of them.
pub const BLOCK: usize = 32;
/// Columns between the two numbers of a pair, and from one pair to the next.
const PAIRS: [usize; 2] = [1, 2];

/// Scores of one head of one sequence. Callers ask row by row; [`BLOCK`] rows are computed at a time.
pub(super) struct HeadScores<'a> {
    heads: &'a Heads,
    sequence: usize,
    head: usize,
    sizes: Sizes,
    queries: &'a [f32],
    keys: &'a [f32],
    inputs: &'a dyn Inputs,
    /// The mask of each key of the sequence, (keys), which is added to scores.
    pub mask: &'a [f32],
    /// Query rows that are in `scores`, (rows, keys).
    computed: Range<usize>,
    scores: Vec<f32>,
    /// Keys rotated back to position 0, (keys, head_size), if distances are clamped.
    unrotated_keys: Vec<f32>,
}

impl<'a> HeadScores<'a> {
    pub fn new(heads: &'a Heads, [sequence, head]: [usize; 2], inputs: &'a dyn Inputs, sizes: Sizes) -> Self {
        let keys = heads.keys(sizes);
        Self {
            heads,
            sequence,
            head,
            sizes,
            queries: inputs.of(heads.query.operand),
            keys: inputs.of(heads.key.operand),
            inputs,
            mask: &inputs.numbers(heads.mask())[sequence * keys..][..keys],
            computed: 0..0,
            scores: Vec::new(),
            unrotated_keys: Vec::new(),
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
        if !self.computed.contains(&row) {
            // Blocks start at fixed rows: natively a GEMM's last bits depend on its number of rows.
            let first = row - row % BLOCK;
            self.compute(first..(first + BLOCK).min(self.heads.queries(self.sizes)));
        }
        let keys = self.heads.keys(self.sizes);
        scores.copy_from_slice(&self.scores[(row - self.computed.start) * keys..][..keys]);
    }

    /// Computes the scores of these query rows.
    fn compute(&mut self, rows: Range<usize>) {
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
        multiply_by_transpose(&mut scores, keys, left, transposed, [rows.len(), query.head_size, keys], scale);
        if let Some((table, max_distance)) = self.heads.clamping_table().zip(self.heads.max_distance) {
            for after in [false, true] {
                self.clamp(table, max_distance, after, rows.clone(), &mut scores);
            }
        }
        (self.computed, self.scores) = (rows, scores);
    }

    /// Replaces scores of keys farther away than `max_distance` by those at this distance: of keys before the query, or with `after` of
    /// keys after it. One GEMM of queries rotated by that distance and unrotated keys.
    fn clamp(&mut self, table: Input, max_distance: usize, after: bool, rows: Range<usize>, scores: &mut [f32]) {
        let keys = self.heads.keys(self.sizes);
        let key_rows: Vec<usize> = (0..keys).map(|key| self.table_row(key)).collect();
        let first_query = self.heads.first_query(self.sizes);
        let query_rows: Vec<usize> = rows.clone().map(|row| self.table_row(first_query + row)).collect();
        let (later, earlier) = if after { (&key_rows, &query_rows) } else { (&query_rows, &key_rows) };
        if later.iter().max() <= earlier.iter().min().map(|least| least.saturating_add(max_distance)).as_ref() {
            return;
        }
        if self.unrotated_keys.is_empty() {
            let mut unrotated = Vec::new();
            for (key, table_row) in key_rows.iter().enumerate() {
                let start = unrotated.len();
                unrotated.extend_from_slice(self.key(key));
                rotate_pairs(&mut unrotated[start..], self.cos_sin(table, *table_row), PAIRS, true);
            }
            self.unrotated_keys = unrotated;
        }
        let size = self.heads.query.head_size;
        let mut queries = Vec::new();
        for (row, table_row) in rows.clone().zip(&query_rows) {
            let start = queries.len();
            queries.extend_from_slice(self.query(row));
            let query = &mut queries[start..];
            rotate_pairs(query, self.cos_sin(table, *table_row), PAIRS, true);
            // The table's first row may be any position, so the angle of a distance is the difference of two rows.
            rotate_pairs(query, self.cos_sin(table, max_distance), PAIRS, after);
            rotate_pairs(query, self.cos_sin(table, 0), PAIRS, !after);
        }
        let mut far = vec![0.0; scores.len()];
        let (left, right) = (Matrix::rows(&queries, size), Matrix::transposed(&self.unrotated_keys, size));
        multiply_by_transpose(&mut far, keys, left, right, [rows.len(), size, keys], self.heads.scale);
        let of_rows = scores.chunks_exact_mut(keys).zip(far.chunks_exact(keys));
        for (query_row, (scores, far)) in query_rows.into_iter().zip(of_rows) {
            replace_far(scores, far, &key_rows, query_row, max_distance, after);
        }
    }

    /// The score without rotation: query and key are both rotated back.
    pub fn unrotated(&self, table: Input, [row, key]: [usize; 2]) -> f32 {
        unrotated_product([self.query(row), self.key(key)], self.cos_sin_of(table, [row, key])) * self.heads.scale
    }

    /// The rows of the table of a query row and a key: (head_size) each.
    fn cos_sin_of(&self, table: Input, [row, key]: [usize; 2]) -> [&'a [f32]; 2] {
        let tokens = [self.heads.first_query(self.sizes) + row, key];
        tokens.map(|token| self.cos_sin(table, self.table_row(token)))
    }

    fn cos_sin(&self, table: Input, row: usize) -> &'a [f32] {
        let size = self.heads.query.head_size;
        &self.inputs.numbers(table)[row * size..][..size]
    }

    /// The row of the table of a token: its position id, or its index if an earlier run computed it.
    fn table_row(&self, token: usize) -> usize {
        match token.checked_sub(self.sizes.past) {
            Some(fresh) => self.inputs.indices(Input::Positions)[self.sequence * self.sizes.length + fresh] as usize,
            None => token,
        }
    }

    /// 1 for each key that a query row can see, else 0.
    pub fn visible(&self, row: usize, numbers: &mut [f32]) {
        let range = self.visible_keys(row);
        for (key, number) in numbers.iter_mut().enumerate() {
            *number = if range.contains(&key) && self.mask[key] == 0.0 { 1.0 } else { 0.0 };
        }
    }

    /// Scores of a query row plus the mask: (keys).
    pub fn masked_scores(&mut self, row: usize, scores: &mut [f32]) {
        self.scores(row, scores);
        add_mask(scores, self.mask, self.visible_keys(row));
    }

    /// Attention weights of a query row: (keys).
    pub fn weights(&mut self, row: usize, weights: &mut [f32]) {
        let [largest, sum] = self.statistics(row);
        if self.heads.linear {
            self.scores(row, weights);
            return signed_weights(weights, self.mask, self.visible_keys(row), sum);
        }
        self.masked_scores(row, weights);
        subtract(weights, largest);
        softmax_of_shifted(weights, sum);
    }

    /// Writes log |weight| less the largest, up to a constant of the row, and returns the sum of its exponentials. After a softmax these
    /// are the masked scores less the largest.
    pub fn logarithms(&mut self, row: usize, scores: &mut [f32]) -> f32 {
        let mut statistics = self.statistics(row);
        if self.heads.linear {
            self.scores(row, scores);
            log_magnitudes(scores, self.mask, self.visible_keys(row));
            statistics = softmax(&mut scores.to_vec());
        } else {
            self.masked_scores(row, scores);
        }
        let [largest, sum] = statistics;
        subtract(scores, largest);
        sum
    }

    /// Maximum and sum that attention stored for a query row.
    fn statistics(&self, row: usize) -> [f32; 2] {
        let first_row = self.sequence * pitch(self.heads.statistics, self.sizes);
        let at = 2 * ((first_row + row) * self.heads.query.heads + self.head);
        let statistics = self.inputs.of(self.heads.statistics);
        [statistics[at], statistics[at + 1]]
    }

    /// The keys that a query row can see, padding not left out.
    fn visible_keys(&self, row: usize) -> Range<usize> {
        visible_keys(self.heads, self.heads.first_query(self.sizes) + row)
    }
}
