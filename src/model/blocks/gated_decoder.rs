//! Decoders of Llama's shape, read from config.json: RMS norms, grouped queries, half-split rotation, SwiGLU. What tells the
//! families apart is said by each of them.

use super::{Decoder, DecoderLayer, FeedForward, SelfAttention, linear, packed_projection, rms_norm};
use crate::error::Error;
use crate::files::{Names, Part, RowOrder, WeightTable};
use crate::kernels::Activation;
use crate::model::families::{LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_LAYERS, activation, heads, rope};
use crate::model::{Facts, Keys, Model, Output};
use crate::ops::{EmbeddingWeights, HeadNorms, LinearWeights, Rotary};
use crate::rope::Rope;

/// What a family's config class puts where config.json says nothing, and what its layers have.
pub struct Variant {
    pub architecture: &'static str,
    pub vocab_size: usize,
    pub hidden_size: usize,
    pub intermediate_size: usize,
    pub max_position_embeddings: usize,
    pub rms_norm_eps: f64,
    /// Biases of q, k and v.
    pub projection_bias: bool,
    pub output_bias: bool,
    pub mlp_bias: bool,
    /// RMS norms of each query and key head before the rotation.
    pub head_norms: bool,
    /// The keys that a query of each layer sees, itself among them; all where there is none.
    pub windows: Vec<Option<usize>>,
}

/// num_hidden_layers: (layers) windows are asked for before the rest is read.
pub fn layers(keys: &Keys) -> Result<usize, Error> {
    keys.size("num_hidden_layers", 32, MOST_LAYERS)
}

/// Reads the config and declares the weights.
///
/// # Errors
/// Settings that do not run here, numbers out of bounds.
pub fn declare(keys: &Keys, variant: Variant) -> Result<Model, Error> {
    let hidden_size = keys.size("hidden_size", variant.hidden_size, LARGEST_SIZE)?;
    let [heads, key_heads, head_size] = heads(keys, hidden_size, 32)?;
    let max_position_embeddings =
        keys.size("max_position_embeddings", variant.max_position_embeddings, LARGEST_VOCABULARY)?;
    let vocab_size = keys.size("vocab_size", variant.vocab_size, LARGEST_VOCABULARY)?;
    let count = layers(keys)?;
    let sizes = Sizes {
        layers: count,
        hidden: hidden_size,
        inner: keys.size("intermediate_size", variant.intermediate_size, LARGEST_INNER)?,
        heads,
        key_heads,
        head_size,
        epsilon: keys.number("rms_norm_eps", variant.rms_norm_eps, 0.0, 1.0)? as f32,
        activation: activation(keys, "hidden_act", Activation::Silu)?,
    };
    let base = ("rope_theta", 10_000.0);
    let rope = rope(keys, head_size, base, ("partial_rotary_factor", 1.0), max_position_embeddings)?;
    let tied = keys.flag("tie_word_embeddings", false)?;

    let mut table = WeightTable::new(Names { prefix: "model.", gamma_beta: false });
    let word = table.lookup("model.embed_tokens.weight", vocab_size, hidden_size);
    let layers = (0..count).map(|index| sizes.layer(&mut table, &variant, &rope, index)).collect();
    let norm = rms_norm(&mut table, "model.norm", hidden_size, sizes.epsilon);
    let head = match tied {
        true => {
            table.tie(["lm_head.weight".into()], word);
            LinearWeights { weight: word, bias: None }
        }
        false => linear(&mut table, "lm_head", vocab_size, hidden_size, false),
    };
    let embeddings = EmbeddingWeights { word, token_type: None, norm: None };
    let facts = Facts {
        architecture: variant.architecture,
        output: Output::Vocabulary,
        layers: count,
        heads,
        key_heads,
        head_size,
        hidden_size,
        embedding_size: hidden_size,
        intermediate_size: sizes.inner,
        vocab_size,
        type_vocab_size: 0,
        max_position_embeddings,
        longest: rope.longest(),
        stretches: true,
        causal: true,
        positions_skip_padding: true,
        rotary_value: false,
        scale: sizes.scale(),
        num_labels: 0,
        labels: Vec::new(),
        eos_token_ids: keys.ids("eos_token_id")?,
    };
    let network = Box::new(Decoder { embeddings, layers, norm, head });
    Ok(Model { facts, table, ropes: vec![rope], stored_table: None, network })
}

