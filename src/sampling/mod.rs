//! From logits to the next token without a device: penalty, temperature, cut-offs and the draw, in Hugging Face's order.
//! Source: transformers' logits_process.py and the order of `_get_logits_processor`.

mod beams;
mod candidates;
mod penalty;
mod random;
mod rules;
mod settings;

pub use beams::{Beam, Beams, MAX_BEAMS, Search, Stopping};
pub use candidates::{Candidates, Probability, choose, distribution};
pub use penalty::penalise;
pub use random::Random;
pub use rules::Rules;
pub use settings::{MAX_CANDIDATES, SamplingSettings};
