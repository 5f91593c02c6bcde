//! From logits to the next token: penalty, temperature, cut-offs and the draw, in Hugging Face's order and without a
//! device. Nothing here knows a model. Source: transformers' logits_process.py and the order of
//! `_get_logits_processor`.

mod candidates;
mod penalty;
mod random;
mod settings;

pub use candidates::{Candidates, MOST_CANDIDATES, Probability, choose, distribution};
pub use penalty::penalise;
pub use random::Random;
pub use settings::Settings;
