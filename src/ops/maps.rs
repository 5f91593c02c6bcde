//! A probe: attention maps of any heads, computed from cached queries and keys and from each row's softmax statistics. They are max-pooled
//! to the requested resolution, so that thin diagonals survive in a small picture.

use super::head_score::{self, HeadParams, HeadScores};
use crate::kernels::{max_pool, tokens_of_pixel};
use crate::plan::{Chunks, Heads, Input, Inputs, Kernel, Launch, Op, Operand, Sizes, Use, parameters};
use std::ops::Range;

/// The quantity of each query and key that a map shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MapKind {
    /// The attention weight; in linear attention it may be negative.
    Weight,
    /// The score before mask and softmax.
    Score,
    /// The score that the same query and key would have without rotation: both rotated back by the angles of their positions. The rope's
    /// magnitude stays, as in a frozen pair.
    Unrotated,
    /// The score less the score without rotation.
    RotationEffect,
    /// 1 where the query can see the key, 0 where padding, order or a window masks it.
    Mask,
}

impl MapKind {
    /// Whether it needs the rotary table.
    pub fn removes_rotation(self) -> bool {
        matches!(self, MapKind::Unrotated | MapKind::RotationEffect)
    }
}

/// The query rows and keys of a map, and its size in pixels. Of n query rows pixel y covers ⌊y · n / rows⌋ .. ⌈(y + 1) · n / rows⌉, at
/// least one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MapWindow {
    pub queries: Range<usize>,
    pub keys: Range<usize>,
    pub rows: usize,
    pub columns: usize,
}

impl MapWindow {
    /// A pixel for each query and key.
    pub fn full(queries: usize, keys: usize) -> Self {
        Self { queries: 0..queries, keys: 0..keys, rows: queries, columns: keys }
    }
}

/// Maps of the heads `head_range` of one layer and sequence: (heads, window rows, window columns) from `offset` of the result buffer. Kinds
/// that remove the rotation take the angle of a token's position id, and for tokens of earlier runs of its index: those must not have had
/// position ids of their own, and no pair may be frozen or ablated.
pub struct Maps {
    pub heads: Heads,
    pub kind: MapKind,
    pub sequence: usize,
    pub head_range: Range<usize>,
    pub window: MapWindow,
    pub offset: usize,
}

impl Maps {
    /// Numbers that it writes.
    pub fn numbers(&self) -> usize {
        self.head_range.len() * self.window.rows * self.window.columns
    }
}

impl Op for Maps {
    fn uses(&self) -> Vec<Use> {
        let mut uses = head_score::uses(&self.heads, self.table());
        uses.extend([Use::read("statistics", self.heads.statistics), Use::change("results", Operand::Results)]);
        uses
    }

    fn kernel(&self) -> Kernel {
        head_score::weights_kernel("maps/maps", &self.heads).set("removes_rotation", self.table().is_some())
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let window = &self.window;
        let params = parameters! {
            heads: HeadParams = HeadParams::new(&self.heads, self.sequence, sizes),
            pixels: u32 = self.numbers(),
            first_head: u32 = self.head_range.start,
            first_query: u32 = window.queries.start,
            queries: u32 = window.queries.len(),
            first_key: u32 = window.keys.start,
            window_keys: u32 = window.keys.len(),
            rows: u32 = window.rows,
            columns: u32 = window.columns,
            offset: u32 = self.offset,
            kind: u32 = self.kind as usize,
        };
        Launch::for_elements(self.numbers(), params)
    }

    /// A chunk: a row of one map.
    fn chunks(&self, sizes: Sizes) -> Chunks {
        let count = self.head_range.len() * self.window.rows;
        let queries = self.window.queries.len().div_ceil(self.window.rows.max(1));
        Chunks { count, work: queries * self.heads.keys(sizes) * self.heads.query.head_size }
    }

    fn run(&self, chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let MapWindow { queries, keys, rows, columns } = &self.window;
        let mut numbers = vec![0.0; self.heads.keys(sizes)];
        let mut next = chunks.start;
        while next < chunks.end {
            let (of, end) = (next / rows, chunks.end.min((next / rows + 1) * rows));
            let mut scores = HeadScores::new(&self.heads, [self.sequence, self.head_range.start + of], inputs, sizes);
            // Two pixels may cover the same query row: do not compute it again.
            let mut last = None;
            for chunk in next..end {
                let pooled = &mut outputs[0][self.offset + chunk * columns..][..*columns];
                pooled.fill(f32::MIN);
                for row in tokens_of_pixel(chunk % rows, *rows, queries) {
                    if last.replace(row) != Some(row) {
                        self.row(&mut scores, row, &mut numbers);
                    }
                    max_pool(pooled, &numbers, keys);
                }
            }
            next = end;
        }
    }
}

impl Maps {
    /// The rotary table, if it is needed.
    fn table(&self) -> Option<Input> {
        self.heads.table.filter(|_| self.kind.removes_rotation() || self.heads.max_distance.is_some())
    }

    /// Writes the unpooled map of one query row, (keys).
    fn row(&self, scores: &mut HeadScores<'_>, row: usize, numbers: &mut [f32]) {
        if self.kind == MapKind::Weight {
            return scores.weights(row, numbers);
        }
        if self.kind == MapKind::Mask {
            return scores.visible(row, numbers);
        }
        scores.scores(row, numbers);
        if !self.kind.removes_rotation() {
            return;
        }
        for (key, number) in numbers.iter_mut().enumerate() {
            let unrotated = self.table().map_or(*number, |table| scores.unrotated(table, [row, key]));
            *number = if self.kind == MapKind::Unrotated { unrotated } else { *number - unrotated };
        }
    }
}
