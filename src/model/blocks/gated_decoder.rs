//! Decoders of Llama's shape: RMS norms, grouped queries, half-split rotation, a gated feed-forward network. Each family states how it
//! differs.

use super::{FeedForward, Head, Layer, Norms, SelfAttention, Stack, fused_projection, linear, output_weight};
use crate::error::{Condition, Error};
use crate::kernels::Activation;
use crate::model::ropes::{RotaryHeads, rope};
use crate::model::settings::{
    LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_LAYERS, activation, heads, sliding_layers,
};
use crate::model::{Architecture, Facts, HeadKind, Keys};
use crate::ops::{EmbeddingWeights, HeadNorms, LinearWeights, NormKind, NormWeights};
use crate::plan::Weight;
use crate::rope::Rope;
use crate::weight_table::{Aliases, RowOrder, WeightPart, WeightTable};

/// A family: the defaults of its config class, and the features of its layers. [`GatedDecoder::default`] is Llama.
pub struct GatedDecoder {
    pub vocab_size: usize,
    pub hidden_size: usize,
    pub intermediate_size: usize,
    pub max_position_embeddings: usize,
    /// num_hidden_layers
    pub layers: usize,
    /// Heads, key heads and head size.
    pub heads: [usize; 3],
    /// The key of the activation function, and its default.
    pub activation: (&'static str, Activation),
    /// Default of tie_word_embeddings.
    pub tied: bool,
    /// Biases of the query, key and value projection.
    pub projection_bias: bool,
    pub output_bias: bool,
    pub mlp_bias: bool,
    /// RMS norms of each query and key head before the rotation.
    pub has_head_norms: bool,
    /// Norms of the outputs of attention and feed-forward network, too, before they are added to the residual stream.
    pub has_output_norms: bool,
    /// Added to the gain of every norm.
    pub gain_offset: f32,
    /// Whether embeddings are multiplied by √hidden_size.
    pub scales_embeddings: bool,
    /// Scores are divided by its root; `None`: by √head_size.
    pub query_scalar: Option<f64>,
    pub causal: bool,
    /// The sliding window of each layer, see [`crate::plan::Heads::window`]; empty if no layer has one.
    pub windows: Vec<Option<usize>>,
    /// The model's ropes; empty: the one of the config.
    pub ropes: Vec<Rope>,
    /// The index of each layer's rope; empty: all layers use the first one.
    pub layer_ropes: Vec<usize>,
}

impl Default for GatedDecoder {
    fn default() -> Self {
        Self {
            vocab_size: 32_000,
            hidden_size: 4096,
            intermediate_size: 11_008,
            max_position_embeddings: 2048,
            layers: 32,
            heads: [32, 0, 0],
            activation: ("hidden_act", Activation::Silu),
            tied: false,
            projection_bias: false,
            output_bias: false,
            mlp_bias: false,
            has_head_norms: false,
            has_output_norms: false,
            gain_offset: 0.0,
            scales_embeddings: false,
            query_scalar: None,
            causal: true,
            windows: Vec::new(),
            ropes: Vec::new(),
            layer_ropes: Vec::new(),
        }
    }
}

/// num_hidden_layers, which families with windows need before the rest is read.
pub fn layers(keys: &Keys, default: usize) -> Result<usize, Error> {
    keys.size("num_hidden_layers", default, MOST_LAYERS)
}

/// Heads, key heads and head size, which families with several ropes need before the rest is read.
pub fn head_sizes(keys: &Keys, hidden_size: usize, defaults: [usize; 3]) -> Result<[usize; 3], Error> {
    heads(keys, keys.size("hidden_size", hidden_size, LARGEST_SIZE)?, defaults)
}

impl GatedDecoder {
    /// Reads the config of a class of the family, and declares the weights.
    pub fn read(self, keys: &Keys, class: &'static str) -> Result<Architecture, Error> {
        let hidden_size = keys.size("hidden_size", self.hidden_size, LARGEST_SIZE)?;
        let heads = heads(keys, hidden_size, self.heads)?;
        let [_, _, head_size] = heads;
        let max_position_embeddings =
            keys.size("max_position_embeddings", self.max_position_embeddings, LARGEST_VOCABULARY)?;
        let vocab_size = keys.size("vocab_size", self.vocab_size, LARGEST_VOCABULARY)?;
        let layers = layers(keys, self.layers)?;
        // A query would have no key. The result would then depend on Hugging Face's attention implementation.
        if self.windows.contains(&Some(0)) {
            return Err(keys.unsupported("sliding_window", Condition::SlidingLayers, "null, 1, 2, …"));
        }
        let ropes = match self.ropes.is_empty() {
            true => {
                let rotary_heads = RotaryHeads { size: head_size, share: None, max_position_embeddings };
                vec![rope(keys, rotary_heads, ("rope_theta", 10_000.0))?]
            }
            false => self.ropes.clone(),
        };
        let intermediate_size = keys.size("intermediate_size", self.intermediate_size, LARGEST_INNER)?;
        let epsilon = keys.number("rms_norm_eps", 1e-6, 0.0, 1.0)? as f32;
        let (activation_key, default_activation) = self.activation;
        let activation = activation(keys, activation_key, default_activation)?;
        let tied = keys.flag("tie_word_embeddings", self.tied)?;
        let facts = Facts {
            intermediate_size,
            vocab_size,
            max_position_embeddings,
            longest: ropes.first().and_then(Rope::context_length),
            stretches: true,
            causal: self.causal,
            positions_skip_padding: true,
            scale: 1.0 / self.query_scalar.unwrap_or(head_size as f64).sqrt(),
            eos_token_ids: keys.ids("eos_token_id")?,
            ..Facts::new(class, layers, heads, hidden_size)
        };
        let table = WeightTable::new(Aliases { prefix: "model.", gamma_beta: false });
        let mut weights = LayerBuilder { table, family: self, facts, ropes, epsilon, activation };
        let word = weights.table.lookup("model.embed_tokens.weight", vocab_size, hidden_size);
        let layers = (0..layers).map(|index| weights.layer(index)).collect();
        let norm = Some(weights.norm("model.norm"));
        let LayerBuilder { mut table, family, facts, ropes, .. } = weights;
        let head = match facts.output {
            HeadKind::Vocabulary => {
                let name = ["lm_head.weight".into()];
                let weight = output_weight(&mut table, name, word, tied, [vocab_size, hidden_size]);
                LinearWeights { weight, bias: None }.into()
            }
            _ => Head::default(),
        };
        // Rounded as Hugging Face's f32 model rounds it.
        let scale = if family.scales_embeddings { (hidden_size as f64).sqrt() as f32 } else { 1.0 };
        let embeddings = EmbeddingWeights { word, added: None, norm: None, scale }.into();
        let network = Stack { embeddings, layers, norm, head };
        Ok(Architecture { layer_ropes: family.layer_ropes, ..Architecture::new(facts, table, ropes, network) })
    }
}

/// The table of weights while a family declares them, and the settings of all layers.
struct LayerBuilder {
    table: WeightTable,
    family: GatedDecoder,
    facts: Facts,
    ropes: Vec<Rope>,
    epsilon: f32,
    activation: Activation,
}

impl LayerBuilder {
    fn gain(&mut self, name: &str, width: usize, order: RowOrder) -> Weight {
        let part = WeightPart::new(format!("{name}.weight"), &[width]).ordered(order).plus(self.family.gain_offset);
        self.table.weight(1, width, vec![part])
    }

