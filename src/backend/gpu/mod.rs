//! The GPU backend on wgpu: device, pipelines, weights, and the execution of a plan as one pass, one submit and one map.

mod device;
mod execution;
mod pipelines;
mod read_back;
mod weights;

pub use device::{AdapterChoice, Gpu};
pub use execution::GpuPlan;
pub use pipelines::Pipelines;
pub use weights::GpuWeights;
