//! The stack that Llama, Mistral, Qwen and GPT-NeoX share: norms before attention and feed-forward, a norm at the end, logits.

use super::{FeedForward, SelfAttention, enter_layer};
use crate::model::Network;
use crate::ops::{EmbeddingWeights, Epilogue, LinearWeights, NormWeights};
use crate::plan::{Plan, Value};

/// One layer.
pub struct DecoderLayer {
    pub attention_norm: NormWeights,
    pub attention: SelfAttention,
    pub feed_forward_norm: NormWeights,
    pub feed_forward: FeedForward,
    /// x + attention(norm x) + feed-forward(norm x), side by side; else one after the other.
    pub parallel: bool,
}

/// Embeddings, layers, the final norm, and the matrix that makes logits.
pub struct Decoder {
    pub embeddings: EmbeddingWeights,
    pub layers: Vec<DecoderLayer>,
    pub norm: NormWeights,
    pub head: LinearWeights,
}

impl DecoderLayer {
    /// x: (batch, length, hidden_size).
    fn record(&self, plan: &mut Plan, layer: usize, x: Value) -> Value {
        let normed = plan.norm(x, &self.attention_norm);
        let context = self.attention.context(plan, layer, normed);
        let attended = plan.linear(context, &self.attention.output, Epilogue::Add(x));
        let normed = plan.norm(if self.parallel { x } else { attended }, &self.feed_forward_norm);
        self.feed_forward.record(plan, normed, attended)
    }
}

impl Network for Decoder {
    fn hidden(&self, plan: &mut Plan) -> Value {
        let mut hidden = plan.embedding(&self.embeddings);
        for (index, layer) in self.layers.iter().enumerate() {
            enter_layer(plan, index, hidden);
            hidden = layer.record(plan, index, hidden);
        }
        plan.norm(hidden, &self.norm)
    }

    fn head(&self, plan: &mut Plan, hidden: Value) -> Value {
        plan.linear(hidden, &self.head, Epilogue::None)
    }

    fn early_head(&self, plan: &mut Plan, hidden: Value) -> Value {
        let normed = plan.norm(hidden, &self.norm);
        self.head(plan, normed)
    }
}
