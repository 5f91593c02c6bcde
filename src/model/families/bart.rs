//! BART: `BartForConditionalGeneration`, `BartModel` (Hugging Face's modeling_bart.py). Learned positions, normed embeddings, post-LN layers.

use super::Family;
use crate::error::Error;
use crate::model::blocks::encoder_decoder::{EncoderDecoder, Positions};
use crate::model::{Architecture, Keys};
use crate::weights::Header;

pub static FAMILY: Family =
    Family { model_type: "bart", architectures: &["BartForConditionalGeneration", "BartModel"], read };

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    let family = EncoderDecoder {
        positions: Positions::Learned(2),
        norms_embeddings: true,
        pre_norm: false,
        vocab_size: 50_265,
        tokens: [2, 2],
        has_two_vocabularies: false,
    };
    family.read(keys, class)
}
