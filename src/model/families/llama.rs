//! Llama: `LlamaForCausalLM` (Hugging Face's modeling_llama.py).

use super::Family;
use crate::error::Error;
use crate::model::blocks::gated_decoder::{Variant, declare};
use crate::model::{Keys, Model};

pub static FAMILY: Family =
    Family { model_type: "llama", architectures: &["LlamaForCausalLM"], read: |keys, _| read(keys) };

fn read(keys: &Keys) -> Result<Model, Error> {
    let bias = keys.flag("attention_bias", false)?;
    declare(
        keys,
        Variant {
            architecture: "LlamaForCausalLM",
            vocab_size: 32_000,
            hidden_size: 4096,
            intermediate_size: 11_008,
            max_position_embeddings: 2048,
            rms_norm_eps: 1e-6,
            projection_bias: bias,
            output_bias: bias,
            mlp_bias: keys.flag("mlp_bias", false)?,
            head_norms: false,
            windows: Vec::new(),
        },
    )
}
