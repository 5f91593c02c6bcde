//! The stack of all families but RoFormer: norms before attention and feed-forward, a norm at the end, a head.

use super::{FeedForward, Head, SelfAttention, enter_layer};
use crate::model::Network;
use crate::ops::{EmbeddingWeights, Epilogue, NormWeights};
use crate::plan::{PlanBuilder, Value};

/// One layer.
pub struct StackLayer {
    /// None: attention reads what enters the layer.
    pub attention_norm: Option<NormWeights>,
    pub attention: SelfAttention,
    /// Of what attention gives, before it is added.
    pub attended_norm: Option<NormWeights>,
    pub feed_forward_norm: NormWeights,
    pub feed_forward: FeedForward,
    /// Of what the feed-forward network gives, before it is added.
    pub fed_norm: Option<NormWeights>,
    /// x + attention(norm x) + feed-forward(norm x), side by side; else one after the other.
    pub parallel: bool,
}

/// Embeddings, layers, the final norm, and the head.
pub struct Stack {
    pub embeddings: EmbeddingWeights,
    pub layers: Vec<StackLayer>,
    pub norm: NormWeights,
    pub head: Head,
}

impl StackLayer {
    /// x: (batch, length, hidden_size).
    fn record(&self, plan: &mut PlanBuilder, layer: usize, x: Value) -> Value {
        let normed = self.attention_norm.map_or(x.into(), |norm| norm.of(x));
        let context = self.attention.context(plan, layer, normed);
        let attended = plan.linear(context, &self.attention.output, added_to(x, self.attended_norm));
        let attended = normed_onto(plan, attended, self.attended_norm, x);
        let normed = self.feed_forward_norm.of(if self.parallel { x } else { attended });
        let fed = self.feed_forward.record(plan, normed, added_to(attended, self.fed_norm));
        normed_onto(plan, fed, self.fed_norm, attended)
    }
}

/// A product is added to x at once, where no norm comes between.
fn added_to(x: Value, norm: Option<NormWeights>) -> Epilogue {
    if norm.is_some() { Epilogue::None } else { Epilogue::Add(x) }
}

/// Adds the norm of a product to x, where there is one; else it has been added.
fn normed_onto(plan: &mut PlanBuilder, product: Value, norm: Option<NormWeights>, x: Value) -> Value {
    norm.map_or(product, |norm| plan.norm_onto(product, &norm, x))
}

impl Stack {
    /// Hidden states through all layers and the final norm: (batch, length, hidden_size).
    pub fn through(&self, plan: &mut PlanBuilder, mut hidden: Value) -> Value {
        for (index, layer) in self.layers.iter().enumerate() {
            enter_layer(plan, index, hidden);
            hidden = layer.record(plan, index, hidden);
        }
        plan.norm(hidden, &self.norm)
    }
}

impl Network for Stack {
    fn hidden(&self, plan: &mut PlanBuilder) -> Value {
        let embedded = plan.embedding(&self.embeddings);
        self.through(plan, embedded)
    }

    fn head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        self.head.record(plan, hidden)
    }

    fn early_head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        let normed = plan.norm(hidden, &self.norm);
        self.head(plan, normed)
    }
}
