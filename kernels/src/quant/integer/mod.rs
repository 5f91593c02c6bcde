//! GEMM of a weight of integer blocks as work for several threads. The rows of x become integer blocks, too; products of two blocks are
//! exact, and sums over blocks are f32.

mod block;
mod job;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(not(any(target_arch = "wasm32", target_arch = "aarch64")))]
mod portable;
mod products;
mod tiles;
#[cfg(target_arch = "x86_64")]
mod vnni_panels;
#[cfg(target_arch = "wasm32")]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use block::round_to_blocks;

pub use job::IntegerGemmJob;

#[cfg(test)]
pub use self::block::BlockRows;
#[cfg(not(test))]
use self::block::BlockRows;
#[cfg(not(any(target_arch = "wasm32", target_arch = "aarch64")))]
use self::portable::Portable as Baseline;
#[cfg(target_arch = "x86_64")]
use self::vnni_panels::MANY_ROWS;
#[cfg(target_arch = "wasm32")]
use self::wasm::Wasm as Baseline;
use super::format::QuantisedFormat;
use crate::epilogue::LinearEpilogue;
use crate::gemm::PANEL;
use crate::pool::{JobKind, Work, chunk_in_parts};
use crate::processor::Processor;
use crate::run::run;

#[cfg(target_arch = "aarch64")]
type Baseline = neon::Neon<false>;

// SAFETY: no other work has this kind.
unsafe impl Work for IntegerGemmJob {
    const KIND: JobKind = JobKind::IntegerGemm;

    /// A product of integers takes about half the time of one in f32.
    fn cost(&self) -> u64 {
        (self.rows * self.blocks) as u64 * (self.columns * QuantisedFormat::BLOCK / 2) as u64
    }

    /// The scales of some rows of the weight, or a packed panel of it with its scales.
    fn scratch(&self) -> usize {
        #[cfg(target_arch = "x86_64")]
        if self.rows >= MANY_ROWS {
            return vnni_panels::scratch(self.blocks);
        }
        tiles::COLUMNS * self.blocks
    }

    #[inline(always)]
    unsafe fn run_chunks(&self, threads: usize, scratch: *mut f32, mut next: impl FnMut() -> usize) {
        let chunks = self.chunks();
        // SAFETY: the condition is this function's own, and the machine has the instructions that were detected.
        unsafe { self.run_on(Processor::detect(), scratch, || chunk_in_parts(next(), chunks, threads)) }
    }
}

/// # Safety
/// That of [`Work::run_chunks`], and the processor has these instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn run_with_vnni(job: &IntegerGemmJob, scratch: *mut f32, mut next: impl FnMut() -> usize) {
    // SAFETY: this function has the instructions; the rest is the caller's condition.
    unsafe {
        if job.rows < MANY_ROWS {
            return job.run_with::<x86::X86<true>>(scratch, next);
        }
        while let Some((first, end)) = job.chunk(next()) {
            for column in (first..end).step_by(vnni_panels::COLUMNS) {
                match job.format {
                    QuantisedFormat::Int4 => vnni_panels::multiply::<4>(job, column, end, scratch),
                    _ => vnni_panels::multiply::<8>(job, column, end, scratch),
                }
            }
            job.apply_epilogue((first, end));
        }
    }
}

/// # Safety
/// That of [`Work::run_chunks`], and the processor has these instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn run_with_avx2(job: &IntegerGemmJob, scratch: *mut f32, next: impl FnMut() -> usize) {
    // SAFETY: this function has the instructions; the rest is the caller's condition.
    unsafe { job.run_with::<x86::X86<false>>(scratch, next) }
}

/// # Safety
/// That of [`Work::run_chunks`], and the processor has these instructions.
#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "dotprod")]
unsafe fn run_with_dot_product(job: &IntegerGemmJob, scratch: *mut f32, next: impl FnMut() -> usize) {
    // SAFETY: this function has the instructions; the rest is the caller's condition.
    unsafe { job.run_with::<neon::Neon<true>>(scratch, next) }
}

impl IntegerGemmJob {
    /// # Safety
    /// That of [`Work::run_chunks`], and this machine is such a processor.
    #[inline(always)]
    unsafe fn run_on(&self, processor: Processor, scratch: *mut f32, next: impl FnMut() -> usize) {
        // SAFETY: the condition is this function's own.
        unsafe {
            match processor {
                #[cfg(target_arch = "x86_64")]
                Processor::Vnni => run_with_vnni(self, scratch, next),
                #[cfg(target_arch = "x86_64")]
                Processor::Avx2 => run_with_avx2(self, scratch, next),
                #[cfg(target_arch = "aarch64")]
                Processor::DotProduct => run_with_dot_product(self, scratch, next),
                Processor::Baseline => self.run_with::<Baseline>(scratch, next),
            }
        }
    }
}

/// out = epilogue(x · weightᵀ) with a weight of integer blocks. x: (rows, inner), words: (columns, row_words), out: (rows, columns). Panics
/// if a slice is smaller than its shape; plans check shapes before they run.
pub fn integer_gemm(
    out: &mut [f32],
    x: &[f32],
    (format, words): (QuantisedFormat, &[u32]),
    [rows, inner, columns]: [usize; 3],
    epilogue: &LinearEpilogue<'_>,
) {
    let row_words = format.row_words(inner);
    let (out, words) = (&mut out[..rows * columns], &words[..columns * row_words]);
    let x = BlockRows::new(&x[..rows * inner], inner, format);
    let raw = epilogue.raw(columns, rows * columns);
    let job = IntegerGemmJob::new(out, &x, (format, words), [rows, inner, columns], raw);
    // SAFETY: `out` and the weight were cut to their shapes above, x has a block and a scale for each 32 numbers; `out` is borrowed mutably.
    unsafe { run(&job) };
    epilogue.apply_columns(out, columns, columns / PANEL * PANEL..columns);
}

#[cfg(test)]
mod tests;
