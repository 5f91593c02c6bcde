//! The repetition penalty: arXiv 1909.05858, section 4.1, as in Hugging Face's RepetitionPenaltyLogitsProcessor.

/// Makes the tokens of a text less likely where `penalty` is above 1. `logits`: (vocabulary); `seen`: ids of the text,
/// in any order: each counts once, and one outside the vocabulary not at all. Computed in f32, as PyTorch does with f32
/// logits.
pub fn penalise(logits: &mut [f32], seen: &[u32], penalty: f64) {
    let penalty = penalty as f32;
    let mut is_counted = vec![false; logits.len()];
    for id in seen.iter().map(|id| *id as usize) {
        if let Some((logit, is_counted)) = logits.get_mut(id).zip(is_counted.get_mut(id))
            && !std::mem::replace(is_counted, true)
        {
            // Dividing a negative logit would make its token more likely.
            *logit = if *logit < 0.0 { *logit * penalty } else { *logit / penalty };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_id_counts_once_whatever_its_sign() {
        let mut logits = [3.0, -3.0, 0.0, 6.0];
        penalise(&mut logits, &[1, 0, 1, 0, 1, 2, 4, u32::MAX], 1.5);
        assert_eq!(logits, [2.0, -4.5, 0.0, 6.0]);
    }
}
