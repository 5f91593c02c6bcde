//! Greedy decoding on the GPU: the best id of a step feeds the next one on the device, so that several are on their way while the
//! host takes in the oldest. What is on its way is part of no text yet: whoever else runs overwrites it.

use super::backend::{Asked, PlanId, StatesId};
use super::generate::Generation;
use super::loaded::{Ran, Session, fills, turned};
use super::rotary::Turned;
use super::{Fill, Request};
use crate::backend::Read;
use crate::error::Error;
use crate::model::Attention;
use crate::ops::Feed;
use crate::plan::{Input, Op, Part, Sizes, Value};

/// Steps that are on their way at most.
const MOST: usize = 4;

/// Steps of one text that are on their way.
pub(super) struct Ahead {
    plan: PlanId,
    top: Value,
    states: StatesId,
    context: usize,
    /// What the plan's tables were written for.
    turned: Turned,
    /// The run of the oldest one: all its ids are known. The next run, where none is on its way.
    oldest: Request,
    /// Counts those that arrived; berths are taken in turn.
    arrived: usize,
    count: usize,
    dispatches: usize,
    /// Whether nothing else ran since: another step can follow.
    goes_on: bool,
}

impl Ahead {
    /// Something else is about to run: no further step follows those on their way, which can still be read.
    pub fn end(&mut self) {
        self.goes_on = false;
    }
}

impl Session {
    /// Steps that are on their way.
    pub fn steps_ahead(&self) -> usize {
        self.ahead.as_ref().map_or(0, |ahead| ahead.count)
    }

    /// The fills that a request would give, with the dispatches that made them, if it is the oldest step on its way; if it is
    /// not, none of them is wanted any more.
    ///
    /// # Errors
    /// A lost device.
    pub(super) async fn arrived(&mut self, request: &Request) -> Result<Option<(Vec<Vec<Fill>>, usize)>, Error> {
        let wanted = |ahead: &Ahead| ahead.count > 0 && ahead.oldest == *request && self.plans.holds(ahead.plan);
        let Some(mut ahead) = self.ahead.take().filter(wanted) else { return Ok(None) };
        let read = self.backend.arrived(ahead.plan, berth(ahead.arrived)).await?.concat();
        ahead.arrived += 1;
        ahead.count -= 1;
        // After another run the states may hold its text.
        if let Some(sequence) = self.sequence.as_mut().filter(|_| ahead.goes_on) {
            sequence.take(request, turned(request));
        }
        let top = fills(&read, request.top_k);
        let dispatches = ahead.dispatches;
        self.ahead = Some(ahead);
        Ok(Some((top, dispatches)))
    }

    /// Sends the next steps on their way, where a GPU can go on by itself.
    ///
    /// # Errors
    /// No room; a lost device.
    pub(super) async fn run_ahead(&mut self, generation: &Generation) -> Result<(), Error> {
        // A step on its way has changed what a recurrent state sums up: no other run could come in between.
        if !generation.is_greedy() || self.gpu().is_none() || self.facts().attention != Attention::Softmax {
            return Ok(());
        }
        let oldest = generation.request(self.facts(), 0);
        let ahead = match self.ahead.take() {
            Some(ahead) if ahead.goes_on || ahead.count > 0 => Some(Ahead { oldest, ..ahead }),
            _ => self.set_out(oldest).await?,
        };
        let Some(mut ahead) = ahead else { return Ok(()) };
        while ahead.goes_on && ahead.count < MOST && self.send(&mut ahead, generation)? {}
        self.ahead = Some(ahead);
        Ok(())
    }

    /// Makes what steps need, where the text before this run is all in the cache, and the run finds room there.
    async fn set_out(&mut self, next: Request) -> Result<Option<Ahead>, Error> {
        let (turned, last) = (turned(&next), next.length - 1);
        let Some(sequence) = &mut self.sequence else { return Ok(None) };
        let (states, context) = (sequence.states(), sequence.context());
        if sequence.shared(&next, turned, last, &self.model) != last || next.length > context {
            return Ok(None);
        }
        sequence.cut(last);
        let planned = self.planned(Part::Decoder, &next, self.step_sizes(&next, context)).await?;
        let (plan, top) = (planned.id, planned.result);
        let of_step = |ran: Ran| Ran { plan, sizes: Sizes { context, ..ran.sizes }, ..ran };
        self.last = self.last.and_then(|ran| match ran.states == Some(states) {
            // What lies behind this text is overwritten.
            true => (ran.sizes.keys() <= last).then(|| ran.seen_from(of_step(ran))),
            false => Some(ran),
        });
        let (oldest, goes_on) = (next, true);
        Ok(Some(Ahead { plan, top, states, context, turned, oldest, arrived: 0, count: 0, dispatches: 0, goes_on }))
    }

    /// One more token of each text.
    fn step_sizes(&self, request: &Request, context: usize) -> Sizes {
        let memory = self.plans.source.as_ref().map(|source| source.memory.sizes).unwrap_or_default();
        let Sizes { source, source_context, .. } = memory;
        let past = request.length - 1;
        Sizes { past, context, source, source_context, ..Sizes::new(request.batch, 1, request.batch) }
    }

    /// Sends one more step on its way; false where it would need more room or other tables, or nobody wants it.
    fn send(&mut self, ahead: &mut Ahead, generation: &Generation) -> Result<bool, Error> {
        let facts = &self.model.facts;
        let request = generation.request(facts, ahead.count);
        let fits = request.length <= ahead.context && ahead.turned.serves(turned(&request), &self.model);
        if !fits || generation.is_full(facts, ahead.count) {
            return Ok(false);
        }
        let sizes = self.step_sizes(&request, ahead.context);
        let mut inputs = request.inputs(facts, sizes.past)?;
        if ahead.count > 0 {
            // The step before it leaves them on the device.
            inputs.ids.clear();
        }
        let feed: [Box<dyn Op>; 1] = [Box::new(Feed { top: ahead.top, k: request.top_k, to: Input::Ids.into() })];
        let reads = [Read { of: ahead.top.into(), first: 0, count: 2 * request.top_k * sizes.rows }];
        let asked = Asked { questions: &feed, numbers: 0, reads: &reads };
        let berth = berth(ahead.arrived + ahead.count);
        ahead.dispatches = self.backend.send((ahead.plan, ahead.states), &inputs, sizes, asked, berth)?;
        ahead.count += 1;
        Ok(true)
    }
}

/// Where the n-th step is read back from; the first berth is that of runs which are waited for.
fn berth(step: usize) -> usize {
    1 + step % MOST
}
