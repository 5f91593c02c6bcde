//! Sampled and greedy generation: the next token of each text, the best one or drawn from all.

use crate::backend::Cancellation;
use crate::error::{Error, InputList};
use crate::model::Facts;
use crate::ops::MAX_TOP_K;
use crate::runtime::context::Context;
use crate::runtime::draws::Draws;
use crate::runtime::request::{PredictionRows, Request};
use crate::runtime::result::{Fill, Sample, StepResults};
use crate::runtime::source::SourceText;
use crate::sampling::{MAX_CANDIDATES, Nucleus, Probability, Random, Rules, SamplingSettings};

// The op top-k finds the candidates.
const _: () = assert!(MAX_CANDIDATES == MAX_TOP_K);

/// The settings by which texts are continued.
#[derive(Debug, Clone, PartialEq)]
pub struct Continuation {
    /// The settings by which a token is drawn.
    pub sampling: SamplingSettings,
    /// The best tokens that come with each token, to be looked at: at least 1 and at most [`MAX_CANDIDATES`] come. They change no draw.
    pub candidates: usize,
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
    /// The best tokens, best first, and the drawn one, at the end if it is none of them. Where tokens are forced, these alone.
    pub candidates: Vec<Probability>,
    /// The number of tokens that rules and settings left to be drawn, of the whole vocabulary.
    pub left: usize,
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
    /// All rows have one length: a row that has ended continues with tokens that are not read.
    ids: Vec<u32>,
    /// 1: a token, 0: padding in front of the first.
    mask: Vec<u32>,
    /// The generator at the text's first token; later tokens take the bits after those of the earlier ones.
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

    /// Whether a step needs none of the ids before it but those in the cache.
    pub(super) fn needs_no_ids(&self) -> bool {
        self.continuation.sampling.repetition_penalty as f32 == 1.0 && self.rules.is_empty()
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
        let Continuation { sampling, candidates, beyond_length, .. } = &self.continuation;
        let penalty = sampling.repetition_penalty as f32;
        Request {
            attention_mask: Some(mask),
            position_ids: positions,
            rows: PredictionRows::At(rows),
            top_k: (*candidates).clamp(1, MAX_CANDIDATES).min(facts.vocab_size),
            penalty: (penalty != 1.0).then_some(penalty),
            bans: self.rules.has_bans().then(|| self.rows.iter().map(|row| self.rules.banned(&row.ids)).collect()),
            draws: (!sampling.is_greedy()).then(|| self.draws(more)),
            continues: true,
            beyond_length: *beyond_length,
            source: self.source.clone(),
            ..Request::new(padded(|row| &row.ids, 0), self.rows.len(), length)
        }
    }

    /// The draws of the step `more` tokens later.
    fn draws(&self, more: usize) -> Draws {
        let random = self.rows.iter().map(|row| row.random_bits(more)).collect();
        Draws { warpers: self.continuation.sampling.warpers(), random }
    }

    /// Appends the next token of each row, from what the device found; `None` for a text that has ended.
    fn append(&mut self, (top, samples): StepResults, full: bool) -> Result<Vec<Option<Next>>, Error> {
        let Continuation { sampling, ends, .. } = &self.continuation;
        // Greedy decoding draws nothing.
        let samples = samples.into_iter().map(Some).chain(std::iter::repeat(None));
        let next = self.rows.iter().zip(top.iter().zip(samples)).map(|(row, (fills, sample))| {
            if row.end.is_some() {
                return Ok(Next { id: best_or_drawn(fills, sample), candidates: Vec::new(), left: 0, end: None });
            }
            match &self.rules.forced(&row.ids)[..] {
                [] => choose(fills, sample, sampling),
                forced => Ok(choose_forced(forced, sampling, row.random_bits(0))),
            }
        });
        let next = next.collect::<Result<Vec<_>, _>>()?;
        self.written += 1;
        let rows = self.rows.iter_mut().zip(next);
        Ok(rows.map(|(row, next)| row.push(next, ends, full)).collect())
    }
}

impl Context {
    /// Generates the next token of each text; `None` for one that has ended. A GPU works on further steps meanwhile, where no penalty and no
    /// rule needs their ids: they feed each other there. If the future is dropped during that submission, the token is already in
    /// [`Generation::ids`].
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
        let (results, dispatches) = match inner.finish_step(&request).await? {
            Some(finished) => finished,
            None => {
                let (output, _) = inner.run(&request, cancel).await?;
                ((output.top, output.samples), output.report.dispatches)
            }
        };
        // The steps in flight follow a token that the text does not get.
        let next = generation.append(results, generation.is_full(facts, 1)).inspect_err(|_| inner.in_flight = None)?;
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

/// The id that the device feeds to a next step.
fn best_or_drawn(fills: &[Fill], sample: Option<Sample>) -> u32 {
    let best = fills.first().map(|fill| fill.id);
    sample.map(|sample| sample.id).or(best).unwrap_or(0)
}

/// The next token of a row with its candidates, from what the device found.
fn choose(fills: &[Fill], sample: Option<Sample>, sampling: &SamplingSettings) -> Result<Next, Error> {
    let best: Vec<(u32, f32)> = fills.iter().map(|fill| (fill.id, fill.log_probability)).collect();
    let Some(&(_, log_probability)) = best.first() else { return Err(Error::NoCandidates) };
    let nucleus = sample.map_or(Nucleus::BEST, |sample| sample.nucleus);
    let has_nan = best.iter().any(|(_, logarithm)| logarithm.is_nan()) || nucleus.log_sum.is_nan();
    if has_nan || !log_probability.is_finite() {
        return Err(Error::LogitsNotFinite);
    }
    if nucleus.count == 0 {
        return Err(Error::NoCandidates);
    }
    let id = best_or_drawn(fills, sample);
    let mut candidates = nucleus.probabilities(&best, sampling);
    if let Some(sample) = sample.filter(|_| candidates.iter().all(|candidate| candidate.id != id)) {
        let relative = f64::from(sample.relative_logit);
        let before = (f64::from(log_probability) + relative).exp();
        candidates.push(Probability { id, before, after: nucleus.after(relative, sampling) });
    }
    Ok(Next { id, candidates, left: nucleus.count, end: None })
}

/// One of the forced tokens, which are equally likely; the lowest id where nothing is drawn. forced: ascending ids, at least one.
fn choose_forced(forced: &[u32], sampling: &SamplingSettings, random: u64) -> Next {
    let share = 1.0 / forced.len() as f64;
    let candidates = forced.iter().map(|id| Probability { id: *id, before: share, after: share }).collect();
    let at = if sampling.is_greedy() { 0 } else { random % forced.len() as u64 };
    let id = forced.get(at as usize).copied().unwrap_or(0);
    Next { id, candidates, left: forced.len(), end: None }
}

impl Row {
    /// The random bits of the token after `more` others. They depend on the tokens before it alone, so that a text that is continued later is
    /// the text that is written at once.
    fn random_bits(&self, more: usize) -> u64 {
        let tokens = self.mask.iter().filter(|is_token| **is_token == 1).count();
        self.random.bits_after((tokens + more) as u64)
    }

    /// Appends a token; `None` where the text has ended before it.
    fn push(&mut self, next: Next, ends: &[u32], full: bool) -> Option<Next> {
        self.mask.push(1);
        self.ids.push(next.id);
        if self.end.is_some() {
            return None;
        }
        let end = match () {
            () if ends.contains(&next.id) => Some(End::Token),
            () if full => Some(End::Length),
            () => None,
        };
        self.end = end.map(|end| (end, self.ids.len()));
        Some(Next { end, ..next })
    }
}
