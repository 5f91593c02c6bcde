//! From scores to attention weights, a query's row at a time.

use crate::exp::exp_x8;
use crate::reduce::{largest, sum};
use crate::simd::{F32x8, map};
use std::ops::Range;

/// Adds `mask` to the scores of the visible keys and `f32::MIN` to all others. Added, not −∞, as Hugging Face does: a row whose keys
/// are all masked is uniform. scores, mask: (keys)
#[inline(never)]
pub fn add_mask(scores: &mut [f32], mask: &[f32], visible: Range<usize>) {
    let end = visible.end.min(scores.len());
    let start = visible.start.min(end);
    scores[..start].iter_mut().for_each(|score| *score += f32::MIN);
    scores[start..end].iter_mut().zip(&mask[start..]).for_each(|(score, mask)| *score += mask);
    scores[end..].iter_mut().for_each(|score| *score += f32::MIN);
}

/// Softmax in place. Returns the row's statistics: the largest score, and the sum of e^(score − largest).
#[inline(never)]
pub fn softmax(scores: &mut [f32]) -> [f32; 2] {
    let largest = largest(scores);
    map(scores, |score| exp_x8(score.plus(F32x8::splat(-largest))));
    let total = sum(scores, |weight| weight);
    let scale = (1.0 / total) as f32;
    scores.iter_mut().for_each(|score| *score *= scale);
    [largest, total as f32]
}

/// Softmax in place of scores from which the row's largest is subtracted already. `sum`: the row's sum of e^(score − largest).
#[inline(never)]
pub fn softmax_of_shifted(shifted: &mut [f32], sum: f32) {
    map(shifted, |score| exp_x8(score).over(F32x8::splat(sum)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementwise::subtract;

    #[test]
    fn weights_from_statistics_are_those_of_softmax() {
        let scores: Vec<f32> = (0..37).map(|key| ((key * 29) % 17) as f32 / 3.0 - 2.0).collect();
        let (mut at_once, mut later) = (scores.clone(), scores.clone());
        let [largest, sum] = softmax(&mut at_once);
        subtract(&mut later, largest);
        softmax_of_shifted(&mut later, sum);
        let total: f64 = scores.iter().map(|score| f64::from(*score).exp()).sum();
        for (at, score) in scores.iter().enumerate() {
            let expected = f64::from(*score).exp() / total;
            for (what, found) in [("at once", at_once[at]), ("later", later[at])] {
                let error = (f64::from(found) - expected).abs();
                assert!(error < 1e-6, "{what}: key {at} has {found}, expected {expected}");
            }
        }
    }

    #[test]
    fn masked_keys_get_nothing_and_a_row_without_others_is_uniform() {
        for visible in [0..4, 1..3, 2..9, 0..0, 4..4, Range { start: 3, end: 2 }] {
            let mut scores = [0.5, 1.0, -3.0, 2.0];
            add_mask(&mut scores, &[0.0, 0.0, f32::MIN, 0.0], visible.clone());
            let is_visible = |key: usize| visible.contains(&key) && key != 2;
            for (key, score) in scores.iter().enumerate() {
                assert_eq!(*score < -1e38, !is_visible(key), "key {key} of {visible:?}");
            }
            softmax(&mut scores);
            let uniform = (0..4).all(|key| !is_visible(key));
            for (key, weight) in scores.iter().enumerate() {
                assert_eq!(*weight == 0.0, !uniform && !is_visible(key), "key {key} of {visible:?}");
                assert!(!uniform || *weight == 0.25, "key {key} of {visible:?}");
            }
        }
    }
}
