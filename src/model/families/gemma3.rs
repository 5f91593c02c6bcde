//! Gemma 3's text models: `Gemma3ForCausalLM`, `Gemma3TextModel` (Hugging Face's modeling_gemma3.py). Llama with scaled embeddings,
//! norms around attention and feed-forward network whose gain is 1 + w, norms of each query and key head, and sliding layers that
//! turn by a base of their own. From 4 B on the class is `Gemma3ForConditionalGeneration`, which does not run here.
//!
//! Embeddings are multiplied with √hidden_size as an f32 model has it; one that runs in bfloat16 rounds it to that.

use super::Family;
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::blocks::gated_decoder::{Variant, declare, layers, sizes_of_heads, window};
use crate::model::ropes::{RotaryHeads, Turning, ropes_by_layer};
use crate::model::settings::{LARGEST_VOCABULARY, sliding_layers};
use crate::model::{Architecture, Class, Keys};
use crate::number::written;

pub static FAMILY: Family =
    Family { model_type: "gemma3_text", architectures: &["Gemma3ForCausalLM", "Gemma3TextModel"], read };

const HIDDEN: usize = 2304;
const HEADS: [usize; 3] = [8, 4, 256];
const LONGEST: usize = 131_072;

fn read(keys: &Keys, class: Class<'_>) -> Result<Architecture, Error> {
    for key in ["attn_logit_softcapping", "final_logit_softcapping"] {
        if keys.contains(key) {
            let found = written(keys.number(key, 0.0, f64::MIN, f64::MAX)?);
            return Err(Error::Unsupported { key: key.into(), found, supported: "null".into() });
        }
    }
    let longest = keys.size("max_position_embeddings", LONGEST, LARGEST_VOCABULARY)?;
    let [.., head_size] = sizes_of_heads(keys, HIDDEN, HEADS)?;
    let bases = [("rope_theta", 1e6), ("rope_local_base_freq", 1e4)];
    let rotary_heads = RotaryHeads { size: head_size, turning: Turning::Whole, max_position_embeddings: longest };
    let ropes = ropes_by_layer(keys, rotary_heads, bases, 1)?;
    let pattern = keys.whole("sliding_window_pattern", 6, 1, LARGEST_VOCABULARY)? as usize;
    let sliding = sliding_layers(keys, layers(keys, 26)?, &|layer| !(layer + 1).is_multiple_of(pattern))?;
    let both_ways = keys.flag("use_bidirectional_attention", false)?;
    // Both ways it is half as wide, and the token itself.
    let window = window(keys, 4096)?.map(|window| if both_ways { window / 2 + 1 } else { window });
    let bias = keys.flag("attention_bias", false)?;
    let variant = Variant {
        class: class.name_or("Gemma3ForCausalLM"),
        vocab_size: 262_208,
        hidden_size: HIDDEN,
        intermediate_size: 9216,
        max_position_embeddings: LONGEST,
        layers: 26,
        heads: HEADS,
        activation: ("hidden_activation", Activation::GeluTanh),
        tied: true,
        projection_bias: bias,
        output_bias: bias,
        head_norms: true,
        sandwich: true,
        gain: 1.0,
        scaled_embeddings: true,
        query_scalar: Some(keys.number("query_pre_attn_scalar", 256.0, f64::MIN_POSITIVE, 1e18)?),
        causal: !both_ways,
        windows: sliding.iter().map(|slides| window.filter(|_| *slides)).collect(),
        ropes,
        layer_ropes: sliding.iter().map(|slides| usize::from(*slides)).collect(),
        ..Variant::default()
    };
    Ok(Architecture { rescalable: 1, ..declare(keys, variant)? })
}
