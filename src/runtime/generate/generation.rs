//! Sampled and greedy generation: the next token of each text from its candidates.

use crate::backend::Cancellation;
use crate::error::{Error, InputList};
use crate::model::Facts;
use crate::ops::greedy;
use crate::runtime::context::Context;
use crate::runtime::request::{PredictionRows, Request};
use crate::runtime::source::SourceText;
use crate::sampling::{Candidates, MAX_CANDIDATES, Probability, Random, Rules, SamplingSettings, choose, distribution};

/// The settings by which texts are continued.
#[derive(Debug, Clone, PartialEq)]
pub struct Continuation {
    /// The settings by which a token is drawn from its candidates.
    pub sampling: SamplingSettings,
    /// The largest number of tokens that are written to a text.
    pub most: usize,
    /// Ids that end a text: it has the first of them that is drawn.
    pub ends: Vec<u32>,
    /// Goes on beyond the length that the model is made for.
    pub beyond_length: bool,
}

/// The reason for the end of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// One of its end tokens was drawn.
    Token,
    /// The text has the most tokens that the continuation or the model allows.
    Length,
}

/// The token that continues one text.
#[derive(Debug, Clone, PartialEq)]
pub struct Next {
    /// The id that was drawn.
    pub id: u32,
    /// The tokens that the id was drawn from, best first.
    pub candidates: Vec<Probability>,
    /// The reason, if the text ends with this token.
    pub end: Option<End>,
}

/// Texts that [`Context::generate`] continues, a token of each a call.
pub struct Generation {
    continuation: Continuation,
    rows: Vec<Row>,
    /// The source of each text, and the rules for the tokens after it.
    source: Option<SourceText>,
    rules: Rules,
    written: usize,
    dispatches: usize,
}

struct Row {
    /// All rows have one length: a row that has ended continues with its best tokens, which are not read.
    ids: Vec<u32>,
    /// 1: a token, 0: padding in front of the first.
    mask: Vec<u32>,
    random: Random,
    /// The reason for the end, and the length of the text there.
    end: Option<(End, usize)>,
}

impl Generation {
    /// Begins to continue ids (batch, length). Padding, where the mask is 0, is moved to the front of each text.
    ///
    /// # Errors
    /// Settings out of range, no text, or a text of padding alone.
    pub fn new(
        ids: &[u32],
        batch: usize,
        attention_mask: Option<&[u32]>,
        continuation: Continuation,
    ) -> Result<Self, Error> {
        continuation.sampling.check()?;
        let length = ids.len().checked_div(batch).ok_or(Error::NoTexts)?;
        if length == 0 {
            return Err(Error::EmptyText);
        }
        let mask = attention_mask.map(|mask| (InputList::AttentionMask, mask.len(), ids.len()));
        for (list, found, expected) in mask.into_iter().chain([(InputList::Ids, ids.len(), batch * length)]) {
            if found != expected {
                return Err(Error::WrongCount { list, found, expected });
            }
        }
        let row = |index: usize| {
            let ids = &ids[index * length..][..length];
            let is_token = |at: &usize| attention_mask.is_none_or(|mask| mask[index * length + at] == 1);
            let (tokens, padding): (Vec<usize>, Vec<usize>) = (0..length).partition(is_token);
            let ids = padding.iter().chain(&tokens).map(|at| ids[*at]).collect();
            let mask = (0..length).map(|at| u32::from(at >= padding.len())).collect();
            let seed = continuation.sampling.seed.wrapping_add(index as u64);
            Row { ids, mask, random: Random::new(seed), end: None }
        };
        let rows: Vec<Row> = (0..batch).map(row).collect();
        if let Some(row) = rows.iter().position(|row| row.mask.last() == Some(&0)) {
            return Err(Error::OnlyPadding { row });
        }
        Ok(Self { continuation, rows, source: None, rules: Rules::default(), written: 0, dispatches: 0 })
    }

    /// Writes each text after a source of its own, under these rules.
    pub fn after(self, source: SourceText, rules: Rules) -> Self {
        Self { source: Some(source), rules, ..self }
    }

    /// Whether a model takes the texts, before it is loaded.
    ///
    /// # Errors
    /// Those of a run: ids outside the vocabulary, texts that are too long, a model that writes nothing.
    pub fn check(&self, facts: &Facts) -> Result<(), Error> {
        check_causal(facts)?;
        self.request(facts, 0).check(facts)
    }

    /// The ids of each text, its prompt first, up to its end token; padding in front stays.
    pub fn ids(&self) -> impl Iterator<Item = &[u32]> {
        self.rows.iter().map(|row| &row.ids[..row.end.map_or(row.ids.len(), |(_, length)| length)])
    }

    /// Whether every text has ended.
    pub fn ended(&self) -> bool {
        self.rows.iter().all(|row| row.end.is_some())
    }

    /// Tokens that were written to each text.
    pub fn written(&self) -> usize {
        self.written
    }

    /// Dispatches (ops on the CPU) that made the last token of each text.
    pub fn dispatches(&self) -> usize {
        self.dispatches
    }

    /// Tokens of each text.
    fn length(&self) -> usize {
        self.rows.first().map_or(0, |row| row.ids.len())
    }

