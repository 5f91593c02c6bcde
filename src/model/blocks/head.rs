//! What a model makes of its last hidden states.

use crate::kernels::Activation;
use crate::ops::{Epilogue, LinearWeights, NormWeights};
use crate::plan::{PlanBuilder, Value};

/// out(norm(activation(dense(h)))), of which any may be missing; a model without a head has none of them.
#[derive(Default)]
pub struct Head {
    pub dense: Option<(LinearWeights, Activation)>,
    pub norm: Option<NormWeights>,
    pub out: Option<LinearWeights>,
}

impl Head {
    /// hidden: (…, hidden_size).
    pub fn record(&self, plan: &mut PlanBuilder, mut hidden: Value) -> Value {
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
