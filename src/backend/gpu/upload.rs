//! The buffer of a plan's parameters and inputs. One write uploads everything that changed since the last run.

use super::Gpu;
use crate::backend::RunInputs;
use crate::plan::Input;
use std::num::NonZeroU64;
use std::ops::Range;

/// A GPU buffer and a copy of its bytes on the CPU. Both start as zeros.
pub struct UploadBuffer {
    buffer: wgpu::Buffer,
    bytes: Vec<u8>,
    /// The byte range of each input.
    inputs: Vec<(Input, Range<usize>)>,
    /// The bytes that differ from the GPU's.
    changes: Option<Range<usize>>,
}

impl UploadBuffer {
    /// A buffer that starts with `parameters` bytes of parameters, followed by the inputs. `inputs` has their bytes, multiples of 4.
    pub fn new(gpu: &Gpu, parameters: u64, inputs: impl Iterator<Item = (Input, u64)>) -> Self {
        use wgpu::BufferUsages as Usage;
        let alignment = u64::from(gpu.device.limits().min_storage_buffer_offset_alignment);
        let mut end = parameters;
        let mut ranges = Vec::new();
        for (input, bytes) in inputs {
            let start = end.next_multiple_of(alignment);
            // A shader may declare an array of vec4, so a binding has at least 16 bytes.
            end = start + bytes.max(16);
            ranges.push((input, start as usize..end as usize));
        }
        let buffer = gpu.buffer("upload", end, Usage::UNIFORM | Usage::STORAGE | Usage::COPY_DST);
        Self { bytes: vec![0; buffer.size() as usize], buffer, inputs: ranges, changes: None }
    }

    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// The binding of an input; `None` for an input of another buffer.
    pub fn input(&self, input: Input) -> Option<wgpu::BufferBinding<'_>> {
        let (_, range) = self.inputs.iter().find(|(other, _)| *other == input)?;
        Some(wgpu::BufferBinding {
            buffer: &self.buffer,
            offset: range.start as u64,
            size: NonZeroU64::new(range.len() as u64),
        })
    }

    /// Sets all inputs; an empty one keeps its old bytes.
    pub fn set_inputs(&mut self, inputs: &RunInputs) {
        for index in 0..self.inputs.len() {
            let (input, range) = &self.inputs[index];
            let (bytes, start) = (bytemuck::cast_slice::<_, u8>(inputs.indices(*input)), range.start);
            debug_assert!(bytes.len() <= range.len(), "{input:?}");
            self.set(start, bytes);
        }
    }

    pub fn set(&mut self, start: usize, bytes: &[u8]) {
        let end = start + bytes.len();
        let current = &mut self.bytes[start..end];
        if current != bytes {
            current.copy_from_slice(bytes);
            let (first, last) = self.changes.as_ref().map_or((start, start), |changes| (changes.start, changes.end));
            self.changes = Some(first.min(start)..last.max(end));
        }
    }

    /// Uploads the changes. The next submit sees them, even if its encoder was created before.
    pub fn write(&mut self, gpu: &Gpu) {
        if let Some(changes) = self.changes.take() {
            gpu.queue.write_buffer(&self.buffer, changes.start as u64, &self.bytes[changes]);
        }
    }
}
