//! The product of a linear layer, x Wᵀ, where rows of both matrices lie along the sum: those of W are laid out in panels if there are
//! enough rows of x to repay that, else both are read as they lie.

use super::lanes::{LANES, Lanes};
use super::panels::{Panels, WIDTH, lay_out, multiply_panels};

/// Numbers, 128 KB, that are laid out at once.
const LAID_OUT: usize = 1 << 15;

/// So many rows of x repay that W is laid out for them.
const REPAYING: usize = 3;

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
    let panels = if rows < REPAYING { 0 } else { columns / WIDTH };
    let at_once = (LAID_OUT / WIDTH / inner.max(1)).clamp(1, panels.max(1));
    let mut room = vec![0.0; if panels == 0 { 0 } else { at_once * WIDTH * inner }];
    for first in (0..panels).step_by(at_once) {
        let count = at_once.min(panels - first);
        let laid = &mut room[..count * WIDTH * inner];
        lay_out(laid, (&right.data[first * WIDTH * right.stride..], right.stride), inner);
        let w = Panels { data: laid, stride: WIDTH, step: WIDTH * inner };
        let out = &mut out[first * WIDTH..];
        (0..rows).for_each(|row| out[row * out_stride..][..count * WIDTH].fill(0.0));
        multiply_panels((out, out_stride), (left.data, left.stride), w, [rows, inner, count], scale);
    }
    let w = |column: usize| right.row(column, inner);
    for row in 0..rows {
        let x = left.row(row, inner);
        let (out, first) = (&mut out[row * out_stride..][..columns], panels * WIDTH);
        for (at, out) in out[first..].chunks_mut(ALONE).enumerate() {
            // In the place of rows that are not there comes the last.
            let sums = sums(x, std::array::from_fn::<_, ALONE, _>(|c| w((first + at * ALONE + c).min(columns - 1))));
            out.iter_mut().zip(sums).for_each(|(out, sum)| *out = sum * scale);
        }
    }
}

/// Dot products of a row with a few rows of equal length.
#[inline(always)]
fn sums<const C: usize>(left: &[f32], right: [&[f32]; C]) -> [f32; C] {
    let (x, rest) = left.as_chunks::<LANES>();
    let right = right.map(<[f32]>::as_chunks::<LANES>);
    let w = right.map(|(chunks, _)| &chunks[..x.len()]);
    let mut lanes = [Lanes::ZERO; C];
    for (at, x) in x.iter().enumerate() {
        let x = Lanes::of(x);
        for (lanes, w) in lanes.iter_mut().zip(w) {
            *lanes = lanes.plus_product(x, Lanes::of(&w[at]));
        }
    }
    std::array::from_fn(|c| lanes[c].sum() + rest.iter().zip(right[c].1).map(|(x, w)| x * w).sum::<f32>())
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
