//! The next token from a row of logits: bans, temperature, cut-offs and the draw. Source: transformers' logits_process.py.

use std::cmp::Ordering;

/// The banned ids of one row: bit id % 32 of word id / 32 is 1.
#[derive(Debug, Clone, Copy)]
pub struct Bans<'a>(pub &'a [u32]);

impl Bans<'_> {
    /// Whether an id is banned; none after the words is.
    #[inline]
    pub fn contains(self, id: usize) -> bool {
        self.0.get(id / 32).is_some_and(|word| word >> (id % 32) & 1 == 1)
    }
}

/// A token that was drawn from a row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample {
    /// Its place in the row.
    pub id: u32,
    /// The number of tokens that bans and cut-offs leave.
    pub count: usize,
    /// ln of the sum of their weights.
    pub log_sum: f64,
    /// The drawn token's logit less the best one of the row that is not banned.
    pub relative_logit: f32,
}

/// The settings that Hugging Face's logits warpers apply, in their order: temperature, top-k, top-p, min-p.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Warpers {
    /// 1 / temperature, above 0.
    pub inverse_temperature: f64,
    /// Keeps this many best tokens, and those with the same logit as the last of them; 0: all.
    pub top_k: usize,
    /// 1 − top-p: removes the least likely tokens while their probabilities add up to this at most; 0: none.
    pub tail: f64,
    /// ln min-p: removes tokens whose logarithm of the probability is lower than the best token's by more; `f64::from(f32::MIN)`: none.
    pub log_min_p: f64,
}

/// A token that the cut-offs leave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedToken {
    /// Its place in the row.
    pub id: u32,
    /// Its logit, before the temperature.
    pub logit: f32,
    /// e^((logit − best logit) / temperature).
    pub weight: f64,
}

/// Draws a token of a row after bans, temperature and cut-offs, as [`draw`] does. A token with the logit −∞ cannot be drawn. `count` is 0 if no
/// token can be; `log_sum` is NaN if a logit is NaN or +∞.
#[inline(never)]
pub fn sample(logits: &[f32], bans: Option<Bans<'_>>, warpers: &Warpers, random: u64) -> Sample {
    if logits.iter().any(|logit| logit.is_nan() || *logit == f32::INFINITY) {
        return Sample { log_sum: f64::NAN, ..Sample::default() };
    }
    let is_left =
        |(id, logit): &(u32, f32)| *logit != f32::NEG_INFINITY && bans.is_none_or(|bans| !bans.contains(*id as usize));
    let left: Vec<(u32, f32)> = (0..).zip(logits.iter().copied()).filter(is_left).collect();
    let best = left.iter().map(|(_, logit)| *logit).fold(f32::NEG_INFINITY, f32::max);
    let tokens = warp(left, warpers);
    let Some(WeightedToken { id, logit, .. }) = draw(&tokens, random) else { return Sample::default() };
    let sum: f64 = tokens.iter().map(|token| token.weight).sum();
    Sample { id, count: tokens.len(), log_sum: sum.ln(), relative_logit: logit - best }
}

/// The tokens of `logits`, (id, logit), that the cut-offs leave, in any order. The best token always stays. Of equal tokens at top-p's limit
/// those with higher ids are removed first. Logits are finite.
#[inline(never)]
pub fn warp(mut logits: Vec<(u32, f32)>, warpers: &Warpers) -> Vec<WeightedToken> {
    let Warpers { inverse_temperature, top_k, tail, log_min_p } = *warpers;
    if (1..logits.len()).contains(&top_k) {
        let (_, &mut (_, least), _) =
            logits.select_nth_unstable_by(top_k - 1, |(_, logit), (_, other)| other.total_cmp(logit));
        logits.retain(|(_, logit)| *logit >= least);
    }
    let Some(best) = logits.iter().map(|(_, logit)| *logit).reduce(f32::max) else { return Vec::new() };
    let log_weight = |logit: f32| (f64::from(logit) - f64::from(best)) * inverse_temperature;
    let weighted = |(id, logit)| WeightedToken { id, logit, weight: log_weight(logit).exp() };
    let mut tokens: Vec<WeightedToken> = logits.into_iter().map(weighted).collect();
    if tail > 0.0 {
        remove_tail(&mut tokens, tail);
    }
    tokens.retain(|token| log_weight(token.logit) >= log_min_p);
    tokens
}

