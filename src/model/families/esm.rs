//! ESM-2, protein language models (Hugging Face's modeling_esm.py): layers that norm before attention, embeddings that make up for
//! masked tokens, and a regression that tells from all attention maps which residues touch.

use super::Family;
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::blocks::{
    FeedForward, Head, SelfAttention, Stack, StackLayer, layer_norm, linear, packed_projection,
};
use crate::model::settings::{LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_LAYERS, equal_heads, refuse_flag};
use crate::model::{Architecture, Attention, Class, Facts, Keys, Network, Output};
use crate::ops::{EmbeddingWeights, LinearWeights, NormWeights, Rotary};
use crate::plan::{Input, PlanBuilder, Value, View};
use crate::rope::{Rope, Scaling};
use crate::weight_table::{Aliases, Role, WeightTable};

pub static FAMILY: Family = Family { model_type: "esm", architectures: &["EsmForMaskedLM", "EsmModel"], read };

fn read(keys: &Keys, class: Class<'_>) -> Result<Architecture, Error> {
    if keys.text("position_embedding_type")? != Some("rotary") {
        let found = keys.text("position_embedding_type")?.unwrap_or("absolute").into();
        return Err(Error::Unsupported {
            key: "position_embedding_type".into(),
            found,
            supported: "rotary, as ESM-2 has it".into(),
        });
    }
    refuse_flag(keys, "is_decoder", "false: an encoder")?;
    refuse_flag(keys, "add_cross_attention", "false: a model without cross-attention")?;
    refuse_flag(keys, "is_folding_model", "false: the language model by itself")?;
    let (architecture, makes_logits) = class.name_or("EsmForMaskedLM");
    let hidden = keys.size("hidden_size", 768, LARGEST_SIZE)?;
    let [heads, head_size] = equal_heads(keys, hidden)?;
    let layers = keys.size("num_hidden_layers", 12, MOST_LAYERS)?;
    let vocab_size = keys.size("vocab_size", 33, LARGEST_VOCABULARY)?;
    let max_position_embeddings = keys.size("max_position_embeddings", 1026, LARGEST_VOCABULARY)?;
    let base = keys.number("rope_theta", 10_000.0, f64::MIN_POSITIVE, 1e18)?;
    let rope = Rope::new(head_size, head_size, base, Scaling::Default, max_position_embeddings as u64)?;
    let token_dropout = match keys.flag("token_dropout", false)? {
        true if !keys.contains("mask_token_id") => {
            return Err(keys.error("mask_token_id", "the mask token's id, which token_dropout needs".into()));
        }
        true => Some(keys.whole("mask_token_id", 0, 0, vocab_size as u64 - 1)? as u32),
        false => None,
    };
    let facts = Facts {
        architecture,
        output: if makes_logits { Output::Vocabulary } else { Output::HiddenStates },
        layers,
        heads,
        key_heads: heads,
        head_size,
        hidden_size: hidden,
        embedding_size: hidden,
        intermediate_size: keys.size("intermediate_size", 3072, LARGEST_INNER)?,
        vocab_size,
        max_position_embeddings,
        longest: rope.context_length(),
        stretches: true,
        scale: 1.0 / (head_size as f64).sqrt(),
        token_dropout,
        ..Facts::default()
    };
    let epsilon = keys.number("layer_norm_eps", 1e-12, 0.0, 1.0)? as f32;
    let mut table = WeightTable::new(Aliases { prefix: "esm.", gamma_beta: true });
    let word = table.lookup("esm.embeddings.word_embeddings.weight", vocab_size, hidden);
    let norm_before = keys.flag("emb_layer_norm_before", false)?;
    let norm_before = norm_before.then(|| layer_norm(&mut table, "esm.embeddings.layer_norm", hidden, epsilon));
    let stack = Stack {
        embeddings: EmbeddingWeights { word, added: None, norm: None, scale: 1.0 },
        layers: (0..layers).map(|index| layer(&mut table, &facts, epsilon, index)).collect(),
        norm: layer_norm(&mut table, "esm.encoder.emb_layer_norm_after", hidden, epsilon),
        head: match makes_logits {
            true => {
                let dense = linear(&mut table, "lm_head.dense", hidden, hidden, true);
                let norm = layer_norm(&mut table, "lm_head.layer_norm", hidden, epsilon);
                let bias = Some(table.vector("lm_head.bias", vocab_size));
                let weight = if keys.flag("tie_word_embeddings", true)? {
                    table.tie(["lm_head.decoder.weight".into()], word);
                    word
                } else {
                    table.matrix("lm_head.decoder.weight", vocab_size, hidden)
                };
                let out = Some(LinearWeights { weight, bias });
                Head { dense: Some((dense, Activation::Gelu)), norm: Some(norm), out }
            }
            false => Head::default(),
        },
    };
    // Older files have it once a layer; today's class writes the pattern of those names.
    let frequencies = ["rotary_embeddings", "encoder.layer.*.attention.self.rotary_embeddings"];
    let frequencies = frequencies.into_iter().chain(["encoder.layer.0.attention.self.rotary_embeddings"]);
    let names: Vec<String> = frequencies.map(|name| format!("esm.{name}.inv_freq")).collect();
    let stored_theta = Some(table.host_as(Role::Buffer, names, &[head_size / 2]));
    let regression = "esm.contact_head.regression";
    let contact_head = Some([
        table.host_as(Role::Parameter, [format!("{regression}.weight")], &[1, layers * heads]),
        table.host_as(Role::Parameter, [format!("{regression}.bias")], &[1]),
    ]);
    let network = Esm { stack, dropout: token_dropout.is_some(), norm_before };
    Ok(Architecture { stored_theta, contact_head, ..Architecture::new(facts, table, vec![rope], network) })
}

