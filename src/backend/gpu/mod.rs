//! WebGPU through wgpu: the device, its pipelines, a model's weights, and plans laid out on it.

mod asking;
mod device;
mod execution;
mod given;
mod pipelines;
mod read_back;
mod states;
#[cfg(feature = "timing")]
mod timing;
#[cfg(not(target_arch = "wasm32"))]
mod waiter;
mod weights;

pub use device::{AdapterChoice, Gpu};
pub use execution::{GpuPlan, On};
pub use pipelines::{Pipeline, Pipelines};
pub use states::GpuStates;
#[cfg(feature = "timing")]
pub use timing::{Dispatch, Timed};
pub use weights::GpuWeights;

use crate::plan::Op;
use std::cell::RefCell;

/// A GPU device with its pipelines, which outlive a model.
pub struct GpuDevice {
    pub gpu: Gpu,
    pub(super) pipelines: RefCell<Pipelines>,
}

impl GpuDevice {
    pub fn new(gpu: Gpu) -> Self {
        Self { gpu, pipelines: RefCell::default() }
    }

    /// Compiles the pipelines of these ops, where they are not compiled yet.
    pub fn compile(&self, ops: &[Box<dyn Op>]) {
        self.pipelines.borrow_mut().prepare(&self.gpu, ops);
    }
}
