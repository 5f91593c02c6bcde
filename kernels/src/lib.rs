//! CPU arithmetic of plain slices that the ops share: products, sums, e^x, activations, softmax, norms, rotation. Knows no plan.
//!
//! A package of its own because it alone is compiled for speed in the browser, all else for size. What others call is never
//! inlined: in their code it would be compiled for size, too.

mod activation;
mod attention;
mod contacts;
mod elementwise;
mod exponential;
mod lanes;
mod linear;
mod logits;
mod matrix;
mod norm;
mod packed;
mod panels;
mod pooling;
mod reduction;
mod rotation;
#[cfg(any(target_arch = "wasm32", test))]
mod row_products;
mod statistics;
#[cfg(any(target_arch = "wasm32", test))]
mod team;
mod weighing;
#[cfg(any(target_arch = "wasm32", test))]
mod weighted_rows;

pub use activation::Activation;
pub use attention::{add_mask, attended, less, softmax};
pub use contacts::{add_contacts, sigmoid};
pub use elementwise::{add, average, gate, scale};
pub use linear::{add_key, feature_map, log_magnitudes, read_sums, signed_weights};
pub use logits::{label_loss, log_sum, most_likely};
pub use matrix::{Matrix, multiply, multiply_kept, multiply_transposed};
pub use norm::{Norm, normalise};
pub use packed::{Format, Kept, Numbers};
pub use panels::{Job, run as run_job};
#[cfg(target_arch = "wasm32")]
pub use panels::{TEAM, product_in_use};
pub use pooling::{covered, pool};
pub use rotation::{rotate, rotate_fated, take_far, turn, turn_back, unrotated};
pub use statistics::{EACH, add_row};
#[cfg(target_arch = "wasm32")]
pub use team::{Sleep, Team};
pub use weighing::add_weighed;
