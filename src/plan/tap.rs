//! The closed list of values that a run can keep, named as Hugging Face names them, counted from 0.

use super::Value;
use std::collections::BTreeSet;
use std::fmt;

/// A point of the forward pass whose value can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tap {
    /// Input of layer N (0: the embeddings' output), or the last layer's output for N = layers. (batch, length, hidden_size)
    HiddenStates(usize),
    /// Probabilities of layer N. (batch, heads, length, length)
    Attentions(usize),
    /// Projections of layer N before rotation. (batch, heads, length, head_size)
    Query(usize),
    Key(usize),
    Value(usize),
    /// The same after rotation to their positions.
    QueryRotated(usize),
    KeyRotated(usize),
}

impl fmt::Display for Tap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tap::HiddenStates(n) => write!(f, "hidden_states.{n}"),
            Tap::Attentions(n) => write!(f, "attentions.{n}"),
            Tap::Query(n) => write!(f, "layer.{n}.query"),
            Tap::Key(n) => write!(f, "layer.{n}.key"),
            Tap::Value(n) => write!(f, "layer.{n}.value"),
            Tap::QueryRotated(n) => write!(f, "layer.{n}.query.rotated"),
            Tap::KeyRotated(n) => write!(f, "layer.{n}.key.rotated"),
        }
    }
}

/// Where a tap's numbers lie: a whole value, or one of the three thirds of a packed projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TapView {
    pub value: Value,
    pub columns: Option<HeadColumns>,
}

/// Columns first .. first + heads · head_size of a packed (batch, length, 3 · hidden_size) projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadColumns {
    pub first: usize,
    pub heads: usize,
    pub head_size: usize,
    /// Width of the packed rows.
    pub stride: usize,
}

impl TapView {
    /// All of a value.
    pub fn whole(value: Value) -> Self {
        Self { value, columns: None }
    }

    /// Third `index` (0 query, 1 key, 2 value) of a packed projection.
    pub fn third(value: Value, index: usize, heads: usize, head_size: usize) -> Self {
        let hidden = heads * head_size;
        Self { value, columns: Some(HeadColumns { first: index * hidden, heads, head_size, stride: 3 * hidden }) }
    }

    /// Numbers in the tap's own order from the value's: (batch, length, stride) columns to (batch, heads, length, head_size).
    pub fn arrange(&self, data: Vec<f32>, batch: usize, length: usize) -> Vec<f32> {
        let Some(columns) = self.columns else { return data };
        let mut arranged = Vec::with_capacity(batch * length * columns.heads * columns.head_size);
        for sequence in 0..batch {
            for head in 0..columns.heads {
                for position in 0..length {
                    let start =
                        (sequence * length + position) * columns.stride + columns.first + head * columns.head_size;
                    arranged.extend_from_slice(&data[start..start + columns.head_size]);
                }
            }
        }
        arranged
    }
}

/// The taps that a run keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Taps(BTreeSet<Tap>);

impl Taps {
    /// No taps: attention then never stores its matrix.
    pub fn none() -> Self {
        Self::default()
    }

    pub fn insert(&mut self, tap: Tap) {
        self.0.insert(tap);
    }

    pub fn contains(&self, tap: Tap) -> bool {
        self.0.contains(&tap)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Tap> for Taps {
    fn from_iter<I: IntoIterator<Item = Tap>>(taps: I) -> Self {
        Self(taps.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_hugging_faces() {
        let names =
            [Tap::HiddenStates(0), Tap::Attentions(11), Tap::Query(2), Tap::KeyRotated(3)].map(|tap| tap.to_string());
        assert_eq!(names, ["hidden_states.0", "attentions.11", "layer.2.query", "layer.3.key.rotated"]);
    }

    #[test]
    fn thirds_come_out_by_head() {
        let (batch, length, heads, head_size) = (2, 3, 2, 4);
        // Each number tells where it lies.
        let tell = |sequence: usize, position: usize, third: usize, head: usize, at: usize| {
            (((sequence * 10 + position) * 10 + third) * 10 + head) as f32 + at as f32 / 10.0
        };
        let mut packed = Vec::new();
        for (sequence, position) in (0..batch).flat_map(|s| (0..length).map(move |p| (s, p))) {
            for (third, head) in (0..3).flat_map(|t| (0..heads).map(move |h| (t, h))) {
                packed.extend((0..head_size).map(|at| tell(sequence, position, third, head, at)));
            }
        }
        for third in 0..3 {
            let view = TapView::third(Value::default(), third, heads, head_size);
            let mut expected = Vec::new();
            for (sequence, head) in (0..batch).flat_map(|s| (0..heads).map(move |h| (s, h))) {
                for position in 0..length {
                    expected.extend((0..head_size).map(|at| tell(sequence, position, third, head, at)));
                }
            }
            assert_eq!(view.arrange(packed.clone(), batch, length), expected, "third {third}");
        }
        assert_eq!(TapView::whole(Value::default()).arrange(packed.clone(), batch, length), packed);
    }
}
