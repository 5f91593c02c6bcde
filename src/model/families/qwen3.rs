//! Qwen3: `Qwen3ForCausalLM` (Hugging Face's modeling_qwen3.py), Llama with a norm of each query and key head.

use super::Family;
use crate::error::Error;
use crate::model::blocks::gated_decoder::{Variant, declare, qwen_windows};
use crate::model::{Keys, Model};

pub static FAMILY: Family =
    Family { model_type: "qwen3", architectures: &["Qwen3ForCausalLM"], read: |keys, _| read(keys) };

fn read(keys: &Keys) -> Result<Model, Error> {
    let bias = keys.flag("attention_bias", false)?;
    declare(
        keys,
        Variant {
            architecture: "Qwen3ForCausalLM",
            vocab_size: 151_936,
            hidden_size: 4096,
            intermediate_size: 22_016,
            max_position_embeddings: 32_768,
            rms_norm_eps: 1e-6,
            projection_bias: bias,
            output_bias: bias,
            mlp_bias: false,
            head_norms: true,
            windows: qwen_windows(keys, 4096)?,
        },
    )
}
