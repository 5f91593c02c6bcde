//! The tokens of a row that the settings leave, and the probabilities of the best ones before and after them.

use super::settings::SamplingSettings;
use crate::kernels::{WeightedToken, warp};

/// The probability of a candidate for the next token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probability {
    /// The token.
    pub id: u32,
    /// Probability over the vocabulary before bans, temperature and cut-offs, but after the repetition penalty. Of a forced token its share.
    pub before: f64,
    /// Probability after all settings; 0 if the token is cut off. The sum over the vocabulary is 1.
    pub after: f64,
}

/// The tokens of a row that bans and cut-offs leave: the best ones, of equal ones those with lower ids.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nucleus {
    /// The number of these tokens.
    pub count: usize,
    /// ln of the sum of their weights e^((logit − best logit) / temperature).
    pub log_sum: f64,
}

impl Nucleus {
    /// That of greedy decoding: the best token alone.
    pub const BEST: Self = Self { count: 1, log_sum: 0.0 };

    fn of(tokens: &[WeightedToken]) -> Self {
        Self { count: tokens.len(), log_sum: tokens.iter().map(|token| token.weight).sum::<f64>().ln() }
    }

    /// The nucleus of a row whose best tokens are `best`, (id, logarithm), if no token but these can be in it.
    pub fn among(best: &[(u32, f32)], vocabulary: usize, settings: &SamplingSettings) -> Option<Self> {
        let (_, last) = *best.last()?;
        if settings.is_greedy() {
            return Some(Self::BEST);
        }
        let is_limit_above = |at: usize| best.get(at).is_some_and(|(_, logarithm)| *logarithm > last);
        let has_all = best.len() == vocabulary || settings.top_k.checked_sub(1).is_some_and(is_limit_above);
        has_all.then(|| Self::of(&warp(best.to_vec(), &settings.warpers())))
    }

    /// The probability of each of the best tokens, (id, ln p), before and after the settings. They are in order, as [`Nucleus`] says.
    pub fn probabilities(&self, best: &[(u32, f32)], settings: &SamplingSettings) -> Vec<Probability> {
        let Some((_, first)) = best.first() else { return Vec::new() };
        let probability = |(rank, (id, logarithm)): (usize, &(u32, f32))| {
            let relative = f64::from(*logarithm) - f64::from(*first);
            let after = if rank < self.count { self.after(relative, settings) } else { 0.0 };
            // A sum in f32 may round to less than its largest term.
            Probability { id: *id, before: f64::from(*logarithm).exp().min(1.0), after }
        };
        best.iter().enumerate().map(probability).collect()
    }

    /// The probability after the settings of a token that is left, by its logit less the best one.
    pub fn after(&self, relative_logit: f64, settings: &SamplingSettings) -> f64 {
        if settings.is_greedy() {
            return 1.0;
        }
        (relative_logit * settings.warpers().inverse_temperature - self.log_sum).exp().min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens with their ln p, best first.
    fn best(logits: &[f32]) -> Vec<(u32, f32)> {
        let log_sum = logits.iter().map(|logit| f64::from(*logit).exp()).sum::<f64>().ln();
        let mut best: Vec<(u32, f32)> =
            (0..).zip(logits).map(|(id, logit)| (id, (f64::from(*logit) - log_sum) as f32)).collect();
        best.sort_by(|(id, logarithm), (other, higher)| higher.total_cmp(logarithm).then(id.cmp(other)));
        best
    }

    #[test]
    fn unchanged_settings_keep_the_models_probabilities() {
        let (best, settings) = (best(&[1.0, 3.0, -2.0, 3.0]), SamplingSettings::default());
        let nucleus = Nucleus::among(&best, 4, &settings).unwrap();
        let probabilities = nucleus.probabilities(&best, &settings);
        assert_eq!(probabilities.iter().map(|token| token.id).collect::<Vec<_>>(), [1, 3, 0, 2]);
        assert!(probabilities.iter().all(|token| (token.before - token.after).abs() < 1e-7), "{probabilities:?}");
    }

    #[test]
    fn what_is_cut_off_has_no_probability() {
        let (best, default) = (best(&[0.0, 2.0, 1.0, -1.0]), SamplingSettings::default());
        for (settings, count) in [
            (SamplingSettings { temperature: 0.0, ..default.clone() }, 1),
            (SamplingSettings { temperature: 5e-324, ..default.clone() }, 4),
            (SamplingSettings { top_k: 2, ..default.clone() }, 2),
            (SamplingSettings { top_p: f64::MIN_POSITIVE, ..default.clone() }, 1),
            (SamplingSettings { min_p: 0.2, ..default.clone() }, 2),
        ] {
            let nucleus = Nucleus::among(&best, 4, &settings).unwrap();
            assert_eq!(nucleus.count, count, "{settings:?}");
            let after: Vec<f64> = nucleus.probabilities(&best, &settings).iter().map(|token| token.after).collect();
            assert!((after.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{settings:?}: {after:?}");
            assert!(after[count.min(3)..].iter().all(|after| *after == 0.0), "{settings:?}: {after:?}");
        }
    }

    /// Only of some settings do the best tokens of a row have the whole nucleus.
    #[test]
    fn a_nucleus_that_may_have_other_tokens_is_none() {
        let (best, default) = (best(&[0.0, 2.0, 1.0, 1.0, 1.0]), SamplingSettings::default());
        let top_k = |top_k| SamplingSettings { top_k, ..default.clone() };
        let among = |count: usize, settings: &SamplingSettings| Nucleus::among(&best[..count], 5, settings);
        assert_eq!(among(0, &default), None);
        assert_eq!(among(3, &default), None);
        assert_eq!(among(3, &top_k(1)).map(|nucleus| nucleus.count), Some(1));
        assert_eq!(among(3, &top_k(2)), None, "others may tie with the last one");
        assert_eq!(among(5, &top_k(2)).map(|nucleus| nucleus.count), Some(4));
        assert_eq!(among(3, &SamplingSettings { temperature: 0.0, ..default.clone() }), Some(Nucleus::BEST));
    }
}
