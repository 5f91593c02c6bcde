//! Products of matrices (GEMM) and of a row with a matrix (GEMV).

mod blocked;
mod gemv;
mod matrix;
#[cfg(not(target_arch = "wasm32"))]
mod native;
mod panels;
mod product;
#[cfg(any(target_arch = "wasm32", test))]
mod wasm;

pub use blocked::{GemmJob, Panels, gemm_panels};
pub use gemv::{PACKING_PAYS, gemv};
pub use matrix::Matrix;
#[cfg(not(target_arch = "wasm32"))]
pub use native::dequantise_and_multiply;
pub use panels::{PANEL, TILE_ROWS, interleave_rows, multiply_panels, pack_panels};
pub use product::{gemm, gemm_transposed};
