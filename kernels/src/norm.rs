//! Norms of rows.

use super::eight::{EIGHT, Eight};
use super::finish::add_numbers;
use super::job::{Work, have_done};

use std::ptr::null;

/// (x − mean) / √(variance + ε) · gain + shift with the biased variance where it centres; else x / √(mean of squares + ε) · gain.
/// gain, shift: as long as the row.
#[derive(Debug, Clone, Copy)]
pub struct Norm<'a> {
    pub centres: bool,
    pub gain: Option<&'a [f32]>,
    pub shift: Option<&'a [f32]>,
    pub epsilon: f32,
}

/// Norms of rows as a [`Job`](super::job::Job): out = norm(x) + residual, each (rows, width); gain and shift: (width). Null where there is none.
#[repr(C)]
pub struct Norms {
    pub out: *mut f32,
    pub x: *const f32,
    pub residual: *const f32,
    pub rows: usize,
    pub width: usize,
    pub gain: *const f32,
    pub shift: *const f32,
    pub epsilon: f32,
    pub centres: bool,
}

/// Rows of a chunk.
const CHUNK_ROWS: usize = 16;

impl Norms {
    /// A number takes as long as so many multiplications.
    pub fn work(&self) -> u64 {
        16 * self.rows as u64 * self.width as u64
    }

    /// Makes a chunk; false where there is none of this number.
    ///
    /// # Safety
    /// What it describes lies there.
    #[inline(always)]
    pub unsafe fn make(&self, chunk: usize) -> bool {
        let mut row = chunk * CHUNK_ROWS;
        let end = self.rows.min(row + CHUNK_ROWS);
        let any = row < end;
        while row < end {
            let at = row * self.width;
            // SAFETY: as the caller has it; the row is below the last.
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

/// The norm of one row, and a residual: out may be x. Null where there is no gain, shift or residual.
///
/// # Safety
/// `width` numbers of each lie there.
#[inline(never)]
unsafe fn norm_row(
    (out, x): (*mut f32, *const f32),
    width: usize,
    (gain, shift): (*const f32, *const f32),
    residual: *const f32,
    (epsilon, centres): (f32, bool),
) {
    // SAFETY: as the caller has it; `at` stays below the width.
    unsafe {
        let mean = if centres { sum(x, width, |x| x) as f32 / width as f32 } else { 0.0 };
        let off = Eight::all(-mean);
        let square = |x: Eight| {
            let x = x.plus(off);
            x.times(x)
        };
        let squares = sum(x, width, square) as f32 / width as f32;
        let scale = 1.0 / (squares + epsilon).sqrt();
        let mut at = 0;
        while at + EIGHT <= width {
            Eight::at(x.add(at)).plus(off).times(Eight::all(scale)).put(out.add(at));
            at += EIGHT;
        }
        while at < width {
            *out.add(at) = (*x.add(at) - mean) * scale;
            at += 1;
        }
        multiply_numbers(out, width, gain);
        add_numbers(out, width, shift);
        add_numbers(out, width, residual);
    }
}

/// Multiplies by as many numbers; none where they are null.
///
/// # Safety
/// They lie there.
#[inline(always)]
unsafe fn multiply_numbers(out: *mut f32, count: usize, numbers: *const f32) {
    if numbers.is_null() {
        return;
    }
    let mut at = 0;
    // SAFETY: as the caller has it; `at` stays below `count`.
    unsafe {
        while at + EIGHT <= count {
            Eight::at(out.add(at)).times(Eight::at(numbers.add(at))).put(out.add(at));
            at += EIGHT;
        }
        while at < count {
            *out.add(at) *= *numbers.add(at);
            at += 1;
        }
    }
}

/// The sum of `term` over all numbers, in eight lanes, which are joined in f64.
///
/// # Safety
/// As many lie there.
#[inline(always)]
unsafe fn sum(x: *const f32, count: usize, term: impl Fn(Eight) -> Eight) -> f64 {
    let (mut at, mut sums, mut rest) = (0, Eight::all(0.0), 0.0);
    // SAFETY: as the caller has it; `at` stays below `count`.
    unsafe {
        while at + EIGHT <= count {
            sums = sums.plus(term(Eight::at(x.add(at))));
            at += EIGHT;
        }
        while at < count {
            rest += f64::from(term(Eight::all(*x.add(at))).first());
            at += 1;
        }
    }
    sums.sum() + rest
}

fn pointer(numbers: Option<&[f32]>, count: usize) -> *const f32 {
    numbers.map_or(null(), |numbers| numbers[..count].as_ptr())
}

/// The norm of one row in place. Panics where gain or shift is shorter.
pub fn normalise(row: &mut [f32], norm: &Norm<'_>) {
    let (gain, shift) = (pointer(norm.gain, row.len()), pointer(norm.shift, row.len()));
    // SAFETY: the row is borrowed mutably, and the others are as long.
    unsafe {
        norm_row((row.as_mut_ptr(), row.as_ptr()), row.len(), (gain, shift), null(), (norm.epsilon, norm.centres))
    };
}

/// out = norm(x) + residual of all rows. out, x, residual: (rows, width). Panics where one is smaller than out.
#[inline(never)]
pub fn normalise_rows(out: &mut [f32], x: &[f32], residual: Option<&[f32]>, width: usize, norm: &Norm<'_>) {
    let count = out.len();
    let norms = Norms {
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
    // SAFETY: all are as long as the rows together, or as one; `out` is borrowed mutably.
    unsafe { have_done(Work::Norms(norms)) };
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
    fn rows_are_normed_alone_and_a_residual_is_added() {
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
