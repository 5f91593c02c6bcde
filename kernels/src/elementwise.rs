//! Number by number: sums of rows, and the gate of a feed-forward layer.

use super::Activation;

/// Adds a row to another of the same length.
#[inline(never)]
pub fn add(row: &mut [f32], other: &[f32]) {
    row.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
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
    use super::{Activation, add, gate};

    #[test]
    fn pairs_are_gated_by_their_first_number() {
        let mut out = [7.0; 3];
        gate(&mut out, &[2.0, 3.0, -1.0, 5.0, 0.5, -4.0], Activation::Relu);
        assert_eq!(out, [6.0, 0.0, -2.0]);
        add(&mut out, &[1.0, 2.0, 3.0]);
        assert_eq!(out, [7.0, 2.0, 1.0]);
    }
}
