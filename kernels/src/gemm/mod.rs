//! Products of matrices (GEMM) and of a row with a matrix (GEMV).

mod blocked;
#[cfg(not(target_arch = "wasm32"))]
mod few_rows;
#[cfg(not(target_arch = "wasm32"))]
mod float_weight;
mod gemv;
mod matrix;
#[cfg(not(target_arch = "wasm32"))]
mod native;
mod packing;
mod panels;
mod product;

pub use blocked::{GemmJob, Panels, gemm_panels};
#[cfg(not(target_arch = "wasm32"))]
pub use few_rows::multiply_few_rows;
#[cfg(not(target_arch = "wasm32"))]
pub use float_weight::FloatWeight;
pub use gemv::{PACKING_PAYS, gemv};
pub use matrix::Matrix;
#[cfg(not(target_arch = "wasm32"))]
pub use native::convert_and_multiply;
pub use packing::multiply_by_transpose;
pub use panels::{PANEL, TILE_ROWS, interleave_rows, multiply_panels, pack_panels};
pub use product::{gemm, gemm_transposed};
