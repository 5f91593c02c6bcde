//! Shapes of values: a fixed width, and sizes that only a run determines. Counts are u64, because usize has 32 bits in a browser.

use strum::IntoStaticStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Axis {
    Batch,
    /// Tokens of each sequence that the run computes.
    Length,
    /// Tokens that a query may attend to: those of earlier runs and of this one.
    Keys,
    /// One more than the keys.
    #[strum(serialize = "1 + keys")]
    KeysAndOne,
    Rows,
    /// Tokens of the source that a decoder attends to.
    Source,
    /// Chunks of [`CHUNK`] tokens of the run; the last one may be shorter.
    Chunks,
}

/// Tokens between two sums that causal linear attention stores.
pub const CHUNK: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    Of(Axis),
    Fixed(usize),
}

impl Extent {
    pub const ONE: Extent = Extent::Fixed(1);

    fn at(self, sizes: Sizes) -> u64 {
        match self {
            Extent::Of(Axis::Batch) => sizes.batch as u64,
            Extent::Of(Axis::Length) => sizes.length as u64,
            Extent::Of(Axis::Keys) => sizes.keys() as u64,
            Extent::Of(Axis::KeysAndOne) => sizes.keys() as u64 + 1,
            Extent::Of(Axis::Rows) => sizes.rows as u64,
            Extent::Of(Axis::Source) => sizes.source as u64,
            Extent::Of(Axis::Chunks) => sizes.length.div_ceil(CHUNK) as u64,
            Extent::Fixed(size) => size as u64,
        }
    }

    fn name(self) -> String {
        match self {
            Extent::Of(axis) => <&str>::from(axis).into(),
            Extent::Fixed(size) => size.to_string(),
        }
    }
}

/// The largest run that a plan's buffers hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Capacity {
    pub batch: usize,
    pub length: usize,
    /// Tokens that a query may attend to; without a cache the length.
    pub keys: usize,
    /// Prediction rows: positions whose logits are computed.
    pub rows: usize,
    /// Tokens of the source; 0 without one.
    pub source: usize,
}

impl Capacity {
    /// Without a cache.
    pub fn new(batch: usize, length: usize, rows: usize) -> Self {
        Self { batch, length, keys: length, rows, source: 0 }
    }

    pub fn holds(&self, sizes: Sizes) -> bool {
        sizes.batch <= self.batch
            && sizes.length <= self.length
            && sizes.keys() <= self.keys
            && sizes.rows <= self.rows
            && sizes.source <= self.source
    }
}

/// The sizes of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    pub batch: usize,
    pub length: usize,
    /// Tokens of each sequence in the states before the run.
    pub past: usize,
    /// The most tokens of a sequence in the states; 0 without states.
    pub cache_capacity: usize,
    pub rows: usize,
    /// Tokens of each sequence's source; 0 without a source.
    pub source: usize,
    /// The most tokens of a source in the states; 0 without a source.
    pub source_capacity: usize,
}

impl Sizes {
    /// A run without a cache.
    pub fn new(batch: usize, length: usize, rows: usize) -> Self {
        Self { batch, length, rows, ..Self::default() }
    }

    /// Tokens of the batch that the run computes: batch · length.
    pub fn tokens(&self) -> usize {
        self.batch * self.length
    }

    /// Tokens of a sequence that a query may attend to.
    pub fn keys(&self) -> usize {
        self.past + self.length
    }
}

impl From<Capacity> for Sizes {
    fn from(capacity: Capacity) -> Self {
        Sizes {
            batch: capacity.batch,
            length: capacity.length,
            past: capacity.keys.saturating_sub(capacity.length),
            cache_capacity: capacity.keys,
            rows: capacity.rows,
            source: capacity.source,
            source_capacity: capacity.source,
        }
    }
}

/// Shape of a value, row-major and compact at the sizes of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    pub rows: [Extent; 3],
    pub width: Extent,
}

