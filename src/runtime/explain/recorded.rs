//! The forward pass with every tap, and how each of its numbers follows from others.

use super::attention::{self, LayerHeads, LayersOfHeads};
use crate::error::Error;
use crate::model::Architecture;
use crate::plan::{
    Capacity, Cell, Derivation, Function, Index, LinearCell, Operand, Part, Plan, PlanOptions, RowStatistic, Site,
    TapView, TensorName, Use, Value,
};
use crate::runtime::request::Request;
use crate::runtime::taps::{Origin, of_plan, origin, tap_sites};
use std::ops::Range;

/// The plans of a model's parts with every tap. They are recorded only, for no device.
pub struct Recorded {
    /// The decoder's, and the encoder's if there is one.
    plans: Vec<RecordedPlan>,
    heads: LayersOfHeads,
}

/// A plan with every tap, and the names of its values.
pub struct RecordedPlan {
    pub plan: Plan,
    /// The steps that write each value, in order.
    writers: Vec<Vec<usize>>,
    /// The taps of each value, the best name first.
    names: Vec<Vec<(Site, TapView)>>,
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
            let options = PlanOptions { part, taps, keeps_heads: true, ..PlanOptions::new(capacity) };
            plans.push(RecordedPlan::new(architecture.record(&options)?.plan));
        }
        let padding = |mask: Option<&Vec<u32>>, length| {
            mask.map_or_else(|| vec![false; length], |mask| mask.iter().map(|visible| *visible == 0).collect())
        };
        let text = padding(request.attention_mask.as_ref(), request.length);
        let of_source = request.source.as_ref().and_then(|source| source.attention_mask.as_ref());
        let source = padding(of_source, source_length);
        let layers = Part::ALL.map(|part| plans.iter().flat_map(|plan| plan.heads(part)).collect());
        Ok(Self { plans, heads: LayersOfHeads { facts, layers, text, source } })
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
        let tracer = Tracer { recorded: self, plan, site };
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

