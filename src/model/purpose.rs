//! What a model's plan has to compute, and the plan that does.

use crate::plan::{Capacity, Finished, InterventionKinds, Part, Taps, Value};

/// What a plan of a model is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purpose {
    pub capacity: Capacity,
    /// Whose pass it is: the encoder's, or the decoder's.
    pub part: Part,
    /// Taps to keep.
    pub taps: Taps,
    /// Whether heads can be looked at after the run.
    pub keeps_heads: bool,
    /// Whether keys and values of earlier runs are looked at, and those of this one kept.
    pub cached: bool,
    /// Whether logits are made only for gathered prediction rows (vocabulary heads).
    pub gathers: bool,
    /// k of the fills that are read instead of logits; 0: logits.
    pub top_k: usize,
    /// Whether logits of ids that were seen are penalised.
    pub penalises: bool,
    /// Whether given labels are scored (gathered rows of vocabulary heads).
    pub scores_labels: bool,
    /// Whether fills of every layer's hidden states are made, too (gathered rows of vocabulary heads).
    pub lens: bool,
    /// What may be changed in a run.
    pub intervenes: InterventionKinds,
    /// For a GPU: work of few workgroups is spread over more dispatches.
    pub spreads: bool,
}

impl Purpose {
    /// Logits at every token and nothing else.
    pub fn new(capacity: Capacity) -> Self {
        Self {
            capacity,
            part: Part::Decoder,
            taps: Taps::none(),
            keeps_heads: false,
            cached: false,
            gathers: false,
            top_k: 0,
            penalises: false,
            scores_labels: false,
            lens: false,
            intervenes: InterventionKinds::default(),
            spreads: false,
        }
    }
}

/// A recorded plan and the value that a session reads.
pub struct Recorded {
    pub plan: Finished,
    /// Logits, top fills or the last hidden state.
    pub result: Value,
    /// −log p of each row's label, (rows, 1), where labels are scored.
    pub losses: Option<Value>,
    /// Top fills of what enters each layer, where the output head looks at them.
    pub lens: Vec<Value>,
}
