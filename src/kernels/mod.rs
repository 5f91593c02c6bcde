//! CPU arithmetic that the ops share: matrix products, sums, e^x and activations. Knows no plan.

mod activation;
mod exponential;
mod matrix;
mod reduction;
#[cfg(any(target_arch = "wasm32", test))]
mod row_products;
#[cfg(any(target_arch = "wasm32", test))]
mod weighted_rows;

pub use activation::Activation;
pub use exponential::exp;
pub use matrix::{Matrix, multiply, multiply_transposed};
pub use reduction::{largest, sum};
