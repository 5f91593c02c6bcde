//! BART: `BartForConditionalGeneration`, `BartModel` (Hugging Face's modeling_bart.py). Learned positions, normed embeddings, norms behind
//! what layers add.

use super::Family;
use crate::error::Error;
use crate::model::blocks::encoder_decoder::{self, Positions, Variant};
use crate::model::{Architecture, Class, Keys};

pub static FAMILY: Family =
    Family { model_type: "bart", architectures: &["BartForConditionalGeneration", "BartModel"], read };

static VARIANT: Variant = Variant {
    architecture: "BartForConditionalGeneration",
    positions: Positions::Learned(2),
    norms_embeddings: true,
    norms_first: false,
    vocab_size: 50_265,
    tokens: [2, 2],
    has_two_vocabularies: false,
};

fn read(keys: &Keys, class: Class<'_>) -> Result<Architecture, Error> {
    encoder_decoder::read(keys, class, &VARIANT)
}
