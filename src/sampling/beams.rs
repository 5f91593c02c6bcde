//! Beam search over one text. Source: transformers' `_beam_search`, with the same arithmetic in f32.

use super::Rules;
use crate::error::Error;

/// The largest number of beams.
pub const MAX_BEAMS: usize = 8;

/// When a search ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stopping {
    /// As soon as `width` beams have ended (`early_stopping` true).
    Early,
    /// When the best running beam would score below the worst ended beam if it ended now (false).
    #[default]
    Likely,
    /// When no running beam of any length could score above the worst ended beam ("never").
    Never,
}

/// The settings of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Beams, from 1 to [`MAX_BEAMS`].
    pub width: usize,
    /// A text's score is Σ ln p / length^penalty.
    pub length_penalty: f32,
    /// When the search ends.
    pub stopping: Stopping,
    /// Restrictions on the next token.
    pub rules: Rules,
}

/// A text with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Beam {
    /// The tokens, the prompt's first.
    pub ids: Vec<u32>,
    /// Σ ln p; for an ended beam with the length penalty.
    pub score: f32,
}

/// The score of a beam that the search must not select.
const EXCLUDED: f32 = -1e9;

/// The beams of one text.
#[derive(Debug, Clone)]
pub struct Beams {
    search: Search,
    /// Tokens of the prompt.
    prompt_length: usize,
    running: Vec<Beam>,
    /// Best first.
    ended: Vec<Beam>,
    is_over: bool,
}

impl Beams {
    /// A search that begins with the prompt `ids`.
    pub fn new(ids: &[u32], search: Search) -> Self {
        let width = search.width.clamp(1, MAX_BEAMS);
        // All beams begin with the same text, so only the first may be extended.
        let beam = |at| Beam { ids: ids.to_vec(), score: if at == 0 { 0.0 } else { EXCLUDED } };
        let (prompt_length, running) = (ids.len(), (0..width).map(beam).collect());
        Self { search, prompt_length, running, ended: Vec::new(), is_over: false }
    }

    /// The `width` beams that have not ended.
    pub fn running(&self) -> &[Beam] {
        &self.running
    }

    /// Whether the search has ended.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The text of the best ended beam, or of the best running beam if none has ended.
    pub fn best(&self) -> &[u32] {
        self.ended.first().or(self.running.first()).map_or(&[], |beam| &beam.ids)
    }

    /// The tokens that must not come after each running beam; `None` if the rules ban none.
    pub fn banned(&self) -> Option<Vec<Vec<u32>>> {
        let rules = &self.search.rules;
        rules.has_bans().then(|| self.running.iter().map(|beam| rules.banned(&beam.ids)).collect())
    }

