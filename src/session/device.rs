//! Where a model runs: the CPU, or a GPU device with the pipelines made on it.

use super::heads::{head_questions, picture_questions};
use super::loaded::LEAST;
use crate::backend::gpu::{AdapterChoice, Gpu, Pipelines};
use crate::error::Error;
use crate::model::{Model, Purpose};
use crate::plan::{Capacity, Part, Sizes};
use std::cell::RefCell;
use std::rc::Rc;

/// Which backend to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackendChoice {
    /// The GPU where there is a hardware adapter, else the CPU.
    Auto,
    /// The GPU, software adapters included.
    Gpu,
    Cpu,
}

/// A backend that models can be loaded on. Copies share one device.
#[derive(Clone)]
pub enum Device {
    Cpu,
    Gpu(Rc<GpuDevice>),
}

/// A GPU with its pipelines, which outlive a model.
pub struct GpuDevice {
    pub gpu: Gpu,
    pub(super) pipelines: RefCell<Pipelines>,
}

impl Device {
    /// Opens a backend.
    ///
    /// # Errors
    /// For [`BackendChoice::Gpu`]: [`Error::NoAdapter`] and [`Error::DeviceRefused`].
    pub async fn open(choice: BackendChoice) -> Result<Self, Error> {
        match choice {
            BackendChoice::Cpu => Ok(Device::Cpu),
            BackendChoice::Gpu => Ok(Self::from(Gpu::open(AdapterChoice::Any).await?)),
            BackendChoice::Auto => Ok(Gpu::open(AdapterChoice::Hardware).await.map_or(Device::Cpu, Self::from)),
        }
    }

    /// "CPU", or the GPU adapter's name and driver.
    pub fn describe(&self) -> String {
        match self {
            Device::Cpu => "CPU".into(),
            Device::Gpu(device) => device.gpu.describe(),
        }
    }

    /// Compiles the pipelines that a model needs to be explored, before its weights are there.
    ///
    /// # Errors
    /// Those of recording its plan.
    pub fn prepare(&self, model: &Model) -> Result<(), Error> {
        let Device::Gpu(device) = self else { return Ok(()) };
        let predicts = model.facts.predicts_tokens();
        // Kernels are chosen by what a plan has room for.
        let [length, rows] = LEAST;
        let purpose = Purpose {
            keeps_heads: true,
            cached: model.facts.causal,
            gathers: predicts,
            top_k: usize::from(predicts),
            spreads: true,
            ..Purpose::new(Capacity::new(1, length, rows))
        };
        let plan = model.record(&purpose)?.plan;
        let mut pipelines = device.pipelines.borrow_mut();
        pipelines.prepare(&device.gpu, &plan.steps);
        if let Some(heads) = plan.heads(Part::Decoder).first() {
            let sizes = Sizes::from(plan.capacity);
            pipelines.prepare(&device.gpu, &head_questions(heads, 0, sizes).questions);
            pipelines.prepare(&device.gpu, &picture_questions(&[*heads], 1, sizes).questions);
        }
        Ok(())
    }
}

impl From<Gpu> for Device {
    fn from(gpu: Gpu) -> Self {
        Device::Gpu(Rc::new(GpuDevice { gpu, pipelines: RefCell::default() }))
    }
}
