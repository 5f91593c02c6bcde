//! Decoding on a GPU: the best id of a step, or the drawn one, feeds the next step on the device, so that several steps are in flight
//! while the host reads the oldest. They are not committed to the cache before they are read: any other run may overwrite them.

use super::generation::Generation;
use crate::backend::{Reads, Ticket};
use crate::error::Error;
use crate::model::Attention;
use crate::ops::{Feed, SAMPLE_NUMBERS};
use crate::plan::{Input, Part, Sizes};
use crate::runtime::angles::Angles;
use crate::runtime::in_flight::InFlight;
use crate::runtime::inner::Inner;
use crate::runtime::plans::plan_options;
use crate::runtime::request::Request;
use crate::runtime::result::{StepResults, samples};
use std::collections::VecDeque;

/// Steps in flight at most.
const MOST: usize = 4;

impl Inner {
    /// The results of a request and the dispatches that made them, if it is the oldest step in flight. If it is not, all steps are dropped.
    pub async fn finish_step(&mut self, request: &Request) -> Result<Option<(StepResults, usize)>, Error> {
        let in_flight = self.in_flight.as_mut().filter(|in_flight| in_flight.oldest == *request);
        let plan = in_flight.as_ref().and_then(|in_flight| self.plans.find_mut(in_flight.plan));
        let Some((in_flight, plan)) = in_flight.zip(plan).filter(|(in_flight, _)| !in_flight.steps.is_empty()) else {
            self.in_flight = None;
            return Ok(None);
        };
        // Where this future is dropped at its await, the step stays in flight.
        let mut read_back = match plan.device_plan.finish_in_flight(slot(in_flight.read)).await {
            Ok(read_back) => read_back,
            Err(error) => {
                self.in_flight = None;
                return Err(error);
            }
        };
        let Some(ticket) = in_flight.steps.pop_front() else { return Ok(None) };
        in_flight.read += 1;
        // After another run the cache may hold that run's text.
        if let Some(cache) = self.cache.as_mut().filter(|_| in_flight.open) {
            cache.commit(request, &self.model);
            cache.begin(request.length);
        }
        let (top, drawn) = ticket.take(&mut read_back);
        Ok(Some(((request.fills(&top), samples(&drawn)), in_flight.dispatches)))
    }

    /// Submits the next steps, if a GPU decodes without the host.
    pub async fn submit_steps(&mut self, generation: &Generation) -> Result<(), Error> {
        let facts = self.model.facts();
        // A step in flight has changed the sums of a recurrent state: no other run can come in between.
        if !generation.needs_no_ids() || self.model.gpu().is_none() || facts.attention != Attention::Softmax {
            return Ok(());
        }
        let oldest = generation.request(facts, 0);
        match &mut self.in_flight {
            Some(in_flight) if in_flight.open || !in_flight.steps.is_empty() => in_flight.oldest = oldest,
            _ => self.in_flight = self.first_step(oldest).await?,
        }
        while self.submit_step(generation)? {}
        Ok(())
    }

    /// Prepares steps in flight; `None` unless the cache has all but the last token of the text, and room for the step.
    async fn first_step(&mut self, next: Request) -> Result<Option<InFlight>, Error> {
        let (angles, last) = (Angles::of(&next), next.length - 1);
        let keeps_heads = self.keeps_heads(&next);
        let sizes = self.step_sizes(&next);
        let Some(cache) = &mut self.cache else { return Ok(None) };
        let id = cache.id;
        let fits = cache.fits(&next, keeps_heads) && next.length <= cache.sizes.cache_capacity;
        if !fits || cache.reusable(&next, last, &self.model) != last {
            return Ok(None);
        }
        cache.begin(last);
        let plan_options = plan_options(&self.model, self.options, Part::Decoder, &next, sizes, keeps_heads);
        let pinned = self.pinned();
        let context_plan = self.plans.get(&self.model, plan_options, sizes, angles, self.map_side, pinned).await?;
        self.cached_plan = Some(context_plan.id);
        Ok(Some(InFlight {
            plan: context_plan.id,
            cache: id,
            oldest: next,
            read: 0,
            steps: VecDeque::new(),
            dispatches: 0,
            open: true,
        }))
    }

    /// The sizes of a step that computes one more token of each text.
    fn step_sizes(&self, request: &Request) -> Sizes {
        let sizes = self.cache.as_ref().map(|cache| cache.sizes).unwrap_or_default();
        Sizes { batch: request.batch, length: 1, past: request.length - 1, rows: request.batch, ..sizes }
    }

    /// Submits one more step. `false`: [`MOST`] steps are in flight, the cache has no room, the rotary tables differ, or no text continues.
    fn submit_step(&mut self, generation: &Generation) -> Result<bool, Error> {
        let count = self.steps_in_flight();
        let facts = self.model.facts();
        let request = generation.request(facts, count);
        let sizes = self.step_sizes(&request);
        let Some(in_flight) = self.in_flight.as_mut().filter(|in_flight| in_flight.open && count < MOST) else {
            return Ok(false);
        };
        let cache = self.cache.as_ref().filter(|cache| cache.id == in_flight.cache);
        let (Some(cache), Some(context_plan)) = (cache, self.plans.find_mut(in_flight.plan)) else { return Ok(false) };
        let same_angles = context_plan.has_angles(Angles::of(&request), &self.model);
        if request.length > cache.sizes.cache_capacity || !same_angles || generation.is_full(facts, count) {
            return Ok(false);
        }
        let mut inputs = request.inputs(facts, sizes.past)?;
        if count > 0 {
            // The step before it leaves them on the device.
            inputs.remove(Input::Ids);
        }
        let mut reads = Reads::default();
        let (k, to) = (request.top_k, Input::Ids.into());
        let top = reads.value(context_plan.result, 2 * k * sizes.rows);
        let step = match context_plan.samples {
            None => {
                reads.probe(Feed { results: context_plan.result, stride: 2 * k, place: k, to });
                top.map(|top| (top, Vec::new()))
            }
            Some(samples) => {
                reads.probe(Feed { results: samples, stride: SAMPLE_NUMBERS, place: 0, to });
                let drawn = reads.value(samples, SAMPLE_NUMBERS * sizes.rows);
                Ticket::new(move |read_back| (top.take(read_back), drawn.take(read_back)))
            }
        };
        let slot = slot(in_flight.read + count);
        in_flight.dispatches =
            context_plan.device_plan.submit_in_flight(&cache.states, &inputs, sizes, &reads, slot)?;
        in_flight.steps.push_back(step);
        Ok(true)
    }

    pub fn steps_in_flight(&self) -> usize {
        self.in_flight.as_ref().map_or(0, |in_flight| in_flight.steps.len())
    }
}

/// The slot that the n-th step is read back from; slot 0 is that of runs which are waited for.
fn slot(step: usize) -> usize {
    1 + step % MOST
}
