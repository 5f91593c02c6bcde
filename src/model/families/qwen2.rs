//! Qwen2: `Qwen2ForCausalLM`, `Qwen2Model` (Hugging Face's modeling_qwen2.py), Llama with biases on q, k and v.

use super::Family;
use crate::error::Error;
use crate::model::blocks::gated_decoder::{GatedDecoder, qwen_windows};
use crate::model::{Architecture, Keys};
use crate::weights::Header;

pub static FAMILY: Family = Family { model_type: "qwen2", architectures: &["Qwen2ForCausalLM", "Qwen2Model"], read };

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    let family = GatedDecoder {
        vocab_size: 151_936,
        intermediate_size: 22_016,
        max_position_embeddings: 32_768,
        projection_bias: true,
        windows: qwen_windows(keys, 4096)?,
        ..GatedDecoder::default()
    };
    family.read(keys, class)
}
