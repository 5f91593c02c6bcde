//! LayerNorm and RMSNorm of rows.

use crate::elementwise::{add_row, combine_row};
use crate::pool::{JobKind, Work};
use crate::reduce::sum;
use crate::run::run;
use crate::simd::F32x8;
use std::ptr::null;
use std::slice::from_raw_parts;

/// LayerNorm, (x − mean) / √(variance + ε) · gain + shift with the biased variance, if `centres`. Otherwise RMSNorm,
/// x / √(mean of squares + ε) · gain + shift.
#[derive(Debug, Clone, Copy)]
pub struct Norm<'a> {
    /// Whether the mean is subtracted.
    pub centres: bool,
    /// (width)
    pub gain: Option<&'a [f32]>,
    /// (width)
    pub shift: Option<&'a [f32]>,
    /// Added to the variance or the mean of squares.
    pub epsilon: f32,
}

/// out = norm(x) + residual as work for several threads. Pointers are null for missing operands.
#[repr(C)]
pub struct NormJob {
    /// (rows, width); may be `x`.
    pub out: *mut f32,
    /// (rows, width)
    pub x: *const f32,
    /// (rows, width)
    pub residual: *const f32,
    pub rows: usize,
    pub width: usize,
    /// (width)
    pub gain: *const f32,
    /// (width)
    pub shift: *const f32,
    pub epsilon: f32,
    pub centres: bool,
}

const CHUNK_ROWS: usize = 16;

// SAFETY: no other work has this kind.
unsafe impl Work for NormJob {
    const KIND: JobKind = JobKind::Norm;

    /// A number costs about 16 multiply-adds.
    fn cost(&self) -> u64 {
        16 * self.rows as u64 * self.width as u64
    }

    fn scratch(&self) -> usize {
        0
    }

    #[inline(always)]
    unsafe fn run_chunks(&self, _threads: usize, _scratch: *mut f32, mut next: impl FnMut() -> usize) {
        // SAFETY: `run_chunks` requires pointers that are valid for (rows, width): `normalise_rows` cuts its slices to these lengths.
        unsafe { while self.run_chunk(next()) {} }
    }
}

impl NormJob {
    /// Runs chunk `chunk`; false past the last.
    ///
    /// # Safety
    /// The pointers are valid for their shapes, and no other thread runs this chunk.
    #[inline(always)]
    unsafe fn run_chunk(&self, chunk: usize) -> bool {
        let mut row = chunk * CHUNK_ROWS;
        let end = self.rows.min(row + CHUNK_ROWS);
        let any = row < end;
        while row < end {
            let at = row * self.width;
            // SAFETY: `row < rows`, so that `at .. at + width` is in bounds of `out`, `x` and the residual.
            unsafe {
                let residual = if self.residual.is_null() { null() } else { self.residual.add(at) };
                let (out, x) = (self.out.add(at), self.x.add(at));
                norm_row((out, x), self.width, (self.gain, self.shift), residual, (self.epsilon, self.centres));
            }
            row += 1;
        }
        any
    }
}

/// The norm of one row, plus a residual. `out` may be `x`; gain, shift and residual may be null.
///
/// # Safety
/// `out` has `width` writable numbers; `x`, and each of the others that is not null, has as many readable ones.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
unsafe fn norm_row(
    (out, x): (*mut f32, *const f32),
    width: usize,
    (gain, shift): (*const f32, *const f32),
    residual: *const f32,
    (epsilon, centres): (f32, bool),
) {
    // SAFETY: `at + 8 <= width` for vectors and `at < width` for the tail; each number is read before it is written.
    unsafe {
        let row = from_raw_parts(x, width);
        let mean = if centres { sum(row, |x| x) as f32 / width as f32 } else { 0.0 };
        let shift_by = F32x8::splat(-mean);
        let square = |x: F32x8| {
            let x = x.plus(shift_by);
            x.times(x)
        };
        let squares = sum(row, square) as f32 / width as f32;
        let scale = 1.0 / (squares + epsilon).sqrt();
        let mut at = 0;
        while at + F32x8::LANES <= width {
            F32x8::load(x.add(at)).plus(shift_by).times(F32x8::splat(scale)).store(out.add(at));
            at += F32x8::LANES;
        }
        while at < width {
            *out.add(at) = (*x.add(at) - mean) * scale;
            at += 1;
        }
        combine_row(out, width, gain, F32x8::times);
        add_row(out, width, shift);
        add_row(out, width, residual);
    }
}

