//! RoFormer (Hugging Face's modeling_roformer.py): post-LN layers over rotated queries and keys, adjacent pairs, no final norm; with the
//! heads of its RoFormerFor… classes. Settings that Hugging Face's class does not have: RoFormer-v2, linear attention, and embeddings that
//! are projected before they are normed.

use super::Family;
use crate::error::{Condition, Error};
use crate::kernels::Activation;
use crate::model::blocks::{
    Embeddings, FeedForward, Head, Layer, Norms, SelfAttention, Stack, fused_projection, layer_norm, linear,
    output_weight,
};
use crate::model::settings::{
    LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_LAYERS, activation, equal_heads, labels, one_of, refuse_flag,
};
use crate::model::{Architecture, Attention, Facts, HeadKind, Keys};
use crate::ops::{AddedEmbedding, EmbeddingWeights, LinearWeights, NormKind, NormWeights, Rotary};
use crate::plan::Weight;
use crate::rope::{BASE, Rope, Scaling};
use crate::weight_table::{Aliases, WeightPart, WeightTable};
use crate::weights::Header;

pub static FAMILY: Family = Family {
    model_type: "roformer",
    architectures: &[
        "RoFormerModel",
        "RoFormerForMaskedLM",
        "RoFormerForCausalLM",
        "RoFormerForSequenceClassification",
        "RoFormerForTokenClassification",
        "RoFormerForQuestionAnswering",
    ],
    read,
};

/// The rotary table that some files store.
const POSITIONS: &str = "roformer.encoder.embed_positions.weight";

fn read(keys: &Keys, class: &'static str, header: Option<&Header>) -> Result<Architecture, Error> {
    refuse_flag(keys, "add_cross_attention", FAMILY.model_type)?;
    let (config, mut facts) = settings(keys, class, header)?;
    let Facts { hidden_size: hidden, embedding_size: embedding, head_size, .. } = facts;
    let mut table = WeightTable::new(Aliases { prefix: "roformer.", gamma_beta: true });
    let word = table.lookup("roformer.embeddings.word_embeddings.weight", facts.vocab_size, embedding);
    let token_types = "roformer.embeddings.token_type_embeddings.weight";
    let token_type = table.lookup(token_types, facts.type_vocab_size, embedding);
    table.keep_f32(token_type);
    let norm_width = if config.projects_first { hidden } else { embedding };
    let norm = config.norm(&mut table, "roformer.embeddings.LayerNorm", norm_width);
    // The embedding op has no norm after a projection, and none without a gain.
    let norm_is_step = config.projects_first || config.is_v2;
    let (embedding_norm, norm) = if norm_is_step { (None, Some(norm)) } else { (Some(norm), None) };
    let added = Some(AddedEmbedding::types(token_type));
    let embeddings = Embeddings {
        projection: (embedding != hidden)
            .then(|| linear(&mut table, "roformer.embeddings_project", hidden, embedding, true)),
        norm,
        ..EmbeddingWeights { word, added, norm: embedding_norm, scale: 1.0 }.into()
    };
    let layers = (0..facts.layers).map(|index| config.layer(&facts, &mut table, index)).collect();
    let head = head(&config, &facts, word, &mut table);
    let stored_table = table.host(POSITIONS, &[facts.max_position_embeddings, head_size]);
    // Computed angles have no end, a stored table has.
    facts.stretches = header.is_some_and(|header| !table.finds(POSITIONS, header));
    let rope = Rope::new(head_size, 1.0, BASE, Scaling::Default, facts.max_position_embeddings as u64)?;
    let network = Stack { embeddings, layers, norm: None, head };
    Ok(Architecture { stored_table: Some(stored_table), ..Architecture::new(facts, table, vec![rope], network) })
}

