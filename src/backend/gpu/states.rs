//! Numbers of a sequence that outlive a run, in GPU buffers of fixed size.

use super::Gpu;
use crate::backend::Stretch;
use crate::error::Error;
use crate::plan::{Sizes, State};
use std::sync::atomic::{AtomicU64, Ordering};

/// (batch, context, width) of each state, by its index. The buffers are given back when this is dropped.
#[derive(Default)]
pub struct GpuStates {
    buffers: Vec<wgpu::Buffer>,
    /// Tells these buffers from all others: bind groups are kept by it.
    id: u64,
}

impl GpuStates {
    /// Zeros, for a batch and contexts of these sizes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] where a state passes what a binding holds; [`Error::DeviceMemory`], [`Error::DeviceLost`].
    pub async fn new(gpu: &Gpu, states: &[State], sizes: Sizes) -> Result<Self, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let bytes = |state: &State| state.elements(sizes).saturating_mul(4);
        let limits = gpu.device().limits();
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        if let Some(needed) = states.iter().map(bytes).find(|bytes| *bytes > limit) {
            return Err(Error::OutOfMemory { what: "the cache".into(), needed, limit });
        }
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let total = states.iter().map(bytes).fold(0, u64::saturating_add);
        let make = || states.iter().map(|state| gpu.buffer("cache", bytes(state), usage)).collect();
        let buffers = gpu.checked("the cache", total, make).await?;
        Ok(Self { buffers, id: NEXT.fetch_add(1, Ordering::Relaxed) })
    }

    /// Takes over stretches of another one's states.
    pub fn copy_from(&self, gpu: &Gpu, other: &GpuStates, stretches: &[Stretch]) {
        let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("cache") });
        for Stretch { state, from, to, count } in stretches {
            let (target, source) = (&self.buffers[*state], &other.buffers[*state]);
            encoder.copy_buffer_to_buffer(source, 4 * *from as u64, target, 4 * *to as u64, 4 * *count as u64);
        }
        gpu.queue().submit([encoder.finish()]);
    }

    pub fn bytes(&self) -> u64 {
        self.buffers.iter().map(wgpu::Buffer::size).sum()
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    pub(super) fn buffer(&self, state: State) -> &wgpu::Buffer {
        &self.buffers[state.index]
    }
}

impl Drop for GpuStates {
    fn drop(&mut self) {
        self.buffers.iter().for_each(wgpu::Buffer::destroy);
    }
}
