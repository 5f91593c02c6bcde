//! Pegasus: `PegasusForConditionalGeneration`, `PegasusModel` (Hugging Face's modeling_pegasus.py). Sinusoids, norms before attention and
//! feed-forward, and one at the end of each stack.

use super::Family;
use crate::error::Error;
use crate::model::blocks::encoder_decoder::{self, Positions, Variant};
use crate::model::{Architecture, Class, Keys};

pub static FAMILY: Family =
    Family { model_type: "pegasus", architectures: &["PegasusForConditionalGeneration", "PegasusModel"], read };

static VARIANT: Variant = Variant {
    architecture: "PegasusForConditionalGeneration",
    positions: Positions::Sinusoids,
    norms_embeddings: false,
    norms_first: true,
    vocab_size: 50_265,
    tokens: [0, 1],
    has_two_vocabularies: false,
};

fn read(keys: &Keys, class: Class<'_>) -> Result<Architecture, Error> {
    encoder_decoder::read(keys, class, &VARIANT)
}