/// Sizes that all layers share.
struct Sizes {
    layers: usize,
    hidden: usize,
    inner: usize,
    heads: usize,
    key_heads: usize,
    head_size: usize,
    epsilon: f32,
    activation: Activation,
}

impl Sizes {
    fn scale(&self) -> f64 {
        1.0 / (self.head_size as f64).sqrt()
    }

    fn layer(&self, table: &mut WeightTable, variant: &Variant, rope: &Rope, index: usize) -> DecoderLayer {
        let name = |part: &str| format!("model.layers.{index}.{part}");
        let mlp = ["gate_proj", "up_proj", "down_proj"].map(|part| name(&format!("mlp.{part}")));
        let attention_norm = rms_norm(table, &name("input_layernorm"), self.hidden, self.epsilon);
        let attention = self.attention(table, variant, rope, index);
        let feed_forward_norm = rms_norm(table, &name("post_attention_layernorm"), self.hidden, self.epsilon);
        let mlp = mlp.each_ref().map(String::as_str);
        let feed_forward = FeedForward::gated(table, mlp, self.hidden, self.inner, variant.mlp_bias, self.activation);
        DecoderLayer { attention_norm, attention, feed_forward_norm, feed_forward, parallel: false }
    }

    fn attention(&self, table: &mut WeightTable, variant: &Variant, rope: &Rope, index: usize) -> SelfAttention {
        let Self { hidden, heads, key_heads, head_size, .. } = *self;
        let name = |part: &str| format!("model.layers.{index}.self_attn.{part}");
        let projections = ["q_proj", "k_proj", "v_proj"].map(&name);
        let halves = rope.paired_columns();
        let sizes = [heads, key_heads, head_size, hidden];
        let projection = packed_projection(
            table,
            projections.each_ref().map(String::as_str),
            sizes,
            halves,
            variant.projection_bias,
        );
        let mut gain = |part: &str| {
            let order = RowOrder::HalvesToPairs { heads: 1, head_size, rotated: halves };
            let part = Part::new(format!("{}.weight", name(part)), &[head_size]).ordered(order);
            table.weight(1, head_size, vec![part])
        };
        let norms = variant.head_norms.then(|| HeadNorms {
            query: gain("q_norm"),
            key: gain("k_norm"),
            query_heads: heads,
            key_heads,
            epsilon: self.epsilon,
        });
        SelfAttention {
            projection,
            output: linear(table, &name("o_proj"), hidden, heads * head_size, variant.output_bias),
            layers: self.layers,
            heads,
            key_heads,
            head_size,
            rotary: Rotary { rope: 0, head_size, rotated_columns: (heads + key_heads) * head_size },
            norms,
            causal: true,
            window: variant.windows.get(index).copied().flatten(),
            scale: self.scale() as f32,
            halves,
        }
    }
}

/// The windows of Qwen's layers: `layer_types` where there are any, else those from `max_window_layers` on slide, if
/// `use_sliding_window` says so.
///
/// # Errors
/// A layer type that does not run here, numbers out of bounds.
pub fn qwen_windows(keys: &Keys, default_window: u64) -> Result<Vec<Option<usize>>, Error> {
    let count = layers(keys)?;
    let slides = keys.flag("use_sliding_window", false)?;
    let window = window(keys, default_window)?.filter(|_| slides);
    let types = keys.words("layer_types")?;
    if !types.is_empty() {
        return types.iter().map(|name| layer_window(name, window)).collect();
    }
    let first = keys.whole("max_window_layers", 28, 0, MOST_LAYERS)? as usize;
    Ok((0..count).map(|layer| window.filter(|_| layer >= first)).collect())
}

/// `sliding_window`: null is none; a config without the key has the class's default.
///
/// # Errors
/// No whole number.
pub fn window(keys: &Keys, default: u64) -> Result<Option<usize>, Error> {
    let default = if keys.names("sliding_window") { 0 } else { default };
    let window = keys.whole("sliding_window", default, 0, LARGEST_VOCABULARY)? as usize;
    Ok(Some(window).filter(|window| *window > 0))
}

fn layer_window(name: &str, window: Option<usize>) -> Result<Option<usize>, Error> {
    match name {
        "full_attention" => Ok(None),
        "sliding_attention" => Ok(window),
        other => Err(Error::Unsupported {
            key: "layer_types".into(),
            found: format!("{other:?}"),
            supported: "full_attention, sliding_attention".into(),
        }),
    }
}