impl Shape {
    /// (batch, length, width)
    pub fn tokens(width: usize) -> Self {
        let rows = [Extent::Of(Axis::Batch), Extent::Of(Axis::Length), Extent::ONE];
        Self { rows, width: Extent::Fixed(width) }
    }

    /// (rows, width): the gathered prediction rows.
    pub fn rows(width: usize) -> Self {
        Self { rows: [Extent::Of(Axis::Rows), Extent::ONE, Extent::ONE], width: Extent::Fixed(width) }
    }

    /// Whether its rows are the tokens of the batch.
    pub fn is_tokens(self) -> bool {
        self.rows == Shape::tokens(1).rows
    }

    /// Whether its rows are the gathered prediction rows.
    pub fn is_rows(self) -> bool {
        self.rows == Shape::rows(1).rows
    }

    /// Numbers of a value with this shape in a run; `u64::MAX` if the count overflows.
    pub fn elements(self, sizes: Sizes) -> u64 {
        self.matrix_rows(sizes).saturating_mul(self.width.at(sizes))
    }

    /// Rows of it as a matrix (rows, width).
    pub fn matrix_rows(self, sizes: Sizes) -> u64 {
        self.rows.iter().fold(1, |product: u64, extent| product.saturating_mul(extent.at(sizes)))
    }

    /// The width, unless it depends on the run.
    pub fn fixed_width(self) -> Option<usize> {
        match self.width {
            Extent::Fixed(width) => Some(width),
            Extent::Of(_) => None,
        }
    }

    /// The same rows with another width.
    pub fn with_width(self, width: usize) -> Shape {
        Shape { width: Extent::Fixed(width), ..self }
    }

    /// Its axes at these sizes, without fixed ones of size 1.
    pub fn dimensions(self, sizes: Sizes) -> Vec<usize> {
        let rows = self.rows.into_iter().filter(|extent| *extent != Extent::ONE);
        rows.chain([self.width]).map(|extent| extent.at(sizes) as usize).collect()
    }

    /// A text for error messages: "(batch, length, 256)".
    pub fn describe(self) -> String {
        let rows = self.rows.into_iter().filter(|extent| *extent != Extent::ONE);
        let names: Vec<String> = rows.chain([self.width]).map(Extent::name).collect();
        format!("({})", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_follow_the_sizes_of_the_run() {
        let sizes = Sizes { past: 4, cache_capacity: 16, ..Sizes::new(2, 5, 3) };
        let keys = Shape { rows: [Extent::Of(Axis::Batch), Extent::ONE, Extent::ONE], width: Extent::Of(Axis::Keys) };
        for (shape, elements, rows, dimensions, name) in [
            (Shape::tokens(7), 70, 10, vec![2, 5, 7], "(batch, length, 7)"),
            (Shape::rows(7), 21, 3, vec![3, 7], "(rows, 7)"),
            (keys, 18, 2, vec![2, 9], "(batch, keys)"),
        ] {
            assert_eq!((shape.elements(sizes), shape.matrix_rows(sizes)), (elements, rows), "{name}");
            assert_eq!((shape.dimensions(sizes), shape.describe()), (dimensions, name.to_string()));
        }
        assert_eq!(Shape::tokens(7).with_width(9), Shape::tokens(9));
        assert!(Shape::tokens(3).is_tokens() && !Shape::rows(3).is_tokens());
        assert_eq!((keys.fixed_width(), Shape::rows(7).fixed_width()), (None, Some(7)));
    }

    /// 2 layers of 16 heads at 16,384 tokens have 2³² weights a layer: in 32 bits that is none.
    #[test]
    fn what_passes_32_bits_is_counted() {
        let map = |heads| Shape {
            width: Extent::Of(Axis::Keys),
            rows: [Extent::Fixed(heads), Extent::Of(Axis::Length), Extent::ONE],
        };
        assert_eq!(map(16).elements(Sizes::new(1, 16_384, 0)), 1 << 32);
        assert_eq!(map(1024).elements(Sizes::new(1, usize::MAX, 0)), u64::MAX);
    }
}
