//! A LlamaForCausalLM with a tied word table, as SmolLM2 has it.

use serde_json::json;

use super::{RandomModel, Sizes, Stored};

const POSITIONS: usize = 8192;

pub fn model(sizes: Sizes) -> RandomModel {
    let Sizes { layers, hidden, heads, key_heads, intermediate, vocabulary } = sizes;
    let config = json!({
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "rms_norm_eps": 1e-5,
        "vocab_size": vocabulary, "hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads,
        "num_key_value_heads": key_heads, "intermediate_size": intermediate, "max_position_embeddings": POSITIONS,
        "rope_theta": 100_000.0, "tie_word_embeddings": true,
    });
    RandomModel { config, tensors: shapes(sizes), gains: "norm.weight", stored: Stored::F16 }
}

/// Every tensor's name and shape, in a fixed order.
fn shapes(Sizes { layers, hidden, heads, key_heads, intermediate, vocabulary }: Sizes) -> Vec<(String, Vec<usize>)> {
    let keys = hidden / heads * key_heads;
    let mut shapes = vec![("model.embed_tokens.weight".to_owned(), vec![vocabulary, hidden])];
    for layer in 0..layers {
        let matrices = [
            ("self_attn.q_proj", [hidden, hidden]),
            ("self_attn.k_proj", [keys, hidden]),
            ("self_attn.v_proj", [keys, hidden]),
            ("self_attn.o_proj", [hidden, hidden]),
            ("mlp.gate_proj", [intermediate, hidden]),
            ("mlp.up_proj", [intermediate, hidden]),
            ("mlp.down_proj", [hidden, intermediate]),
        ];
        let named = |name: &str| format!("model.layers.{layer}.{name}.weight");
        shapes.extend(matrices.map(|(name, shape)| (named(name), shape.to_vec())));
        shapes.extend(["input_layernorm", "post_attention_layernorm"].map(|name| (named(name), vec![hidden])));
    }
    shapes.push(("model.norm.weight".to_owned(), vec![hidden]));
    shapes
}
