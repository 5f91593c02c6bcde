//! The largest numbers of a list.

/// The indices of the `count` numbers with the largest keys, the largest first; of equal ones the lower index.
pub fn first(numbers: &[f32], count: usize, key: fn(f32) -> f32) -> Vec<usize> {
    let mut indices: Vec<usize> = Vec::new();
    for (index, number) in numbers.iter().enumerate() {
        let place =
            indices.iter().rposition(|other| key(numbers[*other]) >= key(*number)).map_or(0, |before| before + 1);
        if place < count {
            indices.insert(place, index);
            indices.truncate(count);
        }
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn the_first_ones_are_in_order() {
        let numbers = [0.5, -2.0, 3.0, 0.5, 1.0, -3.0];
        assert_eq!(first(&numbers, 3, |number| number), [2, 4, 0]);
        assert_eq!(first(&numbers, 4, f32::abs), [2, 5, 1, 4]);
        assert_eq!(first(&numbers, 9, |number| -number), [5, 1, 0, 3, 4, 2]);
        assert!(first(&numbers, 0, f32::abs).is_empty() && first(&[], 2, f32::abs).is_empty());
    }
}
