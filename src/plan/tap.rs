//! Taps: the sites that a run keeps, and where their numbers are.

use super::{Index, Part, Site, TensorName, Value, View};

/// The place of a tap's numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TapView {
    /// All columns of a value.
    Value(Value),
    /// Columns first, first + 2, … of a value: the gate or the up projection of a gated feed-forward network.
    EverySecond { value: Value, first: usize },
    /// The softmax of each row of a value.
    Softmax(Value),
    /// A number that a norm computes of each row.
    Statistic { value: Value, of: RowStatistic },
    /// Columns of a value. `halves`: how many dimensions of each head change from adjacent pairs to Hugging Face's half-split order.
    Columns { value: Value, view: View, halves: usize },
}

/// A statistic of a row that a norm computes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowStatistic {
    /// The mean, which LayerNorm subtracts.
    Mean,
    /// 1 / √(variance + ε) with `centres` (LayerNorm), else 1 / √(mean of squares + ε) (RMS norm).
    Scale { centres: bool, epsilon: f32 },
}

impl RowStatistic {
    /// Its value in f64. row: (width).
    fn compute(self, row: &[f32]) -> f64 {
        let numbers = || row.iter().map(|number| f64::from(*number));
        let mean = numbers().sum::<f64>() / row.len() as f64;
        match self {
            RowStatistic::Mean => mean,
            RowStatistic::Scale { centres, epsilon } => {
                let centre = if centres { mean } else { 0.0 };
                let squares: f64 = numbers().map(|number| (number - centre).powi(2)).sum();
                (squares / row.len() as f64 + f64::from(epsilon)).sqrt().recip()
            }
        }
    }
}

/// e^(number − maximum) / sum, in f64.
pub fn softmax(row: &[f32]) -> Vec<f32> {
    let maximum = row.iter().copied().fold(f32::MIN, f32::max);
    let exponentials: Vec<f64> = row.iter().map(|number| f64::from(number - maximum).exp()).collect();
    let sum: f64 = exponentials.iter().sum();
    exponentials.into_iter().map(|exponential| (exponential / sum) as f32).collect()
}

impl TapView {
    /// The value that a run keeps. For columns it is the value with all its columns.
    pub fn value(&self) -> Value {
        match *self {
            TapView::Value(value)
            | TapView::Softmax(value)
            | TapView::EverySecond { value, .. }
            | TapView::Statistic { value, .. }
            | TapView::Columns { value, .. } => value,
        }
    }

    /// The row and the column of its value with the number at an index of the tap: row and column, or head, row and column of
    /// [`TapView::Columns`]. Rows are those of all tokens.
    pub fn cell(&self, [first, second, third]: [usize; 3]) -> [usize; 2] {
        match *self {
            TapView::EverySecond { first: offset, .. } => [first, 2 * second + offset],
            TapView::Columns { view, halves, .. } => {
                let half = halves / 2;
                let column = match third {
                    third if third < half => 2 * third,
                    third if third < 2 * half => 2 * (third - half) + 1,
                    third => third,
                };
                [second, view.first + first * view.head_size + column]
            }
            _ => [first, second],
        }
    }

    /// The inverse of [`TapView::cell`]: the index of a number of its value; `None` if the tap does not have that number.
    pub fn index(&self, row: usize, column: usize) -> Option<[Index; 3]> {
        let at = Index::At;
        match *self {
            TapView::Value(_) => Some([at(row), at(column), Index::All]),
            TapView::EverySecond { first, .. } => {
                (column % 2 == first).then_some([at(row), at(column / 2), Index::All])
            }
            TapView::Columns { view, halves, .. } => {
                let column = column.checked_sub(view.first).filter(|column| *column < view.width())?;
                let (head, column) = (column / view.head_size, column % view.head_size);
                let column = if column < halves { column / 2 + column % 2 * (halves / 2) } else { column };
                Some([at(head), at(row), at(column)])
            }
            TapView::Softmax(_) | TapView::Statistic { .. } => None,
        }
    }

