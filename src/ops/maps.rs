//! A question about a finished run: any head's map, or many at once, made from kept queries, keys and each row's largest score
//! and sum. Pooled by maximum to the resolution that is asked for, so that a thin diagonal survives in a small picture.

use super::head_score::{self, HeadParams, HeadScores};
use crate::kernels::{max_pool, tokens_of_pixel};
use crate::plan::{ByParts, Heads, Input, Inputs, Kernel, Launch, Op, Operand, Sizes, Use, parameters};
use std::ops::Range;

/// What is shown of a query and a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MapKind {
    /// The attention weight; of linear attention it has a sign.
    Weight,
    /// The score before mask and softmax.
    Score,
    /// The score that the same query and key would have without rotation: both turned back by the angles of their
    /// positions. The rope's magnitude stays, as in a pair that is stopped.
    Unrotated,
    /// What the rotation adds to the score: the score less the unrotated one.
    RotationEffect,
    /// 1 where the query may see the key, and 0 where padding, order or a window hides it.
    Mask,
}

impl MapKind {
    /// Whether it looks at the rotary table.
    pub fn turns_back(self) -> bool {
        matches!(self, MapKind::Unrotated | MapKind::RotationEffect)
    }
}

/// Which query rows and keys are shown, and in how many pixels: pixel y covers the rows from ⌊y · n / rows⌋ up to
/// ⌈(y + 1) · n / rows⌉, at least one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MapWindow {
    pub queries: Range<usize>,
    pub keys: Range<usize>,
    pub rows: usize,
    pub columns: usize,
}

impl MapWindow {
    /// Every query and key by itself.
    pub fn whole(queries: usize, keys: usize) -> Self {
        Self { queries: 0..queries, keys: 0..keys, rows: queries, columns: keys }
    }
}

/// Maps of heads `chosen` of one layer and one sequence: (chosen heads, window rows, window columns), from `offset` of
/// the answer. What is turned back was turned by the table's row of its position id; tokens of earlier runs by that of
/// their place in the sequence, so that those must have had no position ids of their own. Pairs that were stopped or
/// cut must not be turned back.
pub struct Maps {
    pub heads: Heads,
    pub kind: MapKind,
    pub sequence: usize,
    pub chosen: Range<usize>,
    pub window: MapWindow,
    pub offset: usize,
}

impl Maps {
    /// Numbers that it writes.
    pub fn numbers(&self) -> usize {
        self.chosen.len() * self.window.rows * self.window.columns
    }
}

parameters! {
    struct Params {
        heads: HeadParams,
        numbers: u32,
        first_head: u32,
        first_query: u32,
        queries: u32,
        first_key: u32,
        shown_keys: u32,
        rows: u32,
        columns: u32,
        offset: u32,
        kind: u32,
    }
}

impl Op for Maps {
    fn name(&self) -> &'static str {
        "maps"
    }

    fn uses(&self) -> Vec<Use> {
        let mut uses = head_score::uses(&self.heads, self.table());
        uses.extend([Use::read(self.heads.statistics), Use::change(Operand::Answer)]);
        uses
    }

    fn kernel(&self) -> Kernel {
        head_score::weights_kernel("maps/maps", &self.heads).set("turns_back", self.table().is_some())
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let shown = &self.window;
        let params = Params {
            heads: HeadParams::new(&self.heads, self.sequence, sizes),
            numbers: self.numbers() as u32,
            first_head: self.chosen.start as u32,
            first_query: shown.queries.start as u32,
            queries: shown.queries.len() as u32,
            first_key: shown.keys.start as u32,
            shown_keys: shown.keys.len() as u32,
            rows: shown.rows as u32,
            columns: shown.columns as u32,
            offset: self.offset as u32,
            kind: self.kind as u32,
        };
        Launch::new(self.numbers().div_ceil(64), params)
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        self.run_parts(0..self.parts(sizes), inputs, outputs, sizes);
    }

    fn by_parts(&self) -> Option<&dyn ByParts> {
        Some(self)
    }
}

/// A part: a row of one map.
impl ByParts for Maps {
    fn parts(&self, _sizes: Sizes) -> usize {
        self.chosen.len() * self.window.rows
    }

    fn work(&self, sizes: Sizes) -> usize {
        self.window.queries.len().div_ceil(self.window.rows.max(1))
            * self.heads.keys(sizes)
            * self.heads.query.head_size
    }

    fn run_parts(&self, parts: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let MapWindow { queries, keys: shown, rows, columns } = &self.window;
        let mut numbers = vec![0.0; self.heads.keys(sizes)];
        let mut next = parts.start;
        while next < parts.end {
            let (of, end) = (next / rows, parts.end.min((next / rows + 1) * rows));
            let mut kept = HeadScores::new(&self.heads, [self.sequence, self.chosen.start + of], inputs, sizes);
            // Two pixels may cover the same query row: the last one that was made.
            let mut made = None;
            for part in next..end {
                let pooled = &mut outputs[0][self.offset + part * columns..][..*columns];
                pooled.fill(f32::MIN);
                for row in tokens_of_pixel(part % rows, *rows, queries) {
                    if made.replace(row) != Some(row) {
                        self.show(&mut kept, row, &mut numbers);
                    }
                    max_pool(pooled, &numbers, shown);
                }
            }
            next = end;
        }
    }
}

impl Maps {
    /// The rotary table, where it is looked at.
    fn table(&self) -> Option<Input> {
        self.heads.table.filter(|_| self.kind.turns_back() || self.heads.reach.is_some())
    }

    /// What is shown of one query row: (keys).
    fn show(&self, kept: &mut HeadScores<'_>, row: usize, numbers: &mut [f32]) {
        if self.kind == MapKind::Weight {
            return kept.weights(row, numbers);
        }
        if self.kind == MapKind::Mask {
            return kept.visible(row, numbers);
        }
        kept.scores(row, numbers);
        if !self.kind.turns_back() {
            return;
        }
        for (key, number) in numbers.iter_mut().enumerate() {
            let unrotated = self.table().map_or(*number, |table| kept.unrotated(table, [row, key]));
            *number = if self.kind == MapKind::Unrotated { unrotated } else { *number - unrotated };
        }
    }
}
