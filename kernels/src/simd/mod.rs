//! Vectors of f32, for kernels that the compiler does not vectorise by itself.

mod f32x4;
mod f32x8;

pub use f32x4::F32x4;
pub use f32x8::{F32x8, map};
