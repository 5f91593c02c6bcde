//! Number by number: sums of rows, their multiples, the mean of a column, and the gate of a feed-forward layer.

use super::Activation;

/// Adds a row to another of the same length.
#[inline(never)]
pub fn add(row: &mut [f32], other: &[f32]) {
    row.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
}

/// Multiplies a row with a factor.
#[inline(never)]
pub fn scale(row: &mut [f32], factor: f32) {
    row.iter_mut().for_each(|x| *x *= factor);
}

/// Replaces a column by its mean over the rows that are kept, by 0 where none is. column: (rows · width), of which each first number
/// is the column's, and the last row may end anywhere; kept: (rows).
#[inline(never)]
pub fn average(column: &mut [f32], width: usize, kept: &[bool]) {
    let count = kept.iter().filter(|kept| **kept).count().max(1);
    let numbers = column.iter().step_by(width.max(1)).zip(kept);
    let sum: f64 = numbers.filter(|(_, kept)| **kept).map(|(x, _)| f64::from(*x)).sum();
    let mean = (sum / count as f64) as f32;
    column.iter_mut().step_by(width.max(1)).for_each(|x| *x = mean);
}

/// activation(gate) · up of adjacent pairs (gate, up). pairs: (2 · width), out: (width).
#[inline(never)]
pub fn gate(out: &mut [f32], pairs: &[f32], activation: Activation) {
    let (pairs, _) = pairs.as_chunks::<2>();
    out.iter_mut().zip(pairs).for_each(|(gate, [x, _])| *gate = *x);
    activation.apply(out);
    out.iter_mut().zip(pairs).for_each(|(gate, [_, up])| *gate *= up);
}

#[cfg(test)]
mod tests {
    use super::{Activation, add, average, gate, scale};

    #[test]
    fn pairs_are_gated_by_their_first_number() {
        let mut out = [7.0; 3];
        gate(&mut out, &[2.0, 3.0, -1.0, 5.0, 0.5, -4.0], Activation::Relu);
        assert_eq!(out, [6.0, 0.0, -2.0]);
        add(&mut out, &[1.0, 2.0, 3.0]);
        assert_eq!(out, [7.0, 2.0, 1.0]);
        scale(&mut out, 0.5);
        assert_eq!(out, [3.5, 1.0, 0.5]);
    }

    #[test]
    fn a_column_is_its_mean_over_the_rows_that_are_kept() {
        let rows = [1.0, 10.0, 2.0, 20.0, 6.0, 30.0];
        for (kept, first, second) in
            [([true, true, true], 3.0, 20.0), ([false, true, true], 4.0, 25.0), ([false; 3], 0.0, 0.0)]
        {
            let mut averaged = rows;
            average(&mut averaged, 2, &kept);
            assert_eq!(averaged, [first, 10.0, first, 20.0, first, 30.0]);
            average(&mut averaged[1..], 2, &kept);
            assert_eq!(averaged, [first, second].repeat(3)[..]);
        }
    }
}
