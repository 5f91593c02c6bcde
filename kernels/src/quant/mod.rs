//! Quantised weights: storage formats, conversion, and products that read them.

mod convert;
mod format;
mod gemm;
mod load;
mod rows;

pub use format::{Format, QuantisedFormat};
pub use gemm::{QuantisedGemmJob, quantised_gemm};
