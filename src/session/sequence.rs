//! A text that goes on: the tokens that were run, and their keys and values on the backend.

use super::backend::{Backend, StatesId};
use super::intervention::Intervention;
use super::request::Request;
use super::rotary::Turned;
use super::source::{Memory, SourceText};
use crate::backend::Stretch;
use crate::error::Error;
use crate::model::Model;
use crate::plan::{Axis, Sizes, State};

/// Tokens that are kept at least.
const LEAST_CONTEXT: usize = 64;

/// The tokens of a batch of texts so far, with their states.
pub struct Sequence {
    states: StatesId,
    /// States of the same sizes, where texts have changed places: they take turns.
    spare: Option<StatesId>,
    shapes: Vec<State>,
    /// Batch and contexts.
    sizes: Sizes,
    keeps_heads: bool,
    intervention: Intervention,
    /// What its keys were turned for.
    turned: Turned,
    /// What its texts are written after.
    source: Option<SourceText>,
    /// Of each text: (batch, past).
    ids: Vec<Vec<u32>>,
    types: Vec<Vec<u32>>,
    mask: Vec<Vec<u32>>,
    positions: Vec<Vec<u32>>,
    /// How often tokens of a text were given up.
    cuts: u64,
    /// A run has begun to write its states and did not come to its end yet.
    unfinished: bool,
}

/// The rows of a (batch, length) input, or of what stands for it.
fn rows(request: &Request, given: Option<&[u32]>, missing: impl Fn(usize) -> u32) -> Vec<Vec<u32>> {
    match given {
        Some(numbers) => numbers.chunks_exact(request.length).map(<[u32]>::to_vec).collect(),
        None => vec![(0..request.length).map(missing).collect(); request.batch],
    }
}

/// What is copied so that row r of states has the first `past` tokens, or the whole source, of row rows[r] of others.
fn stretches(shapes: &[State], source: bool, rows: &[usize], [there, here]: [Sizes; 2], past: usize) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    for state in shapes.iter().filter(|state| (state.of == Axis::Source) == source) {
        // What sums a sequence up is one row, once there is a token.
        let most = state.context(there).min(state.context(here));
        let tokens = if source { most } else { past.min(most) };
        let count = tokens * state.width;
        let begins = |row: usize, sizes: Sizes| row * state.context(sizes) * state.width;
        for (row, &from) in rows.iter().enumerate() {
            if count > 0 {
                let (from, to) = (begins(from, there), begins(row, here));
                stretches.push(Stretch { state: state.index, from, to, count });
            }
        }
    }
    stretches
}

impl Sequence {
    /// An empty one with room for a request, over a source where there is one: each of its rows serves as many texts as go on it. shapes:
    /// the states of the plans that will run it.
    ///
    /// # Errors
    /// No room for them.
    pub async fn new(
        backend: &mut Backend,
        shapes: Vec<State>,
        request: &Request,
        keeps_heads: bool,
        turned: Turned,
        context: usize,
        memory: Option<Memory>,
    ) -> Result<Self, Error> {
        let source_context = memory.map_or(0, |memory| memory.sizes.source_context);
        let sizes = Sizes { context, source_context, ..Sizes::new(request.batch, 0, 0) };
        let states = backend.new_states(&shapes, sizes).await?;
        if let Some(memory) = memory {
            let each = request.batch / memory.sizes.batch.max(1);
            let rows: Vec<usize> = (0..request.batch).map(|row| row / each.max(1)).collect();
            let copied = stretches(&shapes, true, &rows, [memory.sizes, sizes], 0);
            backend.copy_states([memory.states, states], &copied)?;
        }
        let none = || vec![Vec::new(); request.batch];
        Ok(Self {
            states,
            spare: None,
            shapes,
            sizes,
            keeps_heads,
            intervention: request.intervention.clone(),
            turned,
            source: request.source.clone(),
            ids: none(),
            types: none(),
            mask: none(),
            positions: none(),
            cuts: 0,
            unfinished: false,
        })
    }

    /// The context for so many tokens: a power of two, but no more than the longest text.
    pub fn context_for(length: usize, exact: bool, longest: Option<u64>) -> usize {
        if exact {
            return length;
        }
        let grown = length.max(LEAST_CONTEXT).next_power_of_two();
        let longest = longest.and_then(|longest| usize::try_from(longest).ok()).unwrap_or(usize::MAX);
        grown.min(longest.max(length))
    }

    pub fn states(&self) -> StatesId {
        self.states
    }

    pub fn context(&self) -> usize {
        self.sizes.context
    }

    /// Whether its states have the places that a request fills: of as many texts after the same source, and queries only where they
    /// are looked at.
    pub fn holds(&self, request: &Request, keeps_heads: bool) -> bool {
        self.sizes.batch == request.batch && self.keeps_heads == keeps_heads && self.source == request.source
    }

    /// Tokens of each text that need not be computed again for this request: what it begins with alike, but its last token,
    /// and no row whose logits are wanted.
    pub fn shared(&self, request: &Request, turned: Turned, first_row: usize, model: &Model) -> usize {
        let changed = self.intervention != request.intervention || request.intervention.needs_whole_text();
        if !self.turned.serves(turned, model) || changed {
            return 0;
        }
        let shared = self.alike(request).min(request.length - 1).min(first_row);
        // What sums up a text serves all of it, or nothing; after a run that ended early it sums up some of that run's tokens, too.
        let is_whole = shared == self.past() && !self.unfinished;
        if !is_whole && self.shapes.iter().any(|state| state.recurrent()) { 0 } else { shared }
    }

