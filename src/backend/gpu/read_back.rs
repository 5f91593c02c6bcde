//! Reads of one run, packed into one buffer that is mapped once.

use super::Gpu;
use crate::backend::Read;
use crate::error::Error;
use futures_channel::oneshot;

/// A buffer that results are copied to and read from.
pub struct ReadBack {
    buffer: wgpu::Buffer,
}

/// Copies start at multiples of this, as `copy_buffer_to_buffer` asks.
const ALIGNMENT: u64 = 4;

impl ReadBack {
    pub fn new(gpu: &Gpu, bytes: u64) -> Self {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        Self { buffer: gpu.buffer("read back", bytes.next_multiple_of(ALIGNMENT), usage) }
    }

    pub fn bytes(&self) -> u64 {
        self.buffer.size()
    }

    /// Encodes the copies of `reads`, each from the buffer that `source` names, one after the other.
    pub fn encode<'a>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        reads: &[Read],
        source: impl Fn(&Read) -> &'a wgpu::Buffer,
    ) {
        let mut at = 0;
        for read in reads.iter().filter(|read| read.count > 0) {
            let bytes = 4 * read.count as u64;
            encoder.copy_buffer_to_buffer(source(read), 4 * read.first as u64, &self.buffer, at, bytes);
            at += bytes;
        }
    }

    /// Waits for the submitted work and returns what was copied.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], or [`Error::Gpu`] where mapping fails otherwise.
    pub async fn finish(&self, gpu: &Gpu, reads: &[Read]) -> Result<Vec<Vec<f32>>, Error> {
        let bytes = 4 * reads.iter().map(|read| read.count as u64).sum::<u64>();
        if bytes == 0 {
            return Ok(reads.iter().map(|_| Vec::new()).collect());
        }
        let (sender, receiver) = oneshot::channel();
        self.buffer.map_async(wgpu::MapMode::Read, 0..bytes, move |mapped| {
            // The receiver is gone only if this future was dropped: nobody waits for the result then.
            let _ = sender.send(mapped);
        });
        // The browser drives the queue itself; natively someone has to.
        #[cfg(not(target_arch = "wasm32"))]
        gpu.device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| Error::Gpu { reason: error.to_string() })?;
        let mapped = receiver.await;
        gpu.alive()?;
        match mapped {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(Error::DeviceLost { reason: error.to_string() }),
            Err(_) => return Err(Error::Gpu { reason: "the device dropped a read-back".into() }),
        }
        let mut copies = Vec::with_capacity(reads.len());
        {
            let view =
                self.buffer.get_mapped_range(0..bytes).map_err(|error| Error::Gpu { reason: error.to_string() })?;
            let mut at = 0;
            for read in reads {
                let end = at + 4 * read.count;
                copies.push(bytemuck::pod_collect_to_vec(&view[at..end]));
                at = end;
            }
        }
        self.buffer.unmap();
        Ok(copies)
    }
}
