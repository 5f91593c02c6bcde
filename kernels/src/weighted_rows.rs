//! Sums of rows by their weights, out = scale · left · right, where the rows of both lie apart: what attention does with values.

use super::panels::WIDTH;
use super::product::{Panels, multiply_panels};

/// Rows of `right` that are gone through for all rows of `left` before the next: they stay in a near cache, and so do their pages.
const DEPTH: usize = 128;

/// left: (rows, inner), right: (inner, columns), out: (rows, columns), their rows so many numbers apart. Panics where a slice is smaller
/// than its shape: plans have checked the shapes.
pub fn weigh_rows(
    (out, out_stride): (&mut [f32], usize),
    (left, left_stride): (&[f32], usize),
    (right, right_stride): (&[f32], usize),
    [rows, inner, columns]: [usize; 3],
    scale: f32,
) {
    if rows == 0 {
        return;
    }
    let panels = columns / WIDTH;
    for row in 0..rows {
        out[row * out_stride..][..columns].fill(0.0);
    }
    for first in (0..inner).step_by(DEPTH) {
        let count = DEPTH.min(inner - first);
        let (weights, values) = (&left[first..], &right[first * right_stride..]);
        let beside = Panels { data: values, stride: right_stride, step: WIDTH };
        multiply_panels((out, out_stride), (weights, left_stride), beside, [rows, count, panels], (scale, true));
        for (row, column) in (0..rows).flat_map(|row| (panels * WIDTH..columns).map(move |column| (row, column))) {
            let weights = &weights[row * left_stride..][..count];
            let products = weights.iter().enumerate().map(|(k, weight)| weight * values[k * right_stride + column]);
            out[row * out_stride + column] += scale * products.sum::<f32>();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::weigh_rows;

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|at| (((at * 37 + seed * 11) % 23) as f32 - 11.0) / 8.0).collect()
    }

    #[test]
    fn agrees_with_plain_sums_at_every_shape() {
        for rows in [0, 1, 2, 3, 4, 5, 9] {
            for inner in [0, 1, 3, 8, 17, 128, 261] {
                for columns in [0, 1, 3, 4, 7, 8, 16, 19] {
                    let (left, right, apart) = (inner + 2, columns + 3, columns + 1);
                    let (weights, values) = (numbers(rows * left, 1), numbers(inner * right, 2));
                    let mut out = vec![7.0; rows * apart];
                    let shape = [rows, inner, columns];
                    weigh_rows((&mut out, apart), (&weights, left), (&values, right), shape, 0.5);
                    for (at, found) in out.iter().enumerate() {
                        let (row, column) = (at / apart, at % apart);
                        // Small eighths: exact in any order.
                        let sum =
                            || (0..inner).map(|k| weights[row * left + k] * values[k * right + column]).sum::<f32>();
                        let expected = if column < columns { sum() * 0.5 } else { 7.0 };
                        assert_eq!(*found, expected, "{rows} × {inner} × {columns} at {at}");
                    }
                }
            }
        }
    }
}
