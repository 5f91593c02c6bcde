//! Reads of one run, packed into one buffer that is mapped once.

use super::Gpu;
use crate::error::Error;
use futures_channel::oneshot;

/// A buffer that results are copied to and read from.
pub struct ReadBack {
    buffer: wgpu::Buffer,
    /// Whether it was handed to the device and not taken back: the future that waited for it was dropped.
    busy: bool,
}

/// A range to copy, in numbers.
pub struct Copied<'a> {
    pub from: &'a wgpu::Buffer,
    pub first: usize,
    pub count: usize,
}

impl ReadBack {
    /// Room for so many numbers.
    pub fn new(gpu: &Gpu, numbers: u64) -> Self {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        Self { buffer: gpu.buffer("read back", 4 * numbers, usage), busy: false }
    }

    pub fn bytes(&self) -> u64 {
        self.buffer.size()
    }

    /// Encodes the copies, one after the other; makes the buffer larger where they do not fit.
    pub fn encode(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, copies: &[Copied<'_>]) {
        let numbers: u64 = copies.iter().map(|copy| copy.count as u64).sum();
        if 4 * numbers > self.bytes() {
            self.buffer.destroy();
            *self = Self::new(gpu, numbers.next_power_of_two());
        }
        if self.busy {
            self.buffer.unmap();
        }
        self.busy = numbers > 0;
        let mut at = 0;
        for copy in copies.iter().filter(|copy| copy.count > 0) {
            let bytes = 4 * copy.count as u64;
            encoder.copy_buffer_to_buffer(copy.from, 4 * copy.first as u64, &self.buffer, at, bytes);
            at += bytes;
        }
    }

    /// Waits for the submitted work and returns what was copied. counts: numbers of each copy.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], or [`Error::Gpu`] where mapping fails otherwise.
    pub async fn finish(&mut self, gpu: &Gpu, counts: &[usize]) -> Result<Vec<Vec<f32>>, Error> {
        let bytes = 4 * counts.iter().map(|count| *count as u64).sum::<u64>();
        if bytes == 0 {
            return Ok(counts.iter().map(|_| Vec::new()).collect());
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
            Ok(Err(error)) => return Err(Error::Gpu { reason: format!("a result could not be read: {error}") }),
            Err(_) => return Err(Error::Gpu { reason: "the device dropped a read-back".into() }),
        }
        let mut copies = Vec::with_capacity(counts.len());
        {
            let view =
                self.buffer.get_mapped_range(0..bytes).map_err(|error| Error::Gpu { reason: error.to_string() })?;
            let mut at = 0;
            for count in counts {
                let end = at + 4 * count;
                copies.push(bytemuck::pod_collect_to_vec(&view[at..end]));
                at = end;
            }
        }
        self.buffer.unmap();
        self.busy = false;
        Ok(copies)
    }

    pub fn destroy(&self) {
        self.buffer.destroy();
    }
}
