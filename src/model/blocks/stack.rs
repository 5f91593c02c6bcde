//! The network of every family: embeddings, layers, a final norm, and a head.

use super::{CrossAttention, Embeddings, FeedForward, Head, SelfAttention};
use crate::model::{Facts, Network};
use crate::ops::{Epilogue, LinearInput, NormWeights};
use crate::plan::{PlanBuilder, State, TapView, TensorName, Value};

/// The norms around a sublayer f, each optional: after(x + output(f(input(x)))). A pre-LN layer has `input`, a post-LN layer `after`.
#[derive(Clone, Copy, Default)]
pub struct Norms {
    pub input: Option<NormWeights>,
    pub output: Option<NormWeights>,
    pub after: Option<NormWeights>,
    /// Adds the input of f to its output, in front of the `output` norm.
    pub adds_input: bool,
}

/// One layer: attention, an encoder–decoder's cross-attention, and a feed-forward network, each added to the residual stream.
pub struct Layer {
    pub attention: SelfAttention,
    pub attention_norms: Norms,
    pub cross: Option<(CrossAttention, Norms)>,
    pub feed_forward: FeedForward,
    pub feed_forward_norms: Norms,
    /// Whether the feed-forward network reads the layer's input instead of the sum that attention is added to.
    pub parallel: bool,
}

/// A network of layers.
pub struct Stack {
    pub embeddings: Embeddings,
    pub layers: Vec<Layer>,
    pub norm: Option<NormWeights>,
    pub head: Head,
}

impl Norms {
    pub fn pre(norm: NormWeights) -> Self {
        Self { input: Some(norm), ..Self::default() }
    }

    pub fn post(norm: NormWeights) -> Self {
        Self { after: Some(norm), ..Self::default() }
    }

    /// Records a sublayer that reads `input` and is added to x. sublayer: its input and the epilogue of its last linear layer → its output.
    fn record(
        &self,
        plan: &mut PlanBuilder,
        input: Value,
        x: Value,
        sublayer: impl FnOnce(&mut PlanBuilder, LinearInput, Epilogue) -> Value,
    ) -> Value {
        let sum = match self.output {
            Some(output) if self.adds_input => {
                let input = self.input.map_or(input, |norm| plan.norm(input, &norm));
                let y = sublayer(plan, input.into(), Epilogue::Add(input));
                plan.norm_onto(y, &output, x)
            }
            Some(output) => {
                let y = sublayer(plan, self.normed(input), Epilogue::None);
                plan.norm_onto(y, &output, x)
            }
            None => sublayer(plan, self.normed(input), Epilogue::Add(x)),
        };
        self.after.map_or(sum, |norm| plan.norm(sum, &norm))
    }

    fn normed(&self, input: Value) -> LinearInput {
        self.input.map_or(input.into(), |norm| norm.of(input))
    }
}

impl Layer {
    /// x: (batch, length, hidden_size). memory: keys and values of the source, for cross-attention.
    fn record(&self, plan: &mut PlanBuilder, facts: &Facts, index: usize, x: Value, memory: Option<State>) -> Value {
        let mut hidden = self.attention_norms.record(plan, x, x, |plan, input, epilogue| {
            let head_outputs = self.attention.head_outputs(plan, facts, index, input);
            plan.linear(head_outputs, &self.attention.output, epilogue)
        });
        if let (Some((cross, norms)), Some(memory)) = (&self.cross, memory) {
            hidden = norms.record(plan, hidden, hidden, |plan, input, epilogue| {
                let head_outputs = cross.head_outputs(plan, facts, input, memory);
                plan.linear(head_outputs, &cross.output, epilogue)
            });
        }
        let input = if self.parallel { x } else { hidden };
        self.feed_forward_norms
            .record(plan, input, hidden, |plan, input, epilogue| self.feed_forward.record(plan, input, epilogue))
    }
}

/// Taps the input of a layer, and adds its prediction rows for the logit lens if the plan has one. hidden: (batch, length,
/// hidden_size).
fn tap_layer_input(plan: &mut PlanBuilder, layer: usize, hidden: Value) {
    plan.tap(TensorName::HiddenStates, layer, TapView::Value(hidden));
    if plan.options().has_lens {
        let rows = plan.gather(hidden);
        plan.lens_rows.push(rows);
    }
}

impl Stack {
    fn final_norm(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        self.norm.map_or(hidden, |norm| plan.norm(hidden, &norm))
    }
}

impl Network for Stack {
    fn hidden(&self, plan: &mut PlanBuilder, facts: &Facts) -> Value {
        let memories =
            CrossAttention::memories(plan, self.layers.iter().filter_map(|layer| Some(&layer.cross.as_ref()?.0)));
        let mut hidden = self.embeddings.record(plan);
        for (index, layer) in self.layers.iter().enumerate() {
            tap_layer_input(plan, index, hidden);
            hidden = layer.record(plan, facts, index, hidden, memories.get(index).copied());
        }
        self.final_norm(plan, hidden)
    }

    fn head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        self.head.record(plan, hidden)
    }

    fn early_head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        let normed = self.final_norm(plan, hidden);
        self.head(plan, normed)
    }
}
