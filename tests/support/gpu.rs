//! GPU devices of tests. Only one test of a program has devices at a time.

use ropescope::backend::gpu::{AdapterChoice, Gpu};
use ropescope::runtime::Device;
use std::cell::OnceCell;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// NVIDIA's driver (580.159) never returns from `vkDestroyDevice` when a dozen threads open and destroy devices on two cores.
static TURN: Mutex<()> = Mutex::new(());

thread_local! {
    /// Dropped at the end of a test's thread, after the devices that the test owns.
    static OWN_TURN: OnceCell<MutexGuard<'static, ()>> = const { OnceCell::new() };
}

/// A device with any Vulkan adapter, once no other test has one; without an adapter the test fails.
pub fn open_gpu() -> Gpu {
    OWN_TURN.with(|turn| _ = turn.get_or_init(|| TURN.lock().unwrap_or_else(PoisonError::into_inner)));
    pollster::block_on(Gpu::open(AdapterChoice::Any)).expect("a Vulkan adapter; Mesa's llvmpipe will do")
}

pub fn gpu() -> Device {
    open_gpu().into()
}

/// Bytes that live on a GPU, whoever owns them.
pub fn allocated(device: &Device) -> u64 {
    let Device::Gpu(device) = device else { return 0 };
    let device = device.gpu.device();
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    device.generate_allocator_report().expect("Vulkan's allocations are counted").total_allocated_bytes
}