/// Removes the least likely tokens while their share of all weights is at most `tail`, as Hugging Face sums them: from the end.
fn remove_tail(tokens: &mut Vec<WeightedToken>, tail: f64) {
    let total: f64 = tokens.iter().map(|token| token.weight).sum();
    let (most, count) = (tail * total, tokens.len() as f64);
    let mut removed = 0.0;
    // Tokens below the mean weight of the tail fit into it together: they need no order. The best one, of weight 1, stays.
    tokens.retain(|token| {
        let stays = token.weight * count > most || token.weight == 1.0;
        removed += if stays { 0.0 } else { token.weight };
        stays
    });
    tokens.sort_unstable_by(|token, other| match other.logit.partial_cmp(&token.logit) {
        None | Some(Ordering::Equal) => token.id.cmp(&other.id),
        Some(order) => order,
    });
    while let [_, .., last] = tokens[..] {
        removed += last.weight;
        if removed > most {
            break;
        }
        tokens.pop();
    }
}

/// Draws a token with a probability in proportion to its weight, down to probabilities of some 1e-10 (`docs/precision.md`). The same random
/// bits draw the same token, whatever the order; `None` of no token. Each token gets a random number of its own, an exponential one, and the
/// smallest ratio to the weight wins (the Gumbel-max trick, arXiv 2110.01515): unlike a walk along sums, it hardly depends on how these are
/// rounded.
#[inline(never)]
pub fn draw(tokens: &[WeightedToken], random: u64) -> Option<WeightedToken> {
    let mut winner: Option<(f64, WeightedToken)> = None;
    for token in tokens {
        let uniform = uniform(token.id, random);
        // −ln(1 − u) is at least u, so that most tokens need no logarithm.
        if winner.is_some_and(|(least, _)| f64::from(uniform) > least * token.weight) {
            continue;
        }
        let ratio = -(-f64::from(uniform)).ln_1p() / token.weight;
        if winner.is_none_or(|(least, first)| ratio < least || (ratio == least && token.id < first.id)) {
            winner = Some((ratio, *token));
        }
    }
    winner.map(|(_, token)| token)
}

