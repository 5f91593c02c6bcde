//! GPU devices of tests. At most two tests of a program have devices at a time.

use ropescope::backend::gpu::{AdapterChoice, Gpu};
use ropescope::runtime::Device;
use std::cell::OnceCell;
use std::sync::{Condvar, Mutex, PoisonError};

/// NVIDIA's driver (580.159) never returns from `vkDestroyDevice` when a dozen threads open and destroy devices on two cores.
static FREE_TURNS: Mutex<usize> = Mutex::new(2);
static TURN_ENDED: Condvar = Condvar::new();

struct Turn;

impl Turn {
    fn wait() -> Self {
        let free = FREE_TURNS.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = TURN_ENDED.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Self
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *FREE_TURNS.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        TURN_ENDED.notify_one();
    }
}

thread_local! {
    /// Dropped at the end of a test's thread, after the devices that the test owns.
    static OWN_TURN: OnceCell<Turn> = const { OnceCell::new() };
}

/// A device with any Vulkan adapter, once fewer than two other tests have one; without an adapter the test fails.
pub fn open_gpu() -> Gpu {
    OWN_TURN.with(|turn| _ = turn.get_or_init(Turn::wait));
    pollster::block_on(Gpu::open(AdapterChoice::Any)).expect("a Vulkan adapter; Mesa's llvmpipe will do")
}

/// The same with 16-bit floats in shaders, which the adapter must have.
pub fn open_gpu_with_f16() -> Gpu {
    let gpu = pollster::block_on(open_gpu().with_f16()).unwrap();
    assert!(gpu.has_f16(), "{} has no shader-f16; llvmpipe does", gpu.describe());
    gpu
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
