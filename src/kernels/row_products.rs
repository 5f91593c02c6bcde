//! The product of a linear layer, x Wᵀ, without laying anything out anew: rows of both matrices lie along the sum.
//!
//! A packed product costs as many copies as the weight has elements, whatever the number of rows; this one costs none.

/// Numbers of a 128-bit vector, which WASM and every x86-64 and AArch64 have.
const LANES: usize = 4;
/// Rows of x and of W that one block multiplies: with their sums they fit the 16 vector registers of x86-64.
const ROWS: usize = 4;
const COLUMNS: usize = 2;

/// out = left · rightᵀ, as PyTorch's `linear` has it. left: (rows, inner), right: (columns, inner), out: (rows, columns), all
/// row-major. Panics where a slice is smaller than its shape: plans have checked the shapes.
pub fn multiply_rows(out: &mut [f32], left: &[f32], right: &[f32], [rows, inner, columns]: [usize; 3]) {
    assert!(left.len() >= rows * inner && right.len() >= columns * inner, "a matrix is smaller than its shape");
    assert!(out.len() >= rows * columns, "the product does not fit");
    let x = |row: usize| &left[row * inner..][..inner];
    let w = |column: usize| &right[column * inner..][..inner];
    // A few rows of W stay in the nearest cache while all of x passes by.
    for column in (0..columns).step_by(COLUMNS) {
        let pair = column + 1 < columns;
        let mut row = 0;
        while row < rows {
            let whole = row + ROWS <= rows && pair;
            if whole {
                let x = [x(row), x(row + 1), x(row + 2), x(row + 3)];
                put(out, columns, row, column, sums(x, [w(column), w(column + 1)]));
            } else if pair {
                put(out, columns, row, column, sums([x(row)], [w(column), w(column + 1)]));
            } else {
                put(out, columns, row, column, sums([x(row)], [w(column)]));
            }
            row += if whole { ROWS } else { 1 };
        }
    }
}

fn put<const R: usize, const C: usize>(out: &mut [f32], width: usize, row: usize, column: usize, block: [[f32; C]; R]) {
    for (at, sums) in block.iter().enumerate() {
        out[(row + at) * width + column..][..C].copy_from_slice(sums);
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

/// A vector of f32: WASM's own, because the compiler does not find it in these loops by itself.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Copy)]
struct Lanes(std::arch::wasm32::v128);

#[cfg(target_arch = "wasm32")]
impl Lanes {
    const ZERO: Self = Self(std::arch::wasm32::f32x4(0.0, 0.0, 0.0, 0.0));

    #[inline(always)]
    fn of(&[a, b, c, d]: &[f32; LANES]) -> Self {
        Self(std::arch::wasm32::f32x4(a, b, c, d))
    }

    #[inline(always)]
    fn plus_product(self, x: Self, y: Self) -> Self {
        use std::arch::wasm32::{f32x4_add, f32x4_mul};
        Self(f32x4_add(self.0, f32x4_mul(x.0, y.0)))
    }

    fn sum(self) -> f32 {
        use std::arch::wasm32::f32x4_extract_lane as lane;
        (lane::<0>(self.0) + lane::<1>(self.0)) + (lane::<2>(self.0) + lane::<3>(self.0))
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy)]
struct Lanes([f32; LANES]);

#[cfg(not(target_arch = "wasm32"))]
impl Lanes {
    const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    fn of(numbers: &[f32; LANES]) -> Self {
        Self(*numbers)
    }

    #[inline(always)]
    fn plus_product(self, x: Self, y: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + x.0[lane] * y.0[lane]))
    }

    fn sum(self) -> f32 {
        let [a, b, c, d] = self.0;
        (a + b) + (c + d)
    }
}

#[cfg(test)]
mod tests {
    use super::multiply_rows;

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|at| (((at * 37 + seed * 11) % 23) as f32 - 11.0) / 8.0).collect()
    }

    #[test]
    fn agrees_with_plain_sums_at_every_shape() {
        for rows in [0, 1, 2, 3, 4, 5, 8, 17] {
            for inner in [0, 1, 2, 3, 4, 5, 16, 37] {
                for columns in [0, 1, 2, 3, 8, 19] {
                    let (x, w) = (numbers(rows * inner, 1), numbers(columns * inner, 2));
                    let mut out = vec![7.0; rows * columns + 1];
                    multiply_rows(&mut out, &x, &w, [rows, inner, columns]);
                    for at in 0..rows * columns {
                        let (x, w) = (&x[at / columns * inner..][..inner], &w[at % columns * inner..][..inner]);
                        // Small eighths: exact in any order.
                        let expected: f32 = x.iter().zip(w).map(|(x, w)| x * w).sum();
                        assert_eq!(out[at], expected, "{rows} × {inner} × {columns} at {at}");
                    }
                    assert_eq!(out[rows * columns], 7.0);
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "a matrix is smaller than its shape")]
    fn a_matrix_that_is_too_small_is_refused() {
        multiply_rows(&mut [0.0; 4], &[1.0; 5], &[1.0; 6], [2, 3, 2]);
    }

    #[test]
    #[should_panic(expected = "the product does not fit")]
    fn a_product_that_does_not_fit_is_refused() {
        multiply_rows(&mut [0.0; 3], &[1.0; 6], &[1.0; 6], [2, 3, 2]);
    }
}
