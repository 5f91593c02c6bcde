//! The best tokens of a row, their probabilities under the sampling settings, and the draw.

use super::random::Random;
use super::settings::{MAX_CANDIDATES, SamplingSettings};
use crate::error::Error;
use std::cmp::Ordering;

/// The best tokens of a row of logits, and the row's log-sum-exp for their probabilities. Both include the repetition penalty, but no
/// temperature.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidates {
    /// Id and logit, best first, ties by id.
    best: Vec<(u32, f32)>,
    /// ln Σ exp(logit) over the vocabulary.
    log_sum: f64,
}

/// The probability of a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probability {
    /// The token.
    pub id: u32,
    /// Probability over the vocabulary before temperature and cut-offs.
    pub before: f64,
    /// Probability after all settings; 0 if the token is cut off. The sum over all candidates is 1.
    pub after: f64,
}

impl Candidates {
    /// best: the best tokens of a row with their logits, in any order; log_sum: ln Σ exp(logit) over the row.
    ///
    /// # Errors
    /// [`Error::NoCandidates`], [`Error::TooManyCandidates`] for more than [`MAX_CANDIDATES`], and [`Error::LogitsNotFinite`] for NaN and an
    /// infinite best logit, which broken weights may cause.
    pub fn new(mut best: Vec<(u32, f32)>, log_sum: f64) -> Result<Self, Error> {
        if best.len() > MAX_CANDIDATES {
            return Err(Error::TooManyCandidates { found: best.len(), most: MAX_CANDIDATES });
        }
        if best.iter().any(|(_, logit)| logit.is_nan()) {
            return Err(Error::LogitsNotFinite);
        }
        // Of equal logits the lower id comes first.
        best.sort_by(|(id, logit), (other, higher)| {
            higher.partial_cmp(logit).unwrap_or(Ordering::Equal).then(id.cmp(other))
        });
        match best.first() {
            None => Err(Error::NoCandidates),
            Some((_, logit)) if logit.is_finite() && log_sum.is_finite() => Ok(Self { best, log_sum }),
            Some(_) => Err(Error::LogitsNotFinite),
        }
    }
}

/// The probability of each candidate before and after the settings, best first. Temperature, top-k, top-p and min-p apply in
/// Hugging Face's order. The best token is never cut off. Of equal tokens at top-p's limit, top-p cuts off those with higher ids first.
pub fn distribution(settings: &SamplingSettings, candidates: &Candidates) -> Vec<Probability> {
    let Candidates { best, log_sum } = candidates;
    let weights = weights(settings, best);
    let total: f64 = weights.iter().sum();
    let after = weights.iter().map(|weight| weight / total).chain(std::iter::repeat(0.0));
    // A sum in f32 may round to less than its largest term.
    let before = best.iter().map(|(id, logit)| (*id, (f64::from(*logit) - log_sum).exp().min(1.0)));
    before.zip(after).map(|((id, before), after)| Probability { id, before, after }).collect()
}

/// Weights of the tokens that are not cut off, best first; the best one has weight 1.
fn weights(settings: &SamplingSettings, best: &[(u32, f32)]) -> Vec<f64> {
    let SamplingSettings { temperature, top_k, top_p, min_p, .. } = *settings;
    let logits = || best.iter().map(|(_, logit)| f64::from(*logit));
    let Some(largest) = logits().next() else { return Vec::new() };
    if temperature == 0.0 {
        return vec![1.0];
    }
    let least = top_k.checked_sub(1).and_then(|last| logits().nth(last)).unwrap_or(f64::NEG_INFINITY);
    let top = logits().take_while(|logit| *logit >= least);
    let mut weights: Vec<f64> = top.map(|logit| ((logit - largest) / temperature).exp()).collect();
    if top_p < 1.0 {
        let total: f64 = weights.iter().sum();
        let mut tail = 0.0;
        // Hugging Face sums from the end and removes tokens while the sum is at most 1 − p.
        while let [_, .., last] = weights[..] {
            tail += last / total;
            if tail > 1.0 - top_p {
                break;
            }
            weights.pop();
        }
    }
    weights.retain(|weight| *weight >= min_p);
    weights
}