    /// Takes the tap's numbers out of the value's: columns of (batch, length, stride) to (batch, heads, length, head_size).
    pub fn arrange(&self, data: Vec<f32>, batch: usize, length: usize) -> Vec<f32> {
        let width = (data.len() / (batch * length).max(1)).max(1);
        let (view, halves) = match *self {
            TapView::Value(_) => return data,
            // A row has an even number of columns.
            TapView::EverySecond { first, .. } => return data.into_iter().skip(first).step_by(2).collect(),
            TapView::Softmax(_) => return data.chunks_exact(width).flat_map(softmax).collect(),
            TapView::Statistic { of, .. } => {
                return data.chunks_exact(width).map(|row| of.compute(row) as f32).collect();
            }
            TapView::Columns { view, halves, .. } => (view, halves),
        };
        let mut arranged = Vec::with_capacity(batch * length * view.width());
        for sequence in 0..batch {
            for head in 0..view.heads {
                for position in 0..length {
                    let start = (sequence * length + position) * view.stride + view.first + head * view.head_size;
                    let row = &data[start..start + view.head_size];
                    let (rotated, rest) = row.split_at(halves.min(row.len()));
                    arranged.extend(rotated.iter().step_by(2));
                    arranged.extend(rotated.iter().skip(1).step_by(2));
                    arranged.extend(rest);
                }
            }
        }
        arranged
    }
}

/// The sites that a run keeps, sorted. Each is a tensor of one layer with all its entries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Taps(Vec<Site>);

impl Taps {
    /// Of a run that keeps no site.
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds a site in sorted order; no change if the taps have it already.
    pub fn insert(&mut self, site: Site) {
        if let Err(place) = self.0.binary_search(&site) {
            self.0.insert(place, site);
        }
    }

    /// Whether a run keeps exactly this site; an entry of a tensor is another site than the tensor.
    pub fn contains(&self, site: Site) -> bool {
        self.0.binary_search(&site).is_ok()
    }

    /// The taps that the plan of one part of an encoder–decoder has to keep, those of cross-attention included.
    pub fn of_plan(&self, part: Part) -> Self {
        // The encoder's plan computes the source's keys and values, the decoder's everything else of cross-attention.
        let of_source = |site: Site| [TensorName::Key, TensorName::Value].contains(&site.tensor);
        let plan_of = |site: Site| match site.part {
            Part::Cross if of_source(site) => Part::Encoder,
            Part::Cross => Part::Decoder,
            own => own,
        };
        self.iter().filter(|site| plan_of(*site) == part).collect()
    }

    /// Whether a run keeps no site: only then need it not compute cached tokens again.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sites, sorted, each once.
    pub fn iter(&self) -> impl Iterator<Item = Site> {
        self.0.iter().copied()
    }
}

impl FromIterator<Site> for Taps {
    fn from_iter<I: IntoIterator<Item = Site>>(taps: I) -> Self {
        let mut all = Self::none();
        taps.into_iter().for_each(|site| all.insert(site));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_out_by_head() {
        let (batch, length, heads, head_size) = (2, 3, 2, 4);
        // Each number encodes its indices.
        let encode = |sequence: usize, position: usize, third: usize, head: usize, at: usize| {
            (((sequence * 10 + position) * 10 + third) * 10 + head) as f32 + at as f32 / 10.0
        };
        let mut numbers = Vec::new();
        for (sequence, position) in (0..batch).flat_map(|s| (0..length).map(move |p| (s, p))) {
            for (third, head) in (0..3).flat_map(|t| (0..heads).map(move |h| (t, h))) {
                numbers.extend((0..head_size).map(|at| encode(sequence, position, third, head, at)));
            }
        }
        let value = Value::default();
        for (third, halves) in [(0, 0), (1, 4), (2, 2)] {
            let view = View { operand: value.into(), first: third * 8, stride: 24, heads, head_size };
            let order = match halves {
                4 => [0, 2, 1, 3],
                _ => [0, 1, 2, 3],
            };
            let mut expected = Vec::new();
            for (sequence, head) in (0..batch).flat_map(|s| (0..heads).map(move |h| (s, h))) {
                for position in 0..length {
                    expected.extend(order.map(|at| encode(sequence, position, third, head, at)));
                }
            }
            let tap = TapView::Columns { value, view, halves };
            assert_eq!(tap.arrange(numbers.clone(), batch, length), expected, "third {third}");
        }
        assert_eq!(TapView::Value(value).arrange(numbers.clone(), batch, length), numbers);
    }
}
