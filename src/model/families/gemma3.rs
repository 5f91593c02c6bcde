//! Gemma 3's text models: `Gemma3ForCausalLM`, `Gemma3TextModel` (Hugging Face's modeling_gemma3.py). Llama with scaled embeddings, and
//! with norms before and after attention and feed-forward network. The gain of a norm is 1 + w. Query and key heads are normed, too, and
//! sliding layers have a rope base of their own. From 4 B on the class is `Gemma3ForConditionalGeneration`, which is not supported.
//!
//! Embeddings are multiplied by √hidden_size as in an f32 model; a bfloat16 model rounds that factor.

use super::Family;
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::blocks::gated_decoder::{GatedDecoder, head_sizes, layers, window};
use crate::model::ropes::{RotaryHeads, ropes_by_layer};
use crate::model::settings::{LARGEST_VOCABULARY, sliding_layers};
use crate::model::{Architecture, Keys};
use crate::weights::Header;

pub static FAMILY: Family =
    Family { model_type: "gemma3_text", architectures: &["Gemma3ForCausalLM", "Gemma3TextModel"], read };

const HIDDEN: usize = 2304;
const HEADS: [usize; 3] = [8, 4, 256];
const LONGEST: usize = 131_072;

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    for key in ["attn_logit_softcapping", "final_logit_softcapping"] {
        if keys.contains(key) {
            return Err(keys.unsupported(key, None, "null"));
        }
    }
    let longest = keys.size("max_position_embeddings", LONGEST, LARGEST_VOCABULARY)?;
    let [.., head_size] = head_sizes(keys, HIDDEN, HEADS)?;
    let bases = [("rope_theta", 1e6), ("rope_local_base_freq", 1e4)];
    let rotary_heads = RotaryHeads { size: head_size, share: None, max_position_embeddings: longest };
    let ropes = ropes_by_layer(keys, rotary_heads, bases, 1)?;
    let pattern = keys.integer("sliding_window_pattern", 6, 1, LARGEST_VOCABULARY)? as usize;
    let sliding = sliding_layers(keys, layers(keys, 26)?, &|layer| !(layer + 1).is_multiple_of(pattern))?;
    let bidirectional = keys.flag("use_bidirectional_attention", false)?;
    // Hugging Face's window covers half of it on either side, and the token itself.
    let window = window(keys, 4096)?.map(|window| if bidirectional { window / 2 + 1 } else { window });
    let bias = keys.flag("attention_bias", false)?;
    let family = GatedDecoder {
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
        has_head_norms: true,
        has_output_norms: true,
        gain_offset: 1.0,
        scales_embeddings: true,
        query_scalar: Some(keys.number("query_pre_attn_scalar", 256.0, f64::MIN_POSITIVE, 1e18)?),
        causal: !bidirectional,
        windows: sliding.iter().map(|slides| window.filter(|_| *slides)).collect(),
        ropes,
        layer_ropes: sliding.iter().map(|slides| usize::from(*slides)).collect(),
        ..GatedDecoder::default()
    };
    Ok(Architecture { rescalable: 1, ..family.read(keys, class)? })
}
