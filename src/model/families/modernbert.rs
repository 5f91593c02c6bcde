//! ModernBERT (Hugging Face's modeling_modernbert.py): pre-LN layers, most of which have a window on either side and a rope base of their
//! own; gated feed-forward networks; no biases unless config.json sets them.

use super::Family;
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::blocks::{
    FeedForward, Head, Layer, Norms, SelfAttention, Stack, layer_norm_with_bias, linear, linear_of_parts, output_weight,
};
use crate::model::ropes::{RotaryHeads, ropes_by_layer};
use crate::model::settings::{
    LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_LAYERS, activation, equal_heads, labels, one_of,
    sliding_layers,
};
use crate::model::{Architecture, Facts, HeadKind, Keys};
use crate::ops::{EmbeddingWeights, LinearWeights, NormWeights};
use crate::plan::Weight;
use crate::rope::Rope;
use crate::weight_table::{Aliases, RowOrder, WeightTable};
use crate::weights::Header;

pub static FAMILY: Family = Family {
    model_type: "modernbert",
    architectures: &[
        "ModernBertForMaskedLM",
        "ModernBertModel",
        "ModernBertForSequenceClassification",
        "ModernBertForTokenClassification",
        "ModernBertForQuestionAnswering",
    ],
    read,
};

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    let output = HeadKind::of_class(class);
    if output == HeadKind::Sequence {
        one_of(keys, "classifier_pooling", &["cls"])?;
    }
    let hidden = keys.size("hidden_size", 768, LARGEST_SIZE)?;
    let sizes = equal_heads(keys, hidden)?;
    let [_, _, head_size] = sizes;
    let layers = keys.size("num_hidden_layers", 22, MOST_LAYERS)?;
    let max_position_embeddings = keys.size("max_position_embeddings", 8192, LARGEST_VOCABULARY)?;
    let bases = [("global_rope_theta", 160_000.0), ("local_rope_theta", 10_000.0)];
    let rotary_heads = RotaryHeads { size: head_size, share: None, max_position_embeddings };
    let ropes = ropes_by_layer(keys, rotary_heads, bases, 2)?;
    let period = keys.integer("global_attn_every_n_layers", 3, 1, LARGEST_VOCABULARY)? as usize;
    let sliding = sliding_layers(keys, layers, &|layer| !layer.is_multiple_of(period))?;
    let (labels, num_labels) = labels(keys)?;
    let facts = Facts {
        intermediate_size: keys.size("intermediate_size", 1152, LARGEST_INNER)?,
        vocab_size: keys.size("vocab_size", 50_368, LARGEST_VOCABULARY)?,
        max_position_embeddings,
        longest: ropes.first().and_then(Rope::context_length),
        stretches: true,
        num_labels,
        labels,
        ..Facts::new(class, layers, sizes, hidden)
    };
    let mut weights = LayerBuilder {
        table: WeightTable::new(Aliases { prefix: "model.", gamma_beta: false }),
        // A query sees half of `local_attention` tokens on either side. A window counts those of one side and the query.
        window: keys.integer("local_attention", 128, 0, LARGEST_VOCABULARY)? as usize / 2 + 1,
        epsilon: keys.number("norm_eps", 1e-5, 0.0, 1.0)? as f32,
        norm_bias: keys.flag("norm_bias", false)?,
        attention_bias: keys.flag("attention_bias", false)?,
        mlp_bias: keys.flag("mlp_bias", false)?,
        activation: activation(keys, "hidden_activation", Activation::Gelu)?,
        halves: ropes.iter().map(Rope::paired_columns).collect(),
        layer_ropes: sliding.iter().map(|slides| usize::from(*slides)).collect(),
        facts,
    };
    let word = weights.table.lookup("model.embeddings.tok_embeddings.weight", weights.facts.vocab_size, hidden);
    let norm = Some(weights.norm("model.embeddings.norm"));
    let embeddings = EmbeddingWeights { word, added: None, norm, scale: 1.0 }.into();
    let layers = (0..layers).map(|index| weights.layer(index)).collect();
    let norm = Some(weights.norm("model.final_norm"));
    let head = weights.head(keys, word)?;
    let LayerBuilder { facts, table, layer_ropes, .. } = weights;
    Ok(Architecture { layer_ropes, ..Architecture::new(facts, table, ropes, Stack { embeddings, layers, norm, head }) })
}