    fn norm(&mut self, name: &str) -> NormWeights {
        let gain = Some(self.gain(name, self.facts.hidden_size, RowOrder::AsStored));
        NormWeights { kind: NormKind::Rms, gain, shift: None, epsilon: self.epsilon }
    }

    fn layer(&mut self, index: usize) -> Layer {
        let name = |part: &str| format!("model.layers.{index}.{part}");
        let mlp = ["gate_proj", "up_proj", "down_proj"].map(|part| name(&format!("mlp.{part}")));
        let has_output_norms = self.family.has_output_norms;
        let input = Some(self.norm(&name("input_layernorm")));
        let attention = self.attention(index);
        let output = has_output_norms.then(|| self.norm(&name("post_attention_layernorm")));
        let attention_norms = Norms { input, output, ..Norms::default() };
        let input = if has_output_norms { "pre_feedforward_layernorm" } else { "post_attention_layernorm" };
        let input = Some(self.norm(&name(input)));
        let feed_forward = FeedForward::gated(&mut self.table, mlp, &self.facts, self.family.mlp_bias, self.activation);
        let output = has_output_norms.then(|| self.norm(&name("post_feedforward_layernorm")));
        let feed_forward_norms = Norms { input, output, ..Norms::default() };
        Layer { attention, attention_norms, cross: None, feed_forward, feed_forward_norms, parallel: false }
    }

    fn attention(&mut self, index: usize) -> SelfAttention {
        let Facts { hidden_size, heads, key_heads, head_size, .. } = self.facts;
        let name = |part: &str| format!("model.layers.{index}.self_attn.{part}");
        let rope = self.family.layer_ropes.get(index).copied().unwrap_or(0);
        let halves = self.ropes.get(rope).map_or(0, Rope::paired_columns);
        let names = ["q_proj", "k_proj", "v_proj"].map(name);
        let projection = fused_projection(&mut self.table, names, &self.facts, halves, self.family.projection_bias);
        let order = RowOrder::HalvesToPairs { heads: 1, head_size, rotated: halves };
        let norms = self.family.has_head_norms.then(|| HeadNorms {
            query: self.gain(&name("q_norm"), head_size, order),
            key: self.gain(&name("k_norm"), head_size, order),
            query_heads: heads,
            key_heads,
            epsilon: self.epsilon,
        });
        let bias = self.family.output_bias;
        let output = linear(&mut self.table, &name("o_proj"), hidden_size, heads * head_size, bias);
        let window = self.family.windows.get(index).copied().flatten();
        let attention = SelfAttention::new(projection, output).rotated_by(&self.facts, rope, halves);
        SelfAttention { norms, window, ..attention }
    }
}

/// The windows of Qwen's layers. If `use_sliding_window`, the sliding layers have one: those of `layer_types`, or, without that key, those
/// from `max_window_layers` on.
pub fn qwen_windows(keys: &Keys, default_window: u64) -> Result<Vec<Option<usize>>, Error> {
    let use_window = keys.flag("use_sliding_window", false)?;
    let window = window(keys, default_window)?.filter(|_| use_window);
    let first = keys.integer("max_window_layers", 28, 0, MOST_LAYERS)? as usize;
    let sliding = sliding_layers(keys, layers(keys, 32)?, &|layer| layer >= first)?;
    Ok(sliding.into_iter().map(|slides| window.filter(|_| slides)).collect())
}

/// `sliding_window`: null means no window; without the key, the class has its default.
pub fn window(keys: &Keys, default: u64) -> Result<Option<usize>, Error> {
    if keys.has_key("sliding_window") && !keys.contains("sliding_window") {
        return Ok(None);
    }
    Ok(Some(keys.integer("sliding_window", default, 0, LARGEST_VOCABULARY)? as usize))
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
