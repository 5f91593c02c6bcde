//! Weights in GPU buffers. A weight that is larger than a binding is split by rows.

use super::Gpu;
use crate::error::{Allocation, Error};
use crate::kernels::Format;
use crate::plan::Weight;
use std::ops::Range;

/// Weights by [`Weight::index`]. Dropping them destroys the buffers.
#[derive(Default)]
pub struct GpuWeights {
    weights: Vec<WeightBuffers>,
    bytes: u64,
}

struct WeightBuffers {
    weight: Weight,
    format: Format,
    name: String,
    slices: Vec<wgpu::Buffer>,
}

/// Splits a weight into row ranges of at most `limit` bytes. Each range starts at a multiple of four: kernels rotate or gate the outputs
/// of two adjacent rows together, and store those of four together.
pub fn slices(weight: Weight, format: Format, limit: u64) -> Vec<Range<usize>> {
    let max_rows = (limit / row_bytes(weight, format).max(4)).max(4) as usize;
    let stride = max_rows & !3;
    (0..weight.rows).step_by(stride).map(|first| first..(first + stride).min(weight.rows)).collect()
}

fn row_bytes(weight: Weight, format: Format) -> u64 {
    4 * format.row_words(weight.columns) as u64
}

impl GpuWeights {
    /// Creates buffers of zeros. `weights`: each weight with its format and name, in the order of [`Weight::index`].
    ///
    /// # Errors
    /// [`Error::RowTooLarge`] when four rows are larger than a binding; [`Error::DeviceOutOfMemory`], [`Error::DeviceLost`].
    pub async fn new(gpu: &Gpu, weights: &[(Weight, Format, &str)]) -> Result<Self, Error> {
        let limit = gpu.binding_limit();
        for (weight, format, name) in weights {
            let bytes = row_bytes(*weight, *format);
            if bytes * weight.rows.min(4) as u64 > limit {
                return Err(Error::RowTooLarge { name: (*name).into(), bytes, limit });
            }
        }
        let weight_bytes =
            |weight: &Weight, format: &Format| row_bytes(*weight, *format).saturating_mul(weight.rows as u64);
        let bytes =
            weights.iter().fold(0, |sum: u64, (weight, format, _)| sum.saturating_add(weight_bytes(weight, format)));
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let create = |(weight, format, name): &(Weight, Format, &str)| {
            let buffer = |rows: Range<usize>| gpu.buffer(name, rows.len() as u64 * row_bytes(*weight, *format), usage);
            let slices = slices(*weight, *format, limit).into_iter().map(buffer).collect();
            WeightBuffers { weight: *weight, format: *format, name: (*name).into(), slices }
        };
        let create_all = || weights.iter().map(create).collect();
        Ok(Self { weights: gpu.catch_errors(Allocation::Weights, bytes, create_all).await?, bytes })
    }

    /// Writes words of a weight from word `first` on, row-major: the bits of f32 numbers, or the words of a quantised format.
    pub fn write(&self, gpu: &Gpu, index: usize, first: u64, words: &[u32]) {
        let Some(WeightBuffers { weight, format, slices: buffers, .. }) = self.weights.get(index) else { return };
        let (start, end) = (first, first + words.len() as u64);
        for (rows, buffer) in slices(*weight, *format, gpu.binding_limit()).into_iter().zip(buffers) {
            let row = format.row_words(weight.columns) as u64;
            let (part_start, part_end) = (rows.start as u64 * row, rows.end as u64 * row);
            let (from, to) = (start.max(part_start), end.min(part_end));
            if from < to {
                let slice = &words[(from - start) as usize..(to - start) as usize];
                gpu.queue().write_buffer(buffer, 4 * (from - part_start), bytemuck::cast_slice(slice));
            }
        }
    }

    /// Bytes of all weights.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn slice(&self, weight: Weight, slice: usize) -> &wgpu::Buffer {
        &self.weights[weight.index].slices[slice]
    }

    /// The one buffer of a weight, for an op that cannot split it.
    pub(super) fn unsplit(&self, gpu: &Gpu, weight: Weight) -> Result<&wgpu::Buffer, Error> {
        let WeightBuffers { name, format, slices, .. } = &self.weights[weight.index];
        match slices.as_slice() {
            [buffer] => Ok(buffer),
            _ => {
                let bytes = row_bytes(weight, *format) * weight.rows as u64;
                Err(Error::RowTooLarge { name: name.clone(), bytes, limit: gpu.binding_limit() })
            }
        }
    }
}

impl Drop for GpuWeights {
    fn drop(&mut self) {
        // JavaScript's garbage collector ignores GPU memory, so it might free these buffers late.
        self.weights.iter().flat_map(|weight| &weight.slices).for_each(wgpu::Buffer::destroy);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_rows_within_the_limit() {
        for rows in [1, 2, 3, 5, 37, 64, 97] {
            for columns in [1, 3, 18, 64] {
                for limit in [1024, 1777, 4096, 1 << 27] {
                    let slices = slices(Weight { index: 0, rows, columns }, Format::F32, limit);
                    let what = format!("({rows}, {columns}) in slices of {limit}: {slices:?}");
                    assert_eq!((slices[0].start, slices[slices.len() - 1].end), (0, rows), "{what}");
                    assert!(slices.windows(2).all(|pair| pair[0].end == pair[1].start), "{what}");
                    assert!(slices.iter().all(|slice| !slice.is_empty() && slice.start.is_multiple_of(4)), "{what}");
                    assert!(slices.iter().all(|slice| (4 * slice.len() * columns) as u64 <= limit), "{what}");
                }
            }
        }
    }
}
