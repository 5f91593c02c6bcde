//! The SIMD matrix product that the CPU kernels share.

use super::packed::Kept;
#[cfg(any(not(target_arch = "wasm32"), test))]
use super::packed::PackedFormat;
use super::packed_product::multiply_packed;
use super::panels::WIDTH;
use super::product::{Ending, Panels, multiply_panels_and};

/// A matrix in memory: element (row, column) at `row · row_stride + column · column_stride`.
#[derive(Clone, Copy)]
pub struct Matrix<'a> {
    pub data: &'a [f32],
    pub row_stride: usize,
    pub column_stride: usize,
}

impl<'a> Matrix<'a> {
    /// Rows one after the other, `width` numbers apart.
    pub fn rows(data: &'a [f32], width: usize) -> Self {
        Self { data, row_stride: width, column_stride: 1 }
    }

    /// The transpose of [`Matrix::rows`].
    pub fn transposed(data: &'a [f32], width: usize) -> Self {
        Self { data, row_stride: 1, column_stride: width }
    }

    fn reaches(&self, rows: usize, columns: usize) -> bool {
        rows == 0 || columns == 0 || (rows - 1) * self.row_stride + (columns - 1) * self.column_stride < self.data.len()
    }
}

/// out = x · weightᵀ, as PyTorch's `linear` has it. x: (rows, inner), weight: (columns, inner), out: (rows, columns).
pub fn multiply_transposed(out: &mut [f32], x: &[f32], weight: &[f32], [rows, inner, columns]: [usize; 3]) {
    multiply(out, columns, Matrix::rows(x, inner), Matrix::transposed(weight, inner), [rows, inner, columns], 1.0);
}

/// The same with a weight as it is kept, and with what follows.
#[inline(never)]
pub fn multiply_kept(
    out: &mut [f32],
    x: &[f32],
    weight: Kept<'_>,
    [rows, inner, columns]: [usize; 3],
    ending: &Ending<'_>,
) {
    if rows == 0 {
        return;
    }
    match weight {
        Kept::Plain(weight) => multiply_transposed(out, x, weight, [rows, inner, columns]),
        Kept::Panels(weight) => return multiply_laid_out(out, x, weight, [rows, inner, columns], ending),
        #[cfg(not(target_arch = "wasm32"))]
        Kept::Packed(format, words) if rows >= super::row_products::REPAYING => {
            multiply_unpacked(out, x, (format, words), [rows, inner, columns]);
        }
        Kept::Packed(format, words) => {
            return multiply_packed(out, x, (format, words), [rows, inner, columns], ending);
        }
    }
    ending.follow(out, columns);
}

/// The product with a packed weight, rows of which are unpacked a few at a time.
#[cfg(not(target_arch = "wasm32"))]
fn multiply_unpacked(
    out: &mut [f32],
    x: &[f32],
    (format, words): (PackedFormat, &[u32]),
    [rows, inner, columns]: [usize; 3],
) {
    const AT_ONCE: usize = 32;
    let (each, stride) = (format.row_words(inner), inner.next_multiple_of(PackedFormat::BLOCK));
    let mut unpacked = vec![0.0; AT_ONCE.min(columns) * stride];
    for first in (0..columns).step_by(AT_ONCE) {
        let count = AT_ONCE.min(columns - first);
        for (row, words) in unpacked.chunks_exact_mut(stride).zip(words[first * each..].chunks_exact(each)).take(count)
        {
            format.unpack_filled(words, row, inner);
        }
        let right = Matrix::transposed(&unpacked, stride);
        multiply(&mut out[first..], columns, Matrix::rows(x, inner), right, [rows, inner, count], 1.0);
    }
}

