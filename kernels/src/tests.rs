//! Inputs and comparisons that the tests of kernels share.

use crate::gemm::Matrix;

/// Multiples of 1/8 up to 11/8: sums of their products are exact in any order.
pub fn eighths(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|at| (((at * 37 + seed * 11) % 23) as f32 - 11.0) / 8.0).collect()
}

/// Sines, whose sums depend on their order.
pub fn sines(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|at| ((at * 37 + seed * 11) as f32).sin()).collect()
}

/// Compares out + 0.5 · left · right, at every shape (rows, inner, columns), with plain sums. `right` is by rows or transposed; rows are
/// further apart than they are wide, as a head's rows are within a projection. `product` may replace `out`, which is filled with `before`.
pub fn check_product(
    [rows, inner, columns]: [&[usize]; 3],
    right_is_transposed: bool,
    before: f32,
    product: impl Fn((&mut [f32], usize), Matrix<'_>, Matrix<'_>, [usize; 3]),
) {
    let shapes = rows.iter().flat_map(|rows| inner.iter().map(move |inner| [*rows, *inner]));
    for [rows, inner, columns] in shapes.flat_map(|[rows, inner]| columns.iter().map(move |of| [rows, inner, *of])) {
        let (left_stride, right_stride, out_stride) = (inner + 3, inner.max(columns) + 1, columns + 2);
        let (a, b) = (eighths(rows * left_stride, 1), eighths(inner.max(columns) * right_stride, 2));
        let left = Matrix::rows(&a, left_stride);
        let right = if right_is_transposed { Matrix::transposed } else { Matrix::rows }(&b, right_stride);
        let mut out = vec![7.0; rows * out_stride];
        product((&mut out, out_stride), left, right, [rows, inner, columns]);
        let at = |of: Matrix<'_>, row: usize, column: usize| of.data[row * of.row_stride + column * of.column_stride];
        for (index, found) in out.iter().enumerate() {
            let (row, column) = (index / out_stride, index % out_stride);
            // Small multiples of 1/8: sums are exact in any order.
            let sum = || (0..inner).map(|k| at(left, row, k) * at(right, k, column)).sum::<f32>();
            let expected = if column < columns { before + 0.5 * sum() } else { 7.0 };
            assert_eq!(*found, expected, "{rows} × {inner} × {columns} at ({row}, {column})");
        }
    }
}
