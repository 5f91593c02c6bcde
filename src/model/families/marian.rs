//! Marian, as the OPUS-MT translators are: `MarianMTModel`, `MarianModel` (Hugging Face's modeling_marian.py). Sinusoids, norms behind what
//! layers add, one vocabulary or two.

use super::Family;
use crate::error::Error;
use crate::model::blocks::encoder_decoder::{self, Positions, Variant};
use crate::model::{Architecture, Class, Keys};

pub static FAMILY: Family = Family { model_type: "marian", architectures: &["MarianMTModel", "MarianModel"], read };

static VARIANT: Variant = Variant {
    architecture: "MarianMTModel",
    positions: Positions::Sinusoids,
    norms_embeddings: false,
    norms_first: false,
    vocab_size: 58_101,
    tokens: [58_100, 0],
    has_two_vocabularies: true,
};

fn read(keys: &Keys, class: Class<'_>) -> Result<Architecture, Error> {
    encoder_decoder::read(keys, class, &VARIANT)
}