/// Whether it is RoFormer-v2: no biases, and norms without gains. Its classifiers are not supported.
fn is_v2(keys: &Keys, output: HeadKind) -> Result<bool, Error> {
    let is_v2 = one_of(keys, "norm_type", &["layer_norm", "rms_norm"])? == 1;
    let has_bias = keys.flag("use_bias", true)?;
    if is_v2 == has_bias {
        return Err(keys.unsupported("use_bias", norm_type(is_v2), (!has_bias).to_string()));
    }
    if is_v2 && !matches!(output, HeadKind::HiddenStates | HeadKind::Vocabulary) {
        let supported = "RoFormerModel, RoFormerForMaskedLM, RoFormerForCausalLM";
        return Err(keys.unsupported("architectures", norm_type(is_v2), supported));
    }
    Ok(is_v2)
}

fn norm_type(is_v2: bool) -> Condition {
    Condition::Setting { key: "norm_type", value: if is_v2 { "rms_norm" } else { "layer_norm" }.into() }
}

/// Settings of config.json that facts do not have.
struct Config {
    epsilon: f32,
    activation: Activation,
    tied: bool,
    is_v2: bool,
    projects_first: bool,
}

impl Config {
    /// A norm of the model: RoFormer-v2's have no weights.
    fn norm(&self, table: &mut WeightTable, name: &str, width: usize) -> NormWeights {
        match self.is_v2 {
            true => NormWeights { kind: NormKind::Rms, gain: None, shift: None, epsilon: self.epsilon },
            false => layer_norm(table, name, width, self.epsilon),
        }
    }

    fn layer(&self, facts: &Facts, table: &mut WeightTable, index: usize) -> Layer {
        let Facts { hidden_size: hidden, head_size, .. } = *facts;
        let name = |part: &str| format!("roformer.encoder.layer.{index}.{part}");
        let projections = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        let projection = fused_projection(table, projections, facts, 0, !self.is_v2);
        let output = linear(table, &name("attention.output.dense"), hidden, hidden, !self.is_v2);
        let rotated_columns = if facts.rotary_value { 3 * hidden } else { 2 * hidden };
        let rotary = Some(Rotary { rope: 0, head_size, rotated_columns });
        let attention_norms = Norms::post(self.norm(table, &name("attention.output.LayerNorm"), hidden));
        let names = ["intermediate.dense", "output.dense"].map(name);
        let feed_forward = FeedForward::new(table, names, facts, !self.is_v2, self.activation);
        Layer {
            attention: SelfAttention { rotary, ..SelfAttention::new(projection, output) },
            attention_norms,
            cross: None,
            feed_forward,
            feed_forward_norms: Norms::post(self.norm(table, &name("output.LayerNorm"), hidden)),
            parallel: false,
        }
    }
}

fn settings(keys: &Keys, class: &'static str, header: Option<&Header>) -> Result<(Config, Facts), Error> {
    let hidden_size = keys.size("hidden_size", 768, LARGEST_SIZE)?;
    let sizes = equal_heads(keys, hidden_size)?;
    let causal = keys.flag("is_decoder", false)?;
    let names_class = !keys.texts("architectures")?.is_empty();
    let class = if names_class { class } else { class_of(header, causal) };
    let (labels, num_labels) = labels(keys)?;
    let max_position_embeddings = keys.size("max_position_embeddings", 1536, LARGEST_VOCABULARY)?;
    let vocab_size = keys.size("vocab_size", 50_000, LARGEST_VOCABULARY)?;
    keys.integer("pad_token_id", 0, 0, vocab_size as u64 - 1)?;
    // A key of this project's own, which a model trained with linear attention has.
    let attention = Attention::ALL[one_of(keys, "attention", &Attention::ALL.map(Attention::name))?];
    let facts = Facts {
        embedding_size: keys.size("embedding_size", hidden_size, LARGEST_SIZE)?,
        intermediate_size: keys.size("intermediate_size", 3072, LARGEST_INNER)?,
        vocab_size,
        type_vocab_size: keys.size("type_vocab_size", 2, LARGEST_SIZE)?,
        max_position_embeddings,
        longest: Some(max_position_embeddings as u64),
        causal,
        rotary_value: keys.flag("rotary_value", false)?,
        attention,
        num_labels,
        labels,
        eos_token_ids: keys.ids("eos_token_id")?,
        ..Facts::new(class, keys.size("num_hidden_layers", 12, MOST_LAYERS)?, sizes, hidden_size)
    };
    // Linear attention has no softmax that large scores would sharpen.
    let scale = if attention == Attention::Softmax { facts.scale } else { 1.0 };
    let facts = Facts { scale, ..facts };
    let config = Config {
        epsilon: keys.number("layer_norm_eps", 1e-12, 0.0, 1.0)? as f32,
        activation: activation(keys, "hidden_act", Activation::Gelu)?,
        tied: keys.flag("tie_word_embeddings", true)?,
        is_v2: is_v2(keys, facts.output)?,
        projects_first: one_of(keys, "embedding_order", &["norm_then_project", "project_then_norm"])? == 1,
    };
    if config.is_v2 && facts.embedding_size != facts.hidden_size {
        // Its output matrix is that of the word embeddings, which multiplies hidden states.
        return Err(keys.unsupported("embedding_size", norm_type(true), facts.hidden_size.to_string()));
    }
    Ok((config, facts))
}

