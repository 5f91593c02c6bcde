//! The product of a linear layer, x Wᵀ, without laying anything out anew: rows of both matrices lie along the sum.
//!
//! A packed product costs as many copies as the weight has elements, whatever the number of rows; this one costs none.

use super::lanes::{LANES, Lanes};

/// Rows of x and of W that one block multiplies: with their sums they fit the 16 vector registers of x86-64.
const ROWS: usize = 4;
const COLUMNS: usize = 2;

/// Rows of W that a single row of x is multiplied with at once.
const ALONE: usize = 8;

/// A matrix whose rows lie `stride` numbers apart.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    pub data: &'a [f32],
    pub stride: usize,
}

impl<'a> Rows<'a> {
    #[inline(always)]
    fn row(self, row: usize, inner: usize) -> &'a [f32] {
        &self.data[row * self.stride..][..inner]
    }
}

/// out = scale · left · rightᵀ, as PyTorch's `linear` has it. left: (rows, inner), right: (columns, inner), out: (rows, columns),
/// its rows `out_stride` numbers apart. Panics where a slice is smaller than its shape: plans have checked the shapes.
pub fn multiply_rows(
    out: &mut [f32],
    out_stride: usize,
    left: Rows<'_>,
    right: Rows<'_>,
    [rows, inner, columns]: [usize; 3],
    scale: f32,
) {
    let x = |row: usize| left.row(row, inner);
    let w = |column: usize| right.row(column, inner);
    // A few rows of W stay in the nearest cache while all of x passes by.
    for column in (0..columns).step_by(COLUMNS) {
        let pair = column + 1 < columns;
        let mut row = 0;
        while row < rows {
            let mut put = Put { out, stride: out_stride, scale, row, column };
            if row + ROWS <= rows && pair {
                put.block(sums([x(row), x(row + 1), x(row + 2), x(row + 3)], [w(column), w(column + 1)]));
                row += ROWS;
                continue;
            }
            // What is left over goes by itself; a single row has its own pass below.
            if rows > 1 && pair {
                put.block(sums([x(row)], [w(column), w(column + 1)]));
            } else if rows > 1 {
                put.block(sums([x(row)], [w(column)]));
            }
            row += 1;
        }
    }
    if rows == 1 {
        for column in (0..columns).step_by(ALONE) {
            let mut put = Put { out, stride: out_stride, scale, row: 0, column };
            if column + ALONE <= columns {
                put.block(sums([x(0)], std::array::from_fn::<_, ALONE, _>(|at| w(column + at))));
            } else {
                for column in column..columns {
                    Put { out, stride: out_stride, scale, row: 0, column }.block(sums([x(0)], [w(column)]));
                }
            }
        }
    }
}

/// Where a block of sums goes.
struct Put<'a> {
    out: &'a mut [f32],
    stride: usize,
    scale: f32,
    row: usize,
    column: usize,
}

impl Put<'_> {
    #[inline(always)]
    fn block<const R: usize, const C: usize>(&mut self, block: [[f32; C]; R]) {
        for (at, sums) in block.iter().enumerate() {
            let out = &mut self.out[(self.row + at) * self.stride + self.column..][..C];
            out.iter_mut().zip(sums).for_each(|(out, sum)| *out = sum * self.scale);
        }
    }
}

/// All dot products of a few rows of equal length.
#[inline(always)]
fn sums<const R: usize, const C: usize>(left: [&[f32]; R], right: [&[f32]; C]) -> [[f32; C]; R] {
    let left = left.map(<[f32]>::as_chunks::<LANES>);
    let right = right.map(<[f32]>::as_chunks::<LANES>);
    let count = left[0].0.len();
    let (x, w) = (left.map(|(chunks, _)| &chunks[..count]), right.map(|(chunks, _)| &chunks[..count]));
    let mut lanes = [[Lanes::ZERO; C]; R];
    for at in 0..count {
        let w = w.map(|chunks| Lanes::of(&chunks[at]));
        for r in 0..R {
            let x = Lanes::of(&x[r][at]);
            for c in 0..C {
                lanes[r][c] = lanes[r][c].plus_product(x, w[c]);
            }
        }
    }
    std::array::from_fn(|r| {
        std::array::from_fn(|c| {
            let rest: f32 = left[r].1.iter().zip(right[c].1).map(|(x, w)| x * w).sum();
            lanes[r][c].sum() + rest
        })
    })
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
                            || x.row(row, inner).iter().zip(w.row(column, inner)).map(|(x, w)| x * w).sum::<f32>();
                        let expected = if column < columns { sum() * 0.5 } else { 7.0 };
                        assert_eq!(*found, expected, "{rows} × {inner} × {columns} at {at}");
                    }
                }
            }
        }
    }
}
