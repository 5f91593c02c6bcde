//! The state that a context shares with its runs.

use super::cache::KvCache;
use super::context_options::ContextOptions;
use super::encoded_source::EncodedSource;
use super::in_flight::InFlight;
use super::model::Model;
use super::plans::{PlanId, Plans};
use super::request::Request;
use super::taps::{Origin, origin};
use crate::backend::States;
use crate::error::Error;
use std::cell::{RefCell, RefMut};

/// The state that a context shares with the runs that it made.
pub struct Inner {
    pub model: Model,
    pub options: ContextOptions,
    pub plans: Plans,
    /// The cache of a text that continues.
    pub cache: Option<KvCache>,
    /// Caches so far.
    pub caches: u64,
    /// The plan that ran last over the cache.
    pub cached_plan: Option<PlanId>,
    pub source: Option<EncodedSource>,
    /// Sources so far.
    pub sources: u64,
    /// Decode steps that were submitted before the one in front of them was read.
    pub in_flight: Option<InFlight>,
    /// The most rows and columns of a map in the last grid; 0 before the first.
    pub map_side: usize,
}

pub fn borrow(inner: &RefCell<Inner>) -> Result<RefMut<'_, Inner>, Error> {
    inner.try_borrow_mut().map_err(|_| Error::Busy)
}

impl Inner {
    /// The state of an empty context.
    pub fn new(model: Model, options: ContextOptions) -> Self {
        Self {
            model,
            options,
            plans: Plans::default(),
            cache: None,
            caches: 0,
            cached_plan: None,
            source: None,
            sources: 0,
            in_flight: None,
            map_side: 0,
        }
    }

    /// Whether the heads of a request's run are stored for questions.
    pub fn keeps_heads(&self, request: &Request) -> bool {
        self.options.keep_heads
            || request.selection.is_some()
            || request.taps.iter().any(|site| origin(site.tensor) != Origin::Plan)
    }

    /// The plans that questions about the cache and about the source need.
    pub fn pinned(&self) -> [Option<PlanId>; 2] {
        let source = self.source.as_ref().and_then(|source| source.run).map(|(run, _)| run.plan);
        [self.cached_plan, source]
    }

    /// Bytes of plans, cache and source.
    pub fn bytes(&self) -> u64 {
        let source = self.source.as_ref().map_or(0, |source| States::bytes(&source.states));
        self.plans.bytes() + self.cache.as_ref().map_or(0, KvCache::bytes) + source
    }
}
