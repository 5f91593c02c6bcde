//! Sums of rows by their weights, out = scale · left · right, where the rows of both lie apart: what attention does with values.

use super::lanes::{LANES, Lanes};

/// Rows of `left` whose sums are made together, and vectors of each: with a weight and the values they fit 16 registers.
const ROWS: usize = 4;
const VECTORS: usize = 2;
const WIDTH: usize = VECTORS * LANES;

/// Rows of `right` that are gone through for all rows of `left` before the next: they stay in a near cache, and so do their pages.
const DEPTH: usize = 128;

/// left: (rows, inner), right: (inner, columns), out: (rows, columns), their rows so many numbers apart. Each sum is made in the order
/// of `inner`. Panics where a slice is smaller than its shape: plans have checked the shapes.
pub fn weigh_rows(
    (out, out_stride): (&mut [f32], usize),
    (left, left_stride): (&[f32], usize),
    (right, right_stride): (&[f32], usize),
    [rows, inner, columns]: [usize; 3],
    scale: f32,
) {
    for row in 0..rows {
        out[row * out_stride..][..columns].fill(0.0);
    }
    for first in (0..inner).step_by(DEPTH) {
        let count = DEPTH.min(inner - first);
        let values = (&right[first * right_stride..], right_stride);
        let weights = |row: usize| &left[row * left_stride + first..][..count];
        let mut row = 0;
        while row < rows {
            let sums = &mut out[row * out_stride..];
            if row + ROWS <= rows {
                add(
                    (sums, out_stride),
                    [weights(row), weights(row + 1), weights(row + 2), weights(row + 3)],
                    values,
                    columns,
                    scale,
                );
                row += ROWS;
            } else {
                add((sums, out_stride), [weights(row)], values, columns, scale);
                row += 1;
            }
        }
    }
}

/// Adds to a few rows of sums what their weights give of each row of values.
#[inline(always)]
fn add<const R: usize>(
    (sums, stride): (&mut [f32], usize),
    weights: [&[f32]; R],
    (values, values_stride): (&[f32], usize),
    columns: usize,
    scale: f32,
) {
    let count = weights[0].len();
    let weights = weights.map(|row| &row[..count]);
    let whole = columns - columns % WIDTH;
    for column in (0..whole).step_by(WIDTH) {
        let mut lanes = [[Lanes::ZERO; VECTORS]; R];
        for (r, lanes) in lanes.iter_mut().enumerate() {
            let (vectors, _) = sums[r * stride + column..][..WIDTH].as_chunks::<LANES>();
            for (lanes, vector) in lanes.iter_mut().zip(vectors) {
                *lanes = Lanes::of(vector);
            }
        }
        for k in 0..count {
            let (vectors, _) = values[k * values_stride + column..][..WIDTH].as_chunks::<LANES>();
            for r in 0..R {
                let weight = Lanes::all(weights[r][k] * scale);
                for v in 0..VECTORS {
                    lanes[r][v] = lanes[r][v].plus_product(weight, Lanes::of(&vectors[v]));
                }
            }
        }
        for (r, lanes) in lanes.iter().enumerate() {
            let (vectors, _) = sums[r * stride + column..][..WIDTH].as_chunks_mut::<LANES>();
            for (lanes, vector) in lanes.iter().zip(vectors) {
                *vector = lanes.numbers();
            }
        }
    }
    for column in whole..columns {
        for (r, weights) in weights.iter().enumerate() {
            let sum = &mut sums[r * stride + column];
            weights
                .iter()
                .enumerate()
                .for_each(|(k, weight)| *sum += weight * scale * values[k * values_stride + column]);
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
