//! Made-up inputs, and how numbers are compared.

/// Deterministic numbers between −1 and 1, by a linear congruential generator.
pub fn numbers(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1u32 << 23) as f32 - 1.0
        })
        .collect()
}

/// The mask of each key, which is added to its scores as Hugging Face does: 0, or f32::MIN where the attention mask is 0.
pub fn key_mask(attention_mask: &[u32]) -> Vec<f32> {
    attention_mask.iter().map(|is_token| if *is_token == 0 { f32::MIN } else { 0.0 }).collect()
}

/// max|Δ| ≤ tolerance · max(1, max|reference|), and no NaN. f32::MIN, which masks add, is compared as it is and is no
/// measure.
pub fn assert_close(what: &str, found: &[f32], reference: &[f32], tolerance: f32) {
    assert_eq!(found.len(), reference.len(), "{what}: sizes");
    let largest = reference.iter().filter(|value| **value != f32::MIN);
    let largest = largest.fold(1.0f32, |largest, value| largest.max(value.abs()));
    for (index, (found, expected)) in found.iter().zip(reference).enumerate() {
        // Written so that NaN fails.
        let close = found == expected || (found - expected).abs() <= tolerance * largest;
        assert!(close, "{what}[{index}]: {found}, expected {expected}");
    }
}
