//! Decoders of Llama's shape, read from config.json: RMS norms, grouped queries, half-split rotation, a gated feed-forward network.
//! What tells the families apart is said by each of them.

use super::{FeedForward, Head, SelfAttention, Stack, StackLayer, linear, packed_projection};
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::ropes::{RotaryHeads, Turning, rope};
use crate::model::settings::{
    LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_LAYERS, activation, heads, sliding_layers,
};
use crate::model::{Architecture, Attention, Facts, Keys, Output};
use crate::ops::{EmbeddingWeights, HeadNorms, LinearWeights, NormKind, NormWeights, Rotary};
use crate::plan::Weight;
use crate::rope::Rope;
use crate::weight_table::{Aliases, RowOrder, WeightPart, WeightTable};

/// What a family's config class puts where config.json says nothing, and what its layers have.
pub struct Variant {
    /// Hugging Face's class, and whether it makes logits.
    pub class: (&'static str, bool),
    pub vocab_size: usize,
    pub hidden_size: usize,
    pub intermediate_size: usize,
    pub max_position_embeddings: usize,
    pub rms_norm_eps: f64,
    /// num_hidden_layers
    pub layers: usize,
    /// Heads, key heads and head size; 0: as many as heads, and hidden_size / heads.
    pub heads: [usize; 3],
    /// The key that names the activation, and what it is without.
    pub activation: (&'static str, Activation),
    pub tied: bool,
    /// Biases of q, k and v.
    pub projection_bias: bool,
    pub output_bias: bool,
    pub mlp_bias: bool,
    /// RMS norms of each query and key head before the rotation.
    pub head_norms: bool,
    /// Norms of what attention and the feed-forward network give, too, before it is added.
    pub sandwich: bool,
    /// What is added to every norm's gain.
    pub gain: f32,
    /// Whether embeddings are multiplied with √hidden_size.
    pub scaled_embeddings: bool,
    /// What scores are divided by the root of, where that is not the head size.
    pub query_scalar: Option<f64>,
    pub causal: bool,
    /// The keys that a query of each layer sees, itself among them; all where there is none.
    pub windows: Vec<Option<usize>>,
    /// Ropes, and which of them each layer turns by; none: the one of the config for all.
    pub ropes: Vec<Rope>,
    pub layer_ropes: Vec<usize>,
}

impl Default for Variant {
    /// Llama.
    fn default() -> Self {
        Self {
            class: ("LlamaForCausalLM", true),
            vocab_size: 32_000,
            hidden_size: 4096,
            intermediate_size: 11_008,
            max_position_embeddings: 2048,
            rms_norm_eps: 1e-6,
            layers: 32,
            heads: [32, 0, 0],
            activation: ("hidden_act", Activation::Silu),
            tied: false,
            projection_bias: false,
            output_bias: false,
            mlp_bias: false,
            head_norms: false,
            sandwich: false,
            gain: 0.0,
            scaled_embeddings: false,
            query_scalar: None,
            causal: true,
            windows: Vec::new(),
            ropes: Vec::new(),
            layer_ropes: Vec::new(),
        }
    }
}

/// num_hidden_layers: (layers) windows are asked for before the rest is read.
pub fn layers(keys: &Keys, default: usize) -> Result<usize, Error> {
    keys.size("num_hidden_layers", default, MOST_LAYERS)
}

/// Heads, key heads and head size of a family.
///
/// # Errors
/// Sizes that are no whole numbers, out of bounds, or do not go together.
pub fn sizes_of_heads(keys: &Keys, hidden_size: usize, defaults: [usize; 3]) -> Result<[usize; 3], Error> {
    heads(keys, keys.size("hidden_size", hidden_size, LARGEST_SIZE)?, defaults)
}

/// Reads the config and declares the weights.
///
/// # Errors
/// Settings that do not run here, numbers out of bounds.
pub fn declare(keys: &Keys, variant: Variant) -> Result<Architecture, Error> {
    let hidden_size = keys.size("hidden_size", variant.hidden_size, LARGEST_SIZE)?;
    let [heads, key_heads, head_size] = heads(keys, hidden_size, variant.heads)?;
    let max_position_embeddings =
        keys.size("max_position_embeddings", variant.max_position_embeddings, LARGEST_VOCABULARY)?;
    let vocab_size = keys.size("vocab_size", variant.vocab_size, LARGEST_VOCABULARY)?;
    let count = layers(keys, variant.layers)?;
    // Hugging Face's masks leave a query no key then, and what comes of that differs between its kinds of attention.
    if variant.windows.contains(&Some(0)) {
        return Err(Error::Unsupported {
            key: "sliding_window".into(),
            found: "0".into(),
            supported: "null for no window, or at least 1: the query's own key".into(),
        });
    }
    let (activation_key, default_activation) = variant.activation;
    let mut ropes = variant.ropes.clone();
    if ropes.is_empty() {
        let rotary_heads = RotaryHeads { size: head_size, turning: Turning::Whole, max_position_embeddings };
        ropes.push(rope(keys, rotary_heads, ("rope_theta", 10_000.0))?);
    }
    let longest = ropes.first().and_then(Rope::context_length);
    let mut declared = Declared {
        table: WeightTable::new(Aliases { prefix: "model.", gamma_beta: false }),
        layers: count,
        hidden: hidden_size,
        inner: keys.size("intermediate_size", variant.intermediate_size, LARGEST_INNER)?,
        heads,
        key_heads,
        head_size,
        epsilon: keys.number("rms_norm_eps", variant.rms_norm_eps, 0.0, 1.0)? as f32,
        activation: activation(keys, activation_key, default_activation)?,
        scale: 1.0 / variant.query_scalar.unwrap_or(head_size as f64).sqrt(),
        variant,
        ropes,
    };
    let tied = keys.flag("tie_word_embeddings", declared.variant.tied)?;
    let word = declared.table.lookup("model.embed_tokens.weight", vocab_size, hidden_size);
    let layers = (0..count).map(|index| declared.layer(index)).collect();
    let norm = declared.norm("model.norm");
    let Declared { mut table, scale, variant, ropes, inner, .. } = declared;
    let (architecture, makes_logits) = variant.class;
    let head = match (makes_logits, tied) {
        (false, _) => Head::default(),
        (true, true) => {
            table.tie(["lm_head.weight".into()], word);
            LinearWeights { weight: word, bias: None }.into()
        }
        (true, false) => linear(&mut table, "lm_head", vocab_size, hidden_size, false).into(),
    };
    // Rounded as Hugging Face's f32 model rounds it.
    let embedding_scale = if variant.scaled_embeddings { (hidden_size as f64).sqrt() as f32 } else { 1.0 };
    let embeddings = EmbeddingWeights { word, added: None, norm: None, scale: embedding_scale };
    let facts = Facts {
        architecture,
        output: if makes_logits { Output::Vocabulary } else { Output::HiddenStates },
        layers: count,
        heads,
        key_heads,
        head_size,
        hidden_size,
        embedding_size: hidden_size,
        intermediate_size: inner,
        vocab_size,
        max_position_embeddings,
        longest,
        stretches: true,
        causal: variant.causal,
        positions_skip_padding: true,
        scale,
        eos_token_ids: keys.ids("eos_token_id")?,
        ..Facts::default()
    };
    let network = Stack { embeddings, layers, norm, head };
    Ok(Architecture { layer_ropes: variant.layer_ropes, ..Architecture::new(facts, table, ropes, network) })
}

/// Weights on their way, and the sizes that all layers share.
struct Declared {
    table: WeightTable,
    variant: Variant,
    ropes: Vec<Rope>,
    layers: usize,
    hidden: usize,
    inner: usize,
    heads: usize,
    key_heads: usize,
    head_size: usize,
    epsilon: f32,
    activation: Activation,
    scale: f64,
}

impl Declared {
    fn gain(&mut self, name: &str, width: usize, order: RowOrder) -> Weight {
        let part = WeightPart::new(format!("{name}.weight"), &[width]).ordered(order).plus(self.variant.gain);
        self.table.weight(1, width, vec![part])
    }

    fn norm(&mut self, name: &str) -> NormWeights {
        let gain = Some(self.gain(name, self.hidden, RowOrder::AsStored));
        NormWeights { kind: NormKind::Rms, gain, shift: None, epsilon: self.epsilon }
    }

    fn layer(&mut self, index: usize) -> StackLayer {
        let name = |part: &str| format!("model.layers.{index}.{part}");
        let mlp = ["gate_proj", "up_proj", "down_proj"].map(|part| name(&format!("mlp.{part}")));
        let sandwich = self.variant.sandwich;
        let attention_norm = Some(self.norm(&name("input_layernorm")));
        let attention = self.attention(index);
        let attended_norm = sandwich.then(|| self.norm(&name("post_attention_layernorm")));
        let before = if sandwich { "pre_feedforward_layernorm" } else { "post_attention_layernorm" };
        let feed_forward_norm = self.norm(&name(before));
        let (mlp, bias) = (mlp.each_ref().map(String::as_str), self.variant.mlp_bias);
        let feed_forward = FeedForward::gated(&mut self.table, mlp, self.hidden, self.inner, bias, self.activation);
        let fed_norm = sandwich.then(|| self.norm(&name("post_feedforward_layernorm")));
        StackLayer {
            attention_norm,
            attention,
            attended_norm,
            feed_forward_norm,
            feed_forward,
            fed_norm,
            parallel: false,
        }
    }

    fn attention(&mut self, index: usize) -> SelfAttention {
        let Self { hidden, heads, key_heads, head_size, .. } = *self;
        let name = |part: &str| format!("model.layers.{index}.self_attn.{part}");
        let projections = ["q_proj", "k_proj", "v_proj"].map(&name);
        let rope = self.variant.layer_ropes.get(index).copied().unwrap_or(0);
        let halves = self.ropes.get(rope).map_or(0, Rope::paired_columns);
        let sizes = [heads, key_heads, head_size, hidden];
        let projection = packed_projection(
            &mut self.table,
            projections.each_ref().map(String::as_str),
            sizes,
            halves,
            self.variant.projection_bias,
        );
        let order = RowOrder::HalvesToPairs { heads: 1, head_size, rotated: halves };
        let norms = self.variant.head_norms.then(|| HeadNorms {
            query: self.gain(&name("q_norm"), head_size, order),
            key: self.gain(&name("k_norm"), head_size, order),
            query_heads: heads,
            key_heads,
            epsilon: self.epsilon,
        });
        SelfAttention {
            projection,
            output: linear(&mut self.table, &name("o_proj"), hidden, heads * head_size, self.variant.output_bias),
            layers: self.layers,
            heads,
            key_heads,
            head_size,
            rotary: Some(Rotary { rope, head_size, rotated_columns: (heads + key_heads) * head_size }),
            norms,
            causal: self.variant.causal,
            window: self.variant.windows.get(index).copied().flatten(),
            scale: self.scale as f32,
            attention: Attention::Softmax,
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
    let slides = keys.flag("use_sliding_window", false)?;
    let window = window(keys, default_window)?.filter(|_| slides);
    let first = keys.whole("max_window_layers", 28, 0, MOST_LAYERS)? as usize;
    let sliding = sliding_layers(keys, layers(keys, 32)?, &|layer| layer >= first)?;
    Ok(sliding.into_iter().map(|slides| window.filter(|_| slides)).collect())
}

/// `sliding_window`: null is none; a config without the key has the class's default.
///
/// # Errors
/// No whole number.
pub fn window(keys: &Keys, default: u64) -> Result<Option<usize>, Error> {
    if keys.names("sliding_window") && !keys.contains("sliding_window") {
        return Ok(None);
    }
    Ok(Some(keys.whole("sliding_window", default, 0, LARGEST_VOCABULARY)? as usize))
}

#[cfg(test)]
mod tests {
    use crate::model::Architecture;

    #[test]
    fn a_window_without_any_key_is_refused_where_a_layer_has_it() {
        let error = |family: &str, settings: &str| {
            let config = format!(
                r#"{{"model_type": "{family}", "hidden_size": 16, "num_attention_heads": 2, "num_key_value_heads": 1,
                    "num_hidden_layers": 2, "sliding_window": 0, {settings}}}"#
            );
            Architecture::read(&config, None).err().map(|error| error.to_string()).unwrap_or_default()
        };
        for (family, settings, is_refused) in [
            ("mistral", r#""head_dim": 8"#, true),
            ("qwen2", r#""use_sliding_window": true, "max_window_layers": 1"#, true),
            ("qwen2", r#""use_sliding_window": true, "max_window_layers": 2"#, false),
            ("qwen2", r#""use_sliding_window": false, "max_window_layers": 0"#, false),
            ("gemma3_text", r#""head_dim": 8"#, true),
            ("gemma3_text", r#""use_bidirectional_attention": true"#, false),
        ] {
            let message = error(family, settings);
            assert_eq!(message.contains("sliding_window is 0"), is_refused, "{family}, {settings}: {message}");
            assert_eq!(message.is_empty(), !is_refused, "{family}, {settings}: {message}");
        }
    }
}
