//! The product that all others in WASM are made of, x · w with w in panels: eight of its columns beside each other, row after row.
//!
//! A block of 4 × 8 sums with what it reads is eleven vectors: more than that V8 moves to memory and back. A panel is read from one end to the
//! other, and all panels of a stretch for four rows of x before the next four, because a long way straight on is what processors read
//! ahead.

use super::lanes::{LANES, Lanes};
#[cfg(target_arch = "wasm32")]
use super::team::Team;
use std::ops::Range;

/// Columns of a panel, and vectors of one of its rows.
pub const WIDTH: usize = VECTORS * LANES;
const VECTORS: usize = 2;

/// Rows of x whose sums are made together.
pub const ROWS: usize = 4;

/// Numbers of w, 256 KB, that all rows of x are multiplied with before the next: they stay in the second cache.
const STRETCH: usize = 1 << 16;

/// Adds scale · x · w to out. Plain numbers and addresses, so that another module on the same memory can do it.
#[repr(C)]
pub struct Job {
    /// (rows, panels · 8), its rows so many numbers apart.
    pub out: *mut f32,
    pub out_stride: usize,
    /// (rows, inner).
    pub x: *const f32,
    pub x_stride: usize,
    /// (inner, panels · 8): number (k, column) at `column / 8 · panel_step + k · w_stride + column % 8`.
    pub w: *const f32,
    pub w_stride: usize,
    pub panel_step: usize,
    pub rows: usize,
    pub inner: usize,
    pub panels: usize,
    pub scale: f32,
    /// Room for 4 · inner numbers, of each thread that may take part.
    pub room: *mut f32,
    /// Who may take part.
    #[cfg(target_arch = "wasm32")]
    pub team: *const Team,
}

/// Does a [`Job`].
///
/// # Safety
/// All that the job describes lies in memory that may be read, and written for `out` and `room`, which overlap nothing.
pub unsafe extern "C" fn run(job: *const Job) {
    // SAFETY: rows and panels stay below the job's.
    unsafe {
        let job = &*job;
        let mut first = 0;
        while first < job.panels {
            let end = job.panels.min(first + at_once(job));
            run_block(job, job.room, 0..job.rows, first..end);
            first = end;
        }
    }
}

/// Panels that all rows of x are multiplied with before the next.
pub fn at_once(job: &Job) -> usize {
    (STRETCH / WIDTH / job.inner.max(1)).max(1)
}

/// Does some rows, from a multiple of [`ROWS`] on, and some panels of a [`Job`].
///
/// # Safety
/// That of [`run`]; they are the job's, and `room` has room for 4 · inner numbers.
#[inline(always)]
pub unsafe fn run_block(job: &Job, room: *mut f32, rows: Range<usize>, panels: Range<usize>) {
    let mut row = rows.start;
    while row < rows.end {
        // SAFETY: of each row and panel is read and written what the job describes.
        unsafe {
            let (x, count) = (job.x.add(row * job.x_stride), ROWS.min(rows.end - row));
            if count == 1 {
                blocks::<1, 2>(job, x, row..row + 1, &panels);
            } else {
                // Laid beside each other they are one way to read instead of four.
                interleave(room, ROWS, x, job.x_stride, count, job.inner);
                blocks::<ROWS, 1>(job, room, row..row + count, &panels);
            }
            row += count;
        }
    }
}

/// The function that products call: [`run`], unless the engine's host put another into its place in the table of functions.
#[cfg(target_arch = "wasm32")]
pub fn product_in_use() -> unsafe extern "C" fn(*const Job) {
    // The compiler must not know which one it is.
    std::hint::black_box(run)
}

/// The threads that the engine's product has, should its host give it more than one.
#[cfg(target_arch = "wasm32")]
pub static TEAM: Team = Team::new();

#[cfg(target_arch = "wasm32")]
fn threads() -> usize {
    TEAM.threads()
}

#[cfg(not(target_arch = "wasm32"))]
fn threads() -> usize {
    1
}

#[cfg(not(target_arch = "wasm32"))]
fn product_in_use() -> unsafe extern "C" fn(*const Job) {
    run
}