/// The product with a weight that is kept in panels, and what follows.
fn multiply_laid_out(
    out: &mut [f32],
    x: &[f32],
    weight: &[f32],
    [rows, inner, columns]: [usize; 3],
    ending: &Ending<'_>,
) {
    let panels = columns / WIDTH;
    let laid = Panels { data: weight, stride: WIDTH, step: WIDTH * inner };
    multiply_panels_and((out, columns), (x, inner), laid, [rows, inner, panels], (1.0, false), ending);
    let (first, rest) = (panels * WIDTH, columns % WIDTH);
    let right = Matrix::transposed(&weight[first * inner..], inner);
    multiply(&mut out[first..], columns, Matrix::rows(x, inner), right, [rows, inner, rest], 1.0);
    ending.follow_some(&mut out[..rows * columns], columns, first..columns);
}

/// out = scale · left · right. left: (rows, inner), by rows; right: (inner, columns), by rows or transposed; out:
/// (rows, columns), its rows `out_stride` apart. Panics where a slice is smaller than its shape: plans have checked the shapes.
#[inline(never)]
pub fn multiply(
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
    assert!(left.reaches(rows, inner) && right.reaches(inner, columns), "a matrix is smaller than its shape");
    assert!((rows - 1) * out_stride + columns <= out.len(), "the product does not fit");
    product(out, out_stride, left, right, [rows, inner, columns], scale);
}

/// In WASM own loops are smaller and quicker than a packed product.
#[cfg(target_arch = "wasm32")]
fn product(out: &mut [f32], out_stride: usize, left: Matrix<'_>, right: Matrix<'_>, shape: [usize; 3], scale: f32) {
    use super::row_products::{Rows, multiply_rows};
    use super::weighted_rows::weigh_rows;
    if right.row_stride == 1 {
        let (left, right) =
            (Rows { data: left.data, stride: left.row_stride }, Rows { data: right.data, stride: right.column_stride });
        multiply_rows(out, out_stride, left, right, shape, scale);
    } else {
        let (left, right) = ((left.data, left.row_stride), (right.data, right.row_stride));
        weigh_rows((out, out_stride), left, right, shape, scale);
    }
}

