//! Scaled dot-product attention: softmax(q kᵀ · scale + mask) v, eq. 2 with rotated q and k. Queries, keys and values are columns of the
//! same rows, of the run's projection or of a KV cache: self-attention, grouped-query attention and attention over a cache are one op.
//! Attention weights are not stored; the maximum and the sum of each row's softmax are, so that any head's map can be computed later.
//! A GPU splits the keys into slices where few queries attend to many keys (flash decoding), and joins them in a second step.

use super::clamped_attention::ClampedAttention;
use super::head_score::{HeadParams, mask_pattern};
use crate::kernels::{AttentionInputs, QUERY_BLOCK, StridedHeads};
use crate::plan::{
    Chunks, Derivation, Heads, Inputs, Kernel, Launch, Op, Operand, PlanBuilder, Shape, Sizes, Use, Value, View,
    first_row, parameters, pitch,
};
use std::ops::Range;

struct Attention {
    heads: Heads,
    value: View,
    /// The plan has at most [`FEW_QUERIES`] queries a sequence.
    few_queries: bool,
    /// Slices of the keys; each query row has one row of outputs and statistics a slice.
    slices: usize,
    head_outputs: Value,
}

/// Query rows of a workgroup: `TILE` of `shaders/attention/attention.wgsl`.
const TILE: usize = 32;

/// Context columns of a workgroup, `COLUMNS` there: a head wider than the first number takes the second, so that scores are computed once.
const COLUMNS: [usize; 2] = [64, 128];

/// Plans for up to this many queries a sequence use `shaders/attention/few_queries.wgsl`.
const FEW_QUERIES: usize = 4;

/// Output columns of a workgroup there.
const FEW_QUERIES_COLUMNS: usize = 1024;

/// Fewest keys of a slice: one tile of a workgroup, which takes longer than the second dispatch.
const SLICE: usize = 256;

/// Slicing aims at this many workgroups: fewer leave most of a large GPU idle.
const WORKGROUPS: usize = 256;

/// Every slice writes its slice_outputs, which the second step reads.
const MAX_SLICES: usize = 16;

/// Slices of the keys. rows: query rows of all heads.
fn slices(rows: usize, keys: usize) -> usize {
    WORKGROUPS.div_ceil(rows.max(1)).min(keys / SLICE).clamp(1, MAX_SLICES)
}

impl PlanBuilder {
    /// The head outputs of each token, (batch, length, query heads · head size). Distances are clamped if the heads have a `max_distance`.
    /// Writes the heads' statistics, (batch, length, query heads · 2) or a state.
    pub fn attention(&mut self, heads: Heads, value: View) -> Value {
        let Heads { query, key, statistics, .. } = heads;
        let count = query.heads;
        let inside = [query, key, value].into_iter().all(|view| self.contains(view));
        if !heads.fits_values(value) || !inside || key.operand.is_f16() != value.operand.is_f16() {
            let [query, key, value] = [query, key, value].map(|view| view.describe());
            self.fail("attention", format!("query is {query}, key {key}, value {value}; the last two need one format"));
        }
        let head_outputs = self.value(Shape::tokens(query.width()));
        let expected = Shape::tokens(2 * count);
        if let Operand::Value(statistics) = statistics
            && self.shape(statistics) != expected
        {
            self.fail("attention", format!("statistics are {}", self.shape(statistics).describe()));
        }
        match heads.clamping_table() {
            Some(_) => self.step(ClampedAttention { heads, value, head_outputs }),
            None => {
                let sizes = Sizes::from(self.capacity());
                let (few_queries, keys) = (sizes.length <= FEW_QUERIES, heads.keys(sizes));
                // A narrow window lies in few slices.
                let wide = heads.window.is_none_or(|window| window >= keys / 2);
                let slices = if few_queries && wide && self.options().splits_work {
                    slices(sizes.tokens() * count, keys)
                } else {
                    1
                };
                if slices == 1 {
                    self.step(Attention { heads, value, few_queries, slices, head_outputs });
                } else {
                    let slice_outputs = self.value(Shape::tokens(slices * query.width()));
                    let slice_statistics = self.value(Shape::tokens(slices * 2 * count));
                    let each = Heads { statistics: slice_statistics.into(), ..heads };
                    self.step(Attention { heads: each, value, few_queries, slices, head_outputs: slice_outputs });
                    self.step(AttentionReduce { slice_outputs, slice_statistics, heads, slices, head_outputs });
                }
            }
        }
        head_outputs
    }
}

impl Op for Attention {
    fn uses(&self) -> Vec<Use> {
        let Heads { query, key, statistics, .. } = self.heads;
        vec![
            Use::read("queries", query.operand),
            Use::read("keys", key.operand),
            Use::read("key_mask", self.heads.mask()),
            Use::read("values", self.value.operand),
            Use::write("head_outputs", self.head_outputs),
            Use::write("statistics", statistics),
        ]
    }

