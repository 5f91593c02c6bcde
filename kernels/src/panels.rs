//! The product that all others in WASM are made of, x · w with w in panels: eight of its columns beside each other, row after row.
//!
//! A block of 4 × 8 sums with what it reads is eleven vectors: more than that V8 moves to memory and back. A panel is read from one end to the
//! other, and all panels of a stretch for four rows of x before the next four, because a long way straight on is what processors read
//! ahead. Nothing here has an address of its own, takes room or can panic: threads run it without a stack.

use super::lanes::{LANES, Lanes};

/// Columns of a panel, and vectors of one of its rows.
pub const WIDTH: usize = VECTORS * LANES;
const VECTORS: usize = 2;

/// Rows of x whose sums are made together.
pub const ROWS: usize = 4;

/// scale · x · w, in place of what `out` held or added to it. x: (rows, inner), its rows `x_stride` numbers apart; w: (inner, panels · 8), number (k, column)
/// at `column / 8 · panel_step + k · w_stride + column % 8`; out: (rows, panels · 8). room: 4 · inner numbers.
///
/// # Safety
/// All of these numbers lie there, may be written in `out` and `room`, and those overlap nothing.
#[inline(never)]
pub unsafe fn multiply_block(
    (out, out_stride): (*mut f32, usize),
    (x, x_stride): (*const f32, usize),
    (w, w_stride): (*const f32, usize),
    (panel_step, panels): (usize, usize),
    (rows, inner): (usize, usize),
    (scale, adds): (f32, bool),
    room: *mut f32,
) {
    let mut row = 0;
    while row < rows {
        // SAFETY: of each row and panel is read and written what the caller has there.
        unsafe {
            let (out, x, count) = (out.add(row * out_stride), x.add(row * x_stride), ROWS.min(rows - row));
            if count == 1 {
                let w = (w, w_stride, panel_step, panels);
                blocks::<1, 2>((out, out_stride), x, w, (1, inner), (scale, adds));
            } else {
                // Laid beside each other they are one way to read instead of four.
                interleave(room, ROWS, x, x_stride, count, inner);
                let w = (w, w_stride, panel_step, panels);
                blocks::<ROWS, 1>((out, out_stride), room, w, (count, inner), (scale, adds));
            }
            row += count;
        }
    }
}

/// Up to R rows times all panels. x: R rows, number (r, k) at `k · R + r`. SPLIT: sums of each number, which a single row needs lest
/// every step wait for the one before.
///
/// # Safety
/// That of [`multiply_block`].
#[inline(always)]
unsafe fn blocks<const R: usize, const SPLIT: usize>(
    (out, out_stride): (*mut f32, usize),
    x: *const f32,
    (w, w_stride, panel_step, panels): (*const f32, usize, usize, usize),
    (rows, inner): (usize, usize),
    (scale, adds): (f32, bool),
) {
    let scale = Lanes::all(scale);
    let mut panel = 0;
    while panel < panels {
        // SAFETY: as the caller has it; k stays below `inner`, and what is written below the rows' end.
        unsafe {
            let (mut w, mut x) = (w.add(panel * panel_step), x);
            let mut sums = [[[Lanes::ZERO; VECTORS]; R]; SPLIT];
            let mut left = inner;
            while left >= SPLIT {
                for sums in &mut sums {
                    step(sums, x, w);
                    (w, x) = (w.add(w_stride), x.add(R));
                }
                left -= SPLIT;
            }
            if left > 0 {
                step(&mut sums[0], x, w);
            }
            // Counted by constants: sums that are found by a number of the run's lie in memory.
            for r in 0..R {
                if r >= rows {
                    break;
                }
                for v in 0..VECTORS {
                    let mut sum = sums[0][r][v];
                    for more in &sums[1..] {
                        sum = sum.plus(more[r][v]);
                    }
                    let out = out.add(r * out_stride + panel * WIDTH + v * LANES);
                    let before = if adds { Lanes::at(out) } else { Lanes::ZERO };
                    before.plus_product(sum, scale).put(out);
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
pub unsafe fn interleave(to: *mut f32, width: usize, from: *const f32, stride: usize, count: usize, inner: usize) {
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
