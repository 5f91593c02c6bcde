//! The weights on either side of a layer's neurons.

use crate::plan::Weight;

/// The weights that a neuron reads and writes by, and those of the tokens on both ends of the residual stream.
#[derive(Debug, Clone, Copy)]
pub struct NeuronWeights {
    /// (neurons, hidden_size); of a gated network each neuron's gate and then its up projection, (2 · neurons, hidden_size).
    pub up: Weight,
    pub is_gated: bool,
    /// (hidden_size, neurons)
    pub down: Weight,
    pub words: WordWeights,
    /// The output head's matrix, (vocab_size, hidden_size), where the head has nothing but that.
    pub output: Option<Weight>,
}

/// The vectors of tokens in the residual stream: `projection(scale · table[id])`.
#[derive(Debug, Clone, Copy)]
pub struct WordWeights {
    /// (vocab_size, embedding_size)
    pub table: Weight,
    pub scale: f32,
    /// (hidden_size, embedding_size); `None`: both are the same.
    pub projection: Option<Weight>,
}
