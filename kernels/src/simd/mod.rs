//! Vectors of f32, for kernels that the compiler does not vectorise by itself.

mod f32x4;
mod f32x8;
#[cfg(not(target_arch = "wasm32"))]
mod native;

pub use f32x4::F32x4;
pub use f32x8::{F32x8, map};
#[cfg(target_arch = "x86_64")]
pub use native::{Avx2Vectors, Avx512Vectors};
#[cfg(not(target_arch = "wasm32"))]
pub use native::{BaselineVectors, NativeVectors};
