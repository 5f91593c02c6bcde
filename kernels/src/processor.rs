//! The sets of instructions that kernels have code of their own for.

/// A set of instructions. Kernels give results that differ by rounding on different ones, and equal bits on one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processor {
    /// x86-64 with the dot products of AVX-512 VNNI, and all that [`Processor::Avx2`] has.
    #[cfg(target_arch = "x86_64")]
    Vnni,
    /// x86-64 with AVX2, FMA and F16C.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// What the program is compiled for.
    Baseline,
}

impl Processor {
    /// The largest set that this machine has.
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

    /// The only set of this architecture.
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    pub fn detect() -> Self {
        Self::Baseline
    }

    /// Every set that this machine has.
    #[cfg(test)]
    pub fn every() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let all = [Self::Baseline, Self::Avx2, Self::Vnni];
        #[cfg(not(target_arch = "x86_64"))]
        let all = [Self::Baseline];
        let last = all.iter().position(|processor| *processor == Self::detect()).unwrap();
        all[..=last].to_vec()
    }
}

/// Runs `work`, compiled for the widest vectors that this machine has. Kernels that are too small for jobs use it.
#[inline(always)]
pub fn with_widest_vectors<T>(work: impl FnOnce() -> T) -> T {
    match Processor::detect() {
        // SAFETY: the machine has the instructions that were detected.
        #[cfg(target_arch = "x86_64")]
        Processor::Vnni | Processor::Avx2 => unsafe { with_avx2(work) },
        Processor::Baseline => work(),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn with_avx2<T>(work: impl FnOnce() -> T) -> T {
    work()
}
