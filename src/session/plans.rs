//! The plans of a session: a prefill and a one-token step live side by side; each serves every run that fits it.

use super::backend::{Backend, PlanId};
use super::heads::{LARGEST_MAP, head_questions, picture_questions};
use super::rotary::Turned;
use super::source::Source;
use crate::error::Error;
use crate::model::{Model, Purpose, Recorded};
use crate::plan::{Part, Sizes, Value};

/// A plan that is laid out, and what of it is current.
pub struct Planned {
    pub id: PlanId,
    /// Logits, top fills or the last hidden state.
    pub result: Value,
    /// −log p of labels, where they are scored.
    pub losses: Option<Value>,
    /// Logits or the last hidden state, where they are kept after a run.
    pub compared: Option<Value>,
    /// Top fills of what enters each layer, where they are asked for.
    pub lens: Vec<Value>,
    purpose: Purpose,
    /// What its rotary tables were written for.
    pub turned: Option<Turned>,
    /// How often it was taken for a run.
    runs: u64,
}

/// Most plans that are kept at once.
const MOST: usize = 4;

/// Plans, the latest used last, and the source that was read last by them.
#[derive(Default)]
pub struct Plans {
    planned: Vec<Planned>,
    pub source: Option<Source>,
}

impl Planned {
    /// Whether a run of these sizes, for this purpose, can use it as it is.
    fn serves(&self, wanted: &Purpose, sizes: Sizes) -> bool {
        self.purpose.capacity.holds(sizes) && self.same_kind(wanted) && self.is_step() == is_step(wanted)
    }

    /// Whether it is for the same purpose, whatever its size.
    fn same_kind(&self, wanted: &Purpose) -> bool {
        self.purpose == Purpose { capacity: self.purpose.capacity, ..wanted.clone() }
    }

    fn is_step(&self) -> bool {
        is_step(&self.purpose)
    }
}

/// A plan for one more token of a text.
fn is_step(purpose: &Purpose) -> bool {
    purpose.cached && purpose.capacity.length == 1
}

impl Plans {
    /// The plan for the next run, laid out if it is not there, with room for pictures of so large cells. An older one of its kind gives
    /// its memory back before.
    ///
    /// # Errors
    /// Those of recording and of laying out.
    pub async fn get(
        &mut self,
        backend: &mut Backend,
        model: &Model,
        purpose: Purpose,
        sizes: Sizes,
        cell: usize,
    ) -> Result<&mut Planned, Error> {
        if let Some(at) = self.planned.iter().position(|plan| plan.serves(&purpose, sizes)) {
            let plan = self.planned.remove(at);
            self.planned.push(plan);
        } else {
            let recorded = model.record(&purpose)?;
            let stale = |plan: &Planned| plan.same_kind(&purpose) && plan.is_step() == is_step(&purpose);
            if let Some(at) = self.planned.iter().position(stale) {
                backend.drop_plan(self.planned.remove(at).id);
            } else if self.planned.len() == MOST {
                backend.drop_plan(self.planned.remove(0).id);
            }
            let full = Sizes::from(purpose.capacity);
            let answer = |part| match recorded.plan.heads(part).as_slice() {
                [] => 0,
                all @ [heads, ..] => {
                    let map = head_questions(heads, 0, full).numbers().min(LARGEST_MAP);
                    map.max(picture_questions(all, cell, full).numbers())
                }
            };
            let answer = answer(purpose.part).max(answer(Part::Cross));
            let taps =
                recorded.plan.taps.iter().map(|(_, view)| recorded.plan.elements(view.value(), full)).sum::<u64>();
            let results = [Some(recorded.result), recorded.losses].into_iter().flatten();
            let results = results.chain(recorded.lens.iter().copied());
            let results = results.map(|value| recorded.plan.elements(value, full)).fold(0, u64::saturating_add);
            let read_back = results.saturating_add(taps).saturating_add(answer);
            let Recorded { plan, result, compared, losses, lens } = recorded;
            let id = backend.lay_out(plan, read_back, answer).await?;
            self.planned.push(Planned { id, result, compared, losses, lens, purpose, turned: None, runs: 0 });
        }
        let planned = self.planned.last_mut().ok_or_else(|| Error::InvalidInput { reason: "no plan".into() })?;
        planned.runs += 1;
        Ok(planned)
    }

    /// Makes a plan the latest used: others are given back before it.
    pub fn touch(&mut self, id: PlanId) {
        if let Some(at) = self.planned.iter().position(|plan| plan.id == id) {
            self.planned[at..].rotate_left(1);
        }
    }

    /// Gives the memory of the last source back.
    pub fn drop_source(&mut self, backend: &mut Backend) {
        if let Some(source) = self.source.take() {
            backend.drop_states(source.memory.states);
        }
    }

    /// Gives all of them back.
    pub fn clear(&mut self, backend: &mut Backend) {
        self.drop_source(backend);
        self.planned.drain(..).for_each(|plan| backend.drop_plan(plan.id));
    }

    /// How often a plan was taken for a run; `None` where it is not there any more.
    pub fn runs(&self, id: PlanId) -> Option<u64> {
        self.planned.iter().find(|plan| plan.id == id).map(|plan| plan.runs)
    }

    /// Whether a plan is still there.
    pub fn holds(&self, id: PlanId) -> bool {
        self.planned.iter().any(|plan| plan.id == id)
    }
}
