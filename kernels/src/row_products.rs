//! The product of a linear layer, x Wᵀ, where rows of both matrices lie along the sum: those of W are laid out in panels if there are
//! enough rows of x to repay that, else both are read as they lie.

use super::lanes::{LANES, Lanes};
#[cfg(any(target_arch = "wasm32", test))]
use super::panels::{WIDTH, lay_out};
#[cfg(any(target_arch = "wasm32", test))]
use super::product::{Panels, multiply_panels};

/// Numbers, 128 KB, that are laid out at once.
#[cfg(any(target_arch = "wasm32", test))]
const LAID_OUT: usize = 1 << 15;

/// So many rows of x repay that W is laid out for them.
pub const REPAYING: usize = 3;

/// Rows of W that a single row of x is multiplied with at once.
const ALONE: usize = 8;

/// A matrix whose rows lie `stride` numbers apart.
#[cfg(any(target_arch = "wasm32", test))]
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    pub data: &'a [f32],
    pub stride: usize,
}

/// out = scale · left · rightᵀ, as PyTorch's `linear` has it. left: (rows, inner), right: (columns, inner), out: (rows, columns),
/// its rows `out_stride` numbers apart. Panics where a slice is smaller than its shape: plans have checked the shapes.
#[cfg(any(target_arch = "wasm32", test))]
pub fn multiply_rows(
    out: &mut [f32],
    out_stride: usize,
    left: Rows<'_>,
    right: Rows<'_>,
    [rows, inner, columns]: [usize; 3],
    scale: f32,
) {
    let panels = if rows < REPAYING { 0 } else { columns / WIDTH };
    let at_once = (LAID_OUT / WIDTH / inner.max(1)).clamp(1, panels.max(1));
    let mut room = vec![0.0; if panels == 0 { 0 } else { at_once * WIDTH * inner }];
    for first in (0..panels).step_by(at_once) {
        let count = at_once.min(panels - first);
        let laid = &mut room[..count * WIDTH * inner];
        lay_out(laid, (&right.data[first * WIDTH * right.stride..], right.stride), inner);
        let w = Panels { data: laid, stride: WIDTH, step: WIDTH * inner };
        let out = (&mut out[first * WIDTH..], out_stride);
        multiply_panels(out, (left.data, left.stride), w, [rows, inner, count], (scale, false));
    }
    let first = panels * WIDTH;
    let Some(last) = columns.checked_sub(1).filter(|last| *last >= first) else { return };
    assert!(last * right.stride + inner <= right.data.len(), "a matrix is smaller than its shape");
    for row in 0..rows {
        let (x, out) = (&left.data[row * left.stride..][..inner], &mut out[row * out_stride..][first..columns]);
        let w = right.data[first * right.stride..].as_ptr();
        // SAFETY: the last row lies in its matrix, as asserted; x and out are as long, and out is borrowed mutably.
        unsafe { multiply_row(out.as_mut_ptr(), x.as_ptr(), (w, right.stride), (inner, columns - first), scale) };
    }
}

/// out = scale · x · wᵀ for a single row. x: (inner), w: (columns, inner), its rows so many numbers apart, out: (columns).
///
/// # Safety
/// As many numbers lie there, and may be written at `out`, which overlaps nothing.
#[inline(never)]
pub unsafe fn multiply_row(
    out: *mut f32,
    x: *const f32,
    (w, stride): (*const f32, usize),
    (inner, columns): (usize, usize),
    scale: f32,
) {
    let mut first = 0;
    while first < columns {
        // SAFETY: as the caller has it; in the place of rows that are not there comes the last, and k stays below `inner`.
        unsafe {
            let rows: [_; ALONE] = std::array::from_fn(|c| w.add((first + c).min(columns - 1) * stride));
            let mut sums = [Lanes::ZERO; ALONE];
            let mut k = 0;
            while k + LANES <= inner {
                let x = Lanes::at(x.add(k));
                for (sum, row) in sums.iter_mut().zip(rows) {
                    *sum = sum.plus_product(x, Lanes::at(row.add(k)));
                }
                k += LANES;
            }
            while k < inner {
                let x = Lanes::lone(x.add(k));
                for (sum, row) in sums.iter_mut().zip(rows) {
                    *sum = sum.plus_product(x, Lanes::lone(row.add(k)));
                }
                k += 1;
            }
            // Counted by constants: sums that are found by a number of the run's lie in memory.
            for (c, sum) in sums.into_iter().enumerate() {
                if first + c < columns {
                    *out.add(first + c) = sum.sum() * scale;
                }
            }
        }
        first += ALONE;
    }
}

#[cfg(test)]
mod tests {
    use super::{Rows, multiply_rows};

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|at| (((at * 37 + seed * 11) % 23) as f32 - 11.0) / 8.0).collect()
    }

    #[test]
    fn agrees_with_plain_sums_at_every_shape() {
        for rows in [0, 1, 2, 3, 4, 5, 8, 17] {
            for inner in [0, 1, 2, 3, 4, 5, 16, 37] {
                for columns in [0, 1, 2, 3, 7, 8, 9, 19] {
                    // Rows lie further apart than they are wide, as a head's do in a packed projection.
                    let (left, right, apart) = (inner + 3, inner + 1, columns + 2);
                    let (x, w) = (numbers(rows * left, 1), numbers(columns * right, 2));
                    let mut out = vec![7.0; rows * apart];
                    let (x, w) = (Rows { data: &x, stride: left }, Rows { data: &w, stride: right });
                    multiply_rows(&mut out, apart, x, w, [rows, inner, columns], 0.5);
                    for (at, found) in out.iter().enumerate() {
                        let (row, column) = (at / apart, at % apart);
                        // Small eighths: exact in any order.
                        let sum =
                            || (0..inner).map(|k| x.data[row * left + k] * w.data[column * right + k]).sum::<f32>();
                        let expected = if column < columns { sum() * 0.5 } else { 7.0 };
                        assert_eq!(*found, expected, "{rows} × {inner} × {columns} at {at}");
                    }
                }
            }
        }
    }
}
