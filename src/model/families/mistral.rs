//! Mistral: `MistralForCausalLM`, `MistralModel` (Hugging Face's modeling_mistral.py), Llama with a sliding window.

use super::Family;
use crate::error::Error;
use crate::model::blocks::gated_decoder::{Variant, declare, layers, window};
use crate::model::{Architecture, Class, Keys};

pub static FAMILY: Family =
    Family { model_type: "mistral", architectures: &["MistralForCausalLM", "MistralModel"], read };

fn read(keys: &Keys, class: Class<'_>) -> Result<Architecture, Error> {
    let window = window(keys, 4096)?;
    declare(
        keys,
        Variant {
            class: class.name_or("MistralForCausalLM"),
            intermediate_size: 14_336,
            max_position_embeddings: 131_072,
            windows: vec![window; layers(keys, 32)?],
            ..Variant::default()
        },
    )
}
