//! The repetition penalty: arXiv 1909.05858, section 4.1, as in Hugging Face's RepetitionPenaltyLogitsProcessor.

/// Makes the tokens of a text less likely if `penalty` is above 1. logits: (vocabulary); ids: the text, in any order. Repeated ids count
/// once, ids outside the vocabulary are ignored. Computed in f32, as PyTorch does with f32 logits.
pub fn penalise(logits: &mut [f32], ids: &[u32], penalty: f64) {
    let penalty = penalty as f32;
    let mut is_penalised = vec![false; logits.len()];
    for id in ids.iter().map(|id| *id as usize) {
        if let Some((logit, is_penalised)) = logits.get_mut(id).zip(is_penalised.get_mut(id))
            && !std::mem::replace(is_penalised, true)
        {
            // Division would make the token of a negative logit more likely.
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
