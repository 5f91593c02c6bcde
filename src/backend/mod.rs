//! Two backends that run the same plan: the CPU op by op, the GPU in one compute pass.

mod cancellation;
mod copy_range;
pub mod cpu;
mod device_plan;
pub mod gpu;
mod read_back;
mod run_inputs;

pub use cancellation::{Cancellation, NeverCancelled};
pub use copy_range::CopyRange;
pub use device_plan::{DevicePlan, DeviceWeights, States};
pub use read_back::{Read, ReadBack, Reads, Ticket};
pub use run_inputs::RunInputs;
