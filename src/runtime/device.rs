//! The device that a model runs on: the CPU or a GPU.

use crate::backend::gpu::{AdapterChoice, Gpu, GpuDevice};
use crate::error::Error;
use std::rc::Rc;

/// The backend that [`Device::open`] opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackendChoice {
    /// The GPU if there is a hardware adapter that opens, else the CPU.
    Auto,
    /// The GPU, also a software adapter.
    Gpu,
    /// The CPU, also where there is a GPU.
    Cpu,
}

/// A backend that models are loaded on. Clones share one device.
#[derive(Clone)]
pub enum Device {
    /// The CPU's kernels: there is no device to open or to lose.
    Cpu,
    /// An adapter, and the pipelines that its models share.
    #[doc(hidden)] // `GpuDevice` is not part of the interface: [`Device::open`] makes one.
    Gpu(Rc<GpuDevice>),
}

impl Device {
    /// Opens a backend. [`BackendChoice::Auto`] and [`BackendChoice::Cpu`] do not fail.
    ///
    /// # Errors
    /// For [`BackendChoice::Gpu`]: [`Error::NoAdapter`], [`Error::DeviceRefused`] where the adapter opens no device, and [`Error::DeviceLost`]
    /// where it is lost while it is checked.
    pub async fn open(choice: BackendChoice) -> Result<Self, Error> {
        match choice {
            BackendChoice::Cpu => Ok(Device::Cpu),
            BackendChoice::Gpu => open_gpu(AdapterChoice::Any).await,
            BackendChoice::Auto => Ok(open_gpu(AdapterChoice::Hardware).await.unwrap_or(Device::Cpu)),
        }
    }

    /// "CPU", or the name and driver of the GPU adapter.
    pub fn describe(&self) -> String {
        match self {
            Device::Cpu => "CPU".into(),
            Device::Gpu(device) => device.gpu.describe(),
        }
    }
}

async fn open_gpu(choice: AdapterChoice) -> Result<Device, Error> {
    Ok(Gpu::open(choice).await?.with_f16().await?.into())
}

impl From<Gpu> for Device {
    fn from(gpu: Gpu) -> Self {
        Device::Gpu(Rc::new(GpuDevice::new(gpu)))
    }
}
