//! The head of a model: its output from the last hidden states.

use super::CrossAttention;
use crate::kernels::Activation;
use crate::ops::{Epilogue, LinearWeights, NormWeights};
use crate::plan::{PlanBuilder, Value};

/// out(norm(activation(dense(h)))), each step optional; a model without a head has none of them.
#[derive(Default)]
pub struct Head {
    pub dense: Option<(LinearWeights, Activation)>,
    pub norm: Option<NormWeights>,
    pub out: Option<LinearWeights>,
    /// The cross-attention of each decoder layer, for which an encoder computes keys and values of the source.
    pub cross: Vec<CrossAttention>,
}

impl Head {
    /// hidden: (…, hidden_size).
    pub fn record(&self, plan: &mut PlanBuilder, mut hidden: Value) -> Value {
        let memories = CrossAttention::memories(plan, &self.cross);
        for (layer, (cross, memory)) in self.cross.iter().zip(memories).enumerate() {
            cross.write_memory(plan, layer, hidden, memory);
        }
        if let Some((dense, activation)) = &self.dense {
            hidden = plan.linear(hidden, dense, Epilogue::Activate(*activation));
        }
        if let Some(norm) = &self.norm {
            hidden = plan.norm(hidden, norm);
        }
        if let Some(out) = &self.out {
            hidden = plan.linear(hidden, out, Epilogue::None);
        }
        hidden
    }
}

impl From<LinearWeights> for Head {
    fn from(out: LinearWeights) -> Self {
        Self { out: Some(out), ..Self::default() }
    }
}
