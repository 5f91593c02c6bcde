//! How runs are cancelled and interrupted.

use ropescope::backend::Cancellation;
use ropescope::runtime::Device;
use std::cell::Cell;
use std::future::{Future, poll_fn, ready};
use std::pin::Pin;
use std::task::Poll;

/// Cancels the run at its `pauses`-th pause. A run pauses before each op, and within an op after `work` multiply-adds.
pub struct StopAt {
    pub pauses: Cell<usize>,
    pub work: usize,
}

impl StopAt {
    /// Cancels the run after this number of ops.
    pub fn ops(ops: usize) -> Self {
        Self { pauses: Cell::new(ops), work: usize::MAX }
    }
}

impl Cancellation for StopAt {
    fn work(&self) -> usize {
        self.work
    }

    fn is_due(&self) -> bool {
        true
    }

    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>> {
        let left = self.pauses.get();
        self.pauses.set(left.saturating_sub(1));
        Box::pin(ready(left > 0))
    }
}

/// Yields before each op; the next poll continues.
pub struct Yields;

impl Cancellation for Yields {
    fn is_due(&self) -> bool {
        true
    }

    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>> {
        let mut yielded = false;
        Box::pin(poll_fn(move |context| {
            if std::mem::replace(&mut yielded, true) {
                return Poll::Ready(true);
            }
            context.waker().wake_by_ref();
            Poll::Pending
        }))
    }
}

/// Copies that keep a GPU at work; nothing on the CPU.
pub struct Load(Option<(wgpu::Device, wgpu::Queue, [wgpu::Buffer; 2])>);

impl Load {
    const BYTES: u64 = 1 << 24;

    pub fn new(device: &Device) -> Self {
        let Device::Gpu(device) = device else { return Self(None) };
        let (device, queue) = (device.gpu.device().clone(), device.gpu.queue().clone());
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let descriptor = wgpu::BufferDescriptor { label: None, size: Self::BYTES, usage, mapped_at_creation: false };
        let buffers = [(); 2].map(|()| device.create_buffer(&descriptor));
        Self(Some((device, queue, buffers)))
    }

    pub fn submit(&self) {
        let Some((device, queue, [from, to])) = &self.0 else { return };
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        (0..4).for_each(|_| encoder.copy_buffer_to_buffer(from, 0, to, 0, Self::BYTES));
        queue.submit([encoder.finish()]);
    }
}
