//! From scores to attention weights, a query's row at a time.

use super::eight::{Eight, map};
use super::exponential::exp_of;
use super::reduction::{largest, sum};
use std::ops::Range;

/// Adds the mask to the scores of the keys that the query sees, and f32::MIN to those of all others: added, not −∞, as Hugging
/// Face does, so that a row without any key left is uniform. scores, mask: (keys).
#[inline(never)]
pub fn add_mask(scores: &mut [f32], mask: &[f32], seen: Range<usize>) {
    let end = seen.end.min(scores.len());
    let start = seen.start.min(end);
    scores[..start].iter_mut().for_each(|score| *score += f32::MIN);
    scores[start..end].iter_mut().zip(&mask[start..]).for_each(|(score, mask)| *score += mask);
    scores[end..].iter_mut().for_each(|score| *score += f32::MIN);
}

/// Softmax in place. Returns the largest score, and the sum of e^(score − largest).
#[inline(never)]
pub fn softmax(scores: &mut [f32]) -> [f32; 2] {
    let largest = largest(scores);
    map(scores, |score| exp_of(score.plus(Eight::all(-largest))));
    let total = sum(scores, |weight| weight);
    let scale = (1.0 / total) as f32;
    scores.iter_mut().for_each(|score| *score *= scale);
    [largest, total as f32]
}

/// Takes the row's largest score off all.
#[inline(never)]
pub fn less(scores: &mut [f32], largest: f32) {
    scores.iter_mut().for_each(|score| *score -= largest);
}

/// Weights in place of scores that are less the row's largest; sum: that of e^ of them.
#[inline(never)]
pub fn attended(shifted: &mut [f32], sum: f32) {
    map(shifted, |score| exp_of(score).over(Eight::all(sum)));
}

#[cfg(test)]
mod tests {
    use super::{Range, add_mask, attended, less, softmax};

    #[test]
    fn weights_are_the_same_at_once_and_from_what_is_kept_of_a_row() {
        let scores: Vec<f32> = (0..37).map(|key| ((key * 29) % 17) as f32 / 3.0 - 2.0).collect();
        let (mut at_once, mut later) = (scores.clone(), scores.clone());
        let [largest, sum] = softmax(&mut at_once);
        less(&mut later, largest);
        attended(&mut later, sum);
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
    fn keys_that_are_not_seen_get_nothing_and_a_row_without_keys_is_uniform() {
        for seen in [0..4, 1..3, 2..9, 0..0, 4..4, Range { start: 3, end: 2 }] {
            let mut scores = [0.5, 1.0, -3.0, 2.0];
            add_mask(&mut scores, &[0.0, 0.0, f32::MIN, 0.0], seen.clone());
            let visible = |key: usize| seen.contains(&key) && key != 2;
            for (key, score) in scores.iter().enumerate() {
                assert_eq!(*score < -1e38, !visible(key), "key {key} of {seen:?}");
            }
            softmax(&mut scores);
            let uniform = (0..4).all(|key| !visible(key));
            for (key, weight) in scores.iter().enumerate() {
                assert_eq!(*weight == 0.0, !uniform && !visible(key), "key {key} of {seen:?}");
                assert!(!uniform || *weight == 0.25, "key {key} of {seen:?}");
            }
        }
    }
}
