//! ModernBERT (Hugging Face's modeling_modernbert.py): layers that norm before attention, of which most see a window on either side
//! and turn by a base of their own; gated feed-forward networks; no biases unless config.json asks for them.

use super::Family;
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::blocks::{FeedForward, Head, SelfAttention, Stack, StackLayer, layer_norm_but, linear};
use crate::model::ropes::{RotaryHeads, Turning, ropes_by_layer};
use crate::model::settings::{
    LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_LAYERS, activation, equal_heads, require, sliding_layers,
};
use crate::model::{Architecture, Attention, Class, Facts, Keys, Output};
use crate::ops::{EmbeddingWeights, LinearWeights, NormWeights, Rotary};
use crate::plan::Weight;
use crate::rope::Rope;
use crate::weight_table::{Aliases, RowOrder, WeightPart, WeightTable};

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

fn read(keys: &Keys, class: Class<'_>) -> Result<Architecture, Error> {
    let (architecture, _) = class.name_or("ModernBertForMaskedLM");
    let output = match architecture {
        "ModernBertForMaskedLM" => Output::Vocabulary,
        "ModernBertForSequenceClassification" => Output::Sequence,
        "ModernBertForTokenClassification" => Output::Tokens,
        "ModernBertForQuestionAnswering" => Output::Answer,
        _ => Output::HiddenStates,
    };
    if output == Output::Sequence {
        require(keys, "classifier_pooling", "cls")?;
    }
    let hidden = keys.size("hidden_size", 768, LARGEST_SIZE)?;
    let [heads, head_size] = equal_heads(keys, hidden)?;
    let layers = keys.size("num_hidden_layers", 22, MOST_LAYERS)?;
    let max_position_embeddings = keys.size("max_position_embeddings", 8192, LARGEST_VOCABULARY)?;
    let bases = [("global_rope_theta", 160_000.0), ("local_rope_theta", 10_000.0)];
    let rotary_heads = RotaryHeads { size: head_size, turning: Turning::Whole, max_position_embeddings };
    let ropes = ropes_by_layer(keys, rotary_heads, bases, 2)?;
    let every = keys.whole("global_attn_every_n_layers", 3, 1, LARGEST_VOCABULARY)? as usize;
    let sliding = sliding_layers(keys, layers, &|layer| !layer.is_multiple_of(every))?;
    let labels = keys.labels()?;
    let facts = Facts {
        architecture,
        output,
        layers,
        heads,
        key_heads: heads,
        head_size,
        hidden_size: hidden,
        embedding_size: hidden,
        intermediate_size: keys.size("intermediate_size", 1152, LARGEST_INNER)?,
        vocab_size: keys.size("vocab_size", 50_368, LARGEST_VOCABULARY)?,
        max_position_embeddings,
        longest: ropes.first().and_then(Rope::context_length),
        stretches: true,
        scale: 1.0 / (head_size as f64).sqrt(),
        num_labels: match labels.len() {
            0 => keys.size("num_labels", 2, LARGEST_SIZE)?,
            count => count,
        },
        labels,
        ..Facts::default()
    };
    let mut declared = Declared {
        table: WeightTable::new(Aliases { prefix: "model.", gamma_beta: false }),
        // A query and as many keys on either side as half of it.
        window: keys.whole("local_attention", 128, 0, LARGEST_VOCABULARY)? as usize / 2 + 1,
        epsilon: keys.number("norm_eps", 1e-5, 0.0, 1.0)? as f32,
        norm_bias: keys.flag("norm_bias", false)?,
        attention_bias: keys.flag("attention_bias", false)?,
        mlp_bias: keys.flag("mlp_bias", false)?,
        activation: activation(keys, "hidden_activation", Activation::Gelu)?,
        halves: ropes.iter().map(Rope::paired_columns).collect(),
        layer_ropes: sliding.iter().map(|slides| usize::from(*slides)).collect(),
        facts,
    };
    let word = declared.table.lookup("model.embeddings.tok_embeddings.weight", declared.facts.vocab_size, hidden);
    let embeddings =
        EmbeddingWeights { word, added: None, norm: Some(declared.norm("model.embeddings.norm")), scale: 1.0 };
    let layers = (0..layers).map(|index| declared.layer(index)).collect();
    let norm = declared.norm("model.final_norm");
    let head = declared.head(keys, word)?;
    let Declared { facts, table, layer_ropes, .. } = declared;
    Ok(Architecture { layer_ropes, ..Architecture::new(facts, table, ropes, Stack { embeddings, layers, norm, head }) })
}

