//! RoFormer (Hugging Face's modeling_roformer.py): post-LN layers over rotated queries and keys, adjacent pairs, no final norm; with
//! the heads of its RoFormerFor… classes. RoFormer-v2, linear attention and embeddings that are projected before they are normed are
//! settings of it that Hugging Face's class does not have.

use super::Family;
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::blocks::{FeedForward, Head, SelfAttention, enter_layer, layer_norm, linear, packed_projection};
use crate::model::settings::{
    LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_LAYERS, activation, equal_heads, one_of, refuse_flag,
};
use crate::model::{Architecture, Attention, Class, Facts, Keys, Network, Output};
use crate::ops::{AddedEmbedding, EmbeddingWeights, Epilogue, LinearWeights, NormKind, NormWeights, Rotary};
use crate::plan::{PlanBuilder, Value};
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

/// The rotary table that some files hold.
const POSITIONS: &str = "roformer.encoder.embed_positions.weight";

fn read(keys: &Keys, class: Class<'_>) -> Result<Architecture, Error> {
    refuse_other_models(keys)?;
    let (config, mut facts) = settings(keys, class)?;
    let (hidden, embedding) = (facts.hidden_size, facts.embedding_size);
    let head_size = facts.head_size;
    let mut table = WeightTable::new(Aliases { prefix: "roformer.", gamma_beta: true });
    let word = table.lookup("roformer.embeddings.word_embeddings.weight", facts.vocab_size, embedding);
    let token_types = "roformer.embeddings.token_type_embeddings.weight";
    let token_type = table.lookup(token_types, facts.type_vocab_size, embedding);
    table.keep_f32(token_type);
    let normed = if config.projects_first { hidden } else { embedding };
    let norm = config.norm(&mut table, "roformer.embeddings.LayerNorm", normed);
    // A norm after the projection, or without a gain, is a step of its own.
    let apart = config.projects_first || config.is_v2;
    let embeddings = EmbeddingWeights {
        word,
        added: Some(AddedEmbedding::types(token_type)),
        norm: (!apart).then_some(norm),
        scale: 1.0,
    };
    let projection =
        (embedding != hidden).then(|| linear(&mut table, "roformer.embeddings_project", hidden, embedding, true));
    let layers = (0..facts.layers).map(|index| Layer::declare(&config, &facts, &mut table, index)).collect();
    let head = head(&config, &facts, &embeddings, &mut table);
    let stored_table = table.host(POSITIONS, &[facts.max_position_embeddings, head_size]);
    // Angles are computed for any position; a table of the file's own ends.
    facts.stretches = class.header.is_some_and(|header| !table.finds(POSITIONS, header));
    let rope = Rope::new(head_size, head_size, BASE, Scaling::Default, facts.max_position_embeddings as u64)?;
    let network = Roformer { embeddings, projection, embedding_norm: apart.then_some(norm), layers, head };
    Ok(Architecture { stored_table: Some(stored_table), ..Architecture::new(facts, table, vec![rope], network) })
}

/// What would load, but compute something else than the model does.
fn refuse_other_models(keys: &Keys) -> Result<(), Error> {
    refuse_flag(keys, "add_cross_attention", "false: a model without cross-attention")
}

/// RoFormer-v2: no biases, and norms without gains. Its classifiers are not known here.
fn is_v2(keys: &Keys, output: Output) -> Result<bool, Error> {
    let is_v2 = one_of(keys, "norm_type", &["layer_norm", "rms_norm"])? == 1;
    let refuse = |key: &str, found: &str, supported: &str| {
        Err(Error::Unsupported { key: key.into(), found: found.into(), supported: supported.into() })
    };
    match (is_v2, keys.flag("use_bias", true)?) {
        (true, true) => refuse("use_bias", "true", "false beside norm_type rms_norm, as in RoFormer-v2"),
        (false, false) => refuse("use_bias", "false", "true, or norm_type rms_norm beside it, as in RoFormer-v2"),
        (true, _) if !matches!(output, Output::HiddenStates | Output::Vocabulary) => refuse(
            "architectures",
            "a classifier of RoFormer-v2",
            "RoFormerModel, RoFormerForMaskedLM, RoFormerForCausalLM",
        ),
        _ => Ok(is_v2),
    }
}

/// Settings of config.json that only declaring needs.
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

    fn linear(&self, table: &mut WeightTable, name: &str, columns: usize, inner: usize) -> LinearWeights {
        linear(table, name, columns, inner, !self.is_v2)
    }
}

