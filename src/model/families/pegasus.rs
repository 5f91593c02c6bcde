//! Pegasus: `PegasusForConditionalGeneration`, `PegasusModel` (Hugging Face's modeling_pegasus.py). Sinusoids, norms before attention and
//! feed-forward, and one at the end of each stack.

use super::Family;
use crate::error::Error;
use crate::model::blocks::encoder_decoder::{EncoderDecoder, Positions};
use crate::model::{Architecture, Keys};
use crate::weights::Header;

pub static FAMILY: Family =
    Family { model_type: "pegasus", architectures: &["PegasusForConditionalGeneration", "PegasusModel"], read };

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    let family = EncoderDecoder {
        positions: Positions::Sinusoids,
        norms_embeddings: false,
        pre_norm: true,
        vocab_size: 50_265,
        tokens: [0, 1],
        has_two_vocabularies: false,
    };
    family.read(keys, class)
}
