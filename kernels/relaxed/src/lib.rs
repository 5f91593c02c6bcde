//! The kernels that take most of a run – GEMM, attention and norms – as a WebAssembly module of its own. `cargo xtask build` compiles it
//! with relaxed SIMD, which a browser must know, and for threads. It works on the engine's memory (`src/web/relaxed.rs`) and has no data,
//! stack or memory of its own.

#[cfg(not(feature = "threads"))]
use ropescope_kernels::Job;

#[cfg(feature = "test-exports")]
mod test_exports;
#[cfg(feature = "threads")]
mod threads;

/// Runs a [`Job`] on the calling thread.
///
/// # Safety
/// The job is valid, and no other code touches the memory that it reads and writes.
#[cfg(not(feature = "threads"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run_job(job: &Job) {
    // SAFETY: the job is valid and nobody else touches its memory, by this function's condition.
    unsafe { ropescope_kernels::run_job(job) }
}
