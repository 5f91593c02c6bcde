//! Mistral: `MistralForCausalLM` (Hugging Face's modeling_mistral.py), Llama with a sliding window.

use super::Family;
use crate::error::Error;
use crate::model::blocks::gated_decoder::{Variant, declare, layers, window};
use crate::model::{Keys, Model};

pub static FAMILY: Family =
    Family { model_type: "mistral", architectures: &["MistralForCausalLM"], read: |keys, _| read(keys) };

fn read(keys: &Keys) -> Result<Model, Error> {
    let window = window(keys, 4096)?;
    declare(
        keys,
        Variant {
            architecture: "MistralForCausalLM",
            vocab_size: 32_000,
            hidden_size: 4096,
            intermediate_size: 14_336,
            max_position_embeddings: 131_072,
            rms_norm_eps: 1e-6,
            projection_bias: false,
            output_bias: false,
            mlp_bias: false,
            head_norms: false,
            windows: vec![window; layers(keys)?],
        },
    )
}
