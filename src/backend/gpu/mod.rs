//! WebGPU through wgpu: the device, its pipelines, a model's weights, and plans with buffers on it.

mod device;
mod execution;
mod f16;
mod pipelines;
mod probes;
mod result_buffer;
mod staging;
mod states;
#[cfg(feature = "timing")]
mod timer;
#[cfg(feature = "timing")]
mod timing;
mod upload;
#[cfg(not(target_arch = "wasm32"))]
mod waiter;
mod weights;

pub use device::{AdapterChoice, Gpu};
pub use execution::{GpuPlan, Resources};
pub use pipelines::GpuDevice;
pub use states::GpuStates;
#[cfg(feature = "timing")]
pub use timer::{Dispatch, SubmitTimes};
pub use weights::GpuWeights;
