//! A text that goes on: the tokens that were run, and their keys and values on the backend.

use super::backend::{Backend, StatesId};
use super::intervention::Intervention;
use super::request::Request;
use super::rotary::Turned;
use crate::error::Error;
use crate::model::Model;
use crate::plan::State;

/// Tokens that are kept at least.
const LEAST_CONTEXT: usize = 64;

/// The tokens of a batch of texts so far, with their states.
pub struct Sequence {
    states: StatesId,
    shapes: Vec<State>,
    batch: usize,
    context: usize,
    keeps_heads: bool,
    intervention: Intervention,
    /// What its keys were turned for.
    turned: Turned,
    /// Of each text: (batch, past).
    ids: Vec<Vec<u32>>,
    types: Vec<Vec<u32>>,
    mask: Vec<Vec<u32>>,
    positions: Vec<Vec<u32>>,
    /// How often tokens of a text were given up.
    cuts: u64,
}

/// The rows of a (batch, length) input, or of what stands for it.
fn rows(request: &Request, given: Option<&[u32]>, missing: impl Fn(usize) -> u32) -> Vec<Vec<u32>> {
    match given {
        Some(numbers) => numbers.chunks_exact(request.length).map(<[u32]>::to_vec).collect(),
        None => vec![(0..request.length).map(missing).collect(); request.batch],
    }
}

impl Sequence {
    /// An empty one with room for a request. shapes: the states of the plans that will run it.
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
    ) -> Result<Self, Error> {
        let states = backend.new_states(&shapes, request.batch, context).await?;
        let none = || vec![Vec::new(); request.batch];
        Ok(Self {
            states,
            shapes,
            batch: request.batch,
            context,
            keeps_heads,
            intervention: request.intervention.clone(),
            turned,
            ids: none(),
            types: none(),
            mask: none(),
            positions: none(),
            cuts: 0,
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
        self.context
    }

    /// Whether its states have the places that a request fills: of as many texts, and queries only where they are looked at.
    pub fn holds(&self, request: &Request, keeps_heads: bool) -> bool {
        self.batch == request.batch && self.keeps_heads == keeps_heads
    }

    /// Tokens of each text that need not be computed again for this request: what it begins with alike, but its last token,
    /// and no row whose logits are wanted.
    pub fn shared(&self, request: &Request, turned: Turned, first_row: usize, model: &Model) -> usize {
        let changed = self.intervention != request.intervention || request.intervention.needs_whole_text();
        if !self.turned.serves(turned, model) || changed {
            return 0;
        }
        let held = [&self.ids, &self.types, &self.mask, &self.positions];
        let alike = |(held, asked): (&Vec<u32>, &Vec<u32>)| held.iter().zip(asked).take_while(|(a, b)| a == b).count();
        let asked = told(request);
        let rows = held.into_iter().zip(&asked).flat_map(|(held, asked)| held.iter().zip(asked));
        let alike = rows.map(alike).min().unwrap_or(0);
        let shared = alike.min(request.length - 1).min(first_row);
        // What sums up a text serves all of it, or nothing.
        let all = self.ids.first().map_or(0, Vec::len);
        if shared < all && self.shapes.iter().any(|state| state.recurrent) { 0 } else { shared }
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

    /// Notes that all of a request has been run.
    pub fn take(&mut self, request: &Request, turned: Turned) {
        let [ids, types, mask, positions] = told(request);
        (self.ids, self.types, self.mask, self.positions) = (ids, types, mask, positions);
        self.turned = turned;
        self.intervention = request.intervention.clone();
    }

    /// Makes room for longer texts, and keeps the first `past` tokens.
    ///
    /// # Errors
    /// No room.
    pub async fn grow(&mut self, backend: &mut Backend, context: usize, past: usize) -> Result<(), Error> {
        let states = backend.new_states(&self.shapes, self.batch, context).await?;
        backend.copy_states(&self.shapes, [self.states, states], self.batch, [self.context, context], past)?;
        backend.drop_states(self.states);
        (self.states, self.context) = (states, context);
        self.cut(past);
        Ok(())
    }

    /// Another one that begins with the same tokens.
    ///
    /// # Errors
    /// No room.
    pub async fn branch(&self, backend: &mut Backend) -> Result<Self, Error> {
        let states = backend.new_states(&self.shapes, self.batch, self.context).await?;
        let past = self.ids.first().map_or(0, Vec::len);
        backend.copy_states(&self.shapes, [self.states, states], self.batch, [self.context; 2], past)?;
        let (ids, types) = (self.ids.clone(), self.types.clone());
        let (mask, positions) = (self.mask.clone(), self.positions.clone());
        let (shapes, intervention) = (self.shapes.clone(), self.intervention.clone());
        Ok(Self { states, shapes, intervention, ids, types, mask, positions, ..*self })
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