/// The table of weights while the family declares them, and the settings of all layers.
struct LayerBuilder {
    table: WeightTable,
    facts: Facts,
    window: usize,
    epsilon: f32,
    norm_bias: bool,
    attention_bias: bool,
    mlp_bias: bool,
    activation: Activation,
    /// Rotated dimensions of a head, by rope.
    halves: Vec<usize>,
    layer_ropes: Vec<usize>,
}

impl LayerBuilder {
    fn norm(&mut self, name: &str) -> NormWeights {
        layer_norm_with_bias(&mut self.table, name, self.facts.hidden_size, self.epsilon, self.norm_bias)
    }

    /// A linear layer over hidden states, with another row order.
    fn ordered(&mut self, name: &str, columns: usize, order: RowOrder, bias: bool) -> LinearWeights {
        let inner = self.facts.hidden_size;
        linear_of_parts(&mut self.table, columns, inner, bias, |part| vec![part(name, columns).ordered(order)])
    }

    fn layer(&mut self, index: usize) -> Layer {
        let Facts { hidden_size: hidden, intermediate_size: inner, .. } = self.facts;
        let name = |part: &str| format!("model.layers.{index}.{part}");
        // Hugging Face's first layer has none: the embeddings are normed.
        let input = (index > 0).then(|| self.norm(&name("attn_norm")));
        let attention = self.attention(index);
        let feed_forward_norms = Norms::pre(self.norm(&name("mlp_norm")));
        // The first half of the rows is the gate, the second half the up projection: they become adjacent.
        let order = RowOrder::HalvesToPairs { heads: 1, head_size: 2 * inner, rotated: 2 * inner };
        let feed_forward = FeedForward {
            up: self.ordered(&name("mlp.Wi"), 2 * inner, order, self.mlp_bias),
            down: linear(&mut self.table, &name("mlp.Wo"), hidden, inner, self.mlp_bias),
            activation: self.activation,
            is_gated: true,
        };
        let attention_norms = Norms { input, ..Norms::default() };
        Layer { attention, attention_norms, cross: None, feed_forward, feed_forward_norms, parallel: false }
    }

    fn attention(&mut self, index: usize) -> SelfAttention {
        let Facts { hidden_size: hidden, heads, head_size, .. } = self.facts;
        let name = |part: &str| format!("model.layers.{index}.attn.{part}");
        let rope = self.layer_ropes.get(index).copied().unwrap_or(0);
        let halves = self.halves.get(rope).copied().unwrap_or(0);
        let order = RowOrder::HalvesToPairs { heads: 2 * heads, head_size, rotated: halves };
        let projection = self.ordered(&name("Wqkv"), 3 * hidden, order, self.attention_bias);
        let output = linear(&mut self.table, &name("Wo"), hidden, hidden, self.attention_bias);
        let attention = SelfAttention::new(projection, output).rotated_by(&self.facts, rope, halves);
        SelfAttention { window: Some(self.window).filter(|_| rope == 1), ..attention }
    }

    /// Dense layer, activation and norm, then the decoder or a classifier.
    fn head(&mut self, keys: &Keys, word: Weight) -> Result<Head, Error> {
        let Facts { hidden_size: hidden, vocab_size, num_labels, output, .. } = self.facts;
        if output == HeadKind::HiddenStates {
            return Ok(Head::default());
        }
        let dense = linear(&mut self.table, "head.dense", hidden, hidden, keys.flag("classifier_bias", false)?);
        let dense = Some((dense, activation(keys, "classifier_activation", Activation::Gelu)?));
        let norm = Some(self.norm("head.norm"));
        let table = &mut self.table;
        let out = match output {
            HeadKind::Vocabulary => {
                let bias = keys.flag("decoder_bias", true)?;
                let bias = bias.then(|| table.vector("decoder.bias", vocab_size));
                let (name, tied) = (["decoder.weight".into()], keys.flag("tie_word_embeddings", true)?);
                LinearWeights { weight: output_weight(table, name, word, tied, [vocab_size, hidden]), bias }
            }
            HeadKind::Answer => linear(table, "classifier", 2, hidden, true),
            _ => linear(table, "classifier", num_labels, hidden, true),
        };
        Ok(Head { dense, norm, out: Some(out), ..Head::default() })
    }
}