fn settings(keys: &Keys, class: Class<'_>) -> Result<(Config, Facts), Error> {
    let hidden_size = keys.size("hidden_size", 768, LARGEST_SIZE)?;
    let [heads, head_size] = equal_heads(keys, hidden_size)?;
    let causal = keys.flag("is_decoder", false)?;
    let architecture = class.name.unwrap_or_else(|| architecture_of(class.header, causal));
    let output = match architecture {
        "RoFormerForMaskedLM" | "RoFormerForCausalLM" => Output::Vocabulary,
        "RoFormerForSequenceClassification" => Output::Sequence,
        "RoFormerForTokenClassification" => Output::Tokens,
        "RoFormerForQuestionAnswering" => Output::Answer,
        _ => Output::HiddenStates,
    };
    let labels = keys.labels()?;
    let num_labels = match labels.len() {
        0 => keys.size("num_labels", 2, LARGEST_SIZE)?,
        count => count,
    };
    let max_position_embeddings = keys.size("max_position_embeddings", 1536, LARGEST_VOCABULARY)?;
    let vocab_size = keys.size("vocab_size", 50_000, LARGEST_VOCABULARY)?;
    keys.whole("pad_token_id", 0, 0, vocab_size as u64 - 1)?;
    // A key of this project's own, which a model trained with linear attention has.
    let attention = Attention::ALL[one_of(keys, "attention", &Attention::ALL.map(Attention::name))?];
    let facts = Facts {
        architecture,
        output,
        layers: keys.size("num_hidden_layers", 12, MOST_LAYERS)?,
        heads,
        key_heads: heads,
        head_size,
        hidden_size,
        embedding_size: keys.size("embedding_size", hidden_size, LARGEST_SIZE)?,
        intermediate_size: keys.size("intermediate_size", 3072, LARGEST_INNER)?,
        vocab_size,
        type_vocab_size: keys.size("type_vocab_size", 2, LARGEST_SIZE)?,
        max_position_embeddings,
        longest: Some(max_position_embeddings as u64),
        causal,
        rotary_value: keys.flag("rotary_value", false)?,
        attention,
        // Linear attention has no softmax that large scores would sharpen.
        scale: if attention == Attention::Softmax { 1.0 / (head_size as f64).sqrt() } else { 1.0 },
        num_labels,
        labels,
        eos_token_ids: keys.ids("eos_token_id")?,
        ..Facts::default()
    };
    let config = Config {
        epsilon: keys.number("layer_norm_eps", 1e-12, 0.0, 1.0)? as f32,
        activation: activation(keys, "hidden_act", Activation::Gelu)?,
        tied: keys.flag("tie_word_embeddings", true)?,
        is_v2: is_v2(keys, output)?,
        projects_first: one_of(keys, "embedding_order", &["norm_then_project", "project_then_norm"])? == 1,
    };
    if config.is_v2 && facts.embedding_size != facts.hidden_size {
        return Err(Error::Unsupported {
            key: "embedding_size".into(),
            found: facts.embedding_size.to_string(),
            supported: "hidden_size beside norm_type rms_norm: the words are the decoder of its hidden states".into(),
        });
    }
    Ok((config, facts))
}

/// The class that a file's tensors belong to.
fn architecture_of(header: Option<&Header>, causal: bool) -> &'static str {
    let holds = |name: &str| header.is_some_and(|header| header.get(name).is_some());
    // RoFormer-v2 has no transform.
    let predicts = holds("cls.predictions.transform.dense.weight") || holds("cls.predictions.decoder.weight");
    match () {
        () if predicts && causal => "RoFormerForCausalLM",
        () if predicts => "RoFormerForMaskedLM",
        () if holds("classifier.out_proj.weight") => "RoFormerForSequenceClassification",
        () if holds("classifier.weight") => "RoFormerForTokenClassification",
        () if holds("qa_outputs.weight") => "RoFormerForQuestionAnswering",
        () => "RoFormerModel",
    }
}

/// Weights of one encoder layer.
struct Layer {
    attention: SelfAttention,
    attention_norm: NormWeights,
    feed_forward: FeedForward,
    output_norm: NormWeights,
}

