//! GEMM of strided matrices.

use super::matrix::Matrix;
#[cfg(not(target_arch = "wasm32"))]
use super::native::multiply_strided;

/// out = x · weightᵀ, PyTorch's `linear`. x: (rows, inner), weight: (columns, inner), out: (rows, columns).
pub fn gemm_transposed(out: &mut [f32], x: &[f32], weight: &[f32], [rows, inner, columns]: [usize; 3]) {
    gemm(out, columns, Matrix::rows(x, inner), Matrix::transposed(weight, inner), [rows, inner, columns], 1.0);
}

/// out = scale · left · right. left: (rows, inner), by rows; right: (inner, columns), by rows or transposed; out: (rows, columns), its
/// rows `out_stride` numbers apart. Panics if a slice is smaller than its shape; plans check shapes before they run.
#[inline(never)]
pub fn gemm(
    out: &mut [f32],
    out_stride: usize,
    left: Matrix<'_>,
    right: Matrix<'_>,
    [rows, inner, columns]: [usize; 3],
    scale: f32,
) {
    if rows == 0 || columns == 0 {
        return;
    }
    assert!(left.has(rows, inner) && right.has(inner, columns), "a matrix is smaller than its shape");
    let end = (rows as u64 - 1) * out_stride as u64 + columns as u64;
    assert!(end <= out.len() as u64, "the product does not fit");
    multiply_strided(out, out_stride, left, right, [rows, inner, columns], scale);
}

/// In WASM own loops are smaller and faster than the gemm crate.
#[cfg(target_arch = "wasm32")]
fn multiply_strided(
    out: &mut [f32],
    out_stride: usize,
    left: Matrix<'_>,
    right: Matrix<'_>,
    shape: [usize; 3],
    scale: f32,
) {
    use super::packing::{multiply_by_transpose, multiply_rows};
    match right.row_stride {
        1 => multiply_by_transpose(out, out_stride, left, right, shape, scale),
        _ => multiply_rows((out, out_stride), left, right, shape, scale),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::check_product;

    #[test]
    fn agrees_with_plain_sums_at_every_shape_and_stride() {
        for is_transposed in [false, true] {
            let shapes = [&[1, 2, 3, 7, 17, 33][..], &[1, 2, 5, 16, 37], &[1, 3, 8, 19, 34]];
            check_product(shapes, is_transposed, 0.0, |(out, stride), left, right, shape| {
                gemm(out, stride, left, right, shape, 0.5);
            });
        }
    }

    #[test]
    fn a_product_without_rows_writes_nothing() {
        let mut out = [7.0; 4];
        gemm(&mut out, 2, Matrix::rows(&[], 3), Matrix::rows(&[], 2), [0, 3, 2], 1.0);
        assert_eq!(out, [7.0; 4]);
    }

    #[test]
    #[should_panic(expected = "a matrix is smaller than its shape")]
    fn a_matrix_that_is_too_small_is_refused() {
        gemm(&mut [0.0; 4], 2, Matrix::rows(&[1.0; 5], 3), Matrix::rows(&[1.0; 6], 2), [2, 3, 2], 1.0);
    }

    #[test]
    #[should_panic(expected = "the product does not fit")]
    fn a_product_that_does_not_fit_is_refused() {
        gemm(&mut [0.0; 3], 2, Matrix::rows(&[1.0; 6], 3), Matrix::rows(&[1.0; 6], 2), [2, 3, 2], 1.0);
    }
}
