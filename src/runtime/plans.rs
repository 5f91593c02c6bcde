//! The plans of a context: one for prefill, one for decode steps. A plan is used for every run that fits it.

use super::angles::{Angles, write_tables};
use super::context_options::ContextOptions;
use super::model::Model;
use super::probe_reads::{LARGEST_MAP, add_grid_probe, add_head_probe};
use super::request::{PredictionRows, Request};
use super::taps::of_plan;
use crate::backend::gpu::Gpu;
use crate::backend::{DevicePlan, Reads};
use crate::error::Error;
use crate::model::ModelPlan;
use crate::plan::{Capacity, Part, PlanOptions, Sizes, Value};

/// Identifies a plan of a context. Never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanId(u64);

/// A plan of a context, with buffers on the device.
pub struct ContextPlan {
    pub id: PlanId,
    pub device_plan: DevicePlan,
    /// Logits, top fills or the last hidden state.
    pub result: Value,
    /// −log p of labels, where they are scored.
    pub losses: Option<Value>,
    /// Tokens that were drawn, where the plan draws.
    pub samples: Option<Value>,
    /// Top fills of each layer's input, for the logit lens.
    pub lens: Vec<Value>,
    /// Runs that have used it.
    pub runs: u64,
    options: PlanOptions,
    /// The angles of its rotary tables.
    angles: Option<Angles>,
}

/// The largest number of plans of one context.
const MAX_PLANS: usize = 4;

/// The smallest capacity of a plan in tokens and in prediction rows, unless it is a decode step.
pub const MIN_CAPACITY: [usize; 2] = [32, 4];

/// Plans, the most recently used one last.
#[derive(Default)]
pub struct Plans {
    plans: Vec<ContextPlan>,
    created: u64,
}

impl ContextPlan {
    /// Whether a run of these sizes, with these options, can use it as it is.
    fn fits(&self, options: &PlanOptions, sizes: Sizes) -> bool {
        self.options.capacity.holds(sizes) && self.has_options(options)
    }

    /// Whether its rotary tables have these angles.
    pub fn has_angles(&self, angles: Angles, model: &Model) -> bool {
        self.angles.is_some_and(|before| before.equal(angles, model.architecture()))
    }

    /// Whether it has the same options, apart from the capacity.
    fn has_options(&self, options: &PlanOptions) -> bool {
        let same = self.options == PlanOptions { capacity: self.options.capacity, ..options.clone() };
        same && is_decode(&self.options) == is_decode(options)
    }
}

/// A plan for one more token of a cached text.
fn is_decode(options: &PlanOptions) -> bool {
    options.has_cache && options.capacity.length == 1
}

impl Plans {
    /// The plan for a run, with its rotary tables written. A missing plan is created, with room for grids whose maps have this many rows and columns;
    /// an older one of its kind is freed before, or else the least recently used one that is not `pinned`.
    pub async fn get(
        &mut self,
        model: &Model,
        options: PlanOptions,
        sizes: Sizes,
        angles: Angles,
        map_side: usize,
        pinned: [Option<PlanId>; 2],
    ) -> Result<&mut ContextPlan, Error> {
        if let Some(at) = self.plans.iter().position(|plan| plan.fits(&options, sizes)) {
            let plan = self.plans.remove(at);
            self.plans.push(plan);
        } else {
            let recorded = model.architecture().record(&options)?;
            let outgrown = self.plans.iter().position(|plan| plan.has_options(&options));
            let oldest = || self.plans.iter().position(|plan| !pinned.contains(&Some(plan.id)));
            if let Some(at) = outgrown.or_else(|| oldest().filter(|_| self.plans.len() >= MAX_PLANS)) {
                self.plans.remove(at);
            }
            let (read_back, results) = result_capacity(&recorded, &options, map_side);
            let ModelPlan { plan, result, losses, samples, lens } = recorded;
            let device_plan = model.weights().allocate(plan, read_back, results).await?;
            self.created += 1;
            let id = PlanId(self.created);
            let (angles, runs) = (None, 0);
            self.plans.push(ContextPlan { id, device_plan, result, losses, samples, lens, options, angles, runs });
        }
        let context_plan =
            self.plans.last_mut().ok_or_else(|| Error::Internal { reason: "a context has no plan".into() })?;
        if !context_plan.has_angles(angles, model) {
            write_tables(&mut context_plan.device_plan, model, angles);
            context_plan.angles = Some(angles);
        }
        context_plan.runs += 1;
        Ok(context_plan)
    }