    /// Extends the beams by one token. best: the best tokens after each running beam that are not banned, (id, ln p). Returns the index of
    /// the extended beam for each new beam.
    ///
    /// # Errors
    /// [`Error::NoCandidates`] where no token may come after any beam, and none has ended.
    pub fn advance(&mut self, best: impl Iterator<Item = Vec<(u32, f32)>>) -> Result<Vec<usize>, Error> {
        let width = self.running.len();
        let Search { length_penalty, stopping, rules, .. } = &self.search;
        let limit = (1 + rules.ends.len()).max(2) * width;
        let mut extensions: Vec<(f32, usize, u32)> = Vec::new();
        for (row, (beam, best)) in self.running.iter().zip(best).enumerate() {
            // A forced token has p = 1.
            let next = match &rules.forced(&beam.ids)[..] {
                [] => best,
                forced => forced.iter().map(|id| (*id, 0.0)).collect(),
            };
            extensions.extend(next.into_iter().map(|(id, log_probability)| (beam.score + log_probability, row, id)));
        }
        extensions.retain(|(score, ..)| *score > f32::NEG_INFINITY);
        if extensions.is_empty() && self.ended.is_empty() {
            return Err(Error::NoCandidates);
        }
        extensions.sort_by(|(score, ..), (other, ..)| other.total_cmp(score));
        extensions.truncate(limit);
        let length = self.running.first().map_or(0, |beam| beam.ids.len()) + 1;
        let is_last = |id: u32| length >= rules.max_length || rules.ends.contains(&id);
        let beam = |row: usize, id: u32, score| {
            let mut ids = self.running.get(row).map_or_else(Vec::new, |beam| beam.ids.clone());
            ids.push(id);
            Beam { ids, score }
        };
        let new_length = length - self.prompt_length;
        let divisor = |length: usize| (length as f64).powf(f64::from(*length_penalty)) as f32;
        for (score, row, id) in extensions.iter().take(width).filter(|(.., id)| is_last(*id)) {
            if !self.is_over {
                self.ended.push(beam(*row, *id, score / divisor(new_length)));
            }
        }
        self.ended.sort_by(|beam, other| other.score.total_cmp(&beam.score));
        self.ended.truncate(width);
        let (ended, running): (Vec<_>, Vec<_>) = extensions.into_iter().partition(|(.., id)| is_last(*id));
        let all_ended = running.is_empty();
        // Ended beams fill the rest of the rows.
        let ended = ended.into_iter().map(|(score, row, id)| (score + EXCLUDED, row, id));
        let mut next: Vec<(f32, usize, u32)> = running.into_iter().chain(ended).take(width).collect();
        // No beam is left for these rows.
        next.resize(width, (f32::NEG_INFINITY, 0, 0));
        let running: Vec<Beam> = next.iter().map(|(score, row, id)| beam(*row, *id, *score)).collect();
        let longest = if *stopping == Stopping::Never && *length_penalty > 0.0 {
            rules.max_length - self.prompt_length
        } else {
            new_length
        };
        let best = running.first().map_or(EXCLUDED, |beam| beam.score) / divisor(longest);
        let full = self.ended.len() == width;
        let worst = self.ended.last().filter(|_| full).map_or(EXCLUDED, |beam| beam.score);
        self.is_over |= all_ended || best <= worst || (full && *stopping == Stopping::Early);
        self.running = running;
        Ok(next.into_iter().map(|(_, row, _)| row).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(width: usize, stopping: Stopping) -> Search {
        let rules = Rules { ends: vec![0], max_length: 6, ..Rules::default() };
        Search { width, length_penalty: 1.0, stopping, rules }
    }

    /// Probabilities of two tokens and an end, by the last token.
    fn best(ids: &[u32]) -> Vec<(u32, f32)> {
        let row: [f32; 3] = match ids.last() {
            Some(1) => [0.1, 0.5, 0.4],
            Some(2) => [0.9, 0.05, 0.05],
            _ => [0.01, 0.55, 0.44],
        };
        (0..).zip(row.map(f32::ln)).collect()
    }

    /// The best text and its score.
    fn run(search: Search) -> (Vec<u32>, f32) {
        let mut beams = Beams::new(&[7], search);
        while !beams.is_over() {
            let candidates: Vec<_> = beams.running().iter().map(|beam| best(&beam.ids)).collect();
            beams.advance(candidates.into_iter()).unwrap();
        }
        (beams.best().to_vec(), beams.ended[0].score)
    }

    #[test]
    fn wider_beams_find_better_texts() {
        let (greedy, score) = run(search(1, Stopping::Likely));
        // 1 is the best token at each step, and the text ends at its largest length.
        assert_eq!(greedy, [7, 1, 1, 1, 1, 1]);
        assert!((score - (0.55f32.ln() + 4.0 * 0.5f32.ln()) / 5.0).abs() < 1e-6);
        for stopping in [Stopping::Early, Stopping::Likely, Stopping::Never] {
            let (best, score) = run(search(3, stopping));
            assert_eq!(best, [7, 2, 0], "{stopping:?}");
            assert!((score - (0.44f32.ln() + 0.9f32.ln()) / 2.0).abs() < 1e-6);
        }
    }

    #[test]
    fn advance_returns_the_extended_beams() {
        let mut beams = Beams::new(&[7], search(2, Stopping::Never));
        let step = |beams: &mut Beams| {
            let candidates: Vec<_> = beams.running().iter().map(|beam| best(&beam.ids)).collect();
            beams.advance(candidates.into_iter()).unwrap()
        };
        assert_eq!(step(&mut beams), [0, 0]);
        assert_eq!(beams.running().iter().map(|beam| beam.ids.clone()).collect::<Vec<_>>(), [[7, 1], [7, 2]]);
        // [7, 2, 0] has ended, so both new beams extend the first.
        assert_eq!(step(&mut beams), [0, 0]);
        assert_eq!((beams.best(), beams.is_over()), (&[7, 2, 0][..], false));
    }

    /// Beams go on while one of them has a next token. Without any the search ends with those that have ended.
    #[test]
    fn beams_without_a_next_token_are_left_out() {
        let mut beams = Beams::new(&[7], search(2, Stopping::Never));
        let all = |beams: &Beams| -> Vec<_> { beams.running().iter().map(|beam| best(&beam.ids)).collect() };
        let none = || vec![Vec::new(); 2].into_iter();
        assert_eq!(beams.clone().advance(none()), Err(Error::NoCandidates));
        beams.advance(all(&beams).into_iter()).unwrap();
        assert_eq!(beams.advance([Vec::new(), vec![(2, -1.0)]].into_iter()), Ok(vec![1, 0]));
        assert_eq!((&beams.running()[0].ids, beams.is_over()), (&vec![7, 2, 2], false));
        // The second row has no beam any more, and its tokens come to nothing.
        let mut dead = beams.clone();
        assert_eq!(dead.advance([Vec::new(), best(&[2])].into_iter()), Err(Error::NoCandidates));
        assert_eq!(beams.advance(all(&beams).into_iter()), Ok(vec![0, 0]));
        assert_eq!((beams.best(), beams.is_over()), (&[7, 2, 2, 0][..], false));
        for _ in 0..2 {
            assert!(beams.advance(none()).is_ok());
            assert_eq!((beams.best(), beams.is_over()), (&[7, 2, 2, 0][..], true));
        }
    }
}
