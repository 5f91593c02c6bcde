//! What must not come next, and what must: as a model's generation_config.json asks for it. Source: transformers' logits_process.py.

/// Rules of one model. As default there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Tokens in a row that are never written (`bad_words_ids`): the last one, where the others stand before it.
    pub bad_words: Vec<Vec<u32>>,
    /// No so many tokens in a row are written twice (`no_repeat_ngram_size`); 0: they may be.
    pub no_repeat: usize,
    /// A text has so many tokens before it ends, the first included (`min_length`).
    pub min_length: usize,
    /// The second token of a text (`forced_bos_token_id`).
    pub forced_first: Option<u32>,
    /// The last one, where a text comes to `max_length` (`forced_eos_token_id`).
    pub forced_last: Vec<u32>,
    /// Tokens of a text at most, the first included.
    pub max_length: usize,
    /// Tokens that end a text.
    pub ends: Vec<u32>,
}

impl Rules {
    /// Whether nothing is refused and nothing forced.
    pub fn are_none(&self) -> bool {
        let Self { bad_words, no_repeat, min_length, forced_first, forced_last, .. } = self;
        bad_words.is_empty() && *no_repeat == 0 && *min_length == 0 && forced_first.is_none() && forced_last.is_empty()
    }

    /// What is left of the best tokens after `ids`, ids with ln p each: those that are refused are gone, the others as they were;
    /// what is forced has p = 1.
    pub fn left(&self, ids: &[u32], best: impl Iterator<Item = (u32, f32)>) -> Vec<(u32, f32)> {
        let ends = ids.len() + 1 == self.max_length && !self.forced_last.is_empty();
        let forced: &[u32] = match self.forced_first.as_ref() {
            // Where one token is both, Hugging Face forces the end.
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
        let bad = |word: &Vec<u32>| match word.split_last() {
            // An end is never a bad word by itself.
            Some((last, before)) => *last == id && ids.ends_with(before) && !(before.is_empty() && is_end),
            None => false,
        };
        let repeats = || {
            let before = self.no_repeat.checked_sub(1).filter(|before| *before <= ids.len());
            before.is_some_and(|before| {
                let tail = &ids[ids.len() - before..];
                ids.windows(self.no_repeat).any(|some| some.last() == Some(&id) && some.starts_with(tail))
            })
        };
        (is_end && ids.len() < self.min_length) || self.bad_words.iter().any(bad) || repeats()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(rules: &Rules, ids: &[u32]) -> Vec<u32> {
        rules.left(ids, (0..6).map(|id| (id, -1.0))).into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn words_repeats_and_early_ends_are_refused() {
        let rules = Rules { bad_words: vec![vec![3], vec![1, 2], vec![0]], ends: vec![0], ..Rules::default() };
        assert_eq!(left(&rules, &[5, 1]), [0, 1, 4, 5]);
        assert_eq!(left(&rules, &[1, 5]), [0, 1, 2, 4, 5]);
        let rules = Rules { no_repeat: 2, ..Rules::default() };
        assert_eq!(left(&rules, &[5, 1, 2, 1, 4, 1]), [0, 1, 3, 5]);
        assert_eq!(left(&Rules { no_repeat: 1, ..rules.clone() }, &[5, 1]), [0, 2, 3, 4]);
        assert_eq!(left(&Rules { no_repeat: 3, ..rules }, &[5]), [0, 1, 2, 3, 4, 5]);
        let rules = Rules { min_length: 3, ends: vec![0, 4], ..Rules::default() };
        assert_eq!((left(&rules, &[5, 1]), left(&rules, &[5, 1, 2])), (vec![1, 2, 3, 5], vec![0, 1, 2, 3, 4, 5]));
    }

    #[test]
    fn the_first_and_the_last_may_be_forced() {
        let rules = Rules { forced_first: Some(9), forced_last: vec![0], max_length: 4, ..Rules::default() };
        assert_eq!((left(&rules, &[5]), left(&rules, &[5, 9, 1])), (vec![9], vec![0]));
        assert_eq!(left(&rules, &[5, 9]), [0, 1, 2, 3, 4, 5]);
        assert!(!rules.are_none() && Rules::default().are_none());
        let both = Rules { max_length: 2, ..rules };
        assert_eq!((left(&both, &[5]), left(&Rules { forced_last: Vec::new(), ..both }, &[5])), (vec![0], vec![9]));
    }
}