/// Weights of one layer.
fn layer(table: &mut WeightTable, facts: &Facts, epsilon: f32, index: usize) -> StackLayer {
    let Facts { hidden_size: hidden, intermediate_size: inner, heads, head_size, .. } = *facts;
    let name = |part: &str| format!("esm.encoder.layer.{index}.{part}");
    let projections = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
    let projections = projections.each_ref().map(String::as_str);
    StackLayer {
        attention_norm: Some(layer_norm(table, &name("attention.LayerNorm"), hidden, epsilon)),
        attention: SelfAttention {
            projection: packed_projection(table, projections, [heads, heads, head_size, hidden], head_size, true),
            output: linear(table, &name("attention.output.dense"), hidden, hidden, true),
            layers: facts.layers,
            heads,
            key_heads: heads,
            head_size,
            rotary: Some(Rotary { rope: 0, head_size, rotated_columns: 2 * hidden }),
            norms: None,
            causal: false,
            window: None,
            // Hugging Face scales queries before they turn, which is the same.
            scale: facts.scale as f32,
            attention: Attention::Softmax,
            halves: head_size,
        },
        attended_norm: None,
        feed_forward_norm: layer_norm(table, &name("LayerNorm"), hidden, epsilon),
        feed_forward: FeedForward {
            up: linear(table, &name("intermediate.dense"), inner, hidden, true),
            down: linear(table, &name("output.dense"), hidden, inner, true),
            activation: Activation::Gelu,
            gated: false,
        },
        fed_norm: None,
        parallel: false,
    }
}

/// A stack whose embeddings make up for masks, and are 0 where there is padding.
struct Esm {
    stack: Stack,
    dropout: bool,
    norm_before: Option<NormWeights>,
}

impl Network for Esm {
    fn hidden(&self, plan: &mut PlanBuilder) -> Value {
        let embeddings = &self.stack.embeddings;
        let stride = embeddings.word.columns;
        let rows = |value: Value| View { operand: value.into(), first: 0, stride, heads: 1, head_size: stride };
        let mut embedded = plan.embedding(embeddings);
        if self.dropout {
            plan.scale_tokens(rows(embedded), Input::EmbeddingScales);
        }
        if let Some(norm) = &self.norm_before {
            embedded = plan.norm(embedded, norm);
        }
        plan.scale_tokens(rows(embedded), Input::TokenMask);
        self.stack.through(plan, embedded)
    }

    fn head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        self.stack.head(plan, hidden)
    }

    fn early_head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        self.stack.early_head(plan, hidden)
    }
}
