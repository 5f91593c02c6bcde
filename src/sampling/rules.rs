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
        let Self { bad_words, no_repeat_ngram_size, min_length, forced_first, forced_last, .. } = self;
        let has_sizes = *no_repeat_ngram_size > 0 || *min_length > 0;
        bad_words.is_empty() && !has_sizes && forced_first.is_none() && forced_last.is_empty()
    }

    /// The tokens of `best`, (id, ln p), that are allowed after `ids`. A forced token replaces them, with p = 1.
    pub fn allowed(&self, ids: &[u32], best: impl Iterator<Item = (u32, f32)>) -> Vec<(u32, f32)> {
        let ends = ids.len() + 1 == self.max_length && !self.forced_last.is_empty();
        let forced: &[u32] = match self.forced_first.as_ref() {
            // If the second token is also the last, Hugging Face forces the end.
            _ if ends => &self.forced_last,
            Some(first) if ids.len() == 1 => std::slice::from_ref(first),
            _ => &[],
        };
        match forced {
            [] => best.filter(|(id, _)| !self.refuses(ids, *id)).collect(),
            forced => forced.iter().map(|id| (*id, 0.0)).collect(),
        }
    }

    fn refuses(&self, ids: &[u32], id: u32) -> bool {
        let is_end = self.ends.contains(&id);
        let is_bad = |word: &Vec<u32>| match word.split_last() {
            // A sequence of one end is ignored.
            Some((last, before)) => *last == id && ids.ends_with(before) && !(before.is_empty() && is_end),
            None => false,
        };
        let repeats = || {
            let before = self.no_repeat_ngram_size.checked_sub(1).filter(|before| *before <= ids.len());
            before.is_some_and(|before| {
                let tail = &ids[ids.len() - before..];
                ids.windows(before + 1).any(|ngram| ngram.last() == Some(&id) && ngram.starts_with(tail))
            })
        };
        (is_end && ids.len() < self.min_length) || self.bad_words.iter().any(is_bad) || repeats()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(rules: &Rules, ids: &[u32]) -> Vec<u32> {
        rules.allowed(ids, (0..6).map(|id| (id, -1.0))).into_iter().map(|(id, _)| id).collect()
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
        assert_eq!((allowed(&rules, &[5]), allowed(&rules, &[5, 9, 1])), (vec![9], vec![0]));
        assert_eq!(allowed(&rules, &[5, 9]), [0, 1, 2, 3, 4, 5]);
        assert!(!rules.is_empty() && Rules::default().is_empty());
        let both = Rules { max_length: 2, ..rules };
        assert_eq!(
            (allowed(&both, &[5]), allowed(&Rules { forced_last: Vec::new(), ..both }, &[5])),
            (vec![0], vec![9])
        );
    }
}
