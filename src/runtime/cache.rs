//! The KV cache of a context: the tokens that were run, with their keys and values on the device.

use super::angles::Angles;
use super::encoded_source::EncodedSource;
use super::interventions::Interventions;
use super::model::Model;
use super::request::Request;
use super::source::SourceText;
use crate::backend::{CopyRange, States};
use crate::error::Error;
use crate::plan::{Axis, Sizes, State};

/// The capacity of a cache in tokens, at least.
const MIN_CAPACITY: usize = 64;

/// The tokens of a batch of texts, and their states.
pub struct KvCache {
    /// Unique within its context.
    pub id: u64,
    pub states: States,
    /// States of the same sizes that [`KvCache::reorder`] writes to: the two take turns.
    reorder_target: Option<States>,
    shapes: Vec<State>,
    /// The batch, the capacities and the length of the source.
    pub sizes: Sizes,
    keeps_heads: bool,
    settings: CacheSettings,
    /// The encoder–decoder's source.
    source: Option<SourceText>,
    tokens: Tokens,
    history: History,
    /// The first token that an unfinished run writes; `None` after its commit. A run that fails or is dropped never commits.
    uncommitted: Option<usize>,
}

/// The settings that keys and values depend on, besides the tokens.
#[derive(Debug, Clone, PartialEq)]
struct CacheSettings {
    interventions: Interventions,
    angles: Angles,
}

/// The inputs of each token, by row of the batch.
#[derive(Debug, Clone, PartialEq)]
struct Tokens {
    ids: Vec<Vec<u32>>,
    types: Vec<Vec<u32>>,
    mask: Vec<Vec<u32>>,
    positions: Vec<Vec<u32>>,
}

impl Tokens {
    fn empty(batch: usize) -> Self {
        let none = || vec![Vec::new(); batch];
        Self { ids: none(), types: none(), mask: none(), positions: none() }
    }

    fn of(request: &Request) -> Self {
        let rows = |numbers: Option<&[u32]>, default: &dyn Fn(usize) -> u32| match numbers {
            Some(numbers) => numbers.chunks_exact(request.length).map(<[u32]>::to_vec).collect(),
            None => vec![(0..request.length).map(default).collect(); request.batch],
        };
        Self {
            ids: rows(Some(&request.ids), &|_| 0),
            types: rows(request.token_type_ids.as_deref(), &|_| 0),
            mask: rows(request.attention_mask.as_deref(), &|_| 1),
            positions: rows(request.position_ids.as_deref(), &|position| position as u32),
        }
    }

    fn truncate(&mut self, length: usize) {
        self.lists().into_iter().flatten().for_each(|row| row.truncate(length));
    }

    fn lists(&mut self) -> [&mut Vec<Vec<u32>>; 4] {
        [&mut self.ids, &mut self.types, &mut self.mask, &mut self.positions]
    }

    /// Tokens of each row.
    fn length(&self) -> usize {
        self.ids.first().map_or(0, Vec::len)
    }

    /// Tokens with which every row of both begins.
    fn common_prefix(&self, other: &Self) -> usize {
        let here = [&self.ids, &self.types, &self.mask, &self.positions];
        let there = [&other.ids, &other.types, &other.mask, &other.positions];
        let rows = here.into_iter().zip(there).flat_map(|(here, there)| here.iter().zip(there));
        rows.map(|(here, there)| here.iter().zip(there).take_while(|(a, b)| a == b).count()).min().unwrap_or(0)
    }
}

/// Counts of the cache's tokens that have stayed unchanged since an earlier time.
#[derive(Debug, Default)]
struct History {
    time: u64,
    /// Times at which tokens were lost, and the tokens that remained; both rise.
    losses: Vec<(u64, usize)>,
}

impl History {
    /// Notes that all but the first `remaining` tokens were lost.
    fn lose(&mut self, remaining: usize) {
        self.time += 1;
        while self.losses.last().is_some_and(|(_, before)| *before >= remaining) {
            self.losses.pop();
        }
        self.losses.push((self.time, remaining));
    }

    /// The tokens that have stayed since a time.
    fn unchanged_since(&self, time: u64) -> usize {
        self.losses.iter().find(|(lost_at, _)| *lost_at > time).map_or(usize::MAX, |(_, remaining)| *remaining)
    }
}

