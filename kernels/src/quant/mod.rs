//! Quantised weights: storage formats, conversion, and products that read them.

mod convert;
mod format;
#[cfg(any(target_arch = "wasm32", test))]
mod gemm;
#[cfg(any(target_arch = "wasm32", test))]
mod gemv;
mod integer;
mod load;
mod rows;

pub use format::{Format, QuantisedFormat};
#[cfg(any(target_arch = "wasm32", test))]
pub use gemm::QuantisedGemmJob;
#[cfg(target_arch = "wasm32")]
pub use gemm::quantised_gemm;
#[cfg(test)]
pub use integer::BlockRows;
pub use integer::round_to_blocks;
pub use integer::{IntegerGemmJob, integer_gemm};
#[cfg(not(target_arch = "wasm32"))]
pub use rows::dequantise_row;
