//! The inputs of one run.

use crate::plan::Input;

/// The inputs of one run, without padding. [`Input`] documents their shapes; an input that the plan does not use is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunInputs {
    pub ids: Vec<u32>,
    pub token_types: Vec<u32>,
    pub positions: Vec<u32>,
    pub key_mask: Vec<f32>,
    pub source_mask: Vec<f32>,
    pub row_indices: Vec<u32>,
    pub labels: Vec<u32>,
    pub penalised_ids: Vec<u32>,
    pub penalty: Vec<f32>,
    pub pair_modes: Vec<u32>,
    pub head_ablations: Vec<u32>,
    pub query_scales: Vec<f32>,
    pub embedding_scales: Vec<f32>,
    pub token_mask: Vec<f32>,
}

impl RunInputs {
    /// An input of u32 numbers; empty for an input of f32.
    pub(super) fn indices(&self, input: Input) -> &[u32] {
        match input {
            Input::Ids => &self.ids,
            Input::TokenTypes => &self.token_types,
            Input::Positions => &self.positions,
            Input::RowIndices => &self.row_indices,
            Input::Labels => &self.labels,
            Input::PenalisedIds => &self.penalised_ids,
            Input::PairModes { .. } => &self.pair_modes,
            Input::HeadAblations { .. } => &self.head_ablations,
            _ => &[],
        }
    }

    /// An input of f32 numbers; empty for an input of u32 and for rotary tables, which plans store themselves.
    pub(super) fn numbers(&self, input: Input) -> &[f32] {
        match input {
            Input::KeyMask => &self.key_mask,
            Input::SourceMask => &self.source_mask,
            Input::Penalty => &self.penalty,
            Input::QueryScales => &self.query_scales,
            Input::EmbeddingScales => &self.embedding_scales,
            Input::TokenMask => &self.token_mask,
            _ => &[],
        }
    }

    /// The bytes of an input of either type.
    pub(super) fn bytes(&self, input: Input) -> &[u8] {
        match self.indices(input) {
            [] => bytemuck::cast_slice(self.numbers(input)),
            indices => bytemuck::cast_slice(indices),
        }
    }
}
