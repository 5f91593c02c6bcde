//! Llama: `LlamaForCausalLM`, `LlamaModel` (Hugging Face's modeling_llama.py).

use super::Family;
use crate::error::Error;
use crate::model::blocks::gated_decoder::GatedDecoder;
use crate::model::{Architecture, Keys};
use crate::weights::Header;

pub static FAMILY: Family = Family { model_type: "llama", architectures: &["LlamaForCausalLM", "LlamaModel"], read };

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    let bias = keys.flag("attention_bias", false)?;
    let family = GatedDecoder {
        projection_bias: bias,
        output_bias: bias,
        mlp_bias: keys.flag("mlp_bias", false)?,
        ..GatedDecoder::default()
    };
    family.read(keys, class)
}
