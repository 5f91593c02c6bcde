//! GPT-NeoX and Pythia: `GPTNeoXForCausalLM`, `GPTNeoXModel` (Hugging Face's modeling_gpt_neox.py). LayerNorms with biases, q, k and v fused
//! head by head, a part of each head rotated, attention and feed-forward side by side.

use super::Family;
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::blocks::{FeedForward, Head, SelfAttention, Stack, StackLayer, layer_norm, linear};
use crate::model::ropes::{RotaryHeads, Turning, rope};
use crate::model::settings::{LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_LAYERS, activation, heads};
use crate::model::{Architecture, Attention, Class, Facts, Keys, Output};
use crate::ops::{EmbeddingWeights, LinearWeights, Rotary};
use crate::weight_table::{Aliases, RowOrder, WeightPart, WeightTable};

pub static FAMILY: Family =
    Family { model_type: "gpt_neox", architectures: &["GPTNeoXForCausalLM", "GPTNeoXModel"], read };

/// Sizes and settings that all layers share.
struct Sizes {
    layers: usize,
    hidden: usize,
    inner: usize,
    heads: usize,
    head_size: usize,
    /// Dimensions of a head that turn.
    rotated: usize,
    epsilon: f32,
    activation: Activation,
    attention_bias: bool,
    parallel: bool,
}

fn read(keys: &Keys, class: Class<'_>) -> Result<Architecture, Error> {
    let hidden = keys.size("hidden_size", 6144, LARGEST_SIZE)?;
    let [heads, _, head_size] = heads(keys, hidden, [64, 0, 0])?;
    let max_position_embeddings = keys.size("max_position_embeddings", 2048, LARGEST_VOCABULARY)?;
    let vocab_size = keys.size("vocab_size", 50_432, LARGEST_VOCABULARY)?;
    let turning = Turning::Part("rotary_pct", 0.25);
    let rope =
        rope(keys, RotaryHeads { size: head_size, turning, max_position_embeddings }, ("rotary_emb_base", 10_000.0))?;
    let layers = keys.size("num_hidden_layers", 44, MOST_LAYERS)?;
    let sizes = Sizes {
        layers,
        hidden,
        inner: keys.size("intermediate_size", 24_576, LARGEST_INNER)?,
        heads,
        head_size,
        rotated: rope.paired_columns(),
        epsilon: keys.number("layer_norm_eps", 1e-5, 0.0, 1.0)? as f32,
        activation: activation(keys, "hidden_act", Activation::Gelu)?,
        attention_bias: keys.flag("attention_bias", true)?,
        parallel: keys.flag("use_parallel_residual", true)?,
    };

    let mut table = WeightTable::new(Aliases { prefix: "gpt_neox.", gamma_beta: false });
    let word = table.lookup("gpt_neox.embed_in.weight", vocab_size, hidden);
    // The file's name, and the class's own: a tied checkpoint may carry a copy under either.
    let head_names = || ["embed_out.weight".into(), "lm_head.weight".into()];
    let (architecture, makes_logits) = class.name_or("GPTNeoXForCausalLM");
    let network = Stack {
        embeddings: EmbeddingWeights { word, added: None, norm: None, scale: 1.0 },
        layers: (0..layers).map(|index| sizes.layer(&mut table, index)).collect(),
        norm: layer_norm(&mut table, "gpt_neox.final_layer_norm", hidden, sizes.epsilon),
        head: match keys.flag("tie_word_embeddings", false)? {
            _ if !makes_logits => Head::default(),
            true => {
                table.tie(head_names(), word);
                LinearWeights { weight: word, bias: None }.into()
            }
            false => {
                let part = WeightPart::either(head_names(), &[vocab_size, hidden]);
                LinearWeights { weight: table.weight(vocab_size, hidden, vec![part]), bias: None }.into()
            }
        },
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
        intermediate_size: sizes.inner,
        vocab_size,
        max_position_embeddings,
        longest: rope.context_length(),
        stretches: true,
        causal: true,
        positions_skip_padding: true,
        scale: sizes.scale(),
        eos_token_ids: keys.ids("eos_token_id")?,
        ..Facts::default()
    };
    Ok(Architecture::new(facts, table, vec![rope], network))
}

impl Sizes {
    fn scale(&self) -> f64 {
        1.0 / (self.head_size as f64).sqrt()
    }

    fn layer(&self, table: &mut WeightTable, index: usize) -> StackLayer {
        let Self { hidden, inner, epsilon, .. } = *self;
        let name = |part: &str| format!("gpt_neox.layers.{index}.{part}");
        StackLayer {
            attention_norm: Some(layer_norm(table, &name("input_layernorm"), hidden, epsilon)),
            attention: self.attention(table, index),
            attended_norm: None,
            feed_forward_norm: layer_norm(table, &name("post_attention_layernorm"), hidden, epsilon),
            feed_forward: FeedForward {
                up: linear(table, &name("mlp.dense_h_to_4h"), inner, hidden, true),
                down: linear(table, &name("mlp.dense_4h_to_h"), hidden, inner, true),
                activation: self.activation,
                gated: false,
            },
            fed_norm: None,
            parallel: self.parallel,
        }
    }

    fn attention(&self, table: &mut WeightTable, index: usize) -> SelfAttention {
        let Self { hidden, heads, head_size, rotated, .. } = *self;
        let name = |part: &str| format!("gpt_neox.layers.{index}.attention.{part}");
        let total = 3 * heads * head_size;
        let part = |end: &str, shape: &[usize]| {
            let part = WeightPart::new(format!("{}.{end}", name("query_key_value")), shape);
            let part = part.ordered(RowOrder::FusedHeads { heads, head_size });
            vec![part.ordered(RowOrder::HalvesToPairs { heads: 2 * heads, head_size, rotated })]
        };
        let weight = table.weight(total, hidden, part("weight", &[total, hidden]));
        let bias = self.attention_bias.then(|| table.weight(1, total, part("bias", &[total])));
        SelfAttention {
            projection: LinearWeights { weight, bias },
            output: linear(table, &name("dense"), hidden, heads * head_size, self.attention_bias),
            layers: self.layers,
            heads,
            key_heads: heads,
            head_size,
            rotary: Some(Rotary { rope: 0, head_size, rotated_columns: 2 * heads * head_size }),
            norms: None,
            causal: true,
            window: None,
            scale: self.scale() as f32,
            attention: Attention::Softmax,
            halves: rotated,
        }
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