/// Natively the packed product has wider vectors.
#[cfg(not(target_arch = "wasm32"))]
fn product(
    out: &mut [f32],
    out_stride: usize,
    left: Matrix<'_>,
    right: Matrix<'_>,
    [rows, inner, columns]: [usize; 3],
    scale: f32,
) {
    // SAFETY: every element that gemm touches lies in its slice (asserted by the caller), and `out` is borrowed mutably, so it
    // aliases nothing.
    unsafe {
        gemm::gemm(
            rows,
            columns,
            inner,
            out.as_mut_ptr(),
            1,
            out_stride as isize,
            false,
            left.data.as_ptr(),
            left.column_stride as isize,
            left.row_stride as isize,
            right.data.as_ptr(),
            right.column_stride as isize,
            right.row_stride as isize,
            0.0,
            scale,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::activation::Activation;
    use super::super::packed::Numbers;
    use super::*;

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|at| (((at * 37 + seed * 11) % 23) as f32 - 11.0) / 8.0).collect()
    }

    /// Sums in f64 of small eighths: exact, so that the SIMD product's must be equal.
    fn plain(left: Matrix<'_>, right: Matrix<'_>, [row, inner, column]: [usize; 3], scale: f32) -> f32 {
        let at = |matrix: Matrix<'_>, row: usize, column: usize| {
            f64::from(matrix.data[row * matrix.row_stride + column * matrix.column_stride])
        };
        (0..inner).map(|k| at(left, row, k) * at(right, k, column)).sum::<f64>() as f32 * scale
    }

    #[test]
    fn agrees_with_plain_sums_at_every_shape_and_stride() {
        for rows in [1, 2, 3, 7, 17, 33] {
            for inner in [1, 2, 5, 16, 37] {
                for columns in [1, 3, 8, 19, 34] {
                    // Rows lie further apart than they are wide, as a head's do in a packed projection.
                    let (left_stride, right_stride, out_stride) = (inner + 3, inner.max(columns) + 2, columns + 5);
                    let (a, b) = (numbers(rows * left_stride, 1), numbers(inner.max(columns) * right_stride, 2));
                    let left = Matrix::rows(&a, left_stride);
                    for right in [Matrix::rows(&b, right_stride), Matrix::transposed(&b, right_stride)] {
                        let mut out = vec![7.0; rows * out_stride];
                        multiply(&mut out, out_stride, left, right, [rows, inner, columns], 0.5);
                        for (at, found) in out.iter().enumerate() {
                            let (row, column) = (at / out_stride, at % out_stride);
                            let inside = column < columns;
                            let expected = if inside { plain(left, right, [row, inner, column], 0.5) } else { 7.0 };
                            assert_eq!(*found, expected, "{rows} × {inner} × {columns} at ({row}, {column})");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_weight_is_multiplied_alike_however_it_is_kept() {
        for rows in [1, 2, 3, 4, 7, 17] {
            for inner in [1, 3, 16, 37] {
                for columns in [1, 3, 7, 8, 9, 16, 34, 43] {
                    let (x, weight) = (numbers(rows * inner, 1), numbers(columns * inner, 2));
                    let (bias, residual) = (numbers(columns, 3), numbers(rows * columns, 4));
                    let activation = Some(Activation::Relu);
                    let ending = Ending { bias: Some(&bias), activation, residual: Some(&residual) };
                    let mut expected = vec![0.0; rows * columns];
                    multiply_kept(&mut expected, &x, Kept::Plain(&weight), [rows, inner, columns], &ending);
                    let mut laid_out = Numbers::Plain(weight.clone());
                    laid_out.lay_out(inner);
                    let mut found = vec![7.0; rows * columns];
                    multiply_kept(&mut found, &x, laid_out.kept(), [rows, inner, columns], &ending);
                    assert_eq!(found, expected, "{rows} × {inner} × {columns}");
                    let mut row = vec![7.0; inner];
                    for (at, expected) in weight.chunks_exact(inner).enumerate() {
                        laid_out.kept().row(at, &mut row);
                        assert_eq!(row, expected, "row {at} of ({columns}, {inner})");
                    }
                }
            }
        }
    }

    #[test]
    fn some_rows_of_a_weight_are_those_of_all() {
        let (rows, length) = (43, 37);
        let weight = numbers(rows * length, 1);
        let mut laid_out = Numbers::Plain(weight.clone());
        laid_out.lay_out(length);
        let packed = PackedFormat::ALL.map(|format| {
            let mut words = vec![0; rows * format.row_words(length)];
            let rows = words.chunks_mut(format.row_words(length)).zip(weight.chunks(length));
            rows.for_each(|(words, row)| assert!(format.pack(row, words)));
            Numbers::Packed(format, words)
        });
        for numbers in [Numbers::Plain(weight), laid_out].into_iter().chain(packed) {
            for some in [0..16, 8..43, 40..43, 0..43, 24..24] {
                let [mut expected, mut found] = [vec![7.0; length], vec![8.0; length]];
                for at in some.clone() {
                    numbers.kept().row(at, &mut expected);
                    numbers.kept().some(some.clone(), length).row(at - some.start, &mut found);
                    assert_eq!(found, expected, "row {at} of {some:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_written_where_there_is_nothing() {
        let mut out = [7.0; 4];
        multiply(&mut out, 2, Matrix::rows(&[], 3), Matrix::rows(&[], 2), [0, 3, 2], 1.0);
        assert_eq!(out, [7.0; 4]);
        let words = vec![0; 40 * PackedFormat::Int8.row_words(3)];
        multiply_kept(&mut [], &[], Kept::Packed(PackedFormat::Int8, &words), [0, 3, 40], &Ending::default());
    }

    #[test]
    #[should_panic(expected = "a matrix is smaller than its shape")]
    fn a_matrix_that_is_too_small_is_refused() {
        multiply(&mut [0.0; 4], 2, Matrix::rows(&[1.0; 5], 3), Matrix::rows(&[1.0; 6], 2), [2, 3, 2], 1.0);
    }

    #[test]
    #[should_panic(expected = "the product does not fit")]
    fn a_product_that_does_not_fit_is_refused() {
        multiply(&mut [0.0; 3], 2, Matrix::rows(&[1.0; 6], 3), Matrix::rows(&[1.0; 6], 2), [2, 3, 2], 1.0);
    }
}
