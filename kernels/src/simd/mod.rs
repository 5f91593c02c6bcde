//! Vectors of f32, for kernels that the compiler does not vectorise by itself.

mod f32x4;
mod f32x8;
#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(not(any(target_arch = "wasm32", target_arch = "aarch64")))]
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use f32x4::F32x4;
pub use f32x8::{F32x8, map};
#[cfg(not(target_arch = "wasm32"))]
pub use native::NativeVectors;
#[cfg(target_arch = "aarch64")]
pub use neon::NeonVectors;
/// The vectors of [`Processor::Baseline`](crate::processor::Processor::Baseline).
#[cfg(target_arch = "aarch64")]
pub use neon::NeonVectors as BaselineVectors;
/// The vectors of [`Processor::Baseline`](crate::processor::Processor::Baseline).
#[cfg(not(any(target_arch = "wasm32", target_arch = "aarch64")))]
pub use portable::PortableVectors as BaselineVectors;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2Vectors, Avx512Vectors};