/// The copies that give row r of the states `to` the first `past` tokens of row `rows[r]` of the states `from`, or all of its source.
fn copy_ranges(shapes: &[State], source: bool, rows: &[usize], [from, to]: [Sizes; 2], past: usize) -> Vec<CopyRange> {
    let mut ranges = Vec::new();
    for state in shapes.iter().filter(|state| (state.axis == Axis::Source) == source) {
        // A recurrent state has one row, once there is a token.
        let most = state.context(from).min(state.context(to));
        let tokens = if source { most } else { past.min(most) };
        let count = tokens * state.width;
        let start = |row: usize, sizes: Sizes| row * state.context(sizes) * state.width;
        for (row, &from_row) in rows.iter().enumerate() {
            if count > 0 {
                ranges.push(CopyRange { state: state.index, from: start(from_row, from), to: start(row, to), count });
            }
        }
    }
    ranges
}

impl KvCache {
    /// An empty cache for a request's batch. Of a source, each row serves batch / rows adjacent texts. `shapes`: the states of the plans
    /// that will run on it.
    pub async fn new(
        id: u64,
        model: &Model,
        shapes: Vec<State>,
        request: &Request,
        keeps_heads: bool,
        capacity: usize,
        source: Option<&EncodedSource>,
    ) -> Result<Self, Error> {
        let of_source = source.map(|source| source.sizes).unwrap_or_default();
        let sizes = Sizes { batch: request.batch, cache_capacity: capacity, ..of_source };
        let mut states = model.weights().states(&shapes, sizes).await?;
        if let Some(source) = source {
            let each = request.batch / source.sizes.batch.max(1);
            let rows: Vec<usize> = (0..request.batch).map(|row| row / each.max(1)).collect();
            states.copy_from(&source.states, &copy_ranges(&shapes, true, &rows, [source.sizes, sizes], 0))?;
        }
        Ok(Self {
            id,
            states,
            reorder_target: None,
            shapes,
            sizes,
            keeps_heads,
            settings: CacheSettings { interventions: request.interventions.clone(), angles: Angles::of(request) },
            source: request.source.clone(),
            tokens: Tokens::empty(request.batch),
            history: History::default(),
            uncommitted: None,
        })
    }

    /// The capacity for a text of `length` tokens: a power of two, but no more than the model's longest text.
    pub fn capacity_for(length: usize, exact: bool, longest: Option<u64>) -> usize {
        if exact {
            return length;
        }
        let grown = length.max(MIN_CAPACITY).next_power_of_two();
        let longest = longest.and_then(|longest| usize::try_from(longest).ok()).unwrap_or(usize::MAX);
        grown.min(longest.max(length))
    }

    pub fn bytes(&self) -> u64 {
        self.states.bytes() + self.reorder_target.as_ref().map_or(0, States::bytes)
    }

    /// Whether its states have the shapes that a request writes, over the same source.
    pub fn fits(&self, request: &Request, keeps_heads: bool) -> bool {
        self.sizes.batch == request.batch && self.keeps_heads == keeps_heads && self.source == request.source
    }

    /// The tokens of each row that this request does not compute again: the common prefix, without the request's last token and without
    /// the rows whose logits it reads.
    pub fn reusable(&self, request: &Request, first_row: usize, model: &Model) -> usize {
        if !self.settings_serve(request, model) || request.interventions.needs_all_tokens() {
            return 0;
        }
        let certain = self.uncommitted.unwrap_or(usize::MAX);
        let common = self.tokens.common_prefix(&Tokens::of(request)).min(certain);
        let reusable = common.min(request.length - 1).min(first_row);
        // A recurrent state sums up all tokens or none; after an interrupted run it sums up some of that run's tokens, too.
        let all = reusable == self.tokens.length() && self.uncommitted.is_none();
        if !all && self.shapes.iter().any(|state| state.is_recurrent()) { 0 } else { reusable }
    }

    fn settings_serve(&self, request: &Request, model: &Model) -> bool {
        let CacheSettings { interventions, angles } = &self.settings;
        *interventions == request.interventions && angles.equal(Angles::of(request), model.architecture())
    }

