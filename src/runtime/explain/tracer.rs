//! Traces a number of a plan back to numbers that have names.

use super::attention::{self, LayersOfHeads};
use super::recorded_plan::RecordedPlan;
use crate::error::Error;
use crate::plan::{Cell, Derivation, Index, Operand, Part, RowStatistic, Site, TapView, TensorName, Value};
use crate::runtime::interventions::Interventions;
use std::ops::Range;

/// Traces a number of a plan back to numbers that have names.
pub struct Tracer<'a> {
    pub heads: &'a LayersOfHeads,
    /// Those of the text, which put numbers.
    pub interventions: &'a Interventions,
    pub plan: &'a RecordedPlan,
    /// The number that is explained. It names the layer of attention weights.
    pub site: Site,
}

impl Tracer<'_> {
    /// What the last op before step `before` wrote there, and the step of that op; the number of an intervention, where it puts one.
    pub fn written(
        &self,
        value: Value,
        row: usize,
        column: usize,
        before: usize,
    ) -> Result<(Derivation, usize), Error> {
        let steps = &self.plan.writers[value.index()];
        let step = steps.iter().rev().find(|step| **step < before).ok_or_else(|| underivable(self.site))?;
        let derivation = self.plan.plan.steps[*step].derive(value, row, column);
        match derivation.ok_or_else(|| underivable(self.site))? {
            Derivation::Replaceable { site, before } => match (self.interventions.number_at(site), *before) {
                (Some(number), _) => Ok((Derivation::Intervention(number), *step)),
                (None, Derivation::Cell(_, Cell::Value { value, row, column })) => {
                    self.written(value, row, column, *step)
                }
                (None, before) => Ok((before, *step)),
            },
            derivation => Ok((derivation, *step)),
        }
    }

    /// A derivation whose operands have names. step: that of the op which reads them.
    pub fn expand(&self, derivation: Derivation, step: usize) -> Result<Derivation, Error> {
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

    pub fn resolve_parts(&self, derivation: Derivation, step: usize) -> Result<Derivation, Error> {
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
                let keys = 0..self.heads.keys(self.site.part).len();
                let terms = keys.map(|key| {
                    let value = match values.operand {
                        Operand::Value(value) => {
                            self.resolve(Derivation::value("value", value, key, values.first + column), step)?
                        }
                        _ => attention::value_of_source(self.heads, self.site, [head, key, column])?,
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

/// The mean or the scale of columns of a row.
pub fn statistic(value: Value, row: usize, columns: Range<usize>, of: RowStatistic) -> Derivation {
    let mean = Derivation::Statistic { value, row, columns: columns.clone(), of: RowStatistic::Mean };
    of.expand(columns.map(|column| Derivation::value("x", value, row, column)), mean)
}

pub fn underivable(site: Site) -> Error {
    Error::Internal { reason: format!("no op derives {site}") }
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
