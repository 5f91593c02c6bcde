//! A probe: ten statistics of each head of a layer over a text. Attention weights are computed from cached queries and keys, and not
//! stored.

use super::head_score::{self, HeadParams, HeadScores};
use crate::kernels::{HEAD_STATISTICS, add_head_statistics};
use crate::plan::{Chunks, Heads, Inputs, Kernel, Launch, Op, Operand, Sizes, Use, parameters};
use std::ops::Range;

/// Means over query rows of one sequence, (heads, 10) from `offset` of the result buffer: entropy in nats; distance |query − key| in
/// tokens; weight on the previous, the same, the next and the first token (0 for a query without that neighbour); the largest weight;
/// weight on the same token elsewhere, on special tokens, and on tokens that follow an earlier occurrence of the query's token. Special
/// tokens do not count as queries; without any query all are 0. Signed weights (linear attention) count by their share of the row's sum of
/// magnitudes.
pub struct HeadStatistics {
    pub heads: Heads,
    pub sequence: usize,
    /// Query rows.
    pub queries: Range<usize>,
    /// Whether queries that are padding count, too.
    pub with_padding: bool,
    /// Index in the result buffer of the keys' ids, (keys), negative for special tokens. In cross-attention the queries' ids follow; all
    /// queries count then, and every equal token is one elsewhere.
    pub tokens: usize,
    pub offset: usize,
}

impl HeadStatistics {
    /// Numbers of each head.
    pub const EACH: usize = HEAD_STATISTICS;

    /// Numbers that it writes.
    pub fn numbers(&self) -> usize {
        self.heads.query.heads * Self::EACH
    }

    /// Index in the result buffer of the queries' ids.
    fn own(&self, sizes: Sizes) -> usize {
        self.tokens + if self.heads.is_cross() { self.heads.keys(sizes) } else { 0 }
    }

    fn counts_padding(&self) -> bool {
        self.with_padding || self.heads.is_cross()
    }

    /// At least 1: without queries it writes zeros.
    fn parts_of_head(&self) -> usize {
        self.queries.len().div_ceil(CHUNK_ROWS).max(1)
    }
}

/// Query rows of a chunk.
const CHUNK_ROWS: usize = 64;

impl Op for HeadStatistics {
    fn uses(&self) -> Vec<Use> {
        let mut uses = head_score::uses(&self.heads, self.heads.clamping_table());
        uses.extend([Use::read("statistics", self.heads.statistics), Use::change("results", Operand::Results)]);
        uses
    }

    fn kernel(&self) -> Kernel {
        head_score::weights_kernel("head_statistics/head_statistics", &self.heads)
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let params = parameters! {
            heads: HeadParams = HeadParams::new(&self.heads, self.sequence, sizes),
            first_query: u32 = self.queries.start,
            queries: u32 = self.queries.len(),
            with_padding: u32 = self.counts_padding(),
            tokens: u32 = self.tokens,
            own: u32 = self.own(sizes),
            offset: u32 = self.offset,
        };
        Launch::new(self.heads.query.heads, params)
    }

    /// A chunk: up to [`CHUNK_ROWS`] query rows of a head. It adds its share of the means to that of the head's earlier chunks.
    fn chunks(&self, sizes: Sizes) -> Chunks {
        let count = self.heads.query.heads * self.parts_of_head();
        let work = CHUNK_ROWS.min(self.queries.len()) * self.heads.keys(sizes) * self.heads.query.head_size;
        Chunks { count, work }
    }

    fn run(&self, chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let keys = self.heads.keys(sizes);
        let mut scores = vec![0.0; keys];
        let tokens = outputs[0][self.tokens..][..keys].to_vec();
        let first_query = self.heads.first_query(sizes);
        let own = outputs[0][self.own(sizes)..][..first_query + self.queries.end].to_vec();
        let each = self.parts_of_head();
        let mut next = chunks.start;
        while next < chunks.end {
            let (head, end) = (next / each, chunks.end.min((next / each + 1) * each));
            let mut rows = HeadScores::new(&self.heads, [self.sequence, head], inputs, sizes);
            let mask = rows.mask;
            let counts = |query: &usize| {
                let position = first_query + query;
                own[position] >= 0.0 && (self.counts_padding() || mask[position] == 0.0)
            };
            let counted = self.queries.clone().filter(counts).count().max(1);
            let out = &mut outputs[0][self.offset + head * Self::EACH..][..Self::EACH];
            for chunk in next % each..next % each + end - next {
                let first = self.queries.start + chunk * CHUNK_ROWS;
                let mut totals = [0.0f64; Self::EACH];
                for query in (first..self.queries.end.min(first + CHUNK_ROWS)).filter(counts) {
                    let position = first_query + query;
                    let sum = rows.logarithms(query, &mut scores);
                    let other = self.heads.is_cross().then_some(own[position]);
                    add_head_statistics(&mut totals, &scores, sum, position, &tokens, other);
                }
                for (out, total) in out.iter_mut().zip(totals) {
                    let before = if chunk == 0 { 0.0 } else { f64::from(*out) };
                    *out = (before + total / counted as f64) as f32;
                }
            }
            next = end;
        }
    }
}
