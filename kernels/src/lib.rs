//! CPU arithmetic of plain slices that the ops share: products, sums, e^x, activations, softmax, norms, rotation. Knows no plan.
//!
//! A package of its own because it alone is compiled for speed in the browser, all else for size. What others call is never
//! inlined: in their code it would be compiled for size, too.

mod activation;
mod attended;
mod attending;
mod attention;
mod contacts;
mod eight;
mod elementwise;
mod exponential;
mod finish;
mod job;
mod lanes;
mod linear;
mod logits;
mod matrix;
mod norm;
mod packed;
mod packed_lanes;
mod packed_product;
mod packed_rows;
mod panels;
mod pooling;
mod product;
mod reduction;
mod rotation;
mod row_products;
mod statistics;
#[cfg(any(target_arch = "wasm32", test))]
mod team;
mod weighing;
#[cfg(any(target_arch = "wasm32", test))]
mod weighted_rows;

pub use activation::Activation;
pub use attended::{Attended, HeadRows};
pub use attending::{QUERIES, Sight};
pub use attention::{add_mask, attended, less, softmax};
pub use contacts::{add_contacts, sigmoid};
pub use elementwise::{add, average, gate, scale};
pub use job::{Job, run as run_job};
#[cfg(target_arch = "wasm32")]
pub use job::{TEAM, run_in_use};
pub use linear::{add_key, feature_map, log_magnitudes, read_sums, signed_weights};
pub use logits::{label_loss, log_sum, most_likely};
pub use matrix::{Matrix, multiply, multiply_kept, multiply_transposed};
pub use norm::{Norm, normalise, normalise_rows};
pub use packed::{Format, Kept, Numbers, PackedFormat};
pub use pooling::{covered, pool};
pub use product::Ending;
pub use rotation::{rotate, rotate_fated, take_far, turn, turn_back, unrotated};
pub use statistics::{EACH, add_row};
#[cfg(target_arch = "wasm32")]
pub use team::{Sleep, Team, helped::Helped};
pub use weighing::add_weighed;
