//! Columns of packed rows: queries, keys or values in a projection or a cache, all heads or a chosen one.

use super::{Axis, Input, Operand, Sizes, State, Weight};
use crate::kernels::Format;

/// Columns first .. first + heads · head_size of rows that are `stride` wide. Rows are (batch, length) of a value, or
/// (batch, context) of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct View {
    pub of: Operand,
    pub first: usize,
    pub stride: usize,
    pub heads: usize,
    pub head_size: usize,
}

impl View {
    /// Numbers of one row that it shows.
    pub fn width(&self) -> usize {
        self.heads * self.head_size
    }

    /// Rows from one sequence of the batch to the next.
    pub fn pitch(&self, sizes: Sizes) -> usize {
        pitch(self.of, sizes)
    }

    /// For error messages: 4 heads of 16 from column 64 of 192.
    pub fn describe(&self) -> String {
        format!("{} heads of {} from column {} of {}", self.heads, self.head_size, self.first, self.stride)
    }

    /// The same columns of one head.
    pub fn head(&self, head: usize) -> View {
        View { first: self.first + head * self.head_size, heads: 1, ..*self }
    }

    /// Where row `row` of a sequence begins.
    pub fn at(&self, sequence: usize, row: usize, sizes: Sizes) -> usize {
        (sequence * self.pitch(sizes) + row) * self.stride + self.first
    }
}

/// Rows of one sequence in an operand that holds tokens: the run's, or all of a state's context.
pub fn pitch(of: Operand, sizes: Sizes) -> usize {
    match of {
        Operand::State(state) => state.context(sizes),
        _ => sizes.length,
    }
}

/// The first row that a run fills in an operand that holds tokens.
pub fn first_row(of: Operand, sizes: Sizes) -> usize {
    match of {
        Operand::State(state) if state.of != Axis::Source => sizes.past,
        _ => 0,
    }
}

/// The heads of one layer: what attention computes with, and what can be asked of them after the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heads {
    /// Rotated queries.
    pub query: View,
    /// Rotated keys; each serves query.heads / key.heads query heads.
    pub key: View,
    /// (batch, rows, query heads, 2): the largest score of each query row, and the sum of e^(score − largest).
    pub statistics: Operand,
    /// Whether a query sees only keys that are not after it.
    pub causal: bool,
    /// A query sees only keys that are nearer than this: the last so many, itself among them, or as many on either side.
    pub window: Option<usize>,
    /// Scores are query · key · scale.
    pub scale: f32,
    /// The rotary table that queries and keys were turned by; none where they were not.
    pub table: Option<Input>,
    /// Pairs of tokens further apart than this turn as if they were so far apart (ReRoPE); their distance is that of the table's
    /// rows.
    pub reach: Option<usize>,
    /// Linear attention: weights are scores over a sum, without a softmax, and may be negative. The statistics are 0 and that sum.
    pub linear: bool,
}

impl Heads {
    /// The table, where distances are clamped: scores are made by it.
    pub fn clamped_by(&self) -> Option<Input> {
        self.table.filter(|_| self.reach.is_some())
    }

    /// Whether its keys are of the source, not of the queries' own text.
    pub fn crosses(&self) -> bool {
        matches!(self.key.of, Operand::State(State { of: Axis::Source, .. }))
    }

    /// Keys of each sequence.
    pub fn keys(&self, sizes: Sizes) -> usize {
        if self.crosses() { sizes.source } else { sizes.keys() }
    }

    /// What is added to every score of a key, (batch, keys).
    pub fn mask(&self) -> Input {
        if self.crosses() { Input::SourceMask } else { Input::KeyMask }
    }

    /// Query rows that can be asked for: of a cache all there are, else those of the run.
    pub fn queries(&self, sizes: Sizes) -> usize {
        match self.query.of {
            Operand::State(_) => sizes.keys(),
            _ => sizes.length,
        }
    }

    /// The position in the sequence of query row 0 that can be asked for.
    pub fn first_query(&self, sizes: Sizes) -> usize {
        match self.query.of {
            Operand::State(_) => 0,
            _ => sizes.past,
        }
    }

    /// The key heads' own: which one a query head reads.
    pub fn key_head(&self, head: usize) -> usize {
        head / (self.query.heads / self.key.heads.max(1)).max(1)
    }
}

/// What one layer's heads weigh, and what takes it into the residual stream.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighed {
    /// Values as attention weighs them; each serves heads / value.heads query heads.
    pub value: View,
    /// The output projection without its bias, (hidden_size, heads · head_size): a head has columns of its own.
    pub output: (Weight, Format),
    /// Whether what a head gives is turned back by the query's position: then no value has a part of it that is the same for
    /// every query.
    pub turned_back: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Value;

    #[test]
    fn rows_of_a_state_lie_a_context_apart() {
        let sizes = Sizes { past: 4, context: 10, ..Sizes::new(2, 3, 0) };
        let of_value = View { of: Value::default().into(), first: 5, stride: 20, heads: 2, head_size: 4 };
        assert_eq!((of_value.pitch(sizes), of_value.at(1, 2, sizes)), (3, 5 * 20 + 5));
        let of_state = View { of: State { index: 0, width: 20, of: Axis::Keys }.into(), ..of_value };
        assert_eq!((of_state.pitch(sizes), of_state.at(1, 2, sizes)), (10, 12 * 20 + 5));
        assert_eq!(of_state.head(1).first, 9);
        assert_eq!((first_row(of_value.of, sizes), first_row(of_state.of, sizes)), (0, 4));
    }

    #[test]
    fn query_heads_share_key_heads() {
        let view = View { of: Operand::Nothing, first: 0, stride: 1, heads: 6, head_size: 2 };
        let heads = Heads {
            query: view,
            key: View { heads: 2, ..view },
            statistics: Operand::Nothing,
            causal: true,
            window: None,
            scale: 1.0,
            table: None,
            reach: None,
            linear: false,
        };
        assert_eq!([0, 1, 2, 3, 4, 5].map(|head| heads.key_head(head)), [0, 0, 0, 1, 1, 1]);
    }
}