/// Up to R rows times some panels. x: R rows, number (r, k) at `k · R + r`. SPLIT: sums of each number, which a single row needs lest
/// every step wait for the one before.
///
/// # Safety
/// Those rows and panels are the job's.
#[inline(always)]
unsafe fn blocks<const R: usize, const SPLIT: usize>(
    job: &Job,
    x: *const f32,
    rows: Range<usize>,
    panels: &Range<usize>,
) {
    let scale = Lanes::all(job.scale);
    let mut panel = panels.start;
    while panel < panels.end {
        // SAFETY: as the caller has it; k stays below `inner`, and what is written below the rows' end.
        unsafe {
            let (mut w, mut x) = (job.w.add(panel * job.panel_step), x);
            let mut sums = [[[Lanes::ZERO; VECTORS]; R]; SPLIT];
            let mut left = job.inner;
            while left >= SPLIT {
                for sums in &mut sums {
                    step(sums, x, w);
                    (w, x) = (w.add(job.w_stride), x.add(R));
                }
                left -= SPLIT;
            }
            if left > 0 {
                step(&mut sums[0], x, w);
            }
            // Counted by constants: sums that are found by a number of the run's lie in memory.
            for r in 0..R {
                if r >= rows.len() {
                    break;
                }
                for v in 0..VECTORS {
                    let mut sum = sums[0][r][v];
                    for more in &sums[1..] {
                        sum = sum.plus(more[r][v]);
                    }
                    let out = job.out.add((rows.start + r) * job.out_stride + panel * WIDTH + v * LANES);
                    Lanes::at(out).plus_product(sum, scale).put(out);
                }
            }
        }
        panel += 1;
    }
}

/// Adds what one row of w gives.
///
/// # Safety
/// A row of the panel lies at `w`, R numbers at `x`.
#[inline(always)]
unsafe fn step<const R: usize>(sums: &mut [[Lanes; VECTORS]; R], x: *const f32, w: *const f32) {
    // SAFETY: as the caller has it.
    unsafe {
        let w = [Lanes::at(w), Lanes::at(w.add(LANES))];
        for (r, sums) in sums.iter_mut().enumerate() {
            let x = Lanes::all(*x.add(r));
            for (sum, w) in sums.iter_mut().zip(w) {
                *sum = sum.plus_product(x, w);
            }
        }
    }
}

/// Lays `width` rows beside each other: number (row, k) goes to `k · width + row`. In the place of rows that are not there comes the last.
///
/// # Safety
/// `count` rows of `inner` numbers, one at least, lie `stride` numbers apart at `from`; `to` has room for `width`, a multiple of [`LANES`], and overlaps
/// none.
#[inline(never)]
unsafe fn interleave(to: *mut f32, width: usize, from: *const f32, stride: usize, count: usize, inner: usize) {
    let mut first = 0;
    while first < width {
        // SAFETY: as the caller has it; rows stay below `count`, and k below `inner`.
        unsafe {
            let row = |row: usize| from.add((first + row).min(count - 1) * stride);
            let rows = [row(0), row(1), row(2), row(3)];
            let (mut k, mut to) = (0, to.add(first));
            while k + LANES <= inner {
                for column in Lanes::transposed(rows.map(|row| Lanes::at(row.add(k)))) {
                    column.put(to);
                    to = to.add(width);
                }
                k += LANES;
            }
            while k < inner {
                for (at, row) in rows.into_iter().enumerate() {
                    *to.add(at) = *row.add(k);
                }
                (k, to) = (k + 1, to.add(width));
            }
        }
        first += LANES;
    }
}

/// w in panels, see [`Job`]: `panel_step` and `stride` numbers from one panel, and from one of its rows, to the next.
#[derive(Clone, Copy)]
pub struct Panels<'a> {
    pub data: &'a [f32],
    pub stride: usize,
    pub step: usize,
}

/// Adds scale · x · w to out. x: (rows, inner), w: (inner, panels · 8), out: (rows, panels · 8); rows of x and out lie
/// so many numbers apart. Panics where a slice is smaller than its shape.
pub fn multiply_panels(
    (out, out_stride): (&mut [f32], usize),
    (x, x_stride): (&[f32], usize),
    w: Panels<'_>,
    [rows, inner, panels]: [usize; 3],
    scale: f32,
) {
    let Some((last_row, last_panel)) = rows.checked_sub(1).zip(panels.checked_sub(1)) else { return };
    // 64 bits: an address that has gone round would pass.
    let [panels_64, last_row, last_panel] = [panels, last_row, last_panel].map(|count| count as u64);
    let reaches =
        |last: u64, stride: usize, more: u64, numbers: &[f32]| last * stride as u64 + more <= numbers.len() as u64;
    assert!(reaches(last_row, out_stride, panels_64 * WIDTH as u64, out), "the product does not fit");
    if let Some(last) = inner.checked_sub(1) {
        let panel = last as u64 * w.stride as u64 + WIDTH as u64;
        let inside = reaches(last_row, x_stride, inner as u64, x) && reaches(last_panel, w.step, panel, w.data);
        assert!(inside, "a matrix is smaller than its shape");
    }
    let mut room = Vec::<f32>::with_capacity(threads() * ROWS * inner);
    let job = Job {
        out: out.as_mut_ptr(),
        out_stride,
        x: x.as_ptr(),
        x_stride,
        w: w.data.as_ptr(),
        w_stride: w.stride,
        panel_step: w.step,
        rows,
        inner,
        panels,
        scale,
        room: room.as_mut_ptr(),
        #[cfg(target_arch = "wasm32")]
        team: &raw const TEAM,
    };
    // SAFETY: the assertions above say that the last number of each matrix lies in its slice; `out` and `room` are borrowed mutably,
    // and `room` is written before it is read.
    unsafe { product_in_use()(&job) };
}

