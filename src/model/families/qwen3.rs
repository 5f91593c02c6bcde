//! Qwen3: `Qwen3ForCausalLM`, `Qwen3Model` (Hugging Face's modeling_qwen3.py), Llama with a norm of each query and key head.

use super::Family;
use crate::error::Error;
use crate::model::blocks::gated_decoder::{GatedDecoder, qwen_windows};
use crate::model::{Architecture, Keys};
use crate::weights::Header;

pub static FAMILY: Family = Family { model_type: "qwen3", architectures: &["Qwen3ForCausalLM", "Qwen3Model"], read };

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    let bias = keys.flag("attention_bias", false)?;
    let family = GatedDecoder {
        vocab_size: 151_936,
        intermediate_size: 22_016,
        max_position_embeddings: 32_768,
        projection_bias: bias,
        output_bias: bias,
        has_head_norms: true,
        windows: qwen_windows(keys, 4096)?,
        ..GatedDecoder::default()
    };
    family.read(keys, class)
}
