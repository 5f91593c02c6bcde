//! GEMM with a packed right operand: the tile loop behind all products in WASM, and natively behind attention.
//!
//! w is packed into panels: eight of its columns side by side, one row after the other. A tile of 4 × 8 sums needs eleven vectors with
//! its operands; V8 would spill more to memory. All panels are read for four rows of x before the next four, from one end to
//! the other, because processors prefetch long sequential reads.
//!
//! No statics, no allocation, no panics: workers run this code without a stack.

use crate::simd::{F32x4, F32x8};

/// Columns of a panel.
pub const PANEL: usize = F32x8::LANES;

/// Rows of a tile.
pub const TILE_ROWS: usize = 4;

/// out = scale · x · w, or out += scale · x · w if `accumulate`.
///
/// x: (rows, inner), its rows `x_stride` numbers apart. w: (inner, panels · 8), number (k, column) at
/// `column / 8 · panel_step + k · w_stride + column % 8`. out: (rows, panels · 8), its rows `out_stride` apart. scratch: (4 · inner).
///
/// # Safety
/// `x` and `w` are readable and `out` and `scratch` writable for these shapes; `out` and `scratch` overlap nothing.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub unsafe fn multiply_panels(
    (out, out_stride): (*mut f32, usize),
    (x, x_stride): (*const f32, usize),
    (w, w_stride): (*const f32, usize),
    (panel_step, panels): (usize, usize),
    (rows, inner): (usize, usize),
    (scale, accumulate): (f32, bool),
    scratch: *mut f32,
) {
    let mut row = 0;
    while row < rows {
        // SAFETY: `count` rows from `row < rows` on are in bounds of `x` and `out`; `scratch` has room for four rows of x.
        unsafe {
            let (out, x, count) = (out.add(row * out_stride), x.add(row * x_stride), TILE_ROWS.min(rows - row));
            if count == 1 {
                let w = (w, w_stride, panel_step, panels);
                tiles::<1, 2>((out, out_stride), x, w, (1, inner), (scale, accumulate));
            } else {
                // Interleaved, the four rows are one sequential read.
                interleave_rows(scratch, TILE_ROWS, x, x_stride, count, inner);
                let w = (w, w_stride, panel_step, panels);
                tiles::<TILE_ROWS, 1>((out, out_stride), scratch, w, (count, inner), (scale, accumulate));
            }
            row += count;
        }
    }
}

/// Up to R rows of x, interleaved, times all panels. Each sum is split into SPLIT partial sums, which a single row needs: otherwise
/// every step waits for the one before.
///
/// # Safety
/// `rows <= R`. `x` has `inner · R` readable numbers. `w` is readable and `out` writable for the shapes of [`multiply_panels`], and `out`
/// overlaps nothing.
#[inline(always)]
unsafe fn tiles<const R: usize, const SPLIT: usize>(
    (out, out_stride): (*mut f32, usize),
    x: *const f32,
    (w, w_stride, panel_step, panels): (*const f32, usize, usize, usize),
    (rows, inner): (usize, usize),
    (scale, accumulate): (f32, bool),
) {
    let scale = F32x8::splat(scale);
    let mut panel = 0;
    while panel < panels {
        // SAFETY: `panel < panels`; `step` runs `inner` times in all, so that `w` and `x` stay in their `inner` rows; rows of `out` are
        // written for `r < rows` only.
        unsafe {
            let (mut w, mut x) = (w.add(panel * panel_step), x);
            let mut sums = [[F32x8::ZERO; R]; SPLIT];
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
            // Constant trip counts keep `sums` in registers.
            for r in 0..R {
                if r >= rows {
                    break;
                }
                let mut sum = sums[0][r];
                for more in &sums[1..] {
                    sum = sum.plus(more[r]);
                }
                let out = out.add(r * out_stride + panel * PANEL);
                let before = if accumulate { F32x8::load(out) } else { F32x8::ZERO };
                before.plus_product(sum, scale).store(out);
            }
        }
        panel += 1;
    }
}

/// Adds the products of one row of a panel with R numbers of x.
///
/// # Safety
/// `w` has 8 readable numbers, `x` has R.
#[inline(always)]
unsafe fn step<const R: usize>(sums: &mut [F32x8; R], x: *const f32, w: *const f32) {
    // SAFETY: `w` has the 8 numbers of a vector, and `r < R`.
    unsafe {
        let w = F32x8::load(w);
        for (r, sum) in sums.iter_mut().enumerate() {
            *sum = sum.plus_product(F32x8::splat(*x.add(r)), w);
        }
    }
}

/// Interleaves `width` rows: number (row, k) goes to `k · width + row`. The last row stands in for missing ones.
///
/// # Safety
/// `from` has `count >= 1` readable rows of `inner` numbers, `stride` apart. `width` is a multiple of 4, and `to` has `width · inner`
/// writable numbers that overlap none of them.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub unsafe fn interleave_rows(to: *mut f32, width: usize, from: *const f32, stride: usize, count: usize, inner: usize) {
    let mut first = 0;
    while first < width {
        // SAFETY: rows are clamped to `count - 1`. `k + 4 <= inner` for vectors and `k < inner` for the tail; `to` advances by `width` for
        // each k and has four columns from `first < width` on.
        unsafe {
            let row = |row: usize| from.add((first + row).min(count - 1) * stride);
            let rows = [row(0), row(1), row(2), row(3)];
            let (mut k, mut to) = (0, to.add(first));
            while k + F32x4::LANES <= inner {
                for column in F32x4::transpose(rows.map(|row| F32x4::load(row.add(k)))) {
                    column.store(to);
                    to = to.add(width);
                }
                k += F32x4::LANES;
            }
            while k < inner {
                for (at, row) in rows.into_iter().enumerate() {
                    *to.add(at) = *row.add(k);
                }
                (k, to) = (k + 1, to.add(width));
            }
        }
        first += F32x4::LANES;
    }
}

/// Packs the rows of a matrix (rows, inner) into `panels`, eight rows a panel. Panics if the matrix has fewer rows than the panels.
pub fn pack_panels(panels: &mut [f32], (rows, stride): (&[f32], usize), inner: usize) {
    for (at, panel) in panels.chunks_exact_mut((PANEL * inner).max(1)).enumerate() {
        let rows = &rows[at * PANEL * stride..];
        assert!(
            (PANEL as u64 - 1) * stride as u64 + inner as u64 <= rows.len() as u64,
            "a matrix is smaller than its shape"
        );
        // SAFETY: the eight rows are in their slice, as asserted; the panel has as many numbers and is borrowed mutably.
        unsafe { interleave_rows(panel.as_mut_ptr(), PANEL, rows.as_ptr(), stride, PANEL, inner) };
    }
}
