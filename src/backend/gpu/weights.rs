//! Weights in GPU buffers, split by rows where a binding cannot hold them whole, filled as their numbers arrive.

use super::Gpu;
use crate::error::Error;
use crate::kernels::Format;
use crate::plan::Weight;
use std::ops::Range;

/// The buffers of each weight, by its index. They are given back when this is dropped.
#[derive(Default)]
pub struct GpuWeights {
    weights: Vec<Held>,
    bytes: u64,
}

struct Held {
    weight: Weight,
    format: Format,
    name: String,
    parts: Vec<wgpu::Buffer>,
}

/// Row ranges of a weight, each at most `limit` bytes, in the order of the rows. Parts start at multiples of four, since the outputs of
/// two adjacent rows are rotated or gated together, and those of four may be stored together.
pub fn parts(weight: Weight, format: Format, limit: u64) -> Vec<Range<usize>> {
    let fitting = (limit / row_bytes(weight, format).max(4)).max(4) as usize;
    let each = fitting & !3;
    (0..weight.rows).step_by(each).map(|first| first..(first + each).min(weight.rows)).collect()
}

fn row_bytes(weight: Weight, format: Format) -> u64 {
    4 * format.row_words(weight.columns) as u64
}

impl GpuWeights {
    /// Makes the buffers of weights that come in the order of their indices, each with how it is kept and its name.
    ///
    /// # Errors
    /// [`Error::RowTooLarge`] where a binding holds no four rows; [`Error::DeviceMemory`], [`Error::DeviceLost`].
    pub async fn new(gpu: &Gpu, weights: &[(Weight, Format, String)]) -> Result<Self, Error> {
        let limit = gpu.binding_limit();
        for (weight, format, name) in weights {
            let bytes = row_bytes(*weight, *format);
            if bytes * weight.rows.min(4) as u64 > limit {
                return Err(Error::RowTooLarge { name: name.clone(), bytes, limit });
            }
        }
        let all = |weight: &Weight, format: &Format| row_bytes(*weight, *format).saturating_mul(weight.rows as u64);
        let bytes = weights.iter().fold(0, |sum: u64, (weight, format, _)| sum.saturating_add(all(weight, format)));
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let held = |(weight, format, name): &(Weight, Format, String)| {
            let buffer = |rows: Range<usize>| gpu.buffer(name, rows.len() as u64 * row_bytes(*weight, *format), usage);
            let parts = parts(*weight, *format, limit).into_iter().map(buffer).collect();
            Held { weight: *weight, format: *format, name: name.clone(), parts }
        };
        let made = || weights.iter().map(held).collect();
        Ok(Self { weights: gpu.checked("the weights", bytes, made).await?, bytes })
    }

    /// Writes words `first` .. of a weight, row-major: of numbers as f32 their bits, else packed rows.
    pub fn write(&self, gpu: &Gpu, index: usize, first: u64, words: &[u32]) {
        let Some(Held { weight, format, parts: buffers, .. }) = self.weights.get(index) else { return };
        let (start, end) = (first, first + words.len() as u64);
        for (rows, buffer) in parts(*weight, *format, gpu.binding_limit()).into_iter().zip(buffers) {
            let row = format.row_words(weight.columns) as u64;
            let (part_start, part_end) = (rows.start as u64 * row, rows.end as u64 * row);
            let (from, to) = (start.max(part_start), end.min(part_end));
            if from < to {
                let part = &words[(from - start) as usize..(to - start) as usize];
                gpu.queue().write_buffer(buffer, 4 * (from - part_start), bytemuck::cast_slice(part));
            }
        }
    }

    /// Bytes of all weights.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn part(&self, weight: Weight, part: usize) -> &wgpu::Buffer {
        &self.weights[weight.index].parts[part]
    }

    /// The only buffer of a weight that an op does not take in parts.
    ///
    /// # Errors
    /// [`Error::RowTooLarge`] where there are more.
    pub(super) fn whole(&self, gpu: &Gpu, weight: Weight) -> Result<&wgpu::Buffer, Error> {
        let Held { name, format, parts, .. } = &self.weights[weight.index];
        match parts.as_slice() {
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
        // A page's garbage collector does not feel what a GPU holds.
        self.weights.iter().flat_map(|held| &held.parts).for_each(wgpu::Buffer::destroy);
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
                    let parts = parts(Weight { index: 0, rows, columns }, Format::F32, limit);
                    let what = format!("({rows}, {columns}) in parts of {limit}: {parts:?}");
                    assert_eq!((parts[0].start, parts[parts.len() - 1].end), (0, rows), "{what}");
                    assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start), "{what}");
                    assert!(parts.iter().all(|part| !part.is_empty() && part.start.is_multiple_of(4)), "{what}");
                    assert!(parts.iter().all(|part| (4 * part.len() * columns) as u64 <= limit), "{what}");
                }
            }
        }
    }
}
