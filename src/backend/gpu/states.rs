//! States of a text that outlive a run, in GPU buffers of fixed size.

use super::Gpu;
use crate::backend::CopyRange;
use crate::error::{Allocation, Error};
use crate::plan::{Sizes, State};
use std::sync::atomic::{AtomicU64, Ordering};

/// States by [`State::index`], (batch, context, width) each. Dropping them destroys the buffers.
pub struct GpuStates {
    buffers: Vec<wgpu::Buffer>,
    /// Bytes of a number of each.
    number_bytes: Vec<u64>,
    /// Unique among all states; never 0. Bind groups are cached by it.
    id: u64,
}

impl GpuStates {
    /// States of zeros.
    pub async fn new(gpu: &Gpu, states: &[State], sizes: Sizes) -> Result<Self, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let bytes = |state: &State| state.elements(sizes).saturating_mul(state.number_bytes());
        let limits = gpu.device().limits();
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        if let Some(needed) = states.iter().map(bytes).find(|bytes| *bytes > limit) {
            return Err(Error::OutOfMemory { what: Allocation::Cache, needed, limit });
        }
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let total = states.iter().map(bytes).fold(0, u64::saturating_add);
        let create = || states.iter().map(|state| gpu.buffer("cache", bytes(state), usage)).collect();
        let buffers = gpu.catch_errors(Allocation::Cache, total, create).await?;
        let number_bytes = states.iter().map(|state| state.number_bytes()).collect();
        Ok(Self { buffers, number_bytes, id: NEXT.fetch_add(1, Ordering::Relaxed) })
    }

    /// Copies ranges from states of the same shapes.
    pub fn copy_from(&self, gpu: &Gpu, other: &GpuStates, ranges: &[CopyRange]) {
        let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("cache") });
        for CopyRange { state, from, to, count } in ranges {
            let (target, source) = (&self.buffers[*state], &other.buffers[*state]);
            let bytes = |numbers: usize| self.number_bytes[*state] * numbers as u64;
            encoder.copy_buffer_to_buffer(source, bytes(*from), target, bytes(*to), bytes(*count));
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
