//! Numbers for the tests of kernels.

/// Multiples of 1/8 up to 11/8: sums of their products are exact in any order.
pub fn eighths(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|at| (((at * 37 + seed * 11) % 23) as f32 - 11.0) / 8.0).collect()
}

/// Sines, whose sums depend on their order.
pub fn sines(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|at| ((at * 37 + seed * 11) as f32).sin()).collect()
}
