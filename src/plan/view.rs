//! Views: columns of the rows of a projection or a cache, such as all queries, or the keys of one head.

use super::{Axis, Operand, Sizes};

/// Columns first .. first + heads · head_size of rows of `stride` numbers. The rows are (batch, length) of a value or
/// (batch, context) of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct View {
    pub operand: Operand,
    pub first: usize,
    pub stride: usize,
    pub heads: usize,
    pub head_size: usize,
}

impl View {
    pub fn width(&self) -> usize {
        self.heads * self.head_size
    }

    /// The number of rows from the start of one sequence to the start of the next.
    pub fn pitch(&self, sizes: Sizes) -> usize {
        pitch(self.operand, sizes)
    }

    /// A text for error messages: "4 heads of 16 from column 64 of 192".
    pub fn describe(&self) -> String {
        format!("{} heads of {} from column {} of {}", self.heads, self.head_size, self.first, self.stride)
    }

    /// The same columns of one head.
    pub fn head(&self, head: usize) -> View {
        View { first: self.first + head * self.head_size, heads: 1, ..*self }
    }

    /// The index in the operand of the first column of row `row` of a sequence.
    pub fn at(&self, sequence: usize, row: usize, sizes: Sizes) -> usize {
        (sequence * self.pitch(sizes) + row) * self.stride + self.first
    }
}

/// The number of a sequence's rows in an operand with a row for each token: those of the run, or all of a state's context.
pub fn pitch(operand: Operand, sizes: Sizes) -> usize {
    match operand {
        Operand::State(state) => state.context(sizes),
        _ => sizes.length,
    }
}

/// The first row that a run writes in an operand with a row for each token.
pub fn first_row(operand: Operand, sizes: Sizes) -> usize {
    match operand {
        Operand::State(state) if state.axis != Axis::Source => sizes.past,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{State, Value};

    #[test]
    fn rows_of_a_state_have_the_distance_of_a_context() {
        let sizes = Sizes { past: 4, cache_capacity: 10, ..Sizes::new(2, 3, 0) };
        let of_value = View { operand: Value::default().into(), first: 5, stride: 20, heads: 2, head_size: 4 };
        assert_eq!((of_value.pitch(sizes), of_value.at(1, 2, sizes)), (3, 5 * 20 + 5));
        let of_state =
            View { operand: State { index: 0, width: 20, axis: Axis::Keys, is_f16: false }.into(), ..of_value };
        assert_eq!((of_state.pitch(sizes), of_state.at(1, 2, sizes)), (10, 12 * 20 + 5));
        assert_eq!(of_state.head(1).first, 9);
        assert_eq!((first_row(of_value.operand, sizes), first_row(of_state.operand, sizes)), (0, 4));
    }
}
