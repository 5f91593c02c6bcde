//! CPU arithmetic on slices: GEMM and GEMV, attention, norms, softmax, activations, rotation. It knows no plan and no model.
//!
//! Shapes are in parentheses and row-major, `f32` throughout. Kernels panic if a slice is smaller than its shape. Every kernel gives the
//! same numbers, bit for bit, however many threads run it; a WebAssembly module compiled with relaxed SIMD may round sums differently.
//!
//! This is a package of its own because in the browser it alone is compiled for speed, everything else for size. Public functions are
//! never inlined: in their callers they would be compiled for size, too.
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
mod norm;
mod pool;
mod quant;
mod reduce;
mod rope;
mod simd;
mod softmax;
mod threading;
mod weight;
mod work;

pub use activation::Activation;
pub use attention::{AttentionInputs, MaskPattern, QUERY_BLOCK, StridedHeads};
pub use contacts::{add_contacts, sigmoid};
pub use elementwise::{add, add_products, average, gate, scale, subtract};
pub use epilogue::LinearEpilogue;
pub use gemm::{Matrix, gemm, gemm_transposed};
pub use head_statistics::{HEAD_STATISTICS, add_head_statistics};
pub use linear::linear;
pub use linear_attention::{add_key, feature_map, log_magnitudes, read_sums, signed_weights};
pub use logits::{cross_entropy, log_sum_exp, top_k};
pub use max_pool::{max_pool, tokens_of_pixel};
pub use norm::{Norm, normalise, normalise_rows};
pub use pool::{Host, Job, THREAD_POOL, ThreadPool, job_runner};
pub use quant::{Format, QuantisedFormat};
pub use rope::{replace_far, rotate, rotate_back, rotate_by_mode, rotate_pairs, unrotated_product};
pub use softmax::{add_mask, softmax, softmax_of_shifted};
pub use threading::ThreadingPolicy;
pub use weight::{WeightData, WeightView};
pub use work::{run_chunks, run_job};
