//! Restrictions on the next token from a model's generation_config.json. Source: transformers' logits_process.py.

/// The restrictions of one model; none by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Sequences of tokens that never appear (`bad_words_ids`). The last token of a sequence is refused after the others.
    pub bad_words: Vec<Vec<u32>>,
    /// No sequence of this many tokens appears twice; 0: no limit.
    pub no_repeat_ngram_size: usize,
    /// The smallest number of tokens before an end, including the first.
    pub min_length: usize,
    /// The second token of a text (`forced_bos_token_id`).
    pub forced_first: Option<u32>,
    /// The last token of a text of `max_length` tokens (`forced_eos_token_id`).
    pub forced_last: Vec<u32>,
    /// The largest number of tokens, including the first.
    pub max_length: usize,
    /// Tokens that end a text.
    pub ends: Vec<u32>,
}

impl Rules {
    /// Whether no token is ever refused or forced.
    pub fn is_empty(&self) -> bool {
        !self.has_bans() && self.forced_first.is_none() && self.forced_last.is_empty()
    }

    /// Whether any token can be banned.
    pub fn has_bans(&self) -> bool {
        !self.bad_words.is_empty() || self.no_repeat_ngram_size > 0 || self.min_length > 0
    }

    /// The tokens of which one must come after `ids`, each once, in ascending order, with equal probabilities; none: any that is not banned.
    pub fn forced(&self, ids: &[u32]) -> Vec<u32> {
        let ends = ids.len() + 1 == self.max_length && !self.forced_last.is_empty();
        let mut forced = match self.forced_first {
            // If the second token is also the last, Hugging Face forces the end.
            _ if ends => self.forced_last.clone(),
            Some(first) if ids.len() == 1 => vec![first],
            _ => Vec::new(),
        };
        forced.sort_unstable();
        forced.dedup();
        forced
    }

    /// The tokens that must not come after `ids`.
    pub fn banned(&self, ids: &[u32]) -> Vec<u32> {
        let early_ends = self.ends.iter().filter(|_| ids.len() < self.min_length);
        let last_of_word = |word: &Vec<u32>| {
            let (last, before) = word.split_last()?;
            // A sequence of one end is ignored.
            let is_end = before.is_empty() && self.ends.contains(last);
            (ids.ends_with(before) && !is_end).then_some(*last)
        };
        let words = self.bad_words.iter().filter_map(last_of_word);
        let before = self.no_repeat_ngram_size.checked_sub(1).filter(|before| *before <= ids.len());
        let repeats = before.into_iter().flat_map(|before| {
            let tail = &ids[ids.len() - before..];
            let ngrams = ids.windows(before + 1).filter(move |ngram| ngram.starts_with(tail));
            ngrams.filter_map(|ngram| ngram.last())
        });
        early_ends.chain(repeats).copied().chain(words).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(rules: &Rules, ids: &[u32]) -> Vec<u32> {
        let banned = rules.banned(ids);
        (0..6).filter(|id| !banned.contains(id)).collect()
    }

    #[test]
    fn words_repeats_and_early_ends_are_refused() {
        let rules = Rules { bad_words: vec![vec![3], vec![1, 2], vec![0]], ends: vec![0], ..Rules::default() };
        assert_eq!(allowed(&rules, &[5, 1]), [0, 1, 4, 5]);
        assert_eq!(allowed(&rules, &[1, 5]), [0, 1, 2, 4, 5]);
        let rules = Rules { no_repeat_ngram_size: 2, ..Rules::default() };
        assert_eq!(allowed(&rules, &[5, 1, 2, 1, 4, 1]), [0, 1, 3, 5]);
        assert_eq!(allowed(&Rules { no_repeat_ngram_size: 1, ..rules.clone() }, &[5, 1]), [0, 2, 3, 4]);
        assert_eq!(allowed(&Rules { no_repeat_ngram_size: 3, ..rules }, &[5]), [0, 1, 2, 3, 4, 5]);
        let rules = Rules { min_length: 3, ends: vec![0, 4], ..Rules::default() };
        assert_eq!((allowed(&rules, &[5, 1]), allowed(&rules, &[5, 1, 2])), (vec![1, 2, 3, 5], vec![0, 1, 2, 3, 4, 5]));
    }

    #[test]
    fn the_first_and_the_last_may_be_forced() {
        let rules = Rules { forced_first: Some(9), forced_last: vec![0], max_length: 4, ..Rules::default() };
        assert_eq!([&[5][..], &[5, 9], &[5, 9, 1]].map(|ids| rules.forced(ids)), [&[9][..], &[], &[0]]);
        assert!(!rules.is_empty() && !rules.has_bans() && Rules::default().is_empty());
        let both = Rules { max_length: 2, ..rules };
        assert_eq!(both.forced(&[5]), [0]);
        assert_eq!(Rules { forced_last: vec![8, 6, 8], ..both.clone() }.forced(&[5]), [6, 8]);
        assert_eq!(Rules { forced_last: Vec::new(), ..both }.forced(&[5]), [9]);
    }
}
