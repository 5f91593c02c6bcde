//! What the engine spends its time on, products, attention and norms, as a module of its own: `cargo xtask build` compiles it with relaxed SIMD, which a
//! browser must know, and the engine, which has it inside, lets it work on the engine's own memory (`src/web/relaxed.rs`). It has
//! no data, no stack and no memory of its own.

#[cfg(not(feature = "threads"))]
use ropescope_kernels::Job;

#[cfg(feature = "tested")]
mod tested;
#[cfg(feature = "threads")]
mod threads;

/// Does a [`Job`].
///
/// # Safety
/// That of [`run_job`](ropescope_kernels::run_job).
#[cfg(not(feature = "threads"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run_job(job: *const Job) {
    // SAFETY: as the caller has it.
    unsafe { ropescope_kernels::run_job(job) }
}