/// Rows of a matrix (rows, inner) as panels: each eight of them, one number of each after the other. Panics where a slice is smaller.
pub fn lay_out(panels: &mut [f32], (rows, stride): (&[f32], usize), inner: usize) {
    let each = WIDTH * inner;
    for (at, panel) in panels.chunks_exact_mut(each.max(1)).enumerate() {
        let rows = &rows[at * WIDTH * stride..];
        assert!(
            (WIDTH as u64 - 1) * stride as u64 + inner as u64 <= rows.len() as u64,
            "a matrix is smaller than its shape"
        );
        // SAFETY: the eight rows lie in their slice, as asserted; the panel has as many numbers, and is borrowed mutably.
        unsafe { interleave(panel.as_mut_ptr(), WIDTH, rows.as_ptr(), stride, WIDTH, inner) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|at| (((at * 37 + seed * 11) % 23) as f32 - 11.0) / 8.0).collect()
    }

    #[test]
    fn agrees_with_plain_sums_at_every_shape() {
        for rows in [0, 1, 2, 3, 4, 5, 8, 11] {
            for inner in [0, 1, 2, 3, 4, 5, 16, 37] {
                for panels in [0, 1, 2, 5] {
                    let columns = panels * WIDTH;
                    let (x_stride, w_stride, apart) = (inner + 3, inner + 1, columns + 2);
                    let (x, w) = (numbers(rows * x_stride, 1), numbers(columns * w_stride, 2));
                    let mut laid = vec![0.0; columns * inner];
                    lay_out(&mut laid, (&w, w_stride), inner);
                    let panels_of = Panels { data: &laid, stride: WIDTH, step: WIDTH * inner };
                    let mut out = vec![7.0; rows * apart];
                    let shape = [rows, inner, panels];
                    multiply_panels((&mut out, apart), (&x, x_stride), panels_of, shape, 0.5);
                    for (at, found) in out.iter().enumerate() {
                        let (row, column) = (at / apart, at % apart);
                        // Small eighths: exact in any order.
                        let sum = || (0..inner).map(|k| x[row * x_stride + k] * w[column * w_stride + k]).sum::<f32>();
                        let expected = if column < columns { 7.0 + sum() * 0.5 } else { 7.0 };
                        assert_eq!(*found, expected, "{rows} × {inner} × {columns} at {at}");
                    }
                }
            }
        }
    }

    /// More panels than are gone through at once, so that four rows pass by twice.
    #[test]
    fn wide_matrices_are_multiplied_a_stretch_at_a_time() {
        let (rows, inner, panels) = (6, STRETCH / WIDTH / 5 + 3, 11);
        let (x, w) = (numbers(rows * inner, 3), numbers(panels * WIDTH * inner, 4));
        let mut laid = vec![0.0; w.len()];
        lay_out(&mut laid, (&w, inner), inner);
        let mut out = vec![0.0; rows * panels * WIDTH];
        let w_panels = Panels { data: &laid, stride: WIDTH, step: WIDTH * inner };
        multiply_panels((&mut out, panels * WIDTH), (&x, inner), w_panels, [rows, inner, panels], 1.0);
        for (at, found) in out.iter().enumerate() {
            let (row, column) = (at / (panels * WIDTH), at % (panels * WIDTH));
            let products = (0..inner).map(|k| f64::from(x[row * inner + k]) * f64::from(w[column * inner + k]));
            assert_eq!(f64::from(*found), products.sum::<f64>(), "({row}, {column})");
        }
    }

    #[test]
    #[should_panic(expected = "a matrix is smaller than its shape")]
    fn panels_that_are_too_small_are_refused() {
        let w = Panels { data: &[1.0; 23], stride: WIDTH, step: 24 };
        multiply_panels((&mut [0.0; 8], 8), (&[1.0; 3], 3), w, [1, 3, 1], 1.0);
    }

    #[test]
    #[should_panic(expected = "the product does not fit")]
    fn a_product_that_does_not_fit_is_refused() {
        let w = Panels { data: &[1.0; 24], stride: WIDTH, step: 24 };
        multiply_panels((&mut [0.0; 15], 8), (&[1.0; 6], 3), w, [2, 3, 1], 1.0);
    }
}
