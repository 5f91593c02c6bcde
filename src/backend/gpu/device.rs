//! The adapter and device, their limits and errors, and a count of the objects created on them.

#[cfg(not(target_arch = "wasm32"))]
use super::waiter::Waiter;
use crate::error::{Allocation, Error};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The largest binding on any adapter: WebGPU guarantees no more, and phones support no more.
const LARGEST_BINDING: u64 = 128 << 20;

/// Features that are used where the adapter has them.
const OPTIONAL_FEATURES: wgpu::Features = if cfg!(feature = "timing") {
    wgpu::Features::SHADER_F16.union(wgpu::Features::TIMESTAMP_QUERY)
} else {
    wgpu::Features::SHADER_F16
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdapterChoice {
    Any,
    /// Hardware adapters: a software adapter is slower than the CPU backend.
    Hardware,
}

/// A device with its queue, its errors and a count of created objects.
pub struct Gpu {
    pub(super) instance: wgpu::Instance,
    pub(super) adapter: wgpu::Adapter,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) waiter: Waiter,
    binding_limit: u64,
    /// Whether shaders may use 16-bit floats; [`Gpu::with_f16`] sets it.
    pub(super) has_f16: bool,
    /// Whether products read f16 weights as 16-bit floats.
    pub(super) f16_weights: bool,
    created: AtomicU64,
    errors: Arc<Mutex<DeviceErrors>>,
    #[cfg(feature = "timing")]
    pub(super) timer: Mutex<Option<super::timer::Timer>>,
}

/// Errors that the device reported outside of any error scope.
#[derive(Default)]
struct DeviceErrors {
    /// A lost device stays lost.
    loss: Option<Error>,
    /// Reported once: it fails one run, and the device stays usable.
    uncaptured: Option<Error>,
}

/// One instance for the process keeps the drivers loaded: after a dozen unloads NVIDIA's is no longer found.
#[cfg(not(target_arch = "wasm32"))]
fn instance() -> wgpu::Instance {
    static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();
    INSTANCE.get_or_init(|| wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle())).clone()
}

#[cfg(target_arch = "wasm32")]
fn instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle())
}

impl Gpu {
    /// Opens a device with all limits of its adapter, whose shaders use no 16-bit floats yet.
    pub async fn open(choice: AdapterChoice) -> Result<Self, Error> {
        let instance = instance();
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..wgpu::RequestAdapterOptions::default()
        };
        let adapter =
            instance.request_adapter(&options).await.map_err(|error| Error::NoAdapter { reason: error.to_string() })?;
        let info = adapter.get_info();
        if choice == AdapterChoice::Hardware && info.device_type == wgpu::DeviceType::Cpu {
            return Err(Error::SoftwareAdapter { adapter: info.name });
        }
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("ropescope"),
            required_limits: adapter.limits(),
            required_features: adapter.features() & OPTIONAL_FEATURES,
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = adapter
            .request_device(&descriptor)
            .await
            .map_err(|error| Error::DeviceRefused { reason: error.to_string() })?;
        let errors = Arc::new(Mutex::new(DeviceErrors::default()));
        record_loss(&device, &errors, |_| {});
        let shared_errors = Arc::clone(&errors);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut errors = shared_errors.lock().unwrap_or_else(PoisonError::into_inner);
            errors.uncaptured.get_or_insert(Error::Gpu { reason: error.to_string() });
        }));
        let binding_limit = device.limits().max_storage_buffer_binding_size.min(LARGEST_BINDING);
        Ok(Self {
            instance,
            adapter,
            #[cfg(not(target_arch = "wasm32"))]
            waiter: Waiter::new(device.clone())?,
            device,
            queue,
            binding_limit,
            has_f16: false,
            f16_weights: false,
            created: AtomicU64::new(0),
            errors,
            #[cfg(feature = "timing")]
            timer: Mutex::default(),
        })
    }

    /// Lowers the limit at which weights are split to `bytes`.
    pub fn with_binding_limit(mut self, bytes: u64) -> Self {
        self.binding_limit = bytes.min(self.binding_limit);
        self
    }

    /// The largest part of a weight, in bytes.
    pub fn binding_limit(&self) -> u64 {
        self.binding_limit
    }

    /// The adapter's name, backend and driver, without unknown ones.
    pub fn describe(&self) -> String {
        let info = self.adapter.get_info();
        let known: Vec<String> = [info.name, info.backend.to_string(), info.driver, info.driver_info]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        known.join(", ")
    }

    /// Buffers, bind groups and pipelines created so far.
    pub fn created(&self) -> u64 {
        self.created.load(Ordering::Relaxed)
    }

    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Creates a surface to paint on. Returns it with the adapter's preferred texture format.
    pub fn surface(
        &self,
        target: wgpu::SurfaceTarget<'static>,
    ) -> Result<(wgpu::Surface<'static>, wgpu::TextureFormat), Error> {
        let surface = self.instance.create_surface(target).map_err(|error| Error::Gpu { reason: error.to_string() })?;
        let format = surface.get_capabilities(&self.adapter).formats.first().copied();
        let format = format.ok_or(Error::CanvasRefused)?;
        Ok((surface, format))
    }

    pub(crate) fn count_created(&self) {
        self.created.fetch_add(1, Ordering::Relaxed);
    }

    /// Creates a buffer of zeros with at least 16 bytes.
    pub(crate) fn buffer(&self, label: &str, bytes: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.count_created();
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes.max(16).next_multiple_of(4),
            usage,
            mapped_at_creation: false,
        })
    }

    /// Runs `create`, and returns the errors that the device reports for it. `what` and `bytes` describe it in the error.
    pub(super) async fn catch_errors<T>(
        &self,
        what: Allocation,
        bytes: u64,
        create: impl FnOnce() -> T,
    ) -> Result<T, Error> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let created = create();
        // Both scopes close before the first await: meanwhile another task may open its own.
        let (invalid, full) = (validation.pop(), memory.pop());
        let (invalid, full) = (invalid.await, full.await);
        self.check_alive()?;
        match (invalid, full) {
            (None, None) => Ok(created),
            (_, Some(_)) => Err(Error::DeviceOutOfMemory { what, needed: bytes }),
            (Some(error), None) => Err(Error::Gpu { reason: error.to_string() }),
        }
    }

    /// Checks that the device is usable.
    ///
    /// # Errors
    /// [`Error::DeviceLost`] from the loss on; [`Error::Gpu`] once for an error outside of all error scopes, such as a shader that does not
    /// compile.
    pub fn check_alive(&self) -> Result<(), Error> {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let uncaptured = errors.uncaptured.take();
        errors.loss.clone().or(uncaptured).map_or(Ok(()), Err)
    }

    /// Calls `listener` with the reason when the device is lost.
    pub fn on_lost(&self, listener: impl Fn(String) + Send + 'static) {
        record_loss(&self.device, &self.errors, listener);
    }

    /// Destroys the device, which is lost from then on.
    pub fn destroy(&self) {
        self.device.destroy();
    }
}

fn record_loss(device: &wgpu::Device, errors: &Arc<Mutex<DeviceErrors>>, listener: impl Fn(String) + Send + 'static) {
    let errors = Arc::clone(errors);
    device.set_device_lost_callback(move |_, reason| {
        errors.lock().unwrap_or_else(PoisonError::into_inner).loss = Some(Error::DeviceLost { reason: reason.clone() });
        listener(reason);
    });
}
