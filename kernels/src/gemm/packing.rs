//! Products of strided matrices over packed panels: both of [`gemm`](super::gemm()) in WASM, and everywhere the scores of maps.

use super::blocked::{Panels, gemm_panels};
use super::gemv::{PACKING_PAYS, gemv};
use super::matrix::Matrix;
use super::panels::{PANEL, pack_panels};
use crate::epilogue::LinearEpilogue;

/// Numbers (128 KB) that are packed at once.
const PACKED: usize = 1 << 15;

/// Rows of the right operand that all rows of the left one use before the next: they and their pages stay in the L1 cache.
#[cfg(any(target_arch = "wasm32", test))]
const DEPTH: usize = 128;

/// out = scale · left · right. left: (rows, inner), by rows; right: (inner, columns), transposed; out: (rows, columns), its rows `out_stride` numbers apart.
/// `right` is packed if `left` has enough rows, otherwise both are read where they are. A map's scores are computed by this, because it sums
/// them in the order in which the attention kernel does. Panics if a slice is smaller than its shape.
#[inline(never)]
pub fn multiply_by_transpose(
    out: &mut [f32],
    out_stride: usize,
    left: Matrix<'_>,
    right: Matrix<'_>,
    [rows, inner, columns]: [usize; 3],
    scale: f32,
) {
    let panels = if rows < PACKING_PAYS { 0 } else { columns / PANEL };
    let at_once = (PACKED / PANEL / inner.max(1)).clamp(1, panels.max(1));
    let mut packed = vec![0.0; if panels == 0 { 0 } else { at_once * PANEL * inner }];
    for first in (0..panels).step_by(at_once) {
        let count = at_once.min(panels - first);
        let packed = &mut packed[..count * PANEL * inner];
        pack_panels(packed, (&right.data[first * PANEL * right.column_stride..], right.column_stride), inner);
        let w = Panels { data: packed, stride: PANEL, step: PANEL * inner };
        let (out, x) = ((&mut out[first * PANEL..], out_stride), (left.data, left.row_stride));
        gemm_panels(out, x, w, [rows, inner, count], (scale, false), &LinearEpilogue::default());
    }
    let first = panels * PANEL;
    let Some(last) = columns.checked_sub(1).filter(|last| *last >= first) else { return };
    // In u64: usize would wrap on wasm32.
    let end = last as u64 * right.column_stride as u64 + inner as u64;
    assert!(end <= right.data.len() as u64, "a matrix is smaller than its shape");
    if rows >= PACKING_PAYS {
        let mut columns_at_end = vec![0.0; PANEL * inner];
        for (column, to) in (first..columns).zip(columns_at_end.chunks_exact_mut(inner.max(1))) {
            to.copy_from_slice(&right.data[column * right.column_stride..][..inner]);
        }
        let (mut panel, mut sums) = (vec![0.0; PANEL * inner], vec![0.0; rows * PANEL]);
        pack_panels(&mut panel, (&columns_at_end, inner), inner);
        let w = Panels { data: &panel, stride: PANEL, step: PANEL * inner };
        let x = (left.data, left.row_stride);
        gemm_panels((&mut sums, PANEL), x, w, [rows, inner, 1], (scale, false), &LinearEpilogue::default());
        for (row, sums) in sums.chunks_exact(PANEL).enumerate() {
            out[row * out_stride..][first..columns].copy_from_slice(&sums[..columns - first]);
        }
        return;
    }
    for row in 0..rows {
        let (x, out) = (&left.data[row * left.row_stride..][..inner], &mut out[row * out_stride..][first..columns]);
        let w = right.data[first * right.column_stride..].as_ptr();
        // SAFETY: the last row of `right` is in its slice, as asserted; `x` has `inner` numbers, `out` has `columns - first`, and is
        // borrowed mutably.
        unsafe { gemv(out.as_mut_ptr(), x.as_ptr(), (w, right.column_stride), (inner, columns - first), scale) };
    }
}

/// out = scale · left · right, without packing: attention's weights times values. left: (rows, inner), right: (inner, columns), out:
/// (rows, columns), all by rows. Panics if a slice is smaller than its shape.
#[cfg(any(target_arch = "wasm32", test))]
pub fn multiply_rows(
    (out, out_stride): (&mut [f32], usize),
    left: Matrix<'_>,
    right: Matrix<'_>,
    [rows, inner, columns]: [usize; 3],
    scale: f32,
) {
    if rows == 0 {
        return;
    }
    let panels = columns / PANEL;
    for row in 0..rows {
        out[row * out_stride..][..columns].fill(0.0);
    }
    for first in (0..inner).step_by(DEPTH) {
        let count = DEPTH.min(inner - first);
        let (weights, values) = (&left.data[first..], &right.data[first * right.row_stride..]);
        // Eight adjacent columns of plain rows are a panel, too.
        let w = Panels { data: values, stride: right.row_stride, step: PANEL };
        let (shape, x) = ([rows, count, panels], (weights, left.row_stride));
        gemm_panels((out, out_stride), x, w, shape, (scale, true), &LinearEpilogue::default());
        for (row, column) in (0..rows).flat_map(|row| (panels * PANEL..columns).map(move |column| (row, column))) {
            let weights = &weights[row * left.row_stride..][..count];
            let products = weights.iter().enumerate().map(|(k, weight)| weight * values[k * right.row_stride + column]);
            out[row * out_stride + column] += scale * products.sum::<f32>();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{multiply_by_transpose, multiply_rows};
    use crate::tests::check_product;

    #[test]
    fn agree_with_plain_sums_at_every_shape() {
        let (rows, inner) = ([0, 1, 2, 3, 4, 5, 8, 17], [0, 1, 2, 3, 4, 5, 16, 37]);
        check_product([&rows, &inner, &[0, 1, 2, 3, 7, 8, 9, 19]], true, 0.0, |(out, stride), left, right, shape| {
            multiply_by_transpose(out, stride, left, right, shape, 0.5);
        });
        let (rows, inner) = ([0, 1, 2, 3, 4, 5, 9], [0, 1, 3, 8, 17, 128, 261]);
        check_product([&rows, &inner, &[0, 1, 3, 4, 7, 8, 16, 19]], false, 0.0, |out, left, right, shape| {
            multiply_rows(out, left, right, shape, 0.5);
        });
    }
}
