//! Position encodings of the literature side by side, and attention step by step, in f64 and for a few tokens. No model runs on it.
//! Random numbers from seeds replace the numbers that a model would have learned.

mod additive;
mod attention;
mod encodings;
mod vectors;

pub use additive::{random_cosines, sinusoids, sum_norms_and_cosines};
pub use attention::attention_steps;
pub use encodings::PositionEncoding;
pub use vectors::random_numbers;