fn pointer(numbers: Option<&[f32]>, count: usize) -> *const f32 {
    numbers.map_or(null(), |numbers| numbers[..count].as_ptr())
}

/// The norm of one row in place. Panics if gain or shift is shorter than the row.
pub fn normalise(row: &mut [f32], norm: &Norm<'_>) {
    let (gain, shift) = (pointer(norm.gain, row.len()), pointer(norm.shift, row.len()));
    // SAFETY: the row is borrowed mutably, and gain and shift were cut to its length.
    unsafe {
        norm_row((row.as_mut_ptr(), row.as_ptr()), row.len(), (gain, shift), null(), (norm.epsilon, norm.centres))
    };
}

/// out = norm(x) + residual. out, x, residual: (rows, width). Panics if one is smaller than `out`.
#[inline(never)]
pub fn normalise_rows(out: &mut [f32], x: &[f32], residual: Option<&[f32]>, width: usize, norm: &Norm<'_>) {
    let count = out.len();
    let job = NormJob {
        out: out.as_mut_ptr(),
        x: x[..count].as_ptr(),
        residual: pointer(residual, count),
        rows: count.checked_div(width).unwrap_or(0),
        width,
        gain: pointer(norm.gain, width),
        shift: pointer(norm.shift, width),
        epsilon: norm.epsilon,
        centres: norm.centres,
    };
    // SAFETY: `x` and the residual were cut to the length of `out`, gain and shift to the width; `out` is borrowed mutably.
    unsafe { run(&job) };
}

#[cfg(test)]
mod tests {
    use super::{Norm, normalise, normalise_rows};

    #[test]
    fn agrees_with_f64_with_and_without_a_mean() {
        let row: Vec<f32> = (0..35).map(|at| ((at * 13) % 11) as f32 - 3.0).collect();
        let (gain, shift): (Vec<f32>, Vec<f32>) = (0..35).map(|at| (at as f32 / 8.0, 2.0 - at as f32)).unzip();
        for centres in [false, true] {
            let mut found = row.clone();
            normalise(&mut found, &Norm { centres, gain: Some(&gain), shift: Some(&shift), epsilon: 0.5 });
            let mean = if centres { row.iter().map(|x| f64::from(*x)).sum::<f64>() / 35.0 } else { 0.0 };
            let squares = row.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / 35.0;
            for at in 0..35 {
                let normed = (f64::from(row[at]) - mean) / (squares + 0.5).sqrt();
                let expected = normed * f64::from(gain[at]) + f64::from(shift[at]);
                assert!((f64::from(found[at]) - expected).abs() < 1e-5, "centres: {centres}, column {at}");
            }
        }
    }

    #[test]
    fn each_row_is_normalised_alone_and_a_residual_is_added() {
        for [rows, width] in [[0, 3], [1, 1], [3, 7], [37, 24], [5, 133]] {
            let x: Vec<f32> = (0..rows * width).map(|at| ((at * 31) % 19) as f32 - 7.0).collect();
            let residual: Vec<f32> = x.iter().map(|x| 100.0 - x).collect();
            let gain: Vec<f32> = (0..width).map(|at| 1.0 + at as f32 / 8.0).collect();
            let norm = Norm { centres: true, gain: Some(&gain), shift: None, epsilon: 1e-3 };
            let mut expected = x.clone();
            expected.chunks_exact_mut(width).for_each(|row| normalise(row, &norm));
            for residual in [None, Some(&residual[..])] {
                let mut found = vec![7.0; rows * width];
                normalise_rows(&mut found, &x, residual, width, &norm);
                for (at, found) in found.iter().enumerate() {
                    assert_eq!(
                        *found,
                        expected[at] + residual.map_or(0.0, |residual| residual[at]),
                        "{at} of {rows} × {width}"
                    );
                }
            }
        }
    }
}
