//! Text that writes on: the next token of each text from its candidates, over the cache.

use super::{Penalty, Request, Rows, Session};
use crate::backend::Pace;
use crate::error::Error;
use crate::sampling::{Candidates, MOST_CANDIDATES, Probability, Random, Settings, choose, distribution};

/// What a text is continued by.
#[derive(Debug, Clone, PartialEq)]
pub struct Continuation {
    pub sampling: Settings,
    /// Tokens that are written at most.
    pub most: usize,
    /// Tokens that end a text.
    pub ends: Vec<u32>,
    /// Goes on beyond the length that the model is made for.
    pub beyond_length: bool,
    /// Keeps heads, so that they can be looked at between two tokens.
    pub keeps_heads: bool,
}

/// Why a text ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// One of its end tokens was drawn.
    Token,
    /// As many tokens as were asked for, or as the model takes.
    Length,
}

/// One token of one text.
#[derive(Debug, Clone, PartialEq)]
pub struct Next {
    pub id: u32,
    /// What might have come, best first.
    pub candidates: Vec<Probability>,
    pub end: Option<End>,
}

/// Texts that are being continued.
pub struct Generation {
    continuation: Continuation,
    rows: Vec<Row>,
    written: usize,
}

struct Row {
    ids: Vec<u32>,
    /// 1: a token, 0: padding in front of the first.
    mask: Vec<u32>,
    random: Random,
    end: Option<End>,
}

impl Generation {
    /// Begins to continue ids (batch, length). Padding, where the mask is 0, is moved to the front of each text.
    ///
    /// # Errors
    /// Settings out of range, no text, or nothing in one but padding.
    pub fn new(
        ids: &[u32],
        batch: usize,
        attention_mask: Option<&[u32]>,
        continuation: Continuation,
    ) -> Result<Self, Error> {
        continuation.sampling.check()?;
        let invalid = |reason: &str| Err(Error::InvalidInput { reason: reason.into() });
        let length = ids.len().checked_div(batch).unwrap_or(0);
        if length == 0 || ids.len() != batch * length || attention_mask.is_some_and(|mask| mask.len() != ids.len()) {
            return invalid("there is no text to continue: give rows of ids of one length, with a mask of theirs");
        }
        let row = |index: usize| {
            let ids = &ids[index * length..][..length];
            let kept = |at: &usize| attention_mask.is_none_or(|mask| mask[index * length + at] == 1);
            let (tokens, padding): (Vec<usize>, Vec<usize>) = (0..length).partition(kept);
            let ids = padding.iter().chain(&tokens).map(|at| ids[*at]).collect();
            let mask = (0..length).map(|at| u32::from(at >= padding.len())).collect();
            let seed = continuation.sampling.seed.wrapping_add(index as u64);
            Row { ids, mask, random: Random::new(seed), end: None }
        };
        let rows: Vec<Row> = (0..batch).map(row).collect();
        if rows.iter().any(|row| row.mask.last() == Some(&0)) {
            return invalid("a text is nothing but padding");
        }
        Ok(Self { continuation, rows, written: 0 })
    }

    /// The ids of each text, its prompt first, up to its end token; padding in front stays.
    pub fn ids(&self) -> impl Iterator<Item = &[u32]> {
        self.rows.iter().map(|row| row.ids.as_slice())
    }

    /// Whether every text has ended.
    pub fn ended(&self) -> bool {
        self.rows.iter().all(|row| row.end.is_some())
    }

    /// Tokens that were written to each text.
    pub fn written(&self) -> usize {
        self.written
    }

    /// The next run: the texts as they stand. Those that have ended are padded behind: what comes of it is not read.
    fn request(&self, session: &Session) -> Request {
        let length = self.rows.iter().map(|row| row.ids.len()).max().unwrap_or(0);
        let padded = |numbers: fn(&Row) -> &Vec<u32>, with: u32| -> Vec<u32> {
            let row = |row: &Row| {
                let mut numbers = numbers(row).clone();
                numbers.resize(length, with);
                numbers
            };
            self.rows.iter().flat_map(row).collect()
        };
        let mask = padded(|row| &row.mask, 1);
        // Hugging Face counts positions from the first token; RoFormer takes none and counts padding, too.
        let positions = session.facts().positions_skip_padding.then(|| {
            let count = |row: &[u32]| {
                let running = row.iter().scan(0, |sum: &mut u32, kept| {
                    *sum += kept;
                    Some(sum.saturating_sub(1))
                });
                running.collect::<Vec<u32>>()
            };
            mask.chunks_exact(length).flat_map(count).collect()
        });
        let rows = (0..self.rows.len()).map(|row| (row * length + length - 1) as u32).collect();
        let Continuation { sampling, beyond_length, keeps_heads, .. } = &self.continuation;
        let penalty = sampling.repetition_penalty as f32;
        Request {
            attention_mask: Some(mask),
            position_ids: positions,
            rows: Rows::At(rows),
            top_k: MOST_CANDIDATES.min(session.facts().vocab_size),
            penalty: (penalty != 1.0).then_some(Penalty(penalty)),
            continues: true,
            keeps_heads: *keeps_heads,
            beyond_length: *beyond_length,
            ..Request::new(padded(|row| &row.ids, 0), self.rows.len(), length)
        }
    }
}

impl Session {
    /// Writes the next token of each text; `None` for one that has ended already.
    ///
    /// # Errors
    /// A model that is not causal or has no vocabulary head; a text longer than the model takes before the first token;
    /// logits that are no numbers; [`Error::Overtaken`]; a device that is full or lost.
    pub async fn write_on(&mut self, generation: &mut Generation, pace: &dyn Pace) -> Result<Vec<Option<Next>>, Error> {
        let request = generation.request(self);
        let top = self.step(&request, pace).await?.top;
        generation.written += 1;
        let limit = self.facts().longest.filter(|_| !(request.beyond_length && self.facts().stretches));
        let full = generation.written >= generation.continuation.most
            || limit.is_some_and(|limit| request.length as u64 + 1 >= limit);
        let Continuation { sampling, ends, .. } = &generation.continuation;
        let mut next = Vec::with_capacity(top.len());
        for (row, fills) in generation.rows.iter_mut().zip(top) {
            if row.end.is_some() {
                next.push(None);
                continue;
            }
            let best = fills.iter().map(|fill| (fill.id, fill.log_probability)).collect();
            let candidates = Candidates::new(best, 0.0)?;
            let id = choose(sampling, &candidates, &mut row.random);
            row.ids.push(id);
            row.mask.push(1);
            row.end = match () {
                () if ends.contains(&id) => Some(End::Token),
                () if full => Some(End::Length),
                () => None,
            };
            next.push(Some(Next { id, candidates: distribution(sampling, &candidates), end: row.end }));
        }
        Ok(next)
    }
}
