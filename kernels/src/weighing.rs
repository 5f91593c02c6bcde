//! Maps of many heads in one: weights, each with what it is multiplied with.

/// Adds a row of weights, (keys), each times its factor.
#[inline(never)]
pub fn add_weighed(sums: &mut [f32], weights: &[f32], factors: &[f32]) {
    let pairs = weights.iter().zip(factors);
    sums.iter_mut().zip(pairs).for_each(|(sum, (weight, factor))| *sum += weight * factor);
}

#[cfg(test)]
mod tests {
    use super::add_weighed;

    #[test]
    fn weights_are_added_with_their_factors() {
        let mut sums = [1.0, 2.0];
        add_weighed(&mut sums, &[0.5, 0.25], &[2.0, 8.0]);
        assert_eq!(sums, [2.0, 4.0]);
    }
}
