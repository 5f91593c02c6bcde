//! The forward pass with every tap, and how each of its numbers follows from others.

use super::attention::{self, LayersOfHeads};
use super::recorded_plan::RecordedPlan;
use super::tracer::{Tracer, statistic, underivable};
use crate::error::Error;
use crate::model::Architecture;
use crate::plan::{
    Capacity, Cell, Derivation, Function, Index, InterventionKinds, Part, PlanOptions, Site, TapView, TensorName,
};
use crate::runtime::interventions::Interventions;
use crate::runtime::request::Request;
use crate::runtime::taps::{Origin, of_plan, origin, tap_sites};

/// The plans of a model's parts with every tap. They are recorded only, for no device.
pub struct Recorded {
    /// The decoder's, and the encoder's if there is one.
    plans: Vec<RecordedPlan>,
    heads: LayersOfHeads,
    /// Those of the text, which put numbers.
    interventions: Interventions,
}

impl Recorded {
    pub fn new(architecture: &Architecture, request: &Request) -> Result<Self, Error> {
        let facts = architecture.facts.clone();
        let source_length = request.source.as_ref().map_or(0, |source| source.length);
        let mut plans = Vec::new();
        for part in [Part::Decoder, Part::Encoder].into_iter().filter(|part| facts.has(*part)) {
            let explained = TensorName::all().filter(|tensor| origin(*tensor) == Origin::Plan);
            let taps = of_plan(&explained.flat_map(|tensor| tap_sites(tensor, &facts)).collect(), part);
            let length = if part == Part::Encoder { source_length } else { request.length };
            let capacity = Capacity { source: source_length, ..Capacity::new(1, length, 1) };
            let interventions = match part {
                Part::Decoder => request.interventions.of_plan(&facts),
                _ => InterventionKinds::default(),
            };
            let options = PlanOptions { part, taps, interventions, keeps_heads: true, ..PlanOptions::new(capacity) };
            plans.push(RecordedPlan::new(architecture.record(&options)?.plan));
        }
        let padding = |mask: Option<&Vec<u32>>, length| {
            mask.map_or_else(|| vec![false; length], |mask| mask.iter().map(|visible| *visible == 0).collect())
        };
        let text = padding(request.attention_mask.as_ref(), request.length);
        let of_source = request.source.as_ref().and_then(|source| source.attention_mask.as_ref());
        let source = padding(of_source, source_length);
        let layers = Part::ALL.map(|part| plans.iter().flat_map(|plan| plan.heads(part)).collect());
        let heads = LayersOfHeads { facts, layers, text, source };
        Ok(Self { plans, heads, interventions: request.interventions.clone() })
    }

    /// The scale of a layer's scores.
    pub fn scale(&self, site: Site) -> f32 {
        self.heads.layer(site).map_or(1.0, |layer| layer.heads.scale)
    }

    /// The plan of the text.
    pub fn decoder(&self) -> &RecordedPlan {
        &self.plans[0]
    }

    /// The layers of the text's part.
    pub fn layers(&self) -> usize {
        self.heads.facts.layers
    }

    /// The size of a part's heads.
    pub fn head_size(&self, part: Part) -> usize {
        self.heads.facts.part(part).head_size.max(1)
    }

    /// The error for a tensor that the model does not compute.
    pub fn no_such_tensor(&self, tensor: Site) -> Error {
        Error::NoSuchTensor { site: tensor.name(self.is_pair()) }
    }

    /// Whether it is an encoder–decoder, whose names have their part in front.
    pub fn is_pair(&self) -> bool {
        self.heads.facts.encoder.is_some()
    }

    /// Whether the model has this tensor, and its numbers have explanations.
    pub fn check(&self, tensor: Site) -> Result<(), Error> {
        match origin(tensor.tensor) {
            Origin::Plan if self.plan_of(tensor).is_some() => Ok(()),
            Origin::Maps => attention::check(tensor, &self.heads.facts),
            Origin::Plan => Err(self.no_such_tensor(tensor)),
            Origin::Heads => Err(Error::NotExplained { site: tensor.name(self.is_pair()) }),
        }
    }

