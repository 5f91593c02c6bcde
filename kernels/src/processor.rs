//! The kinds of processors that kernels have code of their own for.

/// A kind of processor, by its instructions. On different ones results differ by rounding, on one they are equal bit for bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processor {
    /// x86-64 with the dot products of AVX-512 VNNI, and all that [`Processor::Avx2`] has.
    #[cfg(target_arch = "x86_64")]
    Vnni,
    /// x86-64 with AVX2, FMA and F16C.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AArch64 with dot products of bytes.
    #[cfg(target_arch = "aarch64")]
    DotProduct,
    /// What every processor of the architecture has: SSE2 on x86-64, NEON on AArch64. In WebAssembly what the module is compiled for.
    Baseline,
}

impl Processor {
    /// The kind of this machine.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn detect() -> Self {
        let has_avx2 =
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c");
        let has_vnni = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni");
        match (has_avx2, has_vnni) {
            (true, true) => Self::Vnni,
            (true, false) => Self::Avx2,
            (false, _) => Self::Baseline,
        }
    }

    /// The kind of this machine.
    #[cfg(target_arch = "aarch64")]
    #[inline]
    pub fn detect() -> Self {
        if std::arch::is_aarch64_feature_detected!("dotprod") { Self::DotProduct } else { Self::Baseline }
    }

    /// The only kind of this architecture.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    #[inline(always)]
    pub fn detect() -> Self {
        Self::Baseline
    }

    /// Every kind whose instructions this machine has.
    #[cfg(test)]
    pub fn every() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let all = [Self::Baseline, Self::Avx2, Self::Vnni];
        #[cfg(target_arch = "aarch64")]
        let all = [Self::Baseline, Self::DotProduct];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let all = [Self::Baseline];
        let last = all.iter().position(|processor| *processor == Self::detect()).unwrap();
        all[..=last].to_vec()
    }
}

/// An expression, compiled for the widest vectors that this machine has. Kernels that are too small for jobs use it: jobs are compiled so
/// themselves, and intrinsics need functions of their own. A macro, because a closure that two places call would not be inlined.
macro_rules! with_widest_vectors {
    ($work:expr) => {
        match $crate::processor::Processor::detect() {
            #[cfg(target_arch = "x86_64")]
            $crate::processor::Processor::Vnni | $crate::processor::Processor::Avx2 => {
                let work = || $work;
                // SAFETY: the machine has the instructions that were detected.
                unsafe { $crate::processor::with_avx2(work) }
            }
            #[cfg(target_arch = "aarch64")]
            $crate::processor::Processor::DotProduct => $work,
            $crate::processor::Processor::Baseline => $work,
        }
    };
}

pub(crate) use with_widest_vectors;

/// Calls `work`, which is inlined here.
///
/// # Safety
/// The machine has [`Processor::Avx2`]'s instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
pub unsafe fn with_avx2<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[cfg(test)]
mod tests {
    use super::Processor;

    /// `cargo xtask test` sets the variable where it emulates a processor: on a lesser one the tests of its dot products would be left out.
    #[test]
    fn tests_run_on_the_expected_processor() {
        if let Ok(expected) = std::env::var("EXPECTED_PROCESSOR") {
            assert_eq!(format!("{:?}", Processor::detect()), expected);
        }
    }
}
