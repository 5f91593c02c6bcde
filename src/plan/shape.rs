//! Shapes of values: a fixed width, and sizes that are known only when a plan runs.

/// The largest run that a plan's buffers hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Capacity {
    pub batch: usize,
    pub length: usize,
    /// Prediction rows: positions whose logits are wanted.
    pub rows: usize,
}

/// What one run holds, and the head that it reads back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    pub batch: usize,
    pub length: usize,
    pub rows: usize,
    /// Chosen layer and head, where one is read back.
    pub layer: usize,
    pub head: usize,
}

impl Sizes {
    /// Tokens of the batch: batch · length.
    pub fn tokens(&self) -> usize {
        self.batch * self.length
    }
}

impl From<Capacity> for Sizes {
    fn from(capacity: Capacity) -> Self {
        Sizes { batch: capacity.batch, length: capacity.length, rows: capacity.rows, layer: 0, head: 0 }
    }
}

/// Shape of a value, row-major and compact at the sizes of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// (batch, length, width)
    Tokens { width: usize },
    /// (rows, width): the gathered prediction rows.
    Rows { width: usize },
    /// (batch, heads, length, length): attention probabilities, query tokens down, key tokens across.
    Maps { heads: usize },
    /// (2, length, head_size): query and key rows of the chosen head of the first sequence.
    Head { head_size: usize },
}

impl Shape {
    /// Numbers that a run of these sizes fills.
    pub fn elements(self, sizes: Sizes) -> usize {
        match self {
            Shape::Tokens { width } => sizes.tokens() * width,
            Shape::Rows { width } => sizes.rows * width,
            Shape::Maps { heads } => sizes.batch * heads * sizes.length * sizes.length,
            Shape::Head { head_size } => 2 * sizes.length * head_size,
        }
    }

    /// Matrix rows of a value that is (rows, width), else none.
    pub fn matrix_rows(self, sizes: Sizes) -> usize {
        match self {
            Shape::Tokens { .. } => sizes.tokens(),
            Shape::Rows { .. } => sizes.rows,
            Shape::Maps { heads } => sizes.batch * heads * sizes.length,
            Shape::Head { .. } => 2 * sizes.length,
        }
    }

    /// The last axis, where it does not depend on the run.
    pub fn width(self) -> Option<usize> {
        match self {
            Shape::Tokens { width } | Shape::Rows { width } => Some(width),
            Shape::Head { head_size } => Some(head_size),
            Shape::Maps { .. } => None,
        }
    }

    /// The same rows with another width. Errors: `None` for maps, whose last axis is the length.
    pub fn with_width(self, width: usize) -> Option<Shape> {
        match self {
            Shape::Tokens { .. } => Some(Shape::Tokens { width }),
            Shape::Rows { .. } => Some(Shape::Rows { width }),
            Shape::Maps { .. } | Shape::Head { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_follow_the_sizes_of_the_run() {
        let sizes = Sizes { batch: 2, length: 5, rows: 3, ..Sizes::default() };
        for (shape, elements, rows, width) in [
            (Shape::Tokens { width: 7 }, 70, 10, Some(7)),
            (Shape::Rows { width: 7 }, 21, 3, Some(7)),
            (Shape::Maps { heads: 4 }, 200, 40, None),
            (Shape::Head { head_size: 6 }, 60, 10, Some(6)),
        ] {
            let found = (shape.elements(sizes), shape.matrix_rows(sizes), shape.width());
            assert_eq!(found, (elements, rows, width), "{}", shape.describe());
            if let Some(wider) = shape.with_width(9) {
                assert_eq!((wider.matrix_rows(sizes), wider.width()), (rows, Some(9)));
            }
        }
        assert_eq!(Shape::Maps { heads: 4 }.with_width(9), None);
    }
}
