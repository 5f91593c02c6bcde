//! The heads of a layer, as attention computes them and as probes read them.

use super::{Axis, Input, Operand, Sizes, State, View, Weight};
use crate::kernels::Format;

/// The heads of one layer: the operands of attention, which probes read after a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heads {
    /// Rotated queries.
    pub query: View,
    /// Rotated keys. Each key head serves query.heads / key.heads query heads.
    pub key: View,
    /// (batch, rows, query heads, 2): the largest score of each query row, and the sum of e^(score − largest).
    pub statistics: Operand,
    /// Whether a query attends only to keys that are not after it.
    pub causal: bool,
    /// A query attends only to keys at a smaller distance than this: before it, itself included, and after it unless `causal`.
    pub window: Option<usize>,
    /// Scores are query · key · scale.
    pub scale: f32,
    /// The rotary table of queries and keys; `None` if they are not rotated.
    pub table: Option<Input>,
    /// Larger distances are clamped to this one (ReRoPE). It counts rows of the rotary table.
    pub max_distance: Option<usize>,
    /// Linear attention: weights are scores divided by their sum, without a softmax, and may be negative. The statistics are 0 and
    /// that sum.
    pub linear: bool,
}

impl Heads {
    /// The rotary table that scores at clamped distances read; `None` if no distance is clamped.
    pub fn clamping_table(&self) -> Option<Input> {
        self.table.filter(|_| self.max_distance.is_some())
    }

    /// Whether the keys belong to the source instead of the queries' own text.
    pub fn is_cross(&self) -> bool {
        matches!(self.key.operand, Operand::State(State { axis: Axis::Source, .. }))
    }

    /// The number of keys of each sequence.
    pub fn keys(&self, sizes: Sizes) -> usize {
        if self.is_cross() { sizes.source } else { sizes.keys() }
    }

    /// The attention mask, (batch, keys), which is added to every score of a key.
    pub fn mask(&self) -> Input {
        if self.is_cross() { Input::SourceMask } else { Input::KeyMask }
    }

    /// The number of query rows that a probe can read: all of a cache, or those of the run.
    pub fn queries(&self, sizes: Sizes) -> usize {
        match self.query.operand {
            Operand::State(_) => sizes.keys(),
            _ => sizes.length,
        }
    }

    /// The position in the sequence of the first query row that a probe can read.
    pub fn first_query(&self, sizes: Sizes) -> usize {
        match self.query.operand {
            Operand::State(_) => 0,
            _ => sizes.past,
        }
    }

    /// Whether these values belong to the heads: all of one size, and the same number of query heads for each key head.
    pub fn fits_values(&self, value: View) -> bool {
        let Self { query, key, .. } = self;
        query.heads > 0
            && key.heads > 0
            && query.heads.is_multiple_of(key.heads)
            && key.head_size == query.head_size
            && (value.heads, value.head_size) == (key.heads, key.head_size)
    }

    /// The key head that a query head reads.
    pub fn key_head(&self, head: usize) -> usize {
        head / (self.query.heads / self.key.heads.max(1)).max(1)
    }
}

/// The values of one layer's heads, and the projection that takes their sums into the residual stream.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadValues {
    /// Each value head serves heads / view.heads query heads.
    pub view: View,
    /// The output projection without its bias, (hidden_size, heads · head_size): each head has columns of its own.
    pub output: (Weight, Format),
    /// Whether head outputs are rotated back by the query's position. A value then adds something else for each query.
    pub has_inverse_rotation: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_heads_share_key_heads() {
        let view = View { operand: Operand::Nothing, first: 0, stride: 1, heads: 6, head_size: 2 };
        let heads = Heads {
            query: view,
            key: View { heads: 2, ..view },
            statistics: Operand::Nothing,
            causal: true,
            window: None,
            scale: 1.0,
            table: None,
            max_distance: None,
            linear: false,
        };
        assert_eq!([0, 1, 2, 3, 4, 5].map(|head| heads.key_head(head)), [0, 0, 0, 1, 1, 1]);
    }
}
