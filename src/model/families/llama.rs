//! Llama: `LlamaForCausalLM`, `LlamaModel` (Hugging Face's modeling_llama.py).

use super::Family;
use crate::error::Error;
use crate::model::blocks::gated_decoder::{Variant, declare};
use crate::model::{Architecture, Class, Keys};

pub static FAMILY: Family = Family { model_type: "llama", architectures: &["LlamaForCausalLM", "LlamaModel"], read };

fn read(keys: &Keys, class: Class<'_>) -> Result<Architecture, Error> {
    let bias = keys.flag("attention_bias", false)?;
    declare(
        keys,
        Variant {
            class: class.name_or("LlamaForCausalLM"),
            projection_bias: bias,
            output_bias: bias,
            mlp_bias: keys.flag("mlp_bias", false)?,
            ..Variant::default()
        },
    )
}