    /// Whether each new token is the best one.
    pub(super) fn is_greedy(&self) -> bool {
        let SamplingSettings { temperature, repetition_penalty, .. } = self.continuation.sampling;
        temperature == 0.0 && repetition_penalty as f32 == 1.0 && self.rules.is_empty()
    }

    /// Whether no text continues once it is longer by `more` tokens.
    pub(super) fn is_full(&self, facts: &Facts, more: usize) -> bool {
        let limit = facts.limit(self.continuation.beyond_length);
        self.written + more >= self.continuation.most
            || limit.is_some_and(|limit| (self.length() + more) as u64 >= limit)
    }

    /// The request of the next run, or of the run `more` tokens later, with 0 for unknown ids.
    pub(super) fn request(&self, facts: &Facts, more: usize) -> Request {
        let length = self.length() + more;
        let padded = |numbers: fn(&Row) -> &Vec<u32>, with: u32| -> Vec<u32> {
            let more = || std::iter::repeat_n(&with, more);
            self.rows.iter().flat_map(|row| numbers(row).iter().chain(more())).copied().collect()
        };
        let mask = padded(|row| &row.mask, 1);
        // Hugging Face counts positions from the first token; RoFormer takes none and counts padding, too.
        let positions = facts.positions_skip_padding.then(|| {
            let count = |row: &[u32]| {
                let running = row.iter().scan(0, |sum: &mut u32, mask| {
                    *sum += mask;
                    Some(sum.saturating_sub(1))
                });
                running.collect::<Vec<u32>>()
            };
            mask.chunks_exact(length).flat_map(count).collect()
        });
        let rows = (0..self.rows.len()).map(|row| (row * length + length - 1) as u32).collect();
        let Continuation { sampling, beyond_length, .. } = &self.continuation;
        let penalty = sampling.repetition_penalty as f32;
        Request {
            attention_mask: Some(mask),
            position_ids: positions,
            rows: PredictionRows::At(rows),
            top_k: MAX_CANDIDATES.min(facts.vocab_size),
            penalty: (penalty != 1.0).then_some(penalty),
            continues: true,
            beyond_length: *beyond_length,
            source: self.source.clone(),
            ..Request::new(padded(|row| &row.ids, 0), self.rows.len(), length)
        }
    }
}

impl Context {
    /// Generates the next token of each text; `None` for one that has ended. Greedy decoding on a GPU submits further steps meanwhile:
    /// their ids feed each other there. If the future is dropped during that submission, the token is already in [`Generation::ids`].
    ///
    /// # Errors
    /// A model that is not causal or has no vocabulary head; a text longer than the model takes before the first token; logits that are
    /// not numbers; [`Error::Cancelled`]; no memory; a lost device; [`Error::Busy`].
    pub async fn generate(
        &self,
        generation: &mut Generation,
        cancel: &dyn Cancellation,
    ) -> Result<Vec<Option<Next>>, Error> {
        let facts = self.model().facts();
        check_causal(facts)?;
        let request = generation.request(facts, 0);
        let mut inner = self.borrow()?;
        let (top, dispatches) = match inner.finish_step(&request).await? {
            Some(finished) => finished,
            None => {
                let (output, _) = inner.run(&request, cancel).await?;
                (output.top, output.report.dispatches)
            }
        };
        let full = generation.is_full(facts, 1);
        let Continuation { sampling, ends, .. } = &generation.continuation;
        let next = generation.rows.iter_mut().zip(&top).map(|(row, fills)| {
            let best = fills.iter().map(|fill| (fill.id, fill.log_probability));
            row.next(generation.rules.allowed(&row.ids, best), sampling, ends, full)
        });
        let next = next.collect::<Result<Vec<_>, _>>()?;
        generation.written += 1;
        generation.dispatches = dispatches;
        // A failure here meets the next step again; this token is complete.
        if generation.ended() || inner.submit_steps(generation).await.is_err() {
            inner.in_flight = None;
        }
        Ok(next)
    }

    /// Decode steps that were submitted and not read yet; 0 on the CPU.
    pub fn steps_in_flight(&self) -> usize {
        self.borrow().map_or(0, |inner| inner.steps_in_flight())
    }
}

fn check_causal(facts: &Facts) -> Result<(), Error> {
    if facts.causal {
        return Ok(());
    }
    Err(Error::NotCausal { architecture: facts.architecture.into() })
}

impl Row {
    /// Appends a token, chosen from its best ones.
    fn next(
        &mut self,
        best: Vec<(u32, f32)>,
        sampling: &SamplingSettings,
        ends: &[u32],
        full: bool,
    ) -> Result<Option<Next>, Error> {
        self.mask.push(1);
        if self.end.is_some() {
            self.ids.push(greedy(best.iter().map(|(id, logarithm)| (*logarithm, *id))).unwrap_or(0));
            return Ok(None);
        }
        let candidates = Candidates::new(best, 0.0)?;
        let id = choose(sampling, &candidates, &mut self.random);
        self.ids.push(id);
        let end = match () {
            () if ends.contains(&id) => Some(End::Token),
            () if full => Some(End::Length),
            () => None,
        };
        self.end = end.map(|end| (end, self.ids.len()));
        Ok(Some(Next { id, candidates: distribution(sampling, &candidates), end }))
    }
}
