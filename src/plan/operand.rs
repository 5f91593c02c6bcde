//! Operands of ops: values, weights, states and inputs, and whether an op reads or writes them.

use super::{Axis, Shape, Sizes};

/// An activation of a plan. Copying the handle copies no numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Value(pub(super) usize);

impl Value {
    /// The index of its shape in `Plan::shapes`, and of its slot in `Slots::of`.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A weight matrix (rows, columns), row-major as PyTorch's `Linear` stores it; a vector has one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Weight {
    pub index: usize,
    pub rows: usize,
    pub columns: usize,
}

/// Numbers that stay from run to run: keys and values of earlier tokens or of a source, or sums of them. (batch, context, width),
/// where the context is the sequence's capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub index: usize,
    /// Numbers of one token, or of a sequence if the state is recurrent.
    pub width: usize,
    /// The axis of its rows: [`Axis::Keys`] for the text's tokens, [`Axis::Source`] for the source's, or [`Axis::Batch`] for a recurrent
    /// state, (batch, width), which sums over the tokens of a sequence.
    pub axis: Axis,
    /// Its numbers are f16, else f32.
    pub is_f16: bool,
}

impl State {
    /// Whether it has one row a sequence, which sums over the tokens.
    pub fn is_recurrent(self) -> bool {
        self.axis == Axis::Batch
    }

    /// The most rows of a sequence.
    pub fn context(self, sizes: Sizes) -> usize {
        match self.axis {
            Axis::Source => sizes.source_capacity,
            Axis::Batch => 1,
            _ => sizes.cache_capacity,
        }
    }

    /// Bytes of a number.
    pub fn number_bytes(self) -> u64 {
        if self.is_f16 { 2 } else { 4 }
    }

    /// Numbers of all its rows at these sizes.
    pub fn elements(self, sizes: Sizes) -> u64 {
        let factors = [sizes.batch, self.context(sizes), self.width];
        factors.into_iter().fold(1, |product: u64, factor| product.saturating_mul(factor as u64))
    }
}

/// Small inputs that are written before every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
    /// u32 token ids (batch, length)
    Ids,
    /// u32 token type ids (batch, length)
    TokenTypes,
    /// u32 rows of the rotary table (batch, length): position ids, counted from the table's first position
    Positions,
    /// f32 added to every score of a key (batch, keys): 0, or f32::MIN where the attention mask is 0
    KeyMask,
    /// The same for the source (batch, source)
    SourceMask,
    /// u32 flattened positions sequence · length + position of the prediction rows (rows)
    RowIndices,
    /// f32 cos and sin of position · θ_i of one of the model's ropes (keys, head_size / 2, 2), made in f64
    Rotary { rope: usize, head_size: usize },
    /// u32 label of each prediction row, or [`crate::ops::IGNORED`] (rows)
    Labels,
    /// u32: for each prediction row the count of distinct ids before it, then these ids (rows, 1 + keys)
    PenalisedIds,
    /// f32 the repetition penalty (1)
    Penalty,
    /// u32 bits of the vocabulary's ids, the lowest first: 1 for a token that a prediction row must not have (rows, words)
    Bans { words: usize },
    /// u32 for the draw of each prediction row: bits of f32 1 / temperature, top-k or 0, bits of f32 1 − top-p, bits of f32 ln min-p or
    /// f32::MIN, the lower and the upper 32 random bits (rows, 6)
    Draws,
    /// u32 [`PairMode`] of each pair of each query and key head (layers · heads, pairs)
    PairModes { heads: usize, pairs: usize },
    /// f32 factor of the queries of each token (batch, length)
    QueryScales,
    /// f32 factor of the embedding of each token, before its norm (batch, length)
    EmbeddingScales,
    /// f32 1 for a token, 0 for padding (batch, length)
    TokenMask,
    /// u32 [`HeadAblation`] of each row of each head, or 0 (layers · heads, length)
    HeadAblations { heads: usize },
    /// u32 entries of each tensor of each layer, see [`NumberTensors`](super::NumberTensors): the number of the first one of each target, then
    /// of all, then the entries (1 + targets + entries · 4)
    NumberEntries { targets: usize, entries: usize },
}

/// Words of a row of [`Input::Draws`].
pub const DRAW_WORDS: usize = 6;

/// Words of an entry of [`Input::NumberEntries`]: head, row, column, and the bits of the number.
pub const ENTRY_WORDS: usize = 4;

