//! Mistral: `MistralForCausalLM`, `MistralModel` (Hugging Face's modeling_mistral.py), Llama with a sliding window.

use super::Family;
use crate::error::Error;
use crate::model::blocks::gated_decoder::{GatedDecoder, layers, window};
use crate::model::{Architecture, Keys};
use crate::weights::Header;

pub static FAMILY: Family =
    Family { model_type: "mistral", architectures: &["MistralForCausalLM", "MistralModel"], read };

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    let window = window(keys, 4096)?;
    let family = GatedDecoder {
        intermediate_size: 14_336,
        max_position_embeddings: 131_072,
        windows: vec![window; layers(keys, 32)?],
        ..GatedDecoder::default()
    };
    family.read(keys, class)
}
