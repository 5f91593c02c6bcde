//! The options of a plan: its capacity, its outputs and its interventions.

use super::{Capacity, NumberTensors, Part, Taps};

/// The outputs of a model's plan, its capacity, and the interventions that it has ops for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanOptions {
    /// The largest run.
    pub capacity: Capacity,
    /// The stack whose pass it is: the encoder's or the decoder's.
    pub part: Part,
    /// Sites that a run keeps.
    pub taps: Taps,
    /// Keeps queries, keys and statistics of every layer, so that probes can read them after a run.
    pub keeps_heads: bool,
    /// Attends to keys and values of earlier runs, and adds those of each run to the KV cache.
    pub has_cache: bool,
    /// Computes logits for gathered prediction rows only (vocabulary heads).
    pub gathers_rows: bool,
    /// Reads the top k of each row instead of its logits; 0: the logits.
    pub top_k: usize,
    /// Applies the repetition penalty to the logits.
    pub has_penalty: bool,
    /// Leaves the tokens of [`Input::Bans`](super::Input::Bans) out of the top k and of draws.
    pub has_bans: bool,
    /// Draws a token of each row (gathered rows of vocabulary heads).
    pub draws: bool,
    /// Computes −log p of each row's label (gathered rows of vocabulary heads).
    pub scores_labels: bool,
    /// Computes the logit lens: the top k of every layer's hidden states (gathered rows of vocabulary heads).
    pub has_lens: bool,
    /// The interventions that a run may bring.
    pub interventions: InterventionKinds,
    /// Splits work that has few workgroups over several dispatches. Only a GPU runs such a plan.
    pub splits_work: bool,
    /// Products read f16 weights as 16-bit floats, and not as words. Only a GPU that has them in shaders runs such a plan.
    pub f16_weights: bool,
    /// Stores keys and values of the text in the KV cache as f16. Only a GPU that has 16-bit floats in shaders runs such a plan.
    pub f16_cache: bool,
}

impl PlanOptions {
    /// Logits of every token, without a cache, taps, heads or interventions.
    pub fn new(capacity: Capacity) -> Self {
        Self {
            capacity,
            part: Part::Decoder,
            taps: Taps::none(),
            keeps_heads: false,
            has_cache: false,
            gathers_rows: false,
            top_k: 0,
            has_penalty: false,
            has_bans: false,
            draws: false,
            scores_labels: false,
            has_lens: false,
            interventions: InterventionKinds::default(),
            splits_work: false,
            f16_weights: false,
            f16_cache: false,
        }
    }
}

/// The kinds of interventions that a plan has ops for. Their values are inputs of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct InterventionKinds {
    /// Pairs of components may be frozen or ablated.
    pub pairs: bool,
    /// Heads may be ablated.
    pub heads: bool,
    /// Values are rotated to their positions, and head outputs back by the query's position.
    pub rotated_values: bool,
    /// Queries are scaled by token.
    pub scaled_queries: bool,
    /// The largest distance at which scores are computed (ReRoPE): larger ones are clamped to it.
    pub max_distance: Option<usize>,
    /// Tensors in which numbers may be put.
    pub numbers: NumberTensors,
}