/// Weights on their way, and what all layers share.
struct Declared {
    table: WeightTable,
    facts: Facts,
    window: usize,
    epsilon: f32,
    norm_bias: bool,
    attention_bias: bool,
    mlp_bias: bool,
    activation: Activation,
    /// Of each rope.
    halves: Vec<usize>,
    layer_ropes: Vec<usize>,
}

impl Declared {
    fn norm(&mut self, name: &str) -> NormWeights {
        layer_norm_but(&mut self.table, name, self.facts.hidden_size, self.epsilon, self.norm_bias)
    }

    /// A linear layer whose rows are put in another order.
    fn ordered(&mut self, name: &str, columns: usize, order: RowOrder, bias: bool) -> LinearWeights {
        let inner = self.facts.hidden_size;
        let part = |end: &str, shape: &[usize]| vec![WeightPart::new(format!("{name}.{end}"), shape).ordered(order)];
        let weight = self.table.weight(columns, inner, part("weight", &[columns, inner]));
        let bias = bias.then(|| self.table.weight(1, columns, part("bias", &[columns])));
        LinearWeights { weight, bias }
    }

    fn layer(&mut self, index: usize) -> StackLayer {
        let Facts { hidden_size: hidden, intermediate_size: inner, .. } = self.facts;
        let name = |part: &str| format!("model.layers.{index}.{part}");
        let attention_norm = (index > 0).then(|| self.norm(&name("attn_norm")));
        let attention = self.attention(index);
        let feed_forward_norm = self.norm(&name("mlp_norm"));
        // The first half of the rows is activated, the second one is its gate: each beside the other.
        let beside = RowOrder::HalvesToPairs { heads: 1, head_size: 2 * inner, rotated: 2 * inner };
        let feed_forward = FeedForward {
            up: self.ordered(&name("mlp.Wi"), 2 * inner, beside, self.mlp_bias),
            down: linear(&mut self.table, &name("mlp.Wo"), hidden, inner, self.mlp_bias),
            activation: self.activation,
            gated: true,
        };
        StackLayer {
            attention_norm,
            attention,
            attended_norm: None,
            feed_forward_norm,
            feed_forward,
            fed_norm: None,
            parallel: false,
        }
    }

    fn attention(&mut self, index: usize) -> SelfAttention {
        let Facts { hidden_size: hidden, heads, head_size, layers, scale, .. } = self.facts;
        let name = |part: &str| format!("model.layers.{index}.attn.{part}");
        let rope = self.layer_ropes.get(index).copied().unwrap_or(0);
        let halves = self.halves.get(rope).copied().unwrap_or(0);
        let order = RowOrder::HalvesToPairs { heads: 2 * heads, head_size, rotated: halves };
        SelfAttention {
            projection: self.ordered(&name("Wqkv"), 3 * hidden, order, self.attention_bias),
            output: linear(&mut self.table, &name("Wo"), hidden, hidden, self.attention_bias),
            layers,
            heads,
            key_heads: heads,
            head_size,
            rotary: Some(Rotary { rope, head_size, rotated_columns: 2 * hidden }),
            norms: None,
            causal: false,
            window: Some(self.window).filter(|_| rope == 1),
            scale: scale as f32,
            attention: Attention::Softmax,
            halves,
        }
    }

    /// dense, activation and norm, then the decoder or a classifier.
    fn head(&mut self, keys: &Keys, word: Weight) -> Result<Head, Error> {
        let Facts { hidden_size: hidden, vocab_size, num_labels, output, .. } = self.facts;
        if output == Output::HiddenStates {
            return Ok(Head::default());
        }
        let dense = linear(&mut self.table, "head.dense", hidden, hidden, keys.flag("classifier_bias", false)?);
        let dense = Some((dense, activation(keys, "classifier_activation", Activation::Gelu)?));
        let norm = Some(self.norm("head.norm"));
        let table = &mut self.table;
        let out = match output {
            Output::Vocabulary => {
                let bias = keys.flag("decoder_bias", true)?;
                let bias = bias.then(|| table.vector("decoder.bias", vocab_size));
                if keys.flag("tie_word_embeddings", true)? {
                    table.tie(["decoder.weight".into()], word);
                    LinearWeights { weight: word, bias }
                } else {
                    LinearWeights { weight: table.matrix("decoder.weight", vocab_size, hidden), bias }
                }
            }
            Output::Answer => linear(table, "classifier", 2, hidden, true),
            _ => linear(table, "classifier", num_labels, hidden, true),
        };
        Ok(Head { dense, norm, out: Some(out) })
    }
}
