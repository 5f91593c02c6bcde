//! Finds a job's code by its [`JobKind`], for modules that did not make the job.

use crate::attention::AttentionJob;
use crate::gemm::GemmJob;
use crate::norm::NormJob;
use crate::pool::{Job, JobKind, Work, count};
use crate::quant::IntegerGemmJob;
#[cfg(any(target_arch = "wasm32", test))]
use crate::quant::QuantisedGemmJob;

/// `Work::run_chunks` of the job's work.
///
/// # Safety
/// The job's work lives, and its pointers are valid for its shapes. No two threads run the same chunk, and `scratch` has the numbers that
/// one thread of the job needs, which no other thread uses.
#[inline(always)]
pub unsafe fn run_chunks(job: &Job, threads: usize, scratch: *mut f32, next: impl FnMut() -> usize) {
    // SAFETY: `Job::new` sets the kind and the work together, and each kind belongs to one type. The rest is this function's own condition.
    unsafe {
        match job.kind {
            JobKind::Gemm => (*job.work.cast::<GemmJob>()).run_chunks(threads, scratch, next),
            #[cfg(any(target_arch = "wasm32", test))]
            JobKind::QuantisedGemm => (*job.work.cast::<QuantisedGemmJob>()).run_chunks(threads, scratch, next),
            JobKind::IntegerGemm => (*job.work.cast::<IntegerGemmJob>()).run_chunks(threads, scratch, next),
            JobKind::Attention => (*job.work.cast::<AttentionJob>()).run_chunks(threads, scratch, next),
            JobKind::Norm => (*job.work.cast::<NormJob>()).run_chunks(threads, scratch, next),
            #[cfg(not(target_arch = "wasm32"))]
            JobKind::Native => job.run_chunks(threads, scratch, next),
        }
    }
}

/// Runs a job of another module on the calling thread.
///
/// # Safety
/// The job is valid, and no other code touches the memory that it reads and writes.
pub unsafe fn run_job(job: &Job) {
    // SAFETY: the job is valid, and one thread runs each chunk once, with the first thread's scratch.
    unsafe { run_chunks(job, 1, job.scratch, count()) }
}