    /// Marks everything from token `past` on as uncertain: a run is about to write there.
    pub fn begin(&mut self, past: usize) {
        if let Some(before) = self.uncommitted.replace(past) {
            // The run that began there never ended.
            self.tokens.truncate(before);
            self.history.lose(before);
        }
    }

    /// Takes over the tokens of the request whose run has ended.
    pub fn commit(&mut self, request: &Request, model: &Model) {
        let tokens = Tokens::of(request);
        // Tokens that were computed again under the same settings have the same keys and values.
        let same = self.settings_serve(request, model) && !request.interventions.needs_all_tokens();
        let unchanged = if same { self.tokens.common_prefix(&tokens) } else { 0 };
        if unchanged < self.tokens.length() {
            self.history.lose(unchanged);
        }
        self.tokens = tokens;
        self.settings = CacheSettings { interventions: request.interventions.clone(), angles: Angles::of(request) };
        self.uncommitted = None;
    }

    /// A time for [`KvCache::unchanged_since`].
    pub fn time(&self) -> u64 {
        self.history.time
    }

    /// The number of tokens whose keys and values have stayed unchanged since a time.
    pub fn unchanged_since(&self, time: u64) -> usize {
        self.history.unchanged_since(time).min(self.uncommitted.unwrap_or(usize::MAX))
    }

    /// New states of this capacity with the first `past` tokens of these.
    async fn copied(&self, model: &Model, capacity: usize, past: usize) -> Result<States, Error> {
        let sizes = Sizes { cache_capacity: capacity, ..self.sizes };
        let mut states = model.weights().states(&self.shapes, sizes).await?;
        let rows: Vec<usize> = (0..sizes.batch).collect();
        for source in [true, false] {
            states.copy_from(&self.states, &copy_ranges(&self.shapes, source, &rows, [self.sizes, sizes], past))?;
        }
        Ok(states)
    }

    /// Makes room for longer texts and keeps the first `past` tokens.
    pub async fn grow(&mut self, model: &Model, capacity: usize, past: usize) -> Result<(), Error> {
        self.states = self.copied(model, capacity, past).await?;
        (self.reorder_target, self.sizes.cache_capacity) = (None, capacity);
        self.begin(past);
        Ok(())
    }

    /// Row `r` continues with the tokens of row `rows[r]`, which must have the same row of the source.
    pub async fn reorder(&mut self, model: &Model, rows: &[usize]) -> Result<(), Error> {
        if rows.iter().enumerate().all(|(row, from)| row == *from) {
            return Ok(());
        }
        if self.reorder_target.is_none() {
            self.reorder_target = Some(self.copied(model, self.sizes.cache_capacity, 0).await?);
        }
        let Some(reorder_target) = &mut self.reorder_target else { return Ok(()) };
        let copies = copy_ranges(&self.shapes, false, rows, [self.sizes; 2], self.tokens.length());
        reorder_target.copy_from(&self.states, &copies)?;
        std::mem::swap(&mut self.states, reorder_target);
        self.history.lose(0);
        for list in self.tokens.lists() {
            *list = rows.iter().map(|row| list[*row].clone()).collect();
        }
        Ok(())
    }

    /// Another cache that begins with the same tokens.
    pub async fn fork(&self, model: &Model) -> Result<Self, Error> {
        let past = self.tokens.length();
        Ok(Self {
            states: self.copied(model, self.sizes.cache_capacity, past).await?,
            reorder_target: None,
            shapes: self.shapes.clone(),
            settings: self.settings.clone(),
            source: self.source.clone(),
            tokens: self.tokens.clone(),
            history: History::default(),
            ..*self
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_that_remained_since_a_time_counts() {
        let mut history = History::default();
        assert_eq!(history.unchanged_since(history.time), usize::MAX);
        history.lose(7);
        let later = history.time;
        history.lose(9);
        history.lose(8);
        assert_eq!([history.unchanged_since(0), history.unchanged_since(later)], [7, 8]);
        assert_eq!(history.unchanged_since(history.time), usize::MAX);
        history.lose(3);
        assert_eq!([history.unchanged_since(0), history.unchanged_since(later)], [3, 3]);
        assert_eq!(history.losses.len(), 1, "what no time needs is forgotten");
    }
}