    fn kernel(&self) -> Kernel {
        let Heads { query, key, .. } = self.heads;
        let in_fours =
            [query, key, self.value].iter().all(|view| (view.first | view.stride | view.head_size).is_multiple_of(4));
        let shader = if self.few_queries { "attention/few_queries" } else { "attention/attention" };
        let kernel = Kernel::new(shader).when("whole_fours", in_fours).when("f16_cache", key.operand.is_f16());
        let wide = !self.few_queries && self.columns() != COLUMNS[0];
        if wide { kernel.set("COLUMNS", self.columns() as u32) } else { kernel }
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let Heads { query, statistics, .. } = self.heads;
        let [rows, columns] = if self.few_queries { [1, FEW_QUERIES_COLUMNS] } else { [TILE, self.columns()] };
        let rows_of_tiles = sizes.length.div_ceil(rows) * self.slices;
        let tiles = rows_of_tiles * query.head_size.div_ceil(columns) * sizes.batch * query.heads;
        let params = parameters! {
            heads: HeadParams = HeadParams::new(&self.heads, 0, sizes),
            sequence_heads: u32 = sizes.batch * query.heads,
            value_first: u32 = self.value.first,
            value_stride: u32 = self.value.stride,
            value_pitch: u32 = self.value.pitch(sizes),
            statistics_first: u32 = first_row(statistics, sizes),
            slices: u32 = self.slices,
        };
        Launch::new(tiles, params)
    }

    /// A chunk: up to [`QUERY_BLOCK`] queries of one head of one sequence.
    fn chunks(&self, sizes: Sizes) -> Chunks {
        let count = sizes.batch * self.heads.query.heads * sizes.length.div_ceil(QUERY_BLOCK);
        let work = 2 * QUERY_BLOCK.min(sizes.length) * self.heads.keys(sizes) * self.heads.query.head_size;
        Chunks { count, work }
    }

    fn run(&self, chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let Heads { query, key, statistics, scale, .. } = self.heads;
        let of = |view: View| {
            let data = &inputs.of(view.operand)[view.first..];
            StridedHeads { data, stride: view.stride, pitch: view.pitch(sizes) }
        };
        let [head_outputs, rows, ..] = outputs else { return };
        let attended = AttentionInputs {
            query: of(query),
            key: of(key),
            value: of(self.value),
            mask: inputs.numbers(self.heads.mask()),
            heads: [query.heads, key.heads],
            head_size: query.head_size,
            batch: sizes.batch,
            length: sizes.length,
            keys: self.heads.keys(sizes),
            pattern: mask_pattern(&self.heads, sizes.past),
            scale,
        };
        let first = 2 * query.heads * first_row(statistics, sizes);
        attended.attend(head_outputs, (&mut rows[first..], pitch(statistics, sizes)), chunks);
    }

    fn derive(&self, value: Value, row: usize, column: usize) -> Option<Derivation> {
        (value == self.head_outputs && self.slices == 1).then(|| weighted_values(&self.heads, self.value, row, column))
    }
}

/// A number of the head outputs, as a sum over the head's keys.
pub(super) fn weighted_values(heads: &Heads, value: View, row: usize, column: usize) -> Derivation {
    let (head, column) = (column / heads.query.head_size, column % heads.query.head_size);
    Derivation::WeightedValues { row, head, values: value.head(heads.key_head(head)), column }
}

impl Attention {
    /// `COLUMNS` of `shaders/attention/attention.wgsl`.
    fn columns(&self) -> usize {
        COLUMNS[usize::from(self.heads.query.head_size > COLUMNS[0])]
    }
}

/// The second step over slices of the keys: each slice is weighted by its statistics.
struct AttentionReduce {
    /// (batch, length, slices · query heads · head_size)
    slice_outputs: Value,
    /// (batch, length, slices · query heads · 2): max of scores and sum of e^(score − max) of each slice.
    slice_statistics: Value,
    /// The heads whose statistics, over all keys, this op writes.
    heads: Heads,
    slices: usize,
    head_outputs: Value,
}

impl Op for AttentionReduce {
    fn uses(&self) -> Vec<Use> {
        vec![
            Use::read("slice_outputs", self.slice_outputs),
            Use::read("slice_statistics", self.slice_statistics),
            Use::write("head_outputs", self.head_outputs),
            Use::write("statistics", self.heads.statistics),
        ]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("attention/reduce")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let Heads { query, statistics, .. } = self.heads;
        let params = parameters! {
            rows: u32 = sizes.tokens(),
            length: u32 = sizes.length,
            heads: u32 = query.heads,
            head_size: u32 = query.head_size,
            slices: u32 = self.slices,
            statistics_first: u32 = first_row(statistics, sizes),
            statistics_pitch: u32 = pitch(statistics, sizes),
        };
        Launch::new(sizes.tokens() * query.heads, params)
    }
}

#[cfg(test)]
mod tests {
    use super::slices;

    #[test]
    fn many_keys_of_few_rows_are_split() {
        for ([rows, keys], expected) in [
            ([9, 64], 1),
            ([9, 256], 1),
            ([9, 512], 2),
            ([9, 2048], 8),
            ([9, 8192], 16),
            ([36, 8192], 8),
            ([255, 8192], 2),
            ([256, 8192], 1),
        ] {
            assert_eq!(slices(rows, keys), expected, "{rows} rows, {keys} keys");
        }
    }
}
