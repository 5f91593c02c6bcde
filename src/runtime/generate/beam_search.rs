//! Beam search: the beams of all texts are the rows of one batch, and change places in its KV cache.

use crate::backend::Cancellation;
use crate::error::{Error, Expected};
use crate::model::Facts;
use crate::number::format_number;
use crate::runtime::{Context, ContextOptions, Fill, Model, PredictionRows, Request, SourceText};
use crate::sampling::{Beams, MAX_BEAMS, MAX_CANDIDATES, Search};

/// A beam search over texts, each after a source of its own, in a context of its own.
pub struct BeamSearch {
    context: Context,
    source: SourceText,
    texts: Vec<Beams>,
    dispatches: usize,
}

impl BeamSearch {
    /// Begins each text with `ids`.
    ///
    /// # Errors
    /// Those of [`BeamSearch::check`].
    pub fn new(model: &Model, source: SourceText, ids: &[u32], search: Search) -> Result<Self, Error> {
        Self::check(ids, &search)?;
        let texts = (0..source.batch()).map(|_| Beams::new(ids, search.clone())).collect();
        Ok(Self { context: model.context(ContextOptions::default()), source, texts, dispatches: 0 })
    }

    /// Searches in a new context with these options. To be called before the first step.
    pub fn with_options(self, options: ContextOptions) -> Self {
        Self { context: self.context.model().context(options), ..self }
    }

    /// Whether such a search can begin with `ids`, before a model is loaded.
    ///
    /// # Errors
    /// No text to begin with; a width or a length that cannot be searched.
    pub fn check(ids: &[u32], search: &Search) -> Result<(), Error> {
        if !(1..=MAX_BEAMS).contains(&search.width) {
            let expected = Expected::IntegerBetween { least: 1, most: MAX_BEAMS as u64 };
            return Err(Error::InvalidSamplingSetting {
                key: "num_beams",
                found: search.width.to_string().into(),
                expected,
            });
        }
        if !search.length_penalty.is_finite() {
            let found = format_number(search.length_penalty.into()).into();
            return Err(Error::InvalidSamplingSetting { key: "length_penalty", found, expected: Expected::Number });
        }
        let (max_length, prompt) = (search.rules.max_length, ids.len());
        if ids.is_empty() {
            return Err(Error::EmptyText);
        }
        if max_length <= prompt {
            return Err(Error::NoRoomForTokens { max_length, prompt });
        }
        Ok(())
    }

    /// The best of each text so far.
    pub fn ids(&self) -> impl Iterator<Item = &[u32]> {
        self.texts.iter().map(Beams::best)
    }

    /// Whether the search of every text has ended.
    pub fn ended(&self) -> bool {
        self.texts.iter().all(Beams::is_over)
    }

    /// Dispatches (ops on the CPU) of the last step.
    pub fn dispatches(&self) -> usize {
        self.dispatches
    }

    fn request(&self, facts: &Facts) -> Request {
        let (mut ids, mut ends) = (Vec::new(), Vec::new());
        let bans: Option<Vec<_>> = self.texts.iter().map(Beams::banned).collect();
        for text in &self.texts {
            for beam in text.running() {
                ids.extend_from_slice(&beam.ids);
                ends.push(ids.len() as u32 - 1);
            }
        }
        let (batch, length) = (ends.len(), ids.len().checked_div(ends.len()).unwrap_or(0));
        Request {
            rows: PredictionRows::At(ends),
            top_k: MAX_CANDIDATES.min(facts.vocab_size),
            bans: bans.map(|bans| bans.concat()),
            continues: true,
            source: Some(self.source.clone()),
            ..Request::new(ids, batch, length)
        }
    }

    /// Bytes of its context, which is empty once the search has ended.
    pub fn bytes(&self) -> u64 {
        self.context.bytes()
    }

    /// Extends every beam of every text by a token.
    ///
    /// # Errors
    /// A model without a source or a vocabulary head; texts longer than it takes; logits that are not numbers; rules that refuse every next
    /// token of a text; [`Error::Cancelled`]; no memory; a lost device.
    pub async fn step(&mut self, cancel: &dyn Cancellation) -> Result<(), Error> {
        let request = self.request(self.context.model().facts());
        let mut inner = self.context.borrow()?;
        let (output, _) = inner.run(&request, cancel).await?;
        let best = |fills: &Vec<Fill>| fills.iter().map(|fill| (fill.id, fill.log_probability)).collect();
        let best: Vec<Vec<(u32, f32)>> = output.top.iter().map(best).collect();
        if best.iter().flatten().any(|(_, log_probability)| log_probability.is_nan()) {
            return Err(Error::LogitsNotFinite);
        }
        // Without the reordering of the cache's rows, beams would continue with other beams' keys: both happen or neither.
        let (mut texts, mut rows, mut best) = (self.texts.clone(), Vec::with_capacity(request.batch), best.into_iter());
        for text in &mut texts {
            let (first, width) = (rows.len(), text.running().len());
            rows.extend(text.advance(best.by_ref().take(width))?.into_iter().map(|row| first + row));
        }
        let (model, options) = (inner.model.clone(), inner.options);
        if let Some(cache) = &mut inner.cache {
            cache.reorder(&model, &rows).await?;
        }
        (self.texts, self.dispatches) = (texts, output.report.dispatches);
        drop(inner);
        if self.ended() {
            self.context = self.context.model().context(options);
        }
        Ok(())
    }
}