impl Layer {
    fn declare(config: &Config, facts: &Facts, table: &mut WeightTable, index: usize) -> Self {
        let (hidden, inner, heads, head_size) =
            (facts.hidden_size, facts.intermediate_size, facts.heads, facts.head_size);
        let name = |part: &str| format!("roformer.encoder.layer.{index}.{part}");
        let projections = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        let projections = projections.each_ref().map(String::as_str);
        let rotated_columns = if facts.rotary_value { 3 * hidden } else { 2 * hidden };
        let attention = SelfAttention {
            projection: packed_projection(table, projections, [heads, heads, head_size, hidden], 0, !config.is_v2),
            output: config.linear(table, &name("attention.output.dense"), hidden, hidden),
            layers: facts.layers,
            heads,
            key_heads: heads,
            head_size,
            rotary: Some(Rotary { rope: 0, head_size, rotated_columns }),
            norms: None,
            causal: facts.causal,
            window: None,
            scale: facts.scale as f32,
            attention: facts.attention,
            halves: 0,
        };
        Self {
            attention,
            attention_norm: config.norm(table, &name("attention.output.LayerNorm"), hidden),
            feed_forward: FeedForward {
                up: config.linear(table, &name("intermediate.dense"), inner, hidden),
                down: config.linear(table, &name("output.dense"), hidden, inner),
                activation: config.activation,
                gated: false,
            },
            output_norm: config.norm(table, &name("output.LayerNorm"), hidden),
        }
    }

    /// hidden: (batch, length, hidden_size).
    fn record(&self, plan: &mut PlanBuilder, index: usize, hidden: Value) -> Value {
        let context = self.attention.context(plan, index, hidden.into());
        let attended = plan.linear(context, &self.attention.output, Epilogue::Add(hidden));
        let attended = plan.norm(attended, &self.attention_norm);
        let output = self.feed_forward.record(plan, attended.into(), Epilogue::Add(attended));
        plan.norm(output, &self.output_norm)
    }
}

/// The head of the class. Of a sequence there is no pooler, and the activation is the model's.
fn head(config: &Config, facts: &Facts, embeddings: &EmbeddingWeights, table: &mut WeightTable) -> Head {
    let (hidden, embedding, activation) = (facts.hidden_size, facts.embedding_size, config.activation);
    match facts.output {
        Output::HiddenStates => Head::default(),
        Output::Vocabulary if config.is_v2 => {
            let name = "cls.predictions.decoder.weight".to_string();
            let weight =
                if config.tied { embeddings.word } else { table.matrix(name.clone(), facts.vocab_size, hidden) };
            if config.tied {
                table.tie([name], weight);
            }
            LinearWeights { weight, bias: None }.into()
        }
        Output::Vocabulary => {
            let name = |part: &str| format!("cls.predictions.{part}");
            let dense = linear(table, &name("transform.dense"), embedding, hidden, true);
            let norm = layer_norm(table, &name("transform.LayerNorm"), embedding, config.epsilon);
            // Tied, the decoder's bias is cls.predictions.bias, too, whatever copy the file holds.
            let (weight, biases) = match config.tied {
                true => (embeddings.word, [name("bias"), name("decoder.bias")]),
                false => (
                    table.matrix(name("decoder.weight"), facts.vocab_size, embedding),
                    [name("decoder.bias"), name("bias")],
                ),
            };
            let bias = table.weight(1, facts.vocab_size, vec![WeightPart::either(biases, &[facts.vocab_size])]);
            if config.tied {
                table.tie([name("decoder.weight")], weight);
                table.tie([name("decoder.bias")], bias);
            }
            let out = Some(LinearWeights { weight, bias: Some(bias) });
            Head { dense: Some((dense, activation)), norm: Some(norm), out }
        }
        Output::Sequence => {
            let dense = linear(table, "classifier.dense", hidden, hidden, true);
            let out = linear(table, "classifier.out_proj", facts.num_labels, hidden, true);
            Head { dense: Some((dense, activation)), ..out.into() }
        }
        Output::Tokens => linear(table, "classifier", facts.num_labels, hidden, true).into(),
        Output::Answer => linear(table, "qa_outputs", 2, hidden, true).into(),
    }
}

/// The encoder with its head.
struct Roformer {
    embeddings: EmbeddingWeights,
    /// From embedding_size to hidden_size, where they differ.
    projection: Option<LinearWeights>,
    /// Of what the projection gives, or of embeddings whose norm has no gain.
    embedding_norm: Option<NormWeights>,
    layers: Vec<Layer>,
    head: Head,
}

impl Network for Roformer {
    fn hidden(&self, plan: &mut PlanBuilder) -> Value {
        let mut hidden = plan.embedding(&self.embeddings);
        if let Some(projection) = &self.projection {
            hidden = plan.linear(hidden, projection, Epilogue::None);
        }
        if let Some(norm) = &self.embedding_norm {
            hidden = plan.norm(hidden, norm);
        }
        for (index, layer) in self.layers.iter().enumerate() {
            enter_layer(plan, index, hidden);
            hidden = layer.record(plan, index, hidden);
        }
        hidden
    }

    fn head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        self.head.record(plan, hidden)
    }
}