fn underivable(site: Site) -> Error {
    Error::Internal { reason: format!("no op derives {site}") }
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

/// The mean or the scale of columns of a row.
fn statistic(value: Value, row: usize, columns: Range<usize>, of: RowStatistic) -> Derivation {
    let mean = Derivation::Statistic { value, row, columns: columns.clone(), of: RowStatistic::Mean };
    of.expand(columns.map(|column| Derivation::value("x", value, row, column)), mean)
}

impl RecordedPlan {
    /// The values that a step writes.
    pub fn written_by(&self, step: usize) -> Vec<Value> {
        self.plan.steps[step].uses().iter().filter(|used| used.writes()).filter_map(Use::value).collect()
    }

    /// The tensor that a value is all of, or the heads of.
    pub fn name(&self, value: Value) -> Option<Site> {
        let is_all = |view: &TapView| matches!(view, TapView::Value(_)) || view.cell([0; 3]) == [0, 0];
        self.names[value.index()]
            .iter()
            .find(|(_, view)| is_all(view) && view.index(0, 0).is_some())
            .map(|(site, _)| *site)
    }

    /// The tensor of a linear layer that an epilogue fuses, as a tap computes it once more.
    pub fn twin_of(&self, linear: &LinearCell) -> Option<Site> {
        self.twin(&Derivation::Linear(*linear), None).map(|site| site.with_index([Index::All; 3]))
    }

    /// The tensors that attribution reads: of the residual stream, of heads and feed-forward networks, and of the output head.
    pub fn vectors(&self) -> impl Iterator<Item = Site> {
        use TensorName as T;
        let of_stream: fn(T) -> bool =
            |tensor| matches!(tensor, T::HiddenStates | T::LayerResidual | T::Residual | T::NormInput(_));
        let of_sublayer: fn(T) -> bool =
            |tensor| matches!(tensor, T::Norm(_) | T::Head | T::FeedForward | T::FeedForwardActivated | T::FinalNorm);
        let of_output: fn(T) -> bool = |tensor| matches!(tensor, T::OutputDense | T::OutputActivated | T::OutputNorm);
        let is_read = move |site: &Site| [of_stream, of_sublayer, of_output].iter().any(|of| of(site.tensor));
        self.plan.taps.iter().map(|(site, _)| *site).filter(is_read)
    }

    fn new(plan: Plan) -> Self {
        let mut writers = vec![Vec::new(); plan.shapes.len()];
        for (step, op) in plan.steps.iter().enumerate() {
            for value in op.uses().iter().filter(|used| used.writes()).filter_map(Use::value) {
                writers[value.index()].push(step);
            }
        }
        let mut names = vec![Vec::new(); plan.shapes.len()];
        for rank in 0..RANKS {
            for (site, view) in plan.taps.iter().filter(|(site, _)| rank_of(site.tensor) == rank) {
                names[view.value().index()].push((*site, *view));
            }
        }
        Self { plan, writers, names }
    }

    /// The name of a number that another op derives in the same way: a plan computes once more what a tap reads and an epilogue fuses. Not
    /// `explained`, whose own derivation it is.
    fn twin(&self, derivation: &Derivation, explained: Option<Site>) -> Option<Site> {
        let [row, column] = place_of_twin(derivation)?;
        let is_twin = |value: Value| {
            let step = *self.writers[value.index()].last()?;
            let other = self.plan.steps[step].derive(value, row, column)?;
            (other == *derivation).then_some(())
        };
        let mut named = self.names.iter().flatten();
        named.find_map(|(site, view)| {
            let site = site.with_index(view.index(row, column)?);
            is_twin(view.value()).filter(|()| Some(site) != explained).map(|()| site)
        })
    }

    /// The heads of each layer of a part.
    fn heads(&self, part: Part) -> impl Iterator<Item = LayerHeads> {
        let tap = move |tensor: TensorName, layer| self.plan.tap(tensor.at(layer).in_part(part));
        self.plan.heads(part).into_iter().enumerate().map(move |(layer, heads)| {
            let rotated = tap(TensorName::QueryRotated, layer);
            LayerHeads { heads, rotates: rotated.is_some() && rotated != tap(TensorName::Query, layer) }
        })
    }

    /// The width of a value's rows.
    pub fn width(&self, value: Value) -> usize {
        self.plan.shapes[value.index()].fixed_width().unwrap_or(0)
    }
}

const RANKS: u8 = 3;

/// Of several names of one value the one with the lowest rank is used: the residual stream and its terms first, the input of a norm last.
fn rank_of(tensor: TensorName) -> u8 {
    use TensorName as T;
    match tensor {
        T::HiddenStates | T::LayerResidual | T::Residual | T::AttentionOutput | T::FeedForwardOutput => 0,
        T::NormInput(_) => 2,
        _ => 1,
    }
}

/// Traces a number of a plan back to numbers that have names.
struct Tracer<'a> {
    recorded: &'a Recorded,
    plan: &'a RecordedPlan,
    /// The number that is explained. It names the layer of attention weights.
    site: Site,
}

