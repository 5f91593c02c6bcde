//! Runs a kernel's work.

#[cfg(not(target_arch = "wasm32"))]
pub use crate::native_threads::run;
#[cfg(target_arch = "wasm32")]
use crate::pool::{Job, THREAD_POOL, Work};

/// Runs all of `work` on this thread, unless the host has replaced [`job_runner`].
///
/// # Safety
/// The pointers of `work` are valid for its shapes, and no other code touches what they point to.
#[cfg(target_arch = "wasm32")]
pub unsafe fn run<W: Work>(work: &W) {
    let mut scratch = Vec::<f32>::with_capacity(THREAD_POOL.threads() * work.scratch());
    // SAFETY: the vector has scratch for all threads of the pool, the work outlives the call, and `run` requires valid pointers.
    unsafe { job_runner()(&Job::new(work, scratch.as_mut_ptr())) };
}

/// The function that `run` calls with a valid job. The host may put a function of another module into its slot of the function table.
#[cfg(target_arch = "wasm32")]
pub fn job_runner() -> unsafe extern "C" fn(&Job) {
    /// # Safety
    /// The job was made in this module. Its work and its scratch live until this returns.
    unsafe extern "C" fn run_here(job: &Job) {
        // SAFETY: `run` made the job in this module, for the length of this call alone.
        unsafe { job.run_here() }
    }
    // Hides from the compiler which function it is.
    std::hint::black_box(run_here)
}