/// The treatment of a pair of components of a query or key head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum PairMode {
    Rotated = 0,
    /// Not rotated: θ = 0. The rope's magnitude stays.
    Frozen = 1,
    /// Set to 0, so that its part of the score is 0.
    Ablated = 2,
}

/// The replacement of a head's output, before the output projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum HeadAblation {
    Zero = 1,
    /// The output's mean over all tokens of the sequence that are not padding, later ones included.
    Mean = 2,
}

impl Input {
    /// Its shape; f32 or u32 numbers alike.
    pub fn shape(self) -> Shape {
        use super::Extent;
        let matrix = |rows, width| Shape { rows: [rows, Extent::ONE, Extent::ONE], width };
        match self {
            Input::Ids | Input::TokenTypes | Input::Positions => Shape::tokens(1),
            Input::QueryScales | Input::EmbeddingScales | Input::TokenMask => Shape::tokens(1),
            Input::KeyMask => matrix(Extent::Of(Axis::Batch), Extent::Of(Axis::Keys)),
            Input::SourceMask => matrix(Extent::Of(Axis::Batch), Extent::Of(Axis::Source)),
            Input::RowIndices | Input::Labels => Shape::rows(1),
            Input::Rotary { head_size, .. } => matrix(Extent::Of(Axis::Keys), Extent::Fixed(head_size)),
            Input::PenalisedIds => matrix(Extent::Of(Axis::Rows), Extent::Of(Axis::KeysAndOne)),
            Input::PairModes { heads, pairs } => matrix(Extent::Fixed(heads), Extent::Fixed(pairs)),
            Input::HeadAblations { heads } => matrix(Extent::Fixed(heads), Extent::Of(Axis::Length)),
            Input::NumberEntries { targets, entries } => {
                matrix(Extent::ONE, Extent::Fixed(1 + targets + entries * ENTRY_WORDS))
            }
            Input::Penalty => matrix(Extent::ONE, Extent::ONE),
            Input::Bans { words } => Shape::rows(words),
            Input::Draws => Shape::rows(DRAW_WORDS),
        }
    }
}

/// Anything that is bound to a storage binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    Value(Value),
    State(State),
    Weight(Weight),
    Input(Input),
    /// The result of a probe of a finished run.
    Results,
    /// A binding that the shader declares and does not use under these conditions.
    Nothing,
}

impl Operand {
    /// Whether it is a KV cache of f16 numbers.
    pub fn is_f16(self) -> bool {
        matches!(self, Operand::State(State { is_f16: true, .. }))
    }
}

/// The access of an op to an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    Read,
    Write,
    /// Reads and writes it in place.
    Change,
}

/// One operand of an op.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Use {
    /// The name of the shader's binding.
    pub name: &'static str,
    pub operand: Operand,
    pub access: Access,
}

impl Use {
    pub fn read(name: &'static str, operand: impl Into<Operand>) -> Self {
        Self { name, operand: operand.into(), access: Access::Read }
    }

    /// Writes all of a value, or some rows of a state.
    pub fn write(name: &'static str, operand: impl Into<Operand>) -> Self {
        let operand = operand.into();
        let access = if matches!(operand, Operand::State(_)) { Access::Change } else { Access::Write };
        Self { name, operand, access }
    }

    pub fn change(name: &'static str, operand: impl Into<Operand>) -> Self {
        Self { name, operand: operand.into(), access: Access::Change }
    }

    /// An operand that only some variants of a shader read.
    pub fn read_if<T: Into<Operand>>(name: &'static str, operand: Option<T>) -> Self {
        Self::read(name, operand.map_or(Operand::Nothing, Into::into))
    }

    /// Whether the op writes it.
    pub fn writes(&self) -> bool {
        self.access != Access::Read
    }

    /// The operand, if it is a value.
    pub fn value(&self) -> Option<Value> {
        match self.operand {
            Operand::Value(value) => Some(value),
            _ => None,
        }
    }
}

impl From<Value> for Operand {
    fn from(value: Value) -> Self {
        Operand::Value(value)
    }
}

impl From<State> for Operand {
    fn from(state: State) -> Self {
        Operand::State(state)
    }
}

impl From<Weight> for Operand {
    fn from(weight: Weight) -> Self {
        Operand::Weight(weight)
    }
}

impl From<Input> for Operand {
    fn from(input: Input) -> Self {
        Operand::Input(input)
    }
}
