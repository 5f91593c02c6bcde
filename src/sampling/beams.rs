//! Beam search over one text. Source: transformers' `_beam_search`, with the same arithmetic in f32.

use super::Rules;
use crate::transcendental::pow;

/// The most beams of one text.
pub const MOST_BEAMS: usize = 8;

/// When a search ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stopping {
    /// As soon as as many beams have ended as the search is wide (`early_stopping` true).
    Early,
    /// When the best running beam, if it ended now, would score below the worst ended one (false).
    #[default]
    Likely,
    /// When no running beam of any length could score above the worst ended one ("never").
    Never,
}

/// The settings of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Beams, from 1 to [`MOST_BEAMS`].
    pub width: usize,
    /// A text's score is Σ ln p / length^penalty.
    pub length_penalty: f32,
    /// When the search ends.
    pub stopping: Stopping,
    /// Which tokens may follow.
    pub rules: Rules,
}

/// A text with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Beam {
    /// The tokens, the prompt's first.
    pub ids: Vec<u32>,
    /// Σ ln p; of an ended text with the length penalty.
    pub score: f32,
}

/// The score of a beam that must not be chosen.
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
        let width = search.width.clamp(1, MOST_BEAMS);
        // All beams are equal at first, so only the first one counts.
        let beam = |at| Beam { ids: ids.to_vec(), score: if at == 0 { 0.0 } else { EXCLUDED } };
        let (prompt_length, running) = (ids.len(), (0..width).map(beam).collect());
        Self { search, prompt_length, running, ended: Vec::new(), is_over: false }
    }

    /// The beams that have not ended, as many as the search is wide.
    pub fn running(&self) -> &[Beam] {
        &self.running
    }

    /// Whether the search has ended.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The best ended text, or the best running one if none has ended.
    pub fn best(&self) -> &[u32] {
        self.ended.first().or(self.running.first()).map_or(&[], |beam| &beam.ids)
    }

    /// Extends the beams by one token. best: the best tokens after each running beam, (id, ln p). Returns for each new beam the index of
    /// the beam that it extends.
    pub fn advance(&mut self, best: impl Iterator<Item = Vec<(u32, f32)>>) -> Vec<usize> {
        let width = self.running.len();
        let Search { length_penalty, stopping, rules, .. } = &self.search;
        let keeps = (1 + rules.ends.len()).max(2) * width;
        let mut kept: Vec<(f32, usize, u32)> = Vec::new();
        for (row, (beam, best)) in self.running.iter().zip(best).enumerate() {
            for (id, log_probability) in rules.allowed(&beam.ids, best.into_iter()) {
                insert(&mut kept, (beam.score + log_probability, row, id), |(score, ..)| *score);
                kept.truncate(keeps);
            }
        }
        let length = self.running.first().map_or(0, |beam| beam.ids.len()) + 1;
        let is_last = |id: u32| length >= rules.max_length || rules.ends.contains(&id);
        let beam = |row: usize, id: u32, score| {
            let mut ids = self.running.get(row).map_or_else(Vec::new, |beam| beam.ids.clone());
            ids.push(id);
            Beam { ids, score }
        };
        let written = length - self.prompt_length;
        let divisor = |length: usize| pow(length as f64, f64::from(*length_penalty)) as f32;
        for (score, row, id) in kept.iter().take(width).filter(|(.., id)| is_last(*id)) {
            if !self.is_over {
                insert(&mut self.ended, beam(*row, *id, score / divisor(written)), |beam| beam.score);
            }
        }
        self.ended.truncate(width);
        let all_last = kept.iter().all(|(.., id)| is_last(*id));
        // Ended beams come last, to fill the rows.
        let goes_on = kept.iter().filter(|(.., id)| !is_last(*id)).copied();
        let ended = kept.iter().filter(|(.., id)| is_last(*id)).map(|(score, row, id)| (score + EXCLUDED, *row, *id));
        let mut next: Vec<(f32, usize, u32)> = goes_on.chain(ended).take(width).collect();
        next.resize(width, (EXCLUDED, 0, 0));
        let running: Vec<Beam> = next.iter().map(|(score, row, id)| beam(*row, *id, *score)).collect();
        let most = if *stopping == Stopping::Never && *length_penalty > 0.0 {
            rules.max_length - self.prompt_length
        } else {
            written
        };
        let best = running.first().map_or(EXCLUDED, |beam| beam.score) / divisor(most);
        let full = self.ended.len() == width;
        let worst = self.ended.last().filter(|_| full).map_or(EXCLUDED, |beam| beam.score);
        self.is_over |= all_last || best <= worst || (full && *stopping == Stopping::Early);
        self.running = running;
        next.into_iter().map(|(_, row, _)| row).collect()
    }
}

/// Inserts before the first worse item: lists are short, and the general sort is much code for the browser.
fn insert<T>(list: &mut Vec<T>, item: T, score: impl Fn(&T) -> f32) {
    let place = list.partition_point(|other| score(other) >= score(&item));
    list.insert(place, item);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(width: usize, stopping: Stopping) -> Search {
        let rules = Rules { ends: vec![0], max_length: 6, ..Rules::default() };
        Search { width, length_penalty: 1.0, stopping, rules }
    }

    /// Two tokens and an end, whose probabilities depend on the last one.
    fn best(ids: &[u32]) -> Vec<(u32, f32)> {
        let row: [f32; 3] = match ids.last() {
            Some(1) => [0.1, 0.5, 0.4],
            Some(2) => [0.9, 0.05, 0.05],
            _ => [0.01, 0.55, 0.44],
        };
        (0..).zip(row.map(f32::ln)).collect()
    }

    fn found(search: Search) -> (Vec<u32>, f32) {
        let mut beams = Beams::new(&[7], search);
        while !beams.is_over() {
            let candidates: Vec<_> = beams.running().iter().map(|beam| best(&beam.ids)).collect();
            beams.advance(candidates.into_iter());
        }
        (beams.best().to_vec(), beams.ended[0].score)
    }

    #[test]
    fn wider_beams_find_what_greed_misses() {
        let (greedy, score) = found(search(1, Stopping::Likely));
        // 1 is the best token each time, and the text ends where it must.
        assert_eq!(greedy, [7, 1, 1, 1, 1, 1]);
        assert!((score - (0.55f32.ln() + 4.0 * 0.5f32.ln()) / 5.0).abs() < 1e-6);
        for stopping in [Stopping::Early, Stopping::Likely, Stopping::Never] {
            let (best, score) = found(search(3, stopping));
            assert_eq!(best, [7, 2, 0], "{stopping:?}");
            assert!((score - (0.44f32.ln() + 0.9f32.ln()) / 2.0).abs() < 1e-6);
        }
    }

    #[test]
    fn rows_tell_what_they_go_on_from() {
        let mut beams = Beams::new(&[7], search(2, Stopping::Never));
        let step = |beams: &mut Beams| {
            let candidates: Vec<_> = beams.running().iter().map(|beam| best(&beam.ids)).collect();
            beams.advance(candidates.into_iter())
        };
        assert_eq!(step(&mut beams), [0, 0]);
        assert_eq!(beams.running().iter().map(|beam| beam.ids.clone()).collect::<Vec<_>>(), [[7, 1], [7, 2]]);
        // [7, 2, 0] has ended: both go on from the first.
        assert_eq!(step(&mut beams), [0, 0]);
        assert_eq!((beams.best(), beams.is_over()), (&[7, 2, 0][..], false));
    }
}
