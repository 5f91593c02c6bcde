//! Finds the plan and the states of a run, and probes it.

use super::inner::Inner;
use super::plans::ContextPlan;
use super::run_key::{RunKey, StatesOf};
use crate::backend::{Cancellation, ReadBack, Reads, States};
use crate::error::Error;
use crate::plan::{Heads, Part, Sizes};

impl Inner {
    /// The encoder's run before a run of the decoder; the run itself for another part.
    fn run_of_part(&self, run: &RunKey, part: Part) -> Result<RunKey, Error> {
        if (part, run.part) != (Part::Encoder, Part::Decoder) {
            return Ok(*run);
        }
        let source = self.source.as_ref().filter(|source| Some(source.id) == run.source);
        source.and_then(|source| source.run).map(|(run, _)| run).ok_or(Error::Stale)
    }

    /// The plan and the sizes by which a run's results are read: its own, or those of a later run over the same cache.
    pub fn locate(&self, run: &RunKey) -> Result<(&ContextPlan, Sizes), Error> {
        if run.source.is_some() && run.source != self.source.as_ref().map(|source| source.id) {
            return Err(Error::Stale);
        }
        let own = self.plans.find(run.plan).filter(|plan| plan.runs == run.plan_runs);
        let StatesOf::Cache { id, time } = run.states else {
            return own.map(|plan| (plan, run.sizes)).ok_or(Error::Stale);
        };
        let cache = self.cache.as_ref().filter(|cache| cache.id == id).ok_or(Error::Stale)?;
        let keys = run.sizes.keys();
        if cache.unchanged_since(time) < keys {
            return Err(Error::Stale);
        }
        if let Some(plan) = own.filter(|_| cache.sizes.cache_capacity == run.sizes.cache_capacity) {
            return Ok((plan, run.sizes));
        }
        // Position ids in a later plan are those of its own tokens: everything of this run counts as past.
        let plan = self.cached_plan.and_then(|plan| self.plans.find(plan)).ok_or(Error::Stale)?;
        Ok((plan, Sizes { cache_capacity: cache.sizes.cache_capacity, past: keys, length: 0, ..run.sizes }))
    }

    /// The heads of each layer of a part, with the run that computed them and its sizes.
    pub fn heads(&self, run: &RunKey, part: Part) -> Result<(Vec<Heads>, Sizes, RunKey), Error> {
        let facts = self.model.facts();
        facts.check_part(part)?;
        let run = self.run_of_part(run, part)?;
        let (context_plan, sizes) = self.locate(&run)?;
        let heads = context_plan.device_plan.plan().heads(part);
        if heads.is_empty() { Err(Error::NoHeads) } else { Ok((heads, sizes, run)) }
    }

    /// The same, with the states that the run read and wrote, for a probe.
    pub fn locate_mut(&mut self, run: &RunKey) -> Result<(&mut ContextPlan, Option<&mut States>, Sizes), Error> {
        let (context_plan, sizes) = self.locate(run)?;
        let plan = context_plan.id;
        let states = match run.states {
            StatesOf::Nothing => None,
            StatesOf::Source => self.source.as_mut().map(|source| &mut source.states),
            StatesOf::Cache { .. } => self.cache.as_mut().map(|cache| &mut cache.states),
        };
        Ok((self.plans.find_mut(plan).ok_or(Error::Stale)?, states, sizes))
    }

    pub async fn probe(&mut self, run: &RunKey, reads: &Reads, cancel: &dyn Cancellation) -> Result<ReadBack, Error> {
        let (context_plan, states, sizes) = self.locate_mut(run)?;
        context_plan.device_plan.probe(states, sizes, reads, cancel).await
    }
}
