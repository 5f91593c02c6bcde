//! ESM-2, protein language models (Hugging Face's modeling_esm.py): pre-LN layers, embeddings that compensate for masked tokens, and a
//! regression over all attention maps that predicts which residues touch.

use super::Family;
use crate::error::{Error, Expected};
use crate::kernels::Activation;
use crate::model::blocks::{
    Embeddings, FeedForward, Head, Layer, Norms, SelfAttention, Stack, fused_projection, layer_norm, linear,
    output_weight,
};
use crate::model::settings::{LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_LAYERS, equal_heads, refuse_flag};
use crate::model::{Architecture, Facts, HeadKind, Keys};
use crate::ops::{EmbeddingWeights, LinearWeights};
use crate::rope::{Rope, Scaling};
use crate::weight_table::{Aliases, Role, WeightTable};
use crate::weights::Header;

pub static FAMILY: Family = Family { model_type: "esm", architectures: &["EsmForMaskedLM", "EsmModel"], read };

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    if keys.text("position_embedding_type")? != Some("rotary") {
        return Err(keys.unsupported("position_embedding_type", None, "rotary"));
    }
    for flag in ["is_decoder", "add_cross_attention", "is_folding_model"] {
        refuse_flag(keys, flag, FAMILY.model_type)?;
    }
    let hidden = keys.size("hidden_size", 768, LARGEST_SIZE)?;
    let sizes = equal_heads(keys, hidden)?;
    let [heads, _, head_size] = sizes;
    let layers = keys.size("num_hidden_layers", 12, MOST_LAYERS)?;
    let vocab_size = keys.size("vocab_size", 33, LARGEST_VOCABULARY)?;
    let max_position_embeddings = keys.size("max_position_embeddings", 1026, LARGEST_VOCABULARY)?;
    let base = keys.number("rope_theta", 10_000.0, f64::MIN_POSITIVE, 1e18)?;
    let rope = Rope::new(head_size, 1.0, base, Scaling::Default, max_position_embeddings as u64)?;
    let token_dropout = match keys.flag("token_dropout", false)? {
        true if !keys.contains("mask_token_id") => {
            return Err(keys.error("mask_token_id", Expected::MaskTokenId));
        }
        true => Some(keys.integer("mask_token_id", 0, 0, vocab_size as u64 - 1)? as u32),
        false => None,
    };
    let facts = Facts {
        intermediate_size: keys.size("intermediate_size", 3072, LARGEST_INNER)?,
        vocab_size,
        max_position_embeddings,
        longest: rope.context_length(),
        stretches: true,
        token_dropout,
        ..Facts::new(class, layers, sizes, hidden)
    };
    let epsilon = keys.number("layer_norm_eps", 1e-12, 0.0, 1.0)? as f32;
    let mut table = WeightTable::new(Aliases { prefix: "esm.", gamma_beta: true });
    let word = table.lookup("esm.embeddings.word_embeddings.weight", vocab_size, hidden);
    let norms_embeddings = keys.flag("emb_layer_norm_before", false)?;
    let norm = norms_embeddings.then(|| layer_norm(&mut table, "esm.embeddings.layer_norm", hidden, epsilon));
    let network = Stack {
        embeddings: Embeddings {
            weights: EmbeddingWeights { word, added: None, norm: None, scale: 1.0 },
            has_token_dropout: token_dropout.is_some(),
            projection: None,
            norm,
            clears_padding: true,
        },
        layers: (0..layers).map(|index| layer(&mut table, &facts, epsilon, index)).collect(),
        norm: Some(layer_norm(&mut table, "esm.encoder.emb_layer_norm_after", hidden, epsilon)),
        head: match facts.output {
            HeadKind::Vocabulary => {
                let dense = linear(&mut table, "lm_head.dense", hidden, hidden, true);
                let norm = Some(layer_norm(&mut table, "lm_head.layer_norm", hidden, epsilon));
                let bias = Some(table.vector("lm_head.bias", vocab_size));
                let tied = keys.flag("tie_word_embeddings", true)?;
                let name = ["lm_head.decoder.weight".into()];
                let weight = output_weight(&mut table, name, word, tied, [vocab_size, hidden]);
                let out = Some(LinearWeights { weight, bias });
                Head { dense: Some((dense, Activation::Gelu)), norm, out, ..Head::default() }
            }
            _ => Head::default(),
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
    Ok(Architecture { stored_theta, contact_head, ..Architecture::new(facts, table, vec![rope], network) })
}

fn layer(table: &mut WeightTable, facts: &Facts, epsilon: f32, index: usize) -> Layer {
    let Facts { hidden_size: hidden, head_size, .. } = *facts;
    let name = |part: &str| format!("esm.encoder.layer.{index}.{part}");
    let norms = |table: &mut WeightTable, part: &str| Norms::pre(layer_norm(table, &name(part), hidden, epsilon));
    let attention_norms = norms(table, "attention.LayerNorm");
    let projections = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
    let projection = fused_projection(table, projections, facts, head_size, true);
    let output = linear(table, &name("attention.output.dense"), hidden, hidden, true);
    Layer {
        attention: SelfAttention::new(projection, output).rotated_by(facts, 0, head_size),
        attention_norms,
        cross: None,
        feed_forward_norms: norms(table, "LayerNorm"),
        feed_forward: FeedForward::new(
            table,
            ["intermediate.dense", "output.dense"].map(name),
            facts,
            true,
            Activation::Gelu,
        ),
        parallel: false,
    }
}
