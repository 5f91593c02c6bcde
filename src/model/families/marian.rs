//! Marian, as the OPUS-MT translators are: `MarianMTModel`, `MarianModel` (Hugging Face's modeling_marian.py). Sinusoids, post-LN layers, one vocabulary or two.

use super::Family;
use crate::error::Error;
use crate::model::blocks::encoder_decoder::{EncoderDecoder, Positions};
use crate::model::{Architecture, Keys};
use crate::weights::Header;

pub static FAMILY: Family = Family { model_type: "marian", architectures: &["MarianMTModel", "MarianModel"], read };

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    let family = EncoderDecoder {
        positions: Positions::Sinusoids,
        norms_embeddings: false,
        pre_norm: false,
        vocab_size: 58_101,
        tokens: [58_100, 0],
        has_two_vocabularies: true,
    };
    family.read(keys, class)
}
