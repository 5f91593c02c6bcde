//! The staging buffer of a run: all its results are copied into it, and one map reads them.

use super::Gpu;
use crate::error::Error;
use futures_channel::oneshot;

/// A buffer that results are copied to and read from.
pub struct StagingBuffer {
    buffer: wgpu::Buffer,
    /// The map of the last submit, until it is read.
    pending: Option<Pending>,
}

struct Pending {
    counts: Vec<usize>,
    #[cfg(not(target_arch = "wasm32"))]
    submission: wgpu::SubmissionIndex,
    result: oneshot::Receiver<Result<(), wgpu::BufferAsyncError>>,
}

/// Numbers `first .. first + count` of a buffer.
pub struct CopySource<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub first: usize,
    pub count: usize,
}

impl StagingBuffer {
    pub fn new(gpu: &Gpu, numbers: u64) -> Self {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        Self { buffer: gpu.buffer("staging", 4 * numbers, usage), pending: None }
    }

    pub fn bytes(&self) -> u64 {
        self.buffer.size()
    }

    /// Encodes the copies, one after the other, and grows the buffer if they do not fit.
    pub fn encode(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, sources: &[CopySource<'_>]) {
        let numbers: u64 = sources.iter().map(|source| source.count as u64).sum();
        if 4 * numbers > self.bytes() {
            self.buffer.destroy();
            *self = Self::new(gpu, numbers.next_power_of_two());
        }
        // The last results were never read: their future was dropped.
        if self.pending.take().is_some() {
            self.buffer.unmap();
        }
        let mut offset = 0;
        for source in sources.iter().filter(|source| source.count > 0) {
            let bytes = 4 * source.count as u64;
            encoder.copy_buffer_to_buffer(source.buffer, 4 * source.first as u64, &self.buffer, offset, bytes);
            offset += bytes;
        }
    }

    /// Maps the buffer once the submission is done. `counts`: numbers of each encoded copy.
    pub fn map(&mut self, submission: wgpu::SubmissionIndex, counts: Vec<usize>) {
        let (sender, result) = oneshot::channel();
        let bytes = bytes(&counts);
        if bytes > 0 {
            self.buffer.map_async(wgpu::MapMode::Read, 0..bytes, move |result| {
                // Fails only if the receiver's future was dropped.
                let _ = sender.send(result);
            });
        }
        #[cfg(target_arch = "wasm32")]
        let _ = submission;
        self.pending = Some(Pending {
            counts,
            #[cfg(not(target_arch = "wasm32"))]
            submission,
            result,
        });
    }

    /// Waits for the map, and returns the numbers of each copy.
    pub async fn read(&mut self, gpu: &Gpu) -> Result<Vec<Vec<f32>>, Error> {
        let no_submit = || Error::Internal { reason: "nothing was submitted that could be read back".into() };
        let pending = self.pending.as_mut().ok_or_else(no_submit)?;
        let bytes = bytes(&pending.counts);
        if bytes == 0 {
            let empty = pending.counts.iter().map(|_| Vec::new()).collect();
            self.pending = None;
            return Ok(empty);
        }
        // In the browser, the queue runs without being polled.
        #[cfg(not(target_arch = "wasm32"))]
        gpu.waiter.wait(pending.submission.clone()).await?;
        let result = (&mut pending.result).await;
        gpu.check_alive()?;
        match result {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(Error::Gpu { reason: error.to_string() }),
            Err(_) => return Err(Error::Gpu { reason: "the map of a buffer was cancelled".into() }),
        }
        let mut lists = Vec::with_capacity(pending.counts.len());
        {
            let view =
                self.buffer.get_mapped_range(0..bytes).map_err(|error| Error::Gpu { reason: error.to_string() })?;
            let mut start = 0;
            for count in &pending.counts {
                let end = start + 4 * count;
                lists.push(bytemuck::pod_collect_to_vec(&view[start..end]));
                start = end;
            }
        }
        self.buffer.unmap();
        self.pending = None;
        Ok(lists)
    }

    pub fn destroy(&self) {
        self.buffer.destroy();
    }
}

impl Gpu {
    /// Reads the first `count` f32 of a buffer, with a submit of its own.
    pub async fn read(&self, buffer: &wgpu::Buffer, count: usize) -> Result<Vec<f32>, Error> {
        let mut staging = StagingBuffer::new(self, count as u64);
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("read") });
        staging.encode(self, &mut encoder, &[CopySource { buffer, first: 0, count }]);
        staging.map(self.queue.submit([encoder.finish()]), vec![count]);
        let lists = staging.read(self).await;
        staging.destroy();
        lists.map(|mut lists| lists.swap_remove(0))
    }
}

fn bytes(counts: &[usize]) -> u64 {
    4 * counts.iter().map(|count| *count as u64).sum::<u64>()
}
