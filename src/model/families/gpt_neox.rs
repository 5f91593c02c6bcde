//! GPT-NeoX and Pythia: `GPTNeoXForCausalLM`, `GPTNeoXModel` (Hugging Face's modeling_gpt_neox.py). LayerNorms with biases, query, key and
//! value interleaved by head, a part of each head rotated, attention and feed-forward network in parallel.

use super::Family;
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::blocks::{
    FeedForward, Head, Layer, Norms, SelfAttention, Stack, layer_norm, linear, linear_of_parts, output_weight,
};
use crate::model::ropes::{RotaryHeads, rope};
use crate::model::settings::{LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_LAYERS, activation, heads};
use crate::model::{Architecture, Facts, HeadKind, Keys};
use crate::ops::{EmbeddingWeights, LinearWeights};
use crate::weight_table::{Aliases, RowOrder, WeightTable};
use crate::weights::Header;

pub static FAMILY: Family =
    Family { model_type: "gpt_neox", architectures: &["GPTNeoXForCausalLM", "GPTNeoXModel"], read };

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    let hidden = keys.size("hidden_size", 6144, LARGEST_SIZE)?;
    let [heads, _, head_size] = heads(keys, hidden, [64, 0, 0])?;
    let max_position_embeddings = keys.size("max_position_embeddings", 2048, LARGEST_VOCABULARY)?;
    let vocab_size = keys.size("vocab_size", 50_432, LARGEST_VOCABULARY)?;
    let rotary_heads = RotaryHeads { size: head_size, share: Some(("rotary_pct", 0.25)), max_position_embeddings };
    let rope = rope(keys, rotary_heads, ("rotary_emb_base", 10_000.0))?;
    let layers = keys.size("num_hidden_layers", 44, MOST_LAYERS)?;
    let facts = Facts {
        intermediate_size: keys.size("intermediate_size", 24_576, LARGEST_INNER)?,
        vocab_size,
        max_position_embeddings,
        longest: rope.context_length(),
        stretches: true,
        causal: true,
        positions_skip_padding: true,
        eos_token_ids: keys.ids("eos_token_id")?,
        ..Facts::new(class, layers, [heads, heads, head_size], hidden)
    };
    let settings = LayerSettings {
        halves: rope.paired_columns(),
        epsilon: keys.number("layer_norm_eps", 1e-5, 0.0, 1.0)? as f32,
        activation: activation(keys, "hidden_act", Activation::Gelu)?,
        attention_bias: keys.flag("attention_bias", true)?,
        parallel: keys.flag("use_parallel_residual", true)?,
    };
    let tied = keys.flag("tie_word_embeddings", false)?;

    let mut table = WeightTable::new(Aliases { prefix: "gpt_neox.", gamma_beta: false });
    let word = table.lookup("gpt_neox.embed_in.weight", vocab_size, hidden);
    let network = Stack {
        embeddings: EmbeddingWeights { word, added: None, norm: None, scale: 1.0 }.into(),
        layers: (0..layers).map(|index| settings.layer(&facts, &mut table, index)).collect(),
        norm: Some(layer_norm(&mut table, "gpt_neox.final_layer_norm", hidden, settings.epsilon)),
        head: match facts.output {
            HeadKind::Vocabulary => {
                // The file's name, and the class's own: a tied checkpoint may have a copy under either.
                let names = ["embed_out.weight".into(), "lm_head.weight".into()];
                let weight = output_weight(&mut table, names, word, tied, [vocab_size, hidden]);
                LinearWeights { weight, bias: None }.into()
            }
            _ => Head::default(),
        },
    };
    Ok(Architecture::new(facts, table, vec![rope], network))
}

/// Settings of all layers that facts do not have.
struct LayerSettings {
    /// Rotated dimensions of a head.
    halves: usize,
    epsilon: f32,
    activation: Activation,
    attention_bias: bool,
    parallel: bool,
}

impl LayerSettings {
    fn layer(&self, facts: &Facts, table: &mut WeightTable, index: usize) -> Layer {
        let name = |part: &str| format!("gpt_neox.layers.{index}.{part}");
        let norms = |table: &mut WeightTable, part: &str| {
            Norms::pre(layer_norm(table, &name(part), facts.hidden_size, self.epsilon))
        };
        let attention_norms = norms(table, "input_layernorm");
        let attention = self.attention(facts, table, &name("attention"));
        let feed_forward_norms = norms(table, "post_attention_layernorm");
        let names = ["mlp.dense_h_to_4h", "mlp.dense_4h_to_h"].map(name);
        let feed_forward = FeedForward::new(table, names, facts, true, self.activation);
        Layer { attention, attention_norms, cross: None, feed_forward, feed_forward_norms, parallel: self.parallel }
    }

    fn attention(&self, facts: &Facts, table: &mut WeightTable, name: &str) -> SelfAttention {
        let Facts { hidden_size, heads, head_size, .. } = *facts;
        let total = 3 * heads * head_size;
        let projection = linear_of_parts(table, total, hidden_size, self.attention_bias, |part| {
            let part = part(&format!("{name}.query_key_value"), total);
            let part = part.ordered(RowOrder::FusedHeads { heads, head_size });
            vec![part.ordered(RowOrder::HalvesToPairs { heads: 2 * heads, head_size, rotated: self.halves })]
        });
        let output = linear(table, &format!("{name}.dense"), hidden_size, heads * head_size, self.attention_bias);
        SelfAttention::new(projection, output).rotated_by(facts, 0, self.halves)
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Architecture;
    use crate::weights::Header;
    use safetensors::tensor::{Dtype, TensorView, serialize};

    #[test]
    fn a_copy_of_tied_embeddings_is_known_by_either_name() {
        let config = |tied: bool| {
            format!(
                r#"{{"model_type": "gpt_neox", "architectures": ["GPTNeoXForCausalLM"], "vocab_size": 7, "hidden_size": 8,
                    "intermediate_size": 9, "num_attention_heads": 2, "num_hidden_layers": 1, "tie_word_embeddings": {tied}}}"#
            )
        };
        let copy = [0; 4 * 56];
        for name in ["embed_out.weight", "lm_head.weight"] {
            let view = |shape: &[usize], bytes| TensorView::new(Dtype::F32, shape.to_vec(), bytes).unwrap();
            let file = serialize([("extra", view(&[1], &copy[..4])), (name, view(&[7, 8], &copy))], None).unwrap();
            let header = Header::parse(&file, Some(file.len() as u64)).unwrap();
            for tied in [true, false] {
                let model = Architecture::read(&config(tied), None).unwrap();
                assert_eq!(model.table.unread(&header), [("extra", 1)], "{name}, tied: {tied}");
            }
        }
    }
}
