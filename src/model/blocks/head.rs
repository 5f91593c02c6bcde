//! The head of a model: its output from the last hidden states.

use super::CrossAttention;
use super::norm_sites::NormSites;
use crate::kernels::Activation;
use crate::model::{Facts, HeadKind};
use crate::ops::{Epilogue, LinearWeights, NormWeights};
use crate::plan::{Part, PlanBuilder, TapView, TensorName, Value};

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
    /// Taps the head of every token, which is computed once more: the result may have fewer rows, and a penalty may change it.
    pub fn tap(&self, plan: &mut PlanBuilder, facts: &Facts, mut hidden: Value) {
        let of_tokens = matches!(facts.output, HeadKind::Vocabulary | HeadKind::Tokens | HeadKind::Answer);
        if !of_tokens || plan.options().part != Part::Decoder {
            return;
        }
        let sites = NormSites::of_output(plan);
        let has_tap = |plan: &PlanBuilder, names: &[TensorName]| names.iter().any(|name| plan.has_tap(*name, 0));
        let of_logits = has_tap(plan, &[TensorName::Logits, TensorName::Probabilities]);
        let of_norm = of_logits || sites.has_tap(plan);
        if let Some((dense, activation)) = &self.dense {
            if plan.has_tap(TensorName::OutputDense, 0) {
                let product = plan.linear(hidden, dense, Epilogue::None);
                plan.tap(TensorName::OutputDense, 0, TapView::Value(product));
            }
            if of_norm || plan.has_tap(TensorName::OutputActivated, 0) {
                hidden = plan.linear(hidden, dense, Epilogue::Activate(*activation));
                plan.tap(TensorName::OutputActivated, 0, TapView::Value(hidden));
            }
        }
        if let Some(norm) = self.norm.as_ref().filter(|_| of_norm) {
            hidden = sites.norm(plan, norm, hidden);
        }
        if let Some(out) = self.out.as_ref().filter(|_| of_logits) {
            hidden = plan.linear(hidden, out, Epilogue::None);
        }
        if of_logits {
            plan.tap(TensorName::Logits, 0, TapView::Value(hidden));
            // The two logits of an answer's token are no distribution.
            if facts.output != HeadKind::Answer {
                plan.tap(TensorName::Probabilities, 0, TapView::Softmax(hidden));
            }
        }
    }

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