/// A random number in (0, 1): a multiple of 2⁻³³ with at most 24 significant bits, which f32 has exactly. It is a hash of a token's id and of random bits (pcg3d of Jarzynski and Olano, Hash Functions for GPU
/// Rendering, 2020).
fn uniform(id: u32, random: u64) -> f32 {
    let mixed = |x: u32| x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    let [mut x, mut y, mut z] = [id, random as u32, (random >> 32) as u32].map(mixed);
    let round = |x: &mut u32, y: &mut u32, z: &mut u32| {
        *x = x.wrapping_add(y.wrapping_mul(*z));
        *y = y.wrapping_add(z.wrapping_mul(*x));
        *z = z.wrapping_add(x.wrapping_mul(*y));
    };
    round(&mut x, &mut y, &mut z);
    [&mut x, &mut y, &mut z].into_iter().for_each(|word| *word ^= *word >> 16);
    round(&mut x, &mut y, &mut z);
    // At most 24 significant bits, so that nothing rounds.
    let bits = if z < 1 << 24 { z } else { z & !0xff };
    let half = if z < 1 << 23 { 0.5 } else { 0.0 };
    (bits as f32 + half) / 4_294_967_296.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Warpers = Warpers { inverse_temperature: 1.0, top_k: 0, tail: 0.0, log_min_p: f32::MIN as f64 };

    fn ids(logits: &[f32], warpers: Warpers) -> Vec<u32> {
        let tokens = warp((0..).zip(logits.iter().copied()).collect(), &warpers);
        let mut ids: Vec<u32> = tokens.iter().map(|token| token.id).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn the_best_token_is_never_removed() {
        for warpers in [
            Warpers { inverse_temperature: 1e30, log_min_p: -1.0, ..ALL },
            Warpers { top_k: 1, ..ALL },
            Warpers { tail: 1.0, ..ALL },
            Warpers { log_min_p: 0.0, ..ALL },
        ] {
            assert_eq!(ids(&[0.0, 2.0, 1.0], warpers), [1], "{warpers:?}");
        }
        assert_eq!(ids(&[], ALL), [0; 0]);
    }

    #[test]
    fn equal_tokens_stay_together_but_at_the_limit_of_top_p() {
        let tied = [5.0, 1.0, 5.0, 5.0];
        assert_eq!(ids(&tied, Warpers { top_k: 2, ..ALL }), [0, 2, 3]);
        assert_eq!(ids(&tied, Warpers { log_min_p: 0.0, ..ALL }), [0, 2, 3]);
        assert_eq!(ids(&tied, Warpers { tail: 0.5, ..ALL }), [0, 2]);
        assert_eq!(ids(&[0.0, -0.0, -1.0], Warpers { tail: 0.7, ..ALL }), [0]);
    }

    /// Every prefix by weight, as a plain sort and a plain sum from the end find it.
    #[test]
    fn the_tail_is_that_of_a_sorted_row() {
        let logits: Vec<f32> = (0..999).map(|id| ((id * 7919) % 997) as f32 / 97.0).collect();
        let mut sorted: Vec<(u32, f32)> = (0..).zip(logits.iter().copied()).collect();
        sorted.sort_by(|(id, logit), (other, higher)| higher.total_cmp(logit).then(id.cmp(other)));
        let total: f64 = sorted.iter().map(|(_, logit)| f64::from(*logit).exp()).sum();
        for tail in [0.001, 0.1, 0.5, 0.9, 0.999] {
            let mut removed = 0.0;
            let is_removed = |(_, logit): &&(u32, f32)| {
                removed += f64::from(*logit).exp() / total;
                removed <= tail
            };
            let count = sorted.iter().rev().take_while(is_removed).count();
            let mut expected: Vec<u32> = sorted[..999 - count].iter().map(|(id, _)| *id).collect();
            expected.sort_unstable();
            assert_eq!(ids(&logits, Warpers { tail, ..ALL }), expected, "{tail}");
        }
    }

    #[test]
    fn draws_follow_the_weights() {
        let logits: Vec<(u32, f32)> = (0..40).map(|id| (id * 3001, (id % 7) as f32 / 2.0)).collect();
        let tokens = warp(logits, &Warpers { inverse_temperature: 0.7, ..ALL });
        let total: f64 = tokens.iter().map(|token| token.weight).sum();
        let draws = 200_000_u64;
        let mut counts = [0_u32; 40];
        for number in 0..draws {
            let random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            counts[draw(&tokens, random).unwrap().id as usize / 3001] += 1;
        }
        // χ² of 39 degrees of freedom: above 73 once in a thousand.
        let deviation = |(count, token): (&u32, &WeightedToken)| {
            let expected = draws as f64 * token.weight / total;
            (f64::from(*count) - expected).powi(2) / expected
        };
        let sum: f64 = counts.iter().zip(&tokens).map(deviation).sum();
        assert!(sum < 73.0, "χ² is {sum}");
    }

    #[test]
    fn the_order_of_tokens_changes_no_draw() {
        let mut tokens = warp((0..500).map(|id| (id, (id % 5) as f32)).collect(), &ALL);
        let draws = |tokens: &[WeightedToken]| (0..300).map(|random| draw(tokens, random << 30)).collect::<Vec<_>>();
        let before = draws(&tokens);
        tokens.reverse();
        assert_eq!(draws(&tokens), before);
        assert!(before.iter().collect::<Vec<_>>().windows(2).any(|pair| pair[0] != pair[1]));
        assert_eq!(draw(&[], 7), None);
    }
}
