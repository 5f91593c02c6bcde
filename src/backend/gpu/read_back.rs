//! Reads of one run, packed into one buffer that is mapped once.

use super::Gpu;
use crate::error::Error;
use futures_channel::oneshot;

/// A buffer that results are copied to and read from.
pub struct ReadBack {
    buffer: wgpu::Buffer,
    /// What was handed to the device and not taken back.
    pending: Option<Pending>,
}

/// What the device was handed with a submit.
struct Pending {
    /// Numbers of each copy.
    counts: Vec<usize>,
    #[cfg(not(target_arch = "wasm32"))]
    submission: wgpu::SubmissionIndex,
    mapped: oneshot::Receiver<Result<(), wgpu::BufferAsyncError>>,
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
        Self { buffer: gpu.buffer("read back", 4 * numbers, usage), pending: None }
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
        // Nobody waits for what it held any more.
        if self.pending.take().is_some() {
            self.buffer.unmap();
        }
        let mut at = 0;
        for copy in copies.iter().filter(|copy| copy.count > 0) {
            let bytes = 4 * copy.count as u64;
            encoder.copy_buffer_to_buffer(copy.from, 4 * copy.first as u64, &self.buffer, at, bytes);
            at += bytes;
        }
    }

    /// Asks for what was copied in this submit. counts: numbers of each copy.
    pub fn begin(&mut self, submission: wgpu::SubmissionIndex, counts: Vec<usize>) {
        let (sender, mapped) = oneshot::channel();
        let bytes = bytes(&counts);
        if bytes > 0 {
            self.buffer.map_async(wgpu::MapMode::Read, 0..bytes, move |mapped| {
                // The receiver is gone only if nobody waits for the result any more.
                let _ = sender.send(mapped);
            });
        }
        #[cfg(target_arch = "wasm32")]
        let _ = submission;
        self.pending = Some(Pending {
            counts,
            #[cfg(not(target_arch = "wasm32"))]
            submission,
            mapped,
        });
    }

    /// Waits for the work that was submitted, and returns what was copied.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], or [`Error::Gpu`] where mapping fails otherwise.
    pub async fn finish(&mut self, gpu: &Gpu) -> Result<Vec<Vec<f32>>, Error> {
        let nothing = || Error::Gpu { reason: "nothing was submitted that could be read back".into() };
        let pending = self.pending.as_mut().ok_or_else(nothing)?;
        let bytes = bytes(&pending.counts);
        if bytes == 0 {
            let none = pending.counts.iter().map(|_| Vec::new()).collect();
            self.pending = None;
            return Ok(none);
        }
        // The browser drives the queue itself.
        #[cfg(not(target_arch = "wasm32"))]
        gpu.waiter.wait(pending.submission.clone()).await?;
        let mapped = (&mut pending.mapped).await;
        gpu.alive()?;
        match mapped {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(Error::Gpu { reason: format!("a result could not be read: {error}") }),
            Err(_) => return Err(Error::Gpu { reason: "the device dropped a read-back".into() }),
        }
        let mut copies = Vec::with_capacity(pending.counts.len());
        {
            let view =
                self.buffer.get_mapped_range(0..bytes).map_err(|error| Error::Gpu { reason: error.to_string() })?;
            let mut at = 0;
            for count in &pending.counts {
                let end = at + 4 * count;
                copies.push(bytemuck::pod_collect_to_vec(&view[at..end]));
                at = end;
            }
        }
        self.buffer.unmap();
        self.pending = None;
        Ok(copies)
    }

    pub fn destroy(&self) {
        self.buffer.destroy();
    }
}

fn bytes(counts: &[usize]) -> u64 {
    4 * counts.iter().map(|count| *count as u64).sum::<u64>()
}
