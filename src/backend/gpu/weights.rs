//! Weights in GPU buffers, split by rows where a binding cannot hold them whole.

use super::Gpu;
use crate::error::Error;
use crate::plan::Weight;

/// The buffers of each weight, by its index, and their bytes.
#[derive(Default)]
pub struct GpuWeights {
    parts: Vec<Vec<wgpu::Buffer>>,
    bytes: u64,
}

impl GpuWeights {
    /// Uploads weights that come in the order of their indices, each with its name and its numbers, (rows, columns) row-major.
    /// The device is asked once, after the last, what it has against them: an answer for each would take longer than the copies.
    ///
    /// # Errors
    /// What reading the numbers meets; [`Error::RowTooLarge`], [`Error::OutOfMemory`], [`Error::DeviceLost`].
    pub async fn upload<'a>(
        gpu: &Gpu,
        weights: impl Iterator<Item = (Weight, &'a str, Result<Vec<f32>, Error>)>,
    ) -> Result<Self, Error> {
        let mut uploaded = Self::default();
        let make = || {
            for (weight, name, data) in weights {
                uploaded.add(gpu, name, weight, &data?)?;
            }
            Ok(())
        };
        gpu.checked("the weights", 0, make).await??;
        Ok(uploaded)
    }

    fn add(&mut self, gpu: &Gpu, name: &str, weight: Weight, data: &[f32]) -> Result<(), Error> {
        let row_bytes = 4 * weight.columns as u64;
        if row_bytes > gpu.binding_limit() {
            return Err(Error::RowTooLarge { name: name.into(), bytes: row_bytes, limit: gpu.binding_limit() });
        }
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let upload = |rows: std::ops::Range<usize>| {
            let part = &data[rows.start * weight.columns..rows.end * weight.columns];
            let buffer = gpu.buffer(name, 4 * part.len() as u64, usage);
            gpu.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(part));
            buffer
        };
        self.parts.push(weight.parts(gpu.binding_limit()).into_iter().map(upload).collect());
        self.bytes += weight.bytes();
        Ok(())
    }

    /// Bytes of all weights.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn part(&self, weight: Weight, part: usize) -> &wgpu::Buffer {
        &self.parts[weight.index][part]
    }
}