impl Tracer<'_> {
    /// What the last op before step `before` wrote there, and the step of that op.
    fn written(&self, value: Value, row: usize, column: usize, before: usize) -> Result<(Derivation, usize), Error> {
        let steps = &self.plan.writers[value.index()];
        let step = steps.iter().rev().find(|step| **step < before).ok_or_else(|| underivable(self.site))?;
        let derivation = self.plan.plan.steps[*step].derive(value, row, column);
        Ok((derivation.ok_or_else(|| underivable(self.site))?, *step))
    }

    /// A derivation whose operands have names. step: that of the op which reads them.
    fn expand(&self, derivation: Derivation, step: usize) -> Result<Derivation, Error> {
        match derivation {
            Derivation::Linear(linear) => self.resolve_parts(linear.expand(), step),
            Derivation::Norm(norm) => self.resolve_parts(norm.expand(), step),
            // Its own name is no explanation.
            lookup @ Derivation::Cell(_, Cell::Lookup { .. }) => Ok(lookup),
            Derivation::Cell(..) | Derivation::Statistic { .. } | Derivation::WeightedValues { .. } => {
                self.resolve(derivation, step)
            }
            other => self.resolve_parts(other, step),
        }
    }

    fn resolve_parts(&self, derivation: Derivation, step: usize) -> Result<Derivation, Error> {
        let all = |parts: Vec<Derivation>| {
            parts.into_iter().map(|part| self.resolve(part, step)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match derivation {
            Derivation::Sum(parts) => Derivation::Sum(all(parts)?),
            Derivation::Series(parts) => Derivation::Series(all(parts)?),
            Derivation::Product(parts) => Derivation::Product(all(parts)?),
            Derivation::Maximum(parts) => Derivation::Maximum(all(parts)?),
            Derivation::Function(function, of) => self.resolve(*of, step)?.apply(function),
            other => other,
        })
    }

    /// A number by its name if it has one, else by what it follows from.
    fn resolve(&self, derivation: Derivation, step: usize) -> Result<Derivation, Error> {
        if let Some(site) = self.plan.twin(&derivation, Some(self.site)) {
            return Ok(Derivation::site(name_of_term(site), site));
        }
        match derivation {
            Derivation::Cell(name, Cell::Value { value, row, column }) => match self.name(value, row, column, step) {
                Some(site) => Ok(Derivation::site(name, site)),
                None => {
                    let (derivation, step) = self.written(value, row, column, step)?;
                    self.resolve(derivation, step)
                }
            },
            Derivation::Statistic { value, row, ref columns, of } => {
                let tap = (TapView::Statistic { value, of }, 0..self.plan.width(value));
                let mut names = self.plan.names[value.index()].iter();
                let named = names.find(|(_, view)| (*view, columns.clone()) == tap);
                match named {
                    Some((site, _)) => {
                        let name = if of == RowStatistic::Mean { "mean" } else { "scale" };
                        Ok(Derivation::site(name, site.with_index([Index::At(row)])))
                    }
                    None => self.resolve_parts(statistic(value, row, columns.clone(), of), step),
                }
            }
            Derivation::WeightedValues { row, head, values, column } => {
                let keys = 0..self.recorded.heads.keys(self.site.part).len();
                let terms = keys.map(|key| {
                    let value = match values.operand {
                        Operand::Value(value) => {
                            self.resolve(Derivation::value("value", value, key, values.first + column), step)?
                        }
                        _ => attention::value_of_source(&self.recorded.heads, self.site, [head, key, column])?,
                    };
                    Ok(attention::weight(self.site, [head, row, key]).times([value]))
                });
                Ok(Derivation::Series(terms.collect::<Result<_, Error>>()?))
            }
            Derivation::Cell(..) => Ok(derivation),
            other => self.expand(other, step),
        }
    }

    /// The name of a number as the op at `step` reads it.
    fn name(&self, value: Value, row: usize, column: usize, step: usize) -> Option<Site> {
        // Names are those of the last version of a value that is changed in place.
        if self.plan.writers[value.index()].last().is_some_and(|last| *last >= step) {
            return None;
        }
        let mut names = self.plan.names[value.index()].iter();
        names.find_map(|(site, view)| Some(site.with_index(view.index(row, column)?)))
    }
}

/// The row and the column of a number that a tap may compute once more.
fn place_of_twin(derivation: &Derivation) -> Option<[usize; 2]> {
    match derivation {
        Derivation::Linear(linear) => Some([linear.row, linear.column]),
        Derivation::Norm(norm) => Some([norm.row, norm.column]),
        Derivation::Function(Function::Activation(_), of) => place_of_twin(of),
        Derivation::Cell(_, Cell::Lookup { token, column, .. }) => Some([*token, *column]),
        Derivation::Product(factors) => match factors.first() {
            Some(lookup @ Derivation::Cell(_, Cell::Lookup { .. })) => place_of_twin(lookup),
            _ => None,
        },
        _ => None,
    }
}

/// The name in a formula of a number that a tap computes once more.
fn name_of_term(site: Site) -> &'static str {
    use TensorName as T;
    match site.tensor {
        T::AttentionOutput if site.part == Part::Cross => "cross-attention",
        T::AttentionOutput => "attention",
        T::FeedForwardOutput => "feed-forward",
        T::FeedForwardInner | T::OutputDense => "inner",
        T::FeedForwardGate => "gate",
        T::FeedForwardActivated => "activated",
        T::WordEmbeddings => "word",
        T::PositionEmbeddings => "position",
        T::TypeEmbeddings => "type",
        _ => "x",
    }
}
