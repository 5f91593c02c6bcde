//! Beam search on a backend: the beams of all texts are the rows of one batch over the cache, and change places there.

use super::aside::{Elsewhere, Place};
use super::source::SourceText;
use super::{Request, Rows, Session};
use crate::backend::Pace;
use crate::error::Error;
use crate::model::Facts;
use crate::sampling::{Beams, MOST_BEAMS, MOST_CANDIDATES, Search};

/// Texts that are searched, each after a source of its own.
pub struct BeamSearch {
    source: SourceText,
    texts: Vec<Beams>,
    dispatches: usize,
}

impl BeamSearch {
    /// Begins each text with `ids`.
    ///
    /// # Errors
    /// No text to begin with; a width or a length that cannot be searched.
    pub fn new(source: SourceText, ids: &[u32], search: Search) -> Result<Self, Error> {
        let invalid = |reason: String| Err(Error::InvalidInput { reason });
        if !(1..=MOST_BEAMS).contains(&search.width) {
            return invalid(format!("{} beams: a search has from 1 to {MOST_BEAMS}", search.width));
        }
        if !search.length_penalty.is_finite() {
            return invalid("the length penalty is no number".into());
        }
        let most = search.rules.max_length;
        if ids.is_empty() || most <= ids.len() {
            return invalid(format!(
                "texts of {most} tokens leave no room behind the {} that they begin with",
                ids.len()
            ));
        }
        let texts = (0..source.batch()).map(|_| Beams::new(ids, search.clone())).collect();
        Ok(Self { source, texts, dispatches: 0 })
    }

    /// The best of each text so far.
    pub fn ids(&self) -> impl Iterator<Item = &[u32]> {
        self.texts.iter().map(Beams::best)
    }

    pub fn ended(&self) -> bool {
        self.texts.iter().all(Beams::is_over)
    }

    /// Dispatches (ops on the CPU) of the last step.
    pub fn dispatches(&self) -> usize {
        self.dispatches
    }

    fn request(&self, facts: &Facts) -> Request {
        let (mut ids, mut ends) = (Vec::new(), Vec::new());
        for text in &self.texts {
            for beam in text.running() {
                ids.extend_from_slice(&beam.ids);
                ends.push(ids.len() as u32 - 1);
            }
        }
        let (batch, length) = (ends.len(), ids.len().checked_div(ends.len()).unwrap_or(0));
        Request {
            rows: Rows::At(ends),
            top_k: MOST_CANDIDATES.min(facts.vocab_size),
            continues: true,
            source: Some(self.source.clone()),
            ..Request::new(ids, batch, length)
        }
    }
}

impl Session {
    /// Every beam of every text goes on by a token.
    ///
    /// # Errors
    /// A model without a source or a vocabulary head; texts longer than it takes; logits that are no numbers;
    /// [`Error::Overtaken`]; a device that is full or lost.
    pub async fn search_on(&mut self, search: &mut BeamSearch, pace: &dyn Pace) -> Result<(), Error> {
        // In plans and states of its own: what the last run left can still be asked about.
        let step = Elsewhere::new(self, Place::Search).session.search_step(search, pace).await;
        if search.ended()
            && let Some(sequence) = self.searched.take()
        {
            sequence.give_back(&mut self.backend);
        }
        step
    }

    async fn search_step(&mut self, search: &mut BeamSearch, pace: &dyn Pace) -> Result<(), Error> {
        let request = search.request(self.facts());
        let output = self.run_paced(&request, pace).await?;
        search.dispatches = output.report.dispatches;
        let mut top = output.top.iter().map(|fills| {
            let best = fills.iter().map(|fill| (fill.id, fill.log_probability));
            best.filter(|(_, log_probability)| !log_probability.is_nan()).collect::<Vec<_>>()
        });
        let mut rows = Vec::with_capacity(request.batch);
        for text in &mut search.texts {
            let (first, width) = (rows.len(), text.running().len());
            let best: Vec<_> = top.by_ref().take(width).collect();
            if best.iter().any(Vec::is_empty) {
                return Err(Error::NoCandidates { reason: "a row of logits is no numbers".into() });
            }
            rows.extend(text.advance(best.into_iter()).into_iter().map(|row| first + row));
        }
        match self.sequence.as_mut() {
            Some(sequence) => sequence.reorder(&mut self.backend, &rows).await,
            None => Ok(()),
        }
    }
}
