//! From logits to the next token: penalty, temperature, cut-offs and the draw, in Hugging Face's order and without a
//! device. Nothing here knows a model. Source: transformers' logits_process.py and the order of
//! `_get_logits_processor`.

mod beams;
mod candidates;
mod penalty;
mod random;
mod rules;
mod settings;

pub use beams::{Beam, Beams, MOST_BEAMS, Search, Stopping};
pub use candidates::{Candidates, Probability, choose, distribution};
pub use penalty::penalise;
pub use random::Random;
pub use rules::Rules;
pub use settings::{MOST_CANDIDATES, Settings};
