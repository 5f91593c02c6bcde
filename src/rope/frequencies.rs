//! How fast each pair turns.

/// θ_i = base^(−2i/d), in radians per position, for i = 0 … d/2 − 1: (head_size / 2), fast pairs first.
pub fn frequencies(head_size: usize, base: f64) -> Vec<f64> {
    (0..head_size / 2).map(|pair| base.powf(-2.0 * pair as f64 / head_size as f64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::BASE;

    #[test]
    fn four_dimensions_turn_by_one_and_a_hundredth() {
        let theta = frequencies(4, BASE);
        assert_eq!(theta.len(), 2);
        assert!((theta[0] - 1.0).abs() < 1e-15 && (theta[1] - 0.01).abs() < 1e-15, "{theta:?}");
    }

    #[test]
    fn nothing_to_rotate_gives_nothing() {
        assert!(frequencies(0, BASE).is_empty());
    }
}
