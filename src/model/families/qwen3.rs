//! Qwen3: `Qwen3ForCausalLM`, `Qwen3Model` (Hugging Face's modeling_qwen3.py), Llama with a norm of each query and key head.

use super::Family;
use crate::error::Error;
use crate::model::blocks::gated_decoder::{Variant, declare, qwen_windows};
use crate::model::{Architecture, Class, Keys};

pub static FAMILY: Family = Family { model_type: "qwen3", architectures: &["Qwen3ForCausalLM", "Qwen3Model"], read };

fn read(keys: &Keys, class: Class<'_>) -> Result<Architecture, Error> {
    let bias = keys.flag("attention_bias", false)?;
    declare(
        keys,
        Variant {
            class: class.name_or("Qwen3ForCausalLM"),
            vocab_size: 151_936,
            intermediate_size: 22_016,
            max_position_embeddings: 32_768,
            projection_bias: bias,
            output_bias: bias,
            head_norms: true,
            windows: qwen_windows(keys, 4096)?,
            ..Variant::default()
        },
    )
}
