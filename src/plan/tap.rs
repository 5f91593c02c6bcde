//! The closed list of values that a run can keep, named as Hugging Face names them, counted from 0.

use super::{Value, View};
use std::fmt;

/// A point of the forward pass whose value can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tap {
    /// Input of layer N (0: the embeddings' output), or for N = layers the last layer's output, after the final norm where the
    /// family has one. (batch, length, hidden_size)
    HiddenStates(usize),
    /// Probabilities of layer N. (batch, heads, length, keys)
    Attentions(usize),
    /// Projections of layer N before rotation. (batch, heads, length, head_size)
    Query(usize),
    Key(usize),
    Value(usize),
    /// The same after rotation to their positions.
    QueryRotated(usize),
    KeyRotated(usize),
    /// ‖Σ_j a_ij v_j W_O‖: the norm of what each head of layer N writes into the residual stream, without the projection's bias.
    /// (batch, heads, length)
    Written(usize),
    /// Probabilities that residues touch, as ESM's regression tells them from all attention. (batch, length − 2, length − 2)
    Contacts,
}

impl Tap {
    /// Whether a model of so many layers has it.
    pub fn is_within(self, layers: usize) -> bool {
        match self {
            Tap::HiddenStates(layer) => layer <= layers,
            Tap::Attentions(layer)
            | Tap::Query(layer)
            | Tap::Key(layer)
            | Tap::Value(layer)
            | Tap::QueryRotated(layer)
            | Tap::KeyRotated(layer)
            | Tap::Written(layer) => layer < layers,
            Tap::Contacts => true,
        }
    }
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
            Tap::Written(n) => write!(f, "layer.{n}.written"),
            Tap::Contacts => f.write_str("contacts"),
        }
    }
}

/// Where a tap's numbers lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TapView {
    /// A whole value.
    Whole(Value),
    /// Columns of packed rows. `halves`: dimensions of each head whose pairs lie adjacent here, and half of it apart in Hugging
    /// Face's order, which is given back.
    Columns { value: Value, view: View, halves: usize },
}

impl TapView {
    /// The value that is kept for it.
    pub fn value(&self) -> Value {
        match *self {
            TapView::Whole(value) | TapView::Columns { value, .. } => value,
        }
    }

    /// Numbers in the tap's own order from the value's: (batch, length, stride) columns to (batch, heads, length, head_size).
    pub fn arrange(&self, data: Vec<f32>, batch: usize, length: usize) -> Vec<f32> {
        let TapView::Columns { view, halves, .. } = *self else { return data };
        let mut arranged = Vec::with_capacity(batch * length * view.width());
        for sequence in 0..batch {
            for head in 0..view.heads {
                for position in 0..length {
                    let start = (sequence * length + position) * view.stride + view.first + head * view.head_size;
                    let row = &data[start..start + view.head_size];
                    let (turned, rest) = row.split_at(halves.min(row.len()));
                    arranged.extend(turned.iter().step_by(2));
                    arranged.extend(turned.iter().skip(1).step_by(2));
                    arranged.extend(rest);
                }
            }
        }
        arranged
    }
}

/// The taps that a run keeps, in order: so few that a set would be more code than it saves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Taps(Vec<Tap>);

impl Taps {
    /// No taps.
    pub fn none() -> Self {
        Self::default()
    }

    /// Every tap of a model of so many layers.
    pub fn all(layers: usize) -> Self {
        let mut all = Self::none();
        for n in 0..=layers {
            let of_layer = [
                Tap::HiddenStates(n),
                Tap::Attentions(n),
                Tap::Query(n),
                Tap::Key(n),
                Tap::Value(n),
                Tap::QueryRotated(n),
                Tap::KeyRotated(n),
                Tap::Written(n),
            ];
            of_layer.into_iter().filter(|tap| tap.is_within(layers)).for_each(|tap| all.insert(tap));
        }
        all
    }

    pub fn insert(&mut self, tap: Tap) {
        if let Err(place) = self.0.binary_search(&tap) {
            self.0.insert(place, tap);
        }
    }

    pub fn contains(&self, tap: Tap) -> bool {
        self.0.binary_search(&tap).is_ok()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = Tap> {
        self.0.iter().copied()
    }
}

impl FromIterator<Tap> for Taps {
    fn from_iter<I: IntoIterator<Item = Tap>>(taps: I) -> Self {
        let mut kept = Self::none();
        taps.into_iter().for_each(|tap| kept.insert(tap));
        kept
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
    fn columns_come_out_by_head() {
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
        let value = Value::default();
        for (third, halves) in [(0, 0), (1, 4), (2, 2)] {
            let view = View { of: value.into(), first: third * 8, stride: 24, heads, head_size };
            let order = match halves {
                4 => [0, 2, 1, 3],
                _ => [0, 1, 2, 3],
            };
            let mut expected = Vec::new();
            for (sequence, head) in (0..batch).flat_map(|s| (0..heads).map(move |h| (s, h))) {
                for position in 0..length {
                    expected.extend(order.map(|at| tell(sequence, position, third, head, at)));
                }
            }
            let tap = TapView::Columns { value, view, halves };
            assert_eq!(tap.arrange(packed.clone(), batch, length), expected, "third {third}");
        }
        assert_eq!(TapView::Whole(value).arrange(packed.clone(), batch, length), packed);
    }
}
