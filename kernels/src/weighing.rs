//! What heads take from where: norms of rows, and maps of many heads in one.

use super::reduction::sum;

/// The norm of each row: (rows) of rows that are `width` wide and so many numbers apart.
#[inline(never)]
pub fn norms(out: &mut [f32], rows: &[f32], stride: usize, width: usize) {
    for (norm, row) in out.iter_mut().zip(rows.chunks(stride.max(1))) {
        *norm = sum(&row[..width], |number| number * number).sqrt() as f32;
    }
}

/// Adds a row of weights, (keys), each times its factor where there are any, and times a share.
#[inline(never)]
pub fn add_weighed(sums: &mut [f32], weights: &[f32], factors: Option<&[f32]>, share: f32) {
    match factors {
        None => sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * share),
        Some(factors) => {
            let pairs = weights.iter().zip(factors);
            sums.iter_mut().zip(pairs).for_each(|(sum, (weight, factor))| *sum += weight * factor * share);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{add_weighed, norms};

    #[test]
    fn norms_are_of_the_first_columns_of_each_row() {
        let mut out = [9.0; 3];
        norms(&mut out, &[3.0, 4.0, 100.0, 0.0, -2.0, 100.0, 5.0, 12.0], 3, 2);
        assert_eq!(out, [5.0, 2.0, 13.0]);
    }

    #[test]
    fn weights_are_added_with_their_factors() {
        let mut sums = [1.0, 2.0];
        add_weighed(&mut sums, &[0.5, 0.25], None, 2.0);
        assert_eq!(sums, [2.0, 2.5]);
        add_weighed(&mut sums, &[0.5, 0.25], Some(&[4.0, 8.0]), 0.5);
        assert_eq!(sums, [3.0, 3.5]);
    }
}
