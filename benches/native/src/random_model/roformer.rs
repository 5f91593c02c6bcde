//! A RoFormerForMaskedLM. Its embeddings are as wide as its hidden states.

use serde_json::json;

use super::{RandomModel, Sizes, Stored};

const POSITIONS: usize = 512;

pub fn model(sizes: Sizes) -> RandomModel {
    let Sizes { layers, hidden, heads, intermediate, vocabulary, .. } = sizes;
    let config = json!({
        "architectures": ["RoFormerForMaskedLM"], "model_type": "roformer", "hidden_act": "gelu", "layer_norm_eps": 1e-12,
        "vocab_size": vocabulary, "embedding_size": hidden, "hidden_size": hidden, "num_hidden_layers": layers,
        "num_attention_heads": heads, "intermediate_size": intermediate, "max_position_embeddings": POSITIONS,
        "type_vocab_size": 2, "pad_token_id": 0, "rotary_value": false, "is_decoder": false,
    });
    RandomModel { config, tensors: shapes(sizes), gains: "LayerNorm.weight", stored: Stored::F32 }
}

/// Every tensor's name and shape, in a fixed order.
fn shapes(Sizes { layers, hidden, intermediate, vocabulary, .. }: Sizes) -> Vec<(String, Vec<usize>)> {
    let mut shapes = vec![
        ("roformer.embeddings.word_embeddings.weight".to_owned(), vec![vocabulary, hidden]),
        ("roformer.embeddings.token_type_embeddings.weight".to_owned(), vec![2, hidden]),
    ];
    let mut norm = |name: String| {
        shapes.push((format!("{name}.weight"), vec![hidden]));
        shapes.push((format!("{name}.bias"), vec![hidden]));
    };
    norm("roformer.embeddings.LayerNorm".to_owned());
    norm("cls.predictions.transform.LayerNorm".to_owned());
    for layer in 0..layers {
        norm(format!("roformer.encoder.layer.{layer}.attention.output.LayerNorm"));
        norm(format!("roformer.encoder.layer.{layer}.output.LayerNorm"));
    }
    let mut linear = |name: String, outputs: usize, inputs: usize| {
        shapes.push((format!("{name}.weight"), vec![outputs, inputs]));
        shapes.push((format!("{name}.bias"), vec![outputs]));
    };
    for layer in 0..layers {
        let layer = format!("roformer.encoder.layer.{layer}");
        for part in ["self.query", "self.key", "self.value", "output.dense"] {
            linear(format!("{layer}.attention.{part}"), hidden, hidden);
        }
        linear(format!("{layer}.intermediate.dense"), intermediate, hidden);
        linear(format!("{layer}.output.dense"), hidden, intermediate);
    }
    linear("cls.predictions.transform.dense".to_owned(), hidden, hidden);
    shapes.push(("cls.predictions.bias".to_owned(), vec![vocabulary]));
    shapes
}
