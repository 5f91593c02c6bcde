//! Where a model runs: the CPU, or a GPU device with the pipelines made on it.

use crate::backend::cpu::CpuWeights;
use crate::backend::gpu::{AdapterChoice, Gpu, GpuWeights, Pipelines};
use crate::error::Error;
use crate::model::{Architecture, Config, Model, Purpose};
use crate::plan::{Capacity, Tap, Taps};
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

/// A model's weights where its backend reads them.
pub(super) enum Weights {
    Cpu(CpuWeights),
    Gpu(GpuWeights),
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

    /// Compiles the pipelines that a model of this config needs to be explored, before its weights are there.
    ///
    /// # Errors
    /// Those of recording its plan.
    pub fn prepare(&self, config: &Config) -> Result<(), Error> {
        let Device::Gpu(device) = self else { return Ok(()) };
        // Layers share their pipelines: one stands for all.
        let config = Config { num_hidden_layers: 1, ..config.clone() };
        let architecture = Architecture::choose(&config, None);
        let model = Model::declare(&config, architecture);
        let predicts = architecture.predicts_tokens();
        let purpose = Purpose {
            capacity: Capacity { batch: 1, length: 1, rows: 1 },
            taps: Taps::from_iter([Tap::Attentions(0), Tap::QueryRotated(0)]),
            selects_heads: true,
            gathers: predicts,
            top_k: usize::from(predicts),
        };
        device.pipelines.borrow_mut().prepare(&device.gpu, &model.record(&purpose)?.plan);
        Ok(())
    }
}

impl From<Gpu> for Device {
    fn from(gpu: Gpu) -> Self {
        Device::Gpu(Rc::new(GpuDevice { gpu, pipelines: RefCell::default() }))
    }
}