/// Draws the next token. Temperature 0 gives the best token and draws no random number.
pub fn choose(settings: &SamplingSettings, candidates: &Candidates, random: &mut Random) -> u32 {
    let distribution = distribution(settings, candidates);
    let mut left = if settings.temperature == 0.0 { 0.0 } else { random.fraction() };
    let mut token = 0;
    for Probability { id, after, .. } in distribution.iter().filter(|token| token.after > 0.0) {
        // If rounding leaves a remainder, the result is the last token.
        token = *id;
        left -= after;
        if left < 0.0 {
            break;
        }
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(logits: &[f32]) -> Candidates {
        let log_sum = logits.iter().map(|logit| f64::from(*logit).exp()).sum::<f64>().ln();
        Candidates::new((0..).zip(logits.iter().copied()).collect(), log_sum).unwrap()
    }

    fn ids(settings: &SamplingSettings, candidates: &Candidates) -> Vec<u32> {
        distribution(settings, candidates).iter().filter(|token| token.after > 0.0).map(|token| token.id).collect()
    }

    #[test]
    fn unchanged_settings_keep_the_models_probabilities() {
        for token in distribution(&SamplingSettings::default(), &candidates(&[1.0, 3.0, -2.0, 3.0])) {
            assert!((token.before - token.after).abs() < 1e-15, "{token:?}");
        }
        let order = ids(&SamplingSettings::default(), &candidates(&[1.0, 3.0, -2.0, 3.0, f32::NEG_INFINITY]));
        assert_eq!(order, [1, 3, 0, 2]);
    }

    #[test]
    fn the_best_token_is_never_dropped() {
        let strict = [
            SamplingSettings { temperature: 0.0, ..SamplingSettings::default() },
            SamplingSettings { temperature: 5e-324, ..SamplingSettings::default() },
            SamplingSettings { top_k: 1, ..SamplingSettings::default() },
            SamplingSettings { top_p: f64::MIN_POSITIVE, ..SamplingSettings::default() },
            SamplingSettings { min_p: 1.0, ..SamplingSettings::default() },
        ];
        for settings in strict {
            let found = distribution(&settings, &candidates(&[0.0, 2.0, 1.0]));
            let after: Vec<f64> = found.iter().map(|token| token.after).collect();
            assert_eq!((found[0].id, after), (1, vec![1.0, 0.0, 0.0]), "{settings:?}");
        }
    }

    #[test]
    fn equal_tokens_stay_together() {
        let tied = candidates(&[5.0, 1.0, 5.0, 5.0]);
        assert_eq!(ids(&SamplingSettings { top_k: 2, ..SamplingSettings::default() }, &tied), [0, 2, 3]);
        assert_eq!(ids(&SamplingSettings { min_p: 1.0, ..SamplingSettings::default() }, &tied), [0, 2, 3]);
        assert_eq!(ids(&SamplingSettings { top_p: 0.5, ..SamplingSettings::default() }, &tied), [0, 2]);
        assert_eq!(ids(&SamplingSettings { temperature: 0.0, ..SamplingSettings::default() }, &tied), [0]);
    }

    #[test]
    fn draws_follow_the_distribution() {
        let settings = SamplingSettings { temperature: 0.7, top_k: 3, seed: 11, ..SamplingSettings::default() };
        let row = candidates(&[0.5, 1.0, 0.0, -1.0]);
        let mut random = Random::new(settings.seed);
        let draws = 20_000;
        let mut counts = [0; 4];
        (0..draws).for_each(|_| counts[choose(&settings, &row, &mut random) as usize] += 1);
        for Probability { id, after, .. } in distribution(&settings, &row) {
            let share = f64::from(counts[id as usize]) / f64::from(draws);
            assert!((share - after).abs() < 0.015, "token {id}: {share} of the draws instead of {after}");
        }
        assert_eq!(counts[3], 0);
    }

    #[test]
    fn a_seed_determines_the_draws() {
        let settings = SamplingSettings { seed: 42, ..SamplingSettings::default() };
        let row = candidates(&[0.0; 64]);
        let mut random = Random::new(settings.seed);
        let drawn = [(); 6].map(|()| choose(&settings, &row, &mut random));
        // ⌊64 · fraction⌋ of SplitMix64: the upper six bits.
        let mut bits = Random::new(42);
        assert_eq!(drawn, [(); 6].map(|()| (bits.bits() >> 58) as u32));
        let mut unused = Random::new(3);
        assert_eq!(choose(&SamplingSettings { temperature: 0.0, ..settings }, &row, &mut unused), 0);
        assert_eq!(unused, Random::new(3), "greedy draws nothing");
    }

    #[test]
    fn rows_without_a_distribution_are_refused() {
        let infinity = f32::INFINITY;
        for (best, log_sum, error) in [
            (vec![], 0.0, Error::NoCandidates),
            (vec![(0, 0.0); 65], 0.0, Error::TooManyCandidates { found: 65, most: 64 }),
            (vec![(3, 1.0), (8, f32::NAN)], 0.0, Error::LogitsNotFinite),
            (vec![(3, 1.0), (8, infinity)], 0.0, Error::LogitsNotFinite),
            (vec![(3, -infinity)], 0.0, Error::LogitsNotFinite),
            (vec![(3, 1.0)], f64::NAN, Error::LogitsNotFinite),
        ] {
            assert_eq!(Candidates::new(best, log_sum).unwrap_err(), error);
        }
    }
}