/// The class that has a file's tensors.
fn class_of(header: Option<&Header>, causal: bool) -> &'static str {
    let has = |name: &str| header.is_some_and(|header| header.get(name).is_some());
    // RoFormer-v2 has no transform.
    let predicts = has("cls.predictions.transform.dense.weight") || has("cls.predictions.decoder.weight");
    match () {
        () if predicts && causal => "RoFormerForCausalLM",
        () if predicts => "RoFormerForMaskedLM",
        () if has("classifier.out_proj.weight") => "RoFormerForSequenceClassification",
        () if has("classifier.weight") => "RoFormerForTokenClassification",
        () if has("qa_outputs.weight") => "RoFormerForQuestionAnswering",
        () => "RoFormerModel",
    }
}

/// The head of the class. A sequence classifier has no pooler, and the activation function is the model's.
fn head(config: &Config, facts: &Facts, word: Weight, table: &mut WeightTable) -> Head {
    let Facts { hidden_size: hidden, embedding_size: embedding, vocab_size, .. } = *facts;
    let (activation, tied) = (config.activation, config.tied);
    let name = |part: &str| format!("cls.predictions.{part}");
    match facts.output {
        HeadKind::HiddenStates => Head::default(),
        HeadKind::Vocabulary if config.is_v2 => {
            let weight = output_weight(table, [name("decoder.weight")], word, tied, [vocab_size, hidden]);
            LinearWeights { weight, bias: None }.into()
        }
        HeadKind::Vocabulary => {
            let dense = linear(table, &name("transform.dense"), embedding, hidden, true);
            let norm = Some(layer_norm(table, &name("transform.LayerNorm"), embedding, config.epsilon));
            let weight = output_weight(table, [name("decoder.weight")], word, tied, [vocab_size, embedding]);
            // With tied weights the decoder's bias is `cls.predictions.bias`, also if the file has a copy of it with other numbers.
            let mut biases = [name("bias"), name("decoder.bias")];
            if !tied {
                biases.reverse();
            }
            let bias = table.weight(1, vocab_size, vec![WeightPart::either(biases, &[vocab_size])]);
            if tied {
                table.tie([name("decoder.bias")], bias);
            }
            let out = Some(LinearWeights { weight, bias: Some(bias) });
            Head { dense: Some((dense, activation)), norm, out, ..Head::default() }
        }
        HeadKind::Sequence => {
            let dense = linear(table, "classifier.dense", hidden, hidden, true);
            let out = linear(table, "classifier.out_proj", facts.num_labels, hidden, true);
            Head { dense: Some((dense, activation)), ..out.into() }
        }
        HeadKind::Tokens => linear(table, "classifier", facts.num_labels, hidden, true).into(),
        HeadKind::Answer => linear(table, "qa_outputs", 2, hidden, true).into(),
    }
}