    /// The tensors that a run may as well read with this one: those of its plan and layer.
    pub fn neighbours(&self, tensor: Site) -> impl Iterator<Item = Site> {
        let taps = self.plan_of(tensor).map_or(&[][..], |plan| &plan.plan.taps[..]);
        taps.iter().map(|(site, _)| *site).filter(move |site| site.layer == tensor.layer)
    }

    fn plan_of(&self, tensor: Site) -> Option<&RecordedPlan> {
        self.plans.iter().find(|plan| plan.plan.tap(tensor).is_some())
    }

    /// How the number at a site with one index for each axis follows from numbers that have names.
    pub fn derive(&self, site: Site) -> Result<Derivation, Error> {
        let tensor = site.with_index([Index::All; 3]);
        let Some(plan) = self.plan_of(tensor) else { return attention::derive(&self.heads, site) };
        let tracer = Tracer { heads: &self.heads, interventions: &self.interventions, plan, site };
        let [first, second, third] = site.positions();
        let end = plan.plan.steps.len();
        match plan.plan.tap(tensor) {
            Some(TapView::Softmax(value)) => Ok(softmax(site, plan.width(value))),
            Some(TapView::Statistic { value, of }) => {
                tracer.resolve_parts(statistic(value, first, 0..plan.width(value), of), end)
            }
            Some(view) => {
                let [row, column] = view.cell([first, second, third]);
                let (derivation, step) = tracer.written(view.value(), row, column, end)?;
                tracer.expand(derivation, step).map(|derivation| self.unroll_stream(site, derivation))
            }
            None => Err(underivable(site)),
        }
    }

    /// Writes a sum of the residual stream and a term as the stream's first value and every term that was added to it.
    fn unroll_stream(&self, site: Site, derivation: Derivation) -> Derivation {
        let terms = match derivation {
            Derivation::Sum(terms) if is_stream(site) && terms.iter().all(|term| named(term).is_some()) => terms,
            other => return other,
        };
        let (before, added): (Vec<_>, Vec<_>) = terms.into_iter().partition(|term| named(term).is_some_and(is_stream));
        let unrolled = before.into_iter().flat_map(|term| {
            let before = named(&term).filter(|site| !is_first(*site)).map(|site| self.derive(site));
            match before {
                Some(Ok(Derivation::Sum(terms))) if terms.iter().all(|term| named(term).is_some()) => terms,
                _ => vec![term],
            }
        });
        Derivation::Sum(unrolled.chain(added).collect())
    }
}

/// The site of a number that has a name.
fn named(derivation: &Derivation) -> Option<Site> {
    match derivation {
        Derivation::Cell(_, Cell::Site(site)) => Some(*site),
        _ => None,
    }
}

/// Whether it may be the residual stream.
fn is_stream(site: Site) -> bool {
    use TensorName as T;
    matches!(site.tensor, T::HiddenStates | T::LayerResidual | T::Residual | T::NormInput(_))
}

/// Whether it is the stream before any layer.
fn is_first(site: Site) -> bool {
    site.tensor == TensorName::HiddenStates && site.layer == Some(0)
}

/// e^logit / Σ e^logit over the ids. The run subtracts the largest logit from each, which cancels.
fn softmax(probability: Site, ids: usize) -> Derivation {
    let [row, id, _] = probability.positions();
    let logit = |id| {
        let site = Site { tensor: TensorName::Logits, ..probability };
        Derivation::site("logit", site.with_index([Index::At(row), Index::At(id)])).apply(Function::Exponential)
    };
    logit(id).times([Derivation::Series((0..ids).map(logit).collect()).apply(Function::Reciprocal)])
}
