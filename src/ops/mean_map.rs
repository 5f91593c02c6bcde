//! A probe: a weighted sum of many heads' attention maps. One map is then read back, not all. Attention weights are computed from cached
//! queries and keys, and not stored.

use super::head_score::{self, HeadParams, HeadScores};
use crate::kernels::{add_products, scale};
use crate::plan::{Chunks, Heads, Input, Inputs, Kernel, Launch, Op, Operand, Sizes, Use, parameters};
use std::ops::Range;

/// Σ over the heads `head_range` of one layer of share · weight: (queries, keys) from `offset` of the result buffer.
pub struct MeanMap {
    pub heads: Heads,
    pub sequence: usize,
    pub head_range: Range<usize>,
    /// Index in the result buffer of a factor for each head and key, (heads of the range, keys).
    pub factors: Option<usize>,
    pub share: f32,
    /// Whether the sum is added to the result buffer or replaces it.
    pub accumulates: bool,
    pub offset: usize,
}

impl MeanMap {
    /// The rotary table, if it is needed.
    fn table(&self) -> Option<Input> {
        self.heads.clamping_table()
    }
}

/// Query rows of a chunk.
const CHUNK_ROWS: usize = 32;

impl Op for MeanMap {
    fn uses(&self) -> Vec<Use> {
        let mut uses = head_score::uses(&self.heads, self.table());
        uses.extend([Use::read("statistics", self.heads.statistics), Use::change("results", Operand::Results)]);
        uses
    }

    fn kernel(&self) -> Kernel {
        head_score::weights_kernel("mean_map/mean_map", &self.heads).set("has_factors", self.factors.is_some())
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let cells = self.heads.queries(sizes) * self.heads.keys(sizes);
        let params = parameters! {
            heads: HeadParams = HeadParams::new(&self.heads, self.sequence, sizes),
            cells: u32 = cells,
            first_head: u32 = self.head_range.start,
            head_count: u32 = self.head_range.len(),
            factors: u32 = self.factors.unwrap_or(0),
            accumulates: u32 = self.accumulates,
            offset: u32 = self.offset,
            share: f32 = self.share,
        };
        Launch::for_elements(cells, params)
    }

    /// A chunk: up to [`CHUNK_ROWS`] query rows of all heads.
    fn chunks(&self, sizes: Sizes) -> Chunks {
        let count = self.heads.queries(sizes).div_ceil(CHUNK_ROWS);
        let work = self.head_range.len() * CHUNK_ROWS * self.heads.keys(sizes) * self.heads.query.head_size;
        Chunks { count, work }
    }

    fn run(&self, chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let keys = self.heads.keys(sizes);
        let rows = chunks.start * CHUNK_ROWS..self.heads.queries(sizes).min(chunks.end * CHUNK_ROWS);
        let mut weights = vec![0.0; keys];
        let mut factors = vec![1.0; self.head_range.len() * keys];
        if let Some(first) = self.factors {
            factors.copy_from_slice(&outputs[0][first..][..self.head_range.len() * keys]);
        }
        scale(&mut factors, self.share);
        let map = &mut outputs[0][self.offset + rows.start * keys..][..rows.len() * keys];
        if !self.accumulates {
            map.fill(0.0);
        }
        for (head, factors) in self.head_range.clone().zip(factors.chunks_exact(keys)) {
            let mut scores = HeadScores::new(&self.heads, [self.sequence, head], inputs, sizes);
            for (row, map) in rows.clone().zip(map.chunks_exact_mut(keys)) {
                scores.weights(row, &mut weights);
                add_products(map, &weights, factors);
            }
        }
    }
}
