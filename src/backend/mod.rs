//! Two backends that run the same plan: the CPU's walk and the GPU's compute pass.

mod cancellation;
pub mod cpu;
pub mod gpu;
mod laid_out;
mod reads;

pub use cancellation::{Cancellation, NeverCancelled};
pub use laid_out::{LaidOut, States, Weights};
pub use reads::{Read, ReadBack, Reads, Ticket};

use crate::plan::Input;

/// What is written before a run; compact at its sizes. See [`Input`] for the shapes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunInputs {
    pub ids: Vec<u32>,
    pub token_types: Vec<u32>,
    pub positions: Vec<u32>,
    pub key_mask: Vec<f32>,
    pub source_mask: Vec<f32>,
    pub row_indices: Vec<u32>,
    pub labels: Vec<u32>,
    pub seen: Vec<u32>,
    pub penalty: Vec<f32>,
    pub pairs: Vec<u32>,
    pub head_ablations: Vec<u32>,
    pub query_scales: Vec<f32>,
    pub embedding_scales: Vec<f32>,
    pub kept: Vec<f32>,
}

impl RunInputs {
    /// The u32 numbers of an input; none of one that holds f32.
    fn indices(&self, input: Input) -> &[u32] {
        match input {
            Input::Ids => &self.ids,
            Input::TokenTypes => &self.token_types,
            Input::Positions => &self.positions,
            Input::RowIndices => &self.row_indices,
            Input::Labels => &self.labels,
            Input::Seen => &self.seen,
            Input::PairModes { .. } => &self.pairs,
            Input::HeadAblations { .. } => &self.head_ablations,
            _ => &[],
        }
    }

    /// The f32 numbers of an input; none of one that holds u32. Rotary tables are kept apart.
    fn numbers(&self, input: Input) -> &[f32] {
        match input {
            Input::KeyMask => &self.key_mask,
            Input::SourceMask => &self.source_mask,
            Input::Penalty => &self.penalty,
            Input::QueryScales => &self.query_scales,
            Input::EmbeddingScales => &self.embedding_scales,
            Input::TokenMask => &self.kept,
            _ => &[],
        }
    }

    /// The words of an input, whatever their type.
    fn bytes(&self, input: Input) -> &[u8] {
        match self.indices(input) {
            [] => bytemuck::cast_slice(self.numbers(input)),
            indices => bytemuck::cast_slice(indices),
        }
    }
}

/// Numbers of one state that are copied from one sequence's to another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// By its index.
    pub state: usize,
    /// The first number, there and here.
    pub from: usize,
    pub to: usize,
    pub count: usize,
}