    /// Tokens that each text and a request of as many begin with alike.
    pub fn alike(&self, request: &Request) -> usize {
        let held = [&self.ids, &self.types, &self.mask, &self.positions];
        let alike = |(held, asked): (&Vec<u32>, &Vec<u32>)| held.iter().zip(asked).take_while(|(a, b)| a == b).count();
        let asked = told(request);
        let rows = held.into_iter().zip(&asked).flat_map(|(held, asked)| held.iter().zip(asked));
        rows.map(alike).min().unwrap_or(0)
    }

    /// How often tokens of a text were given up: while this stays, all of it that was run is there.
    pub fn cuts(&self) -> u64 {
        self.cuts
    }

    /// Notes that a request is being run from `past` on: what comes after is no longer what it was.
    pub fn cut(&mut self, past: usize) {
        if self.ids.iter().any(|row| row.len() > past) {
            self.cuts += 1;
        }
        for row in self.ids.iter_mut().chain(&mut self.types).chain(&mut self.mask).chain(&mut self.positions) {
            row.truncate(past);
        }
    }

    /// Notes that a run is about to write the states. It is finished when its request is [taken](Self::take); one that fails or is dropped
    /// never is.
    pub fn begin_run(&mut self) {
        self.unfinished = true;
    }

    /// Notes that all of a request has been run.
    pub fn take(&mut self, request: &Request, turned: Turned) {
        let [ids, types, mask, positions] = told(request);
        (self.ids, self.types, self.mask, self.positions) = (ids, types, mask, positions);
        self.turned = turned;
        self.intervention = request.intervention.clone();
        self.unfinished = false;
    }

    /// Tokens that each text has.
    fn past(&self) -> usize {
        self.ids.first().map_or(0, Vec::len)
    }

    /// Other states of such contexts, with the first `past` tokens of these.
    async fn copied(&self, backend: &mut Backend, context: usize, past: usize) -> Result<StatesId, Error> {
        let sizes = Sizes { context, ..self.sizes };
        let states = backend.new_states(&self.shapes, sizes).await?;
        let rows: Vec<usize> = (0..sizes.batch).collect();
        for source in [true, false] {
            let copied = stretches(&self.shapes, source, &rows, [self.sizes, sizes], past);
            backend.copy_states([self.states, states], &copied)?;
        }
        Ok(states)
    }

    /// Makes room for longer texts, and keeps the first `past` tokens.
    ///
    /// # Errors
    /// No room.
    pub async fn grow(&mut self, backend: &mut Backend, context: usize, past: usize) -> Result<(), Error> {
        let states = self.copied(backend, context, past).await?;
        self.give_back(backend);
        (self.states, self.spare, self.sizes.context) = (states, None, context);
        self.cut(past);
        Ok(())
    }

    /// Gives its memory back.
    pub fn give_back(&self, backend: &mut Backend) {
        backend.drop_states(self.states);
        if let Some(spare) = self.spare {
            backend.drop_states(spare);
        }
    }

    /// Texts change places: row `r` goes on with what row `rows[r]` has, which must be after the same row of the source.
    ///
    /// # Errors
    /// No room.
    pub async fn reorder(&mut self, backend: &mut Backend, rows: &[usize]) -> Result<(), Error> {
        if rows.iter().enumerate().all(|(row, from)| row == *from) {
            return Ok(());
        }
        let spare = match self.spare {
            Some(spare) => spare,
            None => self.copied(backend, self.sizes.context, 0).await?,
        };
        let copied = stretches(&self.shapes, false, rows, [self.sizes; 2], self.past());
        backend.copy_states([self.states, spare], &copied)?;
        (self.states, self.spare) = (spare, Some(self.states));
        self.cuts += 1;
        for known in [&mut self.ids, &mut self.types, &mut self.mask, &mut self.positions] {
            *known = rows.iter().map(|row| known[*row].clone()).collect();
        }
        Ok(())
    }

    /// Another one that begins with the same tokens.
    ///
    /// # Errors
    /// No room.
    pub async fn branch(&self, backend: &mut Backend) -> Result<Self, Error> {
        let states = self.copied(backend, self.sizes.context, self.past()).await?;
        let (ids, types) = (self.ids.clone(), self.types.clone());
        let (mask, positions) = (self.mask.clone(), self.positions.clone());
        let (shapes, intervention, source) = (self.shapes.clone(), self.intervention.clone(), self.source.clone());
        Ok(Self { states, spare: None, shapes, intervention, source, ids, types, mask, positions, ..*self })
    }
}

/// Ids, token types, mask and positions of a request, by row.
fn told(request: &Request) -> [Vec<Vec<u32>>; 4] {
    [
        rows(request, Some(&request.ids), |_| 0),
        rows(request, request.token_type_ids.as_deref(), |_| 0),
        rows(request, request.attention_mask.as_deref(), |_| 1),
        rows(request, request.position_ids.as_deref(), |position| position as u32),
    ]
}
