//! The RoFormer encoder (Hugging Face's `RoFormerModel`): post-LN layers over rotated queries and keys, no final norm.

use super::{Config, WeightTable};
use crate::ops::{Activation, Attention, EmbeddingWeights, Epilogue, LayerNormWeights, LinearWeights, Rotary};
use crate::plan::{Plan, Shape, Tap, TapView, Value};

/// Weights of one encoder layer.
struct Layer {
    query_key_value: LinearWeights,
    attention_output: LinearWeights,
    attention_norm: LayerNormWeights,
    intermediate: LinearWeights,
    output: LinearWeights,
    output_norm: LayerNormWeights,
}

/// The encoder: weights and the settings of its layers.
pub struct Roformer {
    pub(super) embeddings: EmbeddingWeights,
    /// From embedding_size to hidden_size, where they differ.
    projection: Option<LinearWeights>,
    layers: Vec<Layer>,
    attention: Attention,
    rotary: Rotary,
    activation: Activation,
}

/// weight: (columns, inner), bias: (columns) under `name`.
pub(super) fn linear(table: &mut WeightTable, name: &str, columns: usize, inner: usize) -> LinearWeights {
    let weight = table.matrix(format!("{name}.weight"), columns, inner);
    let bias = table.vector(format!("{name}.bias"), columns);
    LinearWeights { weight, bias: Some(bias) }
}

/// gain and shift: (width) under `name`.
pub(super) fn layer_norm(table: &mut WeightTable, name: &str, width: usize, epsilon: f32) -> LayerNormWeights {
    let gain = table.vector(format!("{name}.weight"), width);
    let shift = table.vector(format!("{name}.bias"), width);
    LayerNormWeights { gain, shift, epsilon }
}

impl Layer {
    fn declare(config: &Config, table: &mut WeightTable, index: usize) -> Self {
        let (hidden, epsilon) = (config.hidden_size, config.layer_norm_eps);
        let name = |part: &str| format!("roformer.encoder.layer.{index}.{part}");
        let projections = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        let query_key_value = LinearWeights {
            weight: table.stacked(projections.iter().map(|name| format!("{name}.weight")).collect(), hidden, hidden),
            bias: Some(table.joined(projections.iter().map(|name| format!("{name}.bias")).collect(), hidden)),
        };
        Self {
            query_key_value,
            attention_output: linear(table, &name("attention.output.dense"), hidden, hidden),
            attention_norm: layer_norm(table, &name("attention.output.LayerNorm"), hidden, epsilon),
            intermediate: linear(table, &name("intermediate.dense"), config.intermediate_size, hidden),
            output: linear(table, &name("output.dense"), hidden, config.intermediate_size),
            output_norm: layer_norm(table, &name("output.LayerNorm"), hidden, epsilon),
        }
    }
}

impl Roformer {
    /// Declares the encoder's weights under their names in a checkpoint.
    pub fn declare(config: &Config, table: &mut WeightTable) -> Self {
        let (hidden, embedding) = (config.hidden_size, config.embedding_size);
        let (heads, head_size) = (config.num_attention_heads, config.head_size());
        let embeddings = EmbeddingWeights {
            word: table.matrix("roformer.embeddings.word_embeddings.weight".into(), config.vocab_size, embedding),
            token_type: table.unsplit(
                "roformer.embeddings.token_type_embeddings.weight".into(),
                config.type_vocab_size,
                embedding,
            ),
            norm: layer_norm(table, "roformer.embeddings.LayerNorm", embedding, config.layer_norm_eps),
        };
        Self {
            embeddings,
            projection: (embedding != hidden).then(|| linear(table, "roformer.embeddings_project", hidden, embedding)),
            layers: (0..config.num_hidden_layers).map(|index| Layer::declare(config, table, index)).collect(),
            attention: Attention { heads, head_size, causal: config.is_decoder },
            rotary: Rotary { head_size, rotated_columns: if config.rotary_value { 3 * hidden } else { 2 * hidden } },
            activation: config.hidden_act,
        }
    }

    /// The value that the chosen head's query and key rows are copied to: (2, length, head_size).
    pub fn head_rows(&self, plan: &mut Plan) -> Value {
        plan.value(Shape::Head { head_size: self.attention.head_size })
    }

    /// last_hidden_state: (batch, length, hidden_size).
    pub fn record(&self, plan: &mut Plan, head_rows: Option<Value>) -> Value {
        let mut hidden = plan.embedding(&self.embeddings);
        if let Some(projection) = &self.projection {
            hidden = plan.linear(hidden, projection, Epilogue::None);
        }
        plan.tap(Tap::HiddenStates(0), TapView::whole(hidden));
        for (index, layer) in self.layers.iter().enumerate() {
            hidden = self.layer(plan, index, layer, hidden, head_rows);
            plan.tap(Tap::HiddenStates(index + 1), TapView::whole(hidden));
        }
        hidden
    }

    /// One post-LN layer. hidden: (batch, length, hidden_size).
    fn layer(&self, plan: &mut Plan, index: usize, weights: &Layer, hidden: Value, head_rows: Option<Value>) -> Value {
        let projected = self.project(plan, index, weights, hidden);
        if let Some(rows) = head_rows {
            plan.head_rows(index, projected, self.attention, rows);
        }
        let context = self.attend(plan, index, projected);
        let attended = plan.linear(context, &weights.attention_output, Epilogue::Add(hidden));
        let attended = plan.layer_norm(attended, &weights.attention_norm);
        let inner = plan.linear(attended, &weights.intermediate, Epilogue::Activate(self.activation));
        let output = plan.linear(inner, &weights.output, Epilogue::Add(attended));
        plan.layer_norm(output, &weights.output_norm)
    }

    /// Query, key and value side by side, (batch, length, 3 · hidden_size), rotated to their positions (eq. 34). The unrotated
    /// projection exists only where it is tapped.
    fn project(&self, plan: &mut Plan, index: usize, weights: &Layer, hidden: Value) -> Value {
        let Attention { heads, head_size, .. } = self.attention;
        let unrotated = [Tap::Query(index), Tap::Key(index), Tap::Value(index)];
        let rotated = if unrotated.iter().any(|tap| plan.wants(*tap)) {
            let projected = plan.linear(hidden, &weights.query_key_value, Epilogue::None);
            for (third, tap) in unrotated.into_iter().enumerate() {
                plan.tap(tap, TapView::third(projected, third, heads, head_size));
            }
            plan.rotate(projected, self.rotary)
        } else {
            plan.linear(hidden, &weights.query_key_value, Epilogue::Rotate(self.rotary))
        };
        plan.tap(Tap::QueryRotated(index), TapView::third(rotated, 0, heads, head_size));
        plan.tap(Tap::KeyRotated(index), TapView::third(rotated, 1, heads, head_size));
        rotated
    }

    /// Context of each token; the probabilities are stored only where they are tapped.
    fn attend(&self, plan: &mut Plan, index: usize, projected: Value) -> Value {
        if !plan.wants(Tap::Attentions(index)) {
            return plan.attention(projected, self.attention);
        }
        let (context, maps) = plan.attention_with_maps(projected, self.attention);
        plan.tap(Tap::Attentions(index), TapView::whole(maps));
        context
    }
}
