//! Generation: the next token of each text, greedy or drawn from all tokens, over the KV cache.

mod beam_search;
mod generation;
mod steps;

pub use beam_search::BeamSearch;
pub use generation::{Continuation, End, Generation, Next};
