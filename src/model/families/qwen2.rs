//! Qwen2: `Qwen2ForCausalLM` (Hugging Face's modeling_qwen2.py), Llama with biases on q, k and v.

use super::Family;
use crate::error::Error;
use crate::model::blocks::gated_decoder::{Variant, declare, qwen_windows};
use crate::model::{Keys, Model};

pub static FAMILY: Family =
    Family { model_type: "qwen2", architectures: &["Qwen2ForCausalLM"], read: |keys, _| read(keys) };

fn read(keys: &Keys) -> Result<Model, Error> {
    declare(
        keys,
        Variant {
            architecture: "Qwen2ForCausalLM",
            vocab_size: 151_936,
            hidden_size: 4096,
            intermediate_size: 22_016,
            max_position_embeddings: 32_768,
            rms_norm_eps: 1e-6,
            projection_bias: true,
            output_bias: false,
            mlp_bias: false,
            head_norms: false,
            windows: qwen_windows(keys, 4096)?,
        },
    )
}
