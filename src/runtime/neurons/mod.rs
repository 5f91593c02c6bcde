//! The neurons of feed-forward networks: their numbers in a run, and the tokens that they read and write.
//!
//! | file | subject |
//! |---|---|
//! | `numbers` | the numbers of neurons in a run |
//! | `tokens` | the tokens that a neuron reads and writes, by the weights alone |
//! | `order` | the largest numbers of a list |

mod numbers;
mod order;
mod tokens;

pub use numbers::{NeuronNumbers, Neurons};
pub use tokens::{MOST_TOKENS, NeuronTokens, NeuronWrites, TokenNumber};
