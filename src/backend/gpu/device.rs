//! The adapter and device, what they can hold, and what was made on them.

use super::read_back::{Copied, ReadBack};
#[cfg(not(target_arch = "wasm32"))]
use super::waiter::Waiter;
use crate::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// No binding is larger than this on any adapter: phones promise no more.
const LARGEST_BINDING: u64 = 128 << 20;

/// Which adapters to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdapterChoice {
    /// Any, software ones too.
    Any,
    /// Only hardware: a software adapter is slower than the CPU backend.
    Hardware,
}

/// A device with its queue, and counts of what was created on it.
pub struct Gpu {
    pub(super) instance: wgpu::Instance,
    pub(super) adapter: wgpu::Adapter,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) waiter: Waiter,
    binding_limit: u64,
    created: AtomicU64,
    trouble: Arc<Mutex<Trouble>>,
    #[cfg(feature = "timing")]
    pub(super) timer: Mutex<Option<super::timing::Timer>>,
}

/// What the device reported outside of any error scope.
#[derive(Default)]
struct Trouble {
    /// Once lost, it stays lost.
    lost: Option<Error>,
    /// Told once: an error ends the run that meets it, not the device.
    error: Option<Error>,
}

impl Gpu {
    /// Asks for an adapter and a device with the adapter's own limits.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] where there is none of the kind, [`Error::DeviceRefused`] where it gives no device.
    pub async fn open(choice: AdapterChoice) -> Result<Self, Error> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..wgpu::RequestAdapterOptions::default()
        };
        let adapter =
            instance.request_adapter(&options).await.map_err(|error| Error::NoAdapter { reason: error.to_string() })?;
        let info = adapter.get_info();
        if choice == AdapterChoice::Hardware && info.device_type == wgpu::DeviceType::Cpu {
            return Err(Error::NoAdapter { reason: format!("{} is a software adapter", info.name) });
        }
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("ropescope"),
            required_limits: adapter.limits(),
            #[cfg(feature = "timing")]
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = adapter
            .request_device(&descriptor)
            .await
            .map_err(|error| Error::DeviceRefused { reason: error.to_string() })?;
        let trouble = Arc::new(Mutex::new(Trouble::default()));
        note_loss(&device, &trouble, |_| {});
        let seen = Arc::clone(&trouble);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.error.get_or_insert(Error::Gpu { reason: error.to_string() });
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
            created: AtomicU64::new(0),
            trouble,
            #[cfg(feature = "timing")]
            timer: Mutex::default(),
        })
    }

    /// Splits weights as on an adapter whose bindings hold no more than `bytes`.
    pub fn with_binding_limit(mut self, bytes: u64) -> Self {
        self.binding_limit = bytes.min(self.binding_limit);
        self
    }

    /// Bytes that one part of a weight may have.
    pub fn binding_limit(&self) -> u64 {
        self.binding_limit
    }

    /// The adapter's name, backend and driver, as far as they are known.
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

    /// A surface to paint on, and its adapter's first format for it.
    ///
    /// # Errors
    /// [`Error::Gpu`] where the target cannot be painted on.
    pub fn surface(
        &self,
        target: wgpu::SurfaceTarget<'static>,
    ) -> Result<(wgpu::Surface<'static>, wgpu::TextureFormat), Error> {
        let surface = self.instance.create_surface(target).map_err(|error| Error::Gpu { reason: error.to_string() })?;
        let format = surface.get_capabilities(&self.adapter).formats.first().copied();
        let format = format.ok_or_else(|| Error::Gpu { reason: "the adapter cannot paint on this canvas".into() })?;
        Ok((surface, format))
    }

    /// Reads the first `count` numbers of a buffer, in a submit and a map of its own.
    ///
    /// # Errors
    /// [`Error::DeviceLost`] and [`Error::Gpu`].
    pub async fn read(&self, buffer: &wgpu::Buffer, count: usize) -> Result<Vec<f32>, Error> {
        let mut read_back = ReadBack::new(self, count as u64);
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("read") });
        read_back.encode(self, &mut encoder, &[Copied { from: buffer, first: 0, count }]);
        read_back.begin(self.queue.submit([encoder.finish()]), vec![count]);
        let read = read_back.finish(self).await;
        read_back.destroy();
        read.map(|mut read| read.swap_remove(0))
    }

    /// Counts a buffer, bind group or pipeline.
    pub(crate) fn count_created(&self) {
        self.created.fetch_add(1, Ordering::Relaxed);
    }

    /// A buffer of at least 16 bytes. WebGPU sets it to zero.
    pub(crate) fn buffer(&self, label: &str, bytes: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.count_created();
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes.max(16).next_multiple_of(4),
            usage,
            mapped_at_creation: false,
        })
    }

    /// Runs `make` and reports what the device said against it.
    ///
    /// # Errors
    /// [`Error::DeviceMemory`] and [`Error::Gpu`].
    pub(super) async fn checked<T>(&self, what: &str, bytes: u64, make: impl FnOnce() -> T) -> Result<T, Error> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = make();
        // Both scopes close before the first await: another task may open its own meanwhile.
        let (invalid, full) = (validation.pop(), memory.pop());
        let (invalid, full) = (invalid.await, full.await);
        self.alive()?;
        match (invalid, full) {
            (None, None) => Ok(made),
            (_, Some(_)) => Err(Error::DeviceMemory { what: what.into(), needed: bytes }),
            (Some(error), None) => Err(Error::Gpu { reason: format!("{what}: {error}") }),
        }
    }

    /// # Errors
    /// [`Error::DeviceLost`] once the device is gone; once [`Error::Gpu`] after an error that nobody waited for, such as a
    /// shader that does not compile.
    pub fn alive(&self) -> Result<(), Error> {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        let error = trouble.error.take();
        trouble.lost.clone().or(error).map_or(Ok(()), Err)
    }

    /// Calls `listener` with the reason when the device is lost.
    pub fn when_lost(&self, listener: impl Fn(String) + Send + 'static) {
        note_loss(&self.device, &self.trouble, listener);
    }

    /// Destroys the device, as a driver's reset would.
    pub fn destroy(&self) {
        self.device.destroy();
    }
}

fn note_loss(device: &wgpu::Device, trouble: &Arc<Mutex<Trouble>>, listener: impl Fn(String) + Send + 'static) {
    let trouble = Arc::clone(trouble);
    device.set_device_lost_callback(move |_, reason| {
        trouble.lock().unwrap_or_else(PoisonError::into_inner).lost =
            Some(Error::DeviceLost { reason: reason.clone() });
        listener(reason);
    });
}
