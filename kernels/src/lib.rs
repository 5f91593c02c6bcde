//! CPU arithmetic on slices: GEMM and GEMV, attention, norms, softmax, activations, rotation. It knows no plan and no model.
//!
//! Shapes are in parentheses and row-major, `f32` throughout. Kernels panic if a slice is smaller than its shape. Every kernel gives the
//! same numbers, bit for bit, however many threads run it; a WebAssembly module compiled with relaxed SIMD may round sums differently.
//!
//! This is a package of its own because in the browser it alone is compiled for speed, everything else for size. Public functions are
//! never inlined: in their callers they would be compiled for size, too.
//!
//! A linear layer with a quantised weight:
//!
//! ```
//! use ropescope_kernels::{Activation, LinearEpilogue, QuantisedFormat, WeightView, linear};
//!
//! let (rows, inner, columns, format) = (1, 32, 3, QuantisedFormat::Int8);
//! let row_words = format.row_words(inner);
//! let mut words = vec![0; columns * row_words];
//! for row in words.chunks_exact_mut(row_words) {
//!     assert!(format.quantise(&[127.0; 32], row), "all numbers fit");
//! }
//! let weight = WeightView::Quantised(format, &words);
//! let (bias, activation) = (Some(&[-40.0, 0.0, 1.0][..]), Some(Activation::Relu));
//! let mut out = [0.0; 3];
//! linear(&mut out, &[0.0078125; 32], weight, [rows, inner, columns], &LinearEpilogue { bias, activation, residual: None });
//! assert_eq!(out, [0.0, 31.75, 32.75]);
//! ```
#![warn(missing_docs)]

mod activation;
mod attention;
mod contacts;
mod elementwise;
mod epilogue;
mod exp;
mod gemm;
mod head_statistics;
mod linear;
mod linear_attention;
mod logits;
mod max_pool;
#[cfg(not(target_arch = "wasm32"))]
mod native_threads;
mod norm;
mod pool;
mod processor;
mod quant;
mod reduce;
mod rope;
mod rows;
mod run;
mod sample;
mod simd;
mod softmax;
#[cfg(test)]
mod tests;
mod weight;
mod work;

pub use activation::Activation;
pub use attention::{AttentionInputs, MaskPattern, QUERY_BLOCK, StridedHeads};
pub use contacts::{add_contacts, sigmoid};
pub use elementwise::{add, add_products, column_mean, gate, scale, subtract};
pub use epilogue::LinearEpilogue;
pub use gemm::{Matrix, gemm, gemm_transposed, multiply_by_transpose};
pub use head_statistics::{HEAD_STATISTICS, add_head_statistics};
pub use linear::linear;
pub use linear_attention::{add_key, feature_map, log_magnitudes, read_sums, signed_weights};
pub use logits::{cross_entropy, log_sum_exp, top_k};
pub use max_pool::{max_pool, tokens_of_pixel};
#[cfg(not(target_arch = "wasm32"))]
pub use native_threads::{set_threads, threads};
pub use norm::{Norm, normalise, normalise_rows};
pub use pool::{Host, Job, RunInProgress, THREAD_POOL, ThreadPool};
pub use quant::{Format, QuantisedFormat};
pub use rope::{replace_far, rotate, rotate_back, rotate_by_mode, rotate_pairs, unrotated_product};
pub use rows::for_each_row;
#[cfg(target_arch = "wasm32")]
pub use run::job_runner;
pub use sample::{Bans, Sample, Warpers, WeightedToken, draw, sample, warp};
pub use softmax::{add_mask, softmax, softmax_of_shifted};
pub use weight::{WeightData, WeightView};
pub use work::{run_chunks, run_job};
