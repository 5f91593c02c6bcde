//! The network of every family: embeddings, layers, a final norm, and a head.

use super::norm_sites::NormSites;
use super::{CrossAttention, Embeddings, FeedForward, Head, SelfAttention};
use crate::model::{Facts, Network, NeuronWeights, WordWeights};
use crate::ops::{Epilogue, LinearInput, LinearWeights, NormWeights};
use crate::plan::{Part, PlanBuilder, Site, State, TapView, TensorName, Value};

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

/// The names of what a sublayer computes, for taps.
struct SublayerNames {
    layer: usize,
    /// The number in the layer of the sublayer's first norm.
    first_norm: u8,
    /// Its term in the residual stream.
    term: Site,
}

impl Norms {
    pub fn pre(norm: NormWeights) -> Self {
        Self { input: Some(norm), ..Self::default() }
    }

    pub fn post(norm: NormWeights) -> Self {
        Self { after: Some(norm), ..Self::default() }
    }

    /// How many norms there are.
    fn count(&self) -> u8 {
        [self.input, self.output, self.after].into_iter().flatten().count() as u8
    }

    /// The sites of `input`, `output` and `after`, each of use if there is such a norm.
    fn sites(&self, plan: &PlanBuilder, names: &SublayerNames) -> [NormSites; 3] {
        let [input, output] = [self.input, self.output].map(|norm| u8::from(norm.is_some()));
        [0, input, input + output].map(|before| NormSites::of_layer(plan, names.layer, names.first_norm + before))
    }

    /// Records a sublayer that reads `input` and is added to x. sublayer: its input → the input and the weights of its last linear layer. The
    /// last op adds x, so that a tap of the sublayer's term computes the term once more.
    fn record(
        &self,
        plan: &mut PlanBuilder,
        names: &SublayerNames,
        input: Value,
        x: Value,
        sublayer: impl FnOnce(&mut PlanBuilder, LinearInput) -> (Value, LinearWeights),
    ) -> Value {
        let [input_norm, output_norm, after_norm] = self.sites(plan, names);
        // Elsewhere the next product computes the norm.
        let normed = self.input.filter(|_| self.adds_input || plan.has_tap_at(input_norm.result));
        let normed = normed.map(|weights| plan.norm(input, &weights));
        if let Some(normed) = normed {
            plan.tap_at(input_norm.result, TapView::Value(normed));
        }
        if let Some(norm) = &self.input {
            input_norm.tap_input(plan, norm, input);
        }
        let read = match (normed, self.input) {
            (Some(normed), _) => normed.into(),
            (None, Some(weights)) => weights.of(input),
            (None, None) => input.into(),
        };
        let (last_input, last) = sublayer(plan, read);
        let sum = match self.output {
            Some(output) => {
                let added = self.adds_input.then_some(normed.unwrap_or(input));
                let y = plan.linear(last_input, &last, added.map_or(Epilogue::None, Epilogue::Add));
                output_norm.tap_input(plan, &output, y);
                let sites = [output_norm.result, names.term];
                if sites.iter().any(|site| plan.has_tap_at(*site)) {
                    let term = plan.norm(y, &output);
                    sites.into_iter().for_each(|site| plan.tap_at(site, TapView::Value(term)));
                }
                plan.norm_onto(y, &output, x)
            }
            None => {
                if plan.has_tap_at(names.term) {
                    let term = plan.linear(last_input, &last, Epilogue::None);
                    plan.tap_at(names.term, TapView::Value(term));
                }
                plan.linear(last_input, &last, Epilogue::Add(x))
            }
        };
        let Some(after) = self.after else { return sum };
        after_norm.norm(plan, &after, sum)
    }
}

impl Layer {
    /// x: (batch, length, hidden_size). memory: keys and values of the source, for cross-attention.
    fn record(&self, plan: &mut PlanBuilder, facts: &Facts, index: usize, x: Value, memory: Option<State>) -> Value {
        let attention_term = TensorName::AttentionOutput.at(index);
        let names = |term, first_norm| SublayerNames { layer: index, first_norm, term };
        let mut norm_count = self.attention_norms.count();
        let of_attention = names(plan.in_own_part(attention_term), 0);
        let mut hidden = self.attention_norms.record(plan, &of_attention, x, x, |plan, input| {
            (self.attention.head_outputs(plan, facts, index, input), self.attention.output)
        });
        if let (Some((cross, cross_norms)), Some(memory)) = (&self.cross, memory) {
            let of_cross = names(attention_term.in_part(Part::Cross), norm_count);
            norm_count += cross_norms.count();
            hidden = cross_norms.record(plan, &of_cross, hidden, hidden, |plan, input| {
                (cross.head_outputs(plan, facts, index, input, memory), cross.output)
            });
        }
        hidden = plan.replace_and_tap(TensorName::LayerResidual, index, hidden);
        let input = if self.parallel { x } else { hidden };
        let of_feed_forward = names(plan.in_own_part(TensorName::FeedForwardOutput.at(index)), norm_count);
        self.feed_forward_norms.record(plan, &of_feed_forward, input, hidden, |plan, input| {
            (self.feed_forward.record(plan, index, input), self.feed_forward.down)
        })
    }
}

/// The input of a layer, with its tap, and its prediction rows for the logit lens if the plan has one. hidden: (batch, length,
/// hidden_size).
fn layer_input(plan: &mut PlanBuilder, layer: usize, hidden: Value) -> Value {
    let hidden = plan.replace_and_tap(TensorName::HiddenStates, layer, hidden);
    if plan.options().has_lens {
        let rows = plan.gather(hidden);
        plan.lens_rows.push(rows);
    }
    hidden
}

impl Network for Stack {
    fn hidden(&self, plan: &mut PlanBuilder, facts: &Facts) -> Value {
        let memories =
            CrossAttention::memories(plan, self.layers.iter().filter_map(|layer| Some(&layer.cross.as_ref()?.0)));
        let mut hidden = self.embeddings.record(plan);
        for (index, layer) in self.layers.iter().enumerate() {
            hidden = layer_input(plan, index, hidden);
            hidden = layer.record(plan, facts, index, hidden, memories.get(index).copied());
        }
        if let Some(norm) = &self.norm {
            plan.tap(TensorName::Residual, facts.layers, TapView::Value(hidden));
            let sites = NormSites::of_stack(plan);
            hidden = sites.norm(plan, norm, hidden);
        }
        hidden
    }

    fn head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        self.head.record(plan, hidden)
    }

    fn tap_head(&self, plan: &mut PlanBuilder, facts: &Facts, hidden: Value) {
        self.head.tap(plan, facts, hidden);
    }

    fn neurons(&self, layer: usize) -> Option<NeuronWeights> {
        let FeedForward { up, down, is_gated, .. } = &self.layers.get(layer)?.feed_forward;
        let Embeddings { weights, projection, .. } = &self.embeddings;
        Some(NeuronWeights {
            up: up.weight,
            is_gated: *is_gated,
            down: down.weight,
            words: WordWeights {
                table: weights.word,
                scale: weights.scale,
                projection: projection.as_ref().map(|projection| projection.weight),
            },
            output: self.head.out.filter(|_| self.head.dense.is_none()).map(|out| out.weight),
        })
    }

    fn early_head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        let normed = self.norm.map_or(hidden, |norm| plan.norm(hidden, &norm));
        self.head(plan, normed)
    }
}
