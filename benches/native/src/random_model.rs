//! A RoFormerForMaskedLM of seeded random weights, in Hugging Face's form: something to measure at a given size.

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use safetensors::tensor::{Dtype, TensorView, serialize_to_file};
use serde_json::json;

/// Of a random model. Its embeddings are as wide as its hidden states.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub layers: usize,
    pub hidden: usize,
    pub heads: usize,
    pub intermediate: usize,
    pub vocabulary: usize,
}

const POSITIONS: usize = 512;

/// Standard deviation of a fresh RoFormer's weights (`initializer_range`).
const DEVIATION: f64 = 0.02;

/// Writes `config.json` and `model.safetensors` (f32) into the folder: the same bytes every time.
///
/// # Errors
/// When the folder cannot be written.
pub fn write(folder: &Path, sizes: Sizes) -> anyhow::Result<()> {
    let Sizes { layers, hidden, heads, intermediate, vocabulary } = sizes;
    fs::create_dir_all(folder)?;
    let config = json!({
        "architectures": ["RoFormerForMaskedLM"], "model_type": "roformer", "hidden_act": "gelu", "layer_norm_eps": 1e-12,
        "vocab_size": vocabulary, "embedding_size": hidden, "hidden_size": hidden, "num_hidden_layers": layers,
        "num_attention_heads": heads, "intermediate_size": intermediate, "max_position_embeddings": POSITIONS,
        "type_vocab_size": 2, "pad_token_id": 0, "rotary_value": false, "is_decoder": false,
    });
    fs::write(folder.join("config.json"), serde_json::to_string_pretty(&config)?)?;

    let mut normal = Normal { state: 20_210_420 };
    let tensors: Vec<(String, Vec<usize>, Vec<u8>)> = shapes(sizes)
        .into_iter()
        .map(|(name, shape)| {
            let count: usize = shape.iter().product();
            let centre = if name.ends_with("LayerNorm.weight") { 1.0 } else { 0.0 };
            let data = (0..count).flat_map(|_| ((centre + DEVIATION * normal.next()) as f32).to_le_bytes()).collect();
            (name, shape, data)
        })
        .collect();
    let views = tensors
        .iter()
        .map(|(name, shape, data)| Ok((name, TensorView::new(Dtype::F32, shape.clone(), data)?)))
        .collect::<Result<HashMap<_, _>, safetensors::SafeTensorError>>()?;
    Ok(serialize_to_file(views, None, &folder.join("model.safetensors"))?)
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

/// Normally distributed numbers: Box and Muller's transform of a splitmix64 sequence.
struct Normal {
    state: u64,
}

impl Normal {
    fn next(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }

    /// In [0, 1).
    fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
