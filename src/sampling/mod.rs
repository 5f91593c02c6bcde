//! The settings and rules of the next token, in Hugging Face's order: penalty, bans, temperature, cut-offs. The device applies them, and the
//! host forces tokens.
//! Source: transformers' logits_process.py and the order of `_get_logits_processor`.

mod beams;
mod nucleus;
mod penalty;
mod random;
mod rules;
mod settings;

pub use crate::kernels::Warpers;
pub use beams::{Beam, Beams, MAX_BEAMS, Search, Stopping};
pub use nucleus::{Nucleus, Probability};
pub use penalty::penalise;
pub use random::Random;
pub use rules::Rules;
pub use settings::{MAX_CANDIDATES, SamplingSettings};