    pub fn find(&self, id: PlanId) -> Option<&ContextPlan> {
        self.plans.iter().find(|plan| plan.id == id)
    }

    pub fn find_mut(&mut self, id: PlanId) -> Option<&mut ContextPlan> {
        self.plans.iter_mut().find(|plan| plan.id == id)
    }

    pub fn bytes(&self) -> u64 {
        self.plans.iter().map(|plan| plan.device_plan.bytes()).sum()
    }
}

/// Numbers that one run of a plan reads back, and that the probes after it write, at its full capacity.
fn result_capacity(recorded: &ModelPlan, options: &PlanOptions, map_side: usize) -> (u64, u64) {
    let plan = &recorded.plan;
    let full = Sizes::from(options.capacity);
    let results = |part| match plan.heads(part).as_slice() {
        [] => 0,
        all @ [heads, ..] => {
            let (mut map, mut grid) = (Reads::default(), Reads::default());
            let _ = add_head_probe(&mut map, heads, 0, full);
            let _ = add_grid_probe(&mut grid, all, map_side, full);
            map.result_numbers().min(LARGEST_MAP).max(grid.result_numbers())
        }
    };
    let results = results(options.part).max(results(Part::Cross));
    let taps = plan.taps.iter().map(|(_, view)| view.value());
    let values = [Some(recorded.result), recorded.losses, recorded.samples].into_iter().flatten();
    let read = values.chain(recorded.lens.iter().copied()).chain(taps);
    let read_back = read.map(|value| plan.elements(value, full)).fold(results, u64::saturating_add);
    (read_back, results)
}

/// The options of a request's plan. Its capacity has room to grow unless the context's buffers are exact.
pub fn plan_options(
    model: &Model,
    context: ContextOptions,
    part: Part,
    request: &Request,
    sizes: Sizes,
    keeps_heads: bool,
) -> PlanOptions {
    let (facts, gpu) = (model.facts(), model.device().map(|device| &device.gpu));
    let grown = |size: usize, least: usize| if context.exact { size } else { size.max(least).next_power_of_two() };
    let longest = facts.part(part).longest.and_then(|longest| usize::try_from(longest).ok()).unwrap_or(usize::MAX);
    let cached = sizes.cache_capacity > 0;
    let [least_length, least_rows] = MIN_CAPACITY;
    let length = match sizes.length {
        1 if cached && sizes.past > 0 => 1,
        length => grown(length, least_length).min(longest.max(length)),
    };
    let keys = if cached { sizes.cache_capacity.max(length) } else { length };
    let rows = grown(sizes.rows.max(1), least_rows);
    let capacity = Capacity { keys, source: sizes.source_capacity, ..Capacity::new(sizes.batch, length, rows) };
    PlanOptions {
        capacity,
        part,
        taps: of_plan(&request.taps, part),
        keeps_heads,
        has_cache: cached,
        // Fills are of gathered rows, even where those are all rows.
        gathers_rows: sizes.rows > 0 || request.rows != PredictionRows::All,
        top_k: request.top_k,
        has_penalty: request.penalty.is_some(),
        has_bans: request.bans.is_some(),
        draws: request.draws.is_some(),
        scores_labels: request.labels.is_some(),
        has_lens: request.lens,
        interventions: request.interventions.of_plan(facts),
        splits_work: gpu.is_some(),
        f16_weights: gpu.is_some_and(Gpu::has_f16_weights),
        f16_cache: cached && context.stores_f16(keeps_heads),
    }
}
