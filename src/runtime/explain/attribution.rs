//! Direct logit attribution: what the embedding, every head, every feed-forward network and every bias add to one logit. The path goes through
//! the residual stream of the logit's own token, from the output head back. On it the scale of each norm, and the ratio of an activation's
//! result to its input, stay as they are in the run: then all is linear, and the terms add up to the logit.

use super::numbers::Numbers;
use super::recorded::Recorded;
use super::recorded_plan::RecordedPlan;
use crate::backend::Cancellation;
use crate::error::Error;
use crate::plan::{Cell, Derivation, Function, Index, LinearCell, NormCell, Part, Site, TensorName, Value, Weight};
use serde::Serialize;

/// The terms that add up to a logit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attribution {
    /// As the run computed it.
    pub logit: f32,
    /// From the embedding to the output head.
    pub terms: Vec<LogitTerm>,
}

/// What one part of the model adds to a logit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LogitTerm {
    /// The part of the model.
    pub of: TermKind,
    /// Its layer; `None` of the embedding, and of biases after the last layer.
    pub layer: Option<usize>,
    /// Its head.
    pub head: Option<usize>,
    /// The site of the vector that it adds to the residual stream, or the tensor of a bias in the file.
    pub at: String,
    /// What it adds to the logit.
    pub value: f64,
}

/// The parts of a model that add to a logit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TermKind {
    /// The input of the first layer.
    Embedding,
    /// A head of self-attention.
    Head,
    /// A head of cross-attention.
    CrossHead,
    /// A feed-forward network.
    FeedForward,
    /// A bias of a linear layer, or the shift of a norm.
    Bias,
}

/// Follows a logit back. row: the token.
pub(super) struct Attributor<'a> {
    pub recorded: &'a Recorded,
    pub numbers: &'a mut Numbers,
    pub cancel: &'a dyn Cancellation,
    pub row: usize,
}

/// How much a logit changes with each number of a value's row.
struct Gradient {
    value: Value,
    numbers: Vec<f64>,
}

impl Attributor<'_> {
    /// The terms of the logit of token `id`.
    pub async fn attribute(mut self, id: usize) -> Result<Attribution, Error> {
        let plan = self.recorded.decoder();
        let logits = TensorName::Logits.at(0);
        let value = plan.plan.tap(logits).ok_or_else(|| self.recorded.no_such_tensor(logits))?.value();
        let logit = Cell::Site(logits.with_index([self.row, id].map(Index::At)));
        self.numbers.fetch_tensors(plan.vectors(), self.cancel).await?;
        self.numbers.fetch(self.recorded, Part::Decoder, &[logit], self.cancel).await?;
        let mut one = vec![0.0; plan.width(value)];
        *one.get_mut(id).ok_or_else(|| id_out_of_range(logits, plan.width(value)))? = 1.0;
        let mut gradients = vec![Gradient { value, numbers: one }];
        let mut terms = Vec::new();
        for step in (0..plan.plan.steps.len()).rev() {
            for value in plan.written_by(step) {
                let Some(at) = gradients.iter().position(|gradient| gradient.value == value) else { continue };
                let numbers = gradients.swap_remove(at).numbers;
                if let Some(site) = plan.name(value).filter(|site| is_input(*site)) {
                    terms.push(self.term(TermKind::Embedding, site, None, dot(&numbers, &self.vector(site)?)));
                    continue;
                }
                let derivation = plan.plan.steps[step].derive(value, self.row, 0).ok_or_else(|| stuck(plan, value))?;
                for gradient in self.back(plan, derivation, value, numbers, &mut terms).await? {
                    add(&mut gradients, gradient);
                }
            }
        }
        terms.reverse();
        Ok(Attribution { logit: self.numbers.number(&logit, Part::Decoder)?, terms })
    }

    /// The gradients of what an op reads, and its terms. derivation: of the first number of the row that the op writes.
    async fn back(
        &mut self,
        plan: &RecordedPlan,
        derivation: Derivation,
        value: Value,
        gradient: Vec<f64>,
        terms: &mut Vec<LogitTerm>,
    ) -> Result<Vec<Gradient>, Error> {
        Ok(match derivation {
            Derivation::Linear(linear) => self.through_linear(plan, linear, gradient, terms).await?,
            Derivation::Norm(norm) => vec![self.through_norm(plan, &norm, gradient, terms).await?],
            Derivation::Function(Function::Activation(_), of) => {
                let Derivation::Linear(linear) = *of else { return Err(stuck(plan, value)) };
                let (before, after) = (plan.twin_of(&linear), plan.name(value));
                let (Some(before), Some(after)) = (before, after) else { return Err(stuck(plan, value)) };
                let (before, after) = (self.vector(before)?, self.vector(after)?);
                let ratios =
                    before.iter().zip(after).map(|(before, after)| if *before == 0.0 { 0.5 } else { after / before });
                let gradient = gradient.iter().zip(ratios).map(|(number, ratio)| number * ratio).collect();
                self.through_linear(plan, linear, gradient, terms).await?
            }
            Derivation::Cell(_, Cell::Value { value, .. }) => vec![Gradient { value, numbers: gradient }],
            // A factor of the token: padding.
            Derivation::Product(factors) => match factors[..] {
                [Derivation::Cell(_, Cell::Value { value, .. }), Derivation::Cell(_, factor @ Cell::Input { .. })] => {
                    let factor = f64::from(self.numbers.number(&factor, Part::Decoder)?);
                    vec![Gradient { value, numbers: gradient.iter().map(|number| number * factor).collect() }]
                }
                _ => return Err(stuck(plan, value)),
            },
            Derivation::Sum(parts) => {
                let mut gradients = Vec::new();
                for part in parts {
                    gradients.extend(Box::pin(self.back(plan, part, value, gradient.clone(), terms)).await?);
                }
                gradients
            }
            _ => return Err(stuck(plan, value)),
        })
    }

    /// Through x Wᵀ + b. The last linear layer of a sublayer ends the path: its input is no stream.
    async fn through_linear(
        &mut self,
        plan: &RecordedPlan,
        LinearCell { x, weight, bias, .. }: LinearCell,
        gradient: Vec<f64>,
        terms: &mut Vec<LogitTerm>,
    ) -> Result<Vec<Gradient>, Error> {
        let Some(input) = plan.name(x) else { return Err(stuck(plan, x)) };
        if let Some(bias) = bias {
            self.bias(bias, input, &gradient, terms).await?;
        }
        let gradient = self.transposed(weight, &gradient).await?;
        match input.tensor {
            TensorName::Head => {
                let size = self.recorded.head_size(input.part);
                // All terms are turned around in the end.
                for (head, gradient) in gradient.chunks_exact(size).enumerate().rev() {
                    let site = input.with_index([Index::At(head), Index::At(self.row), Index::All]);
                    let vector = (0..size).map(|column| self.numbers.at_index(input, [head, self.row, column]));
                    let vector = vector.collect::<Result<Vec<f64>, _>>()?;
                    let of = if input.part == Part::Cross { TermKind::CrossHead } else { TermKind::Head };
                    terms.push(self.term(of, site, Some(head), dot(gradient, &vector)));
                }
                Ok(Vec::new())
            }
            TensorName::FeedForward | TensorName::FeedForwardActivated => {
                let site = Site { tensor: TensorName::FeedForwardOutput, ..input };
                terms.push(self.term(TermKind::FeedForward, site, None, dot(&gradient, &self.vector(input)?)));
                Ok(Vec::new())
            }
            _ => Ok(vec![Gradient { value: x, numbers: gradient }]),
        }
    }

    /// Through a norm whose scale stays.
    async fn through_norm(
        &mut self,
        plan: &RecordedPlan,
        norm: &NormCell,
        mut gradient: Vec<f64>,
        terms: &mut Vec<LogitTerm>,
    ) -> Result<Gradient, Error> {
        let Some(input) = plan.name(norm.x) else { return Err(stuck(plan, norm.x)) };
        if let Some(shift) = norm.shift {
            self.bias(shift, input, &gradient, terms).await?;
        }
        if let Some(gain) = norm.gain {
            let gains = self.numbers.rows(gain, 0..1, self.cancel).await?;
            gradient.iter_mut().zip(gains).for_each(|(number, gain)| *number *= f64::from(gain));
        }
        let row = self.vector(input)?;
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
        let centre = if norm.centres { mean(&row) } else { 0.0 };
        let squares: Vec<f64> = row.iter().map(|number| (number - centre).powi(2)).collect();
        let scale = (mean(&squares) + f64::from(norm.epsilon)).sqrt().recip();
        let centre = if norm.centres { mean(&gradient) } else { 0.0 };
        Ok(Gradient { value: norm.x, numbers: gradient.iter().map(|number| (number - centre) * scale).collect() })
    }

    /// Adds the term of a bias. input: what its layer or norm reads.
    async fn bias(
        &mut self,
        bias: Weight,
        input: Site,
        gradient: &[f64],
        terms: &mut Vec<LogitTerm>,
    ) -> Result<(), Error> {
        let numbers = self.numbers.rows(bias, 0..1, self.cancel).await?;
        let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
        let at = self.numbers.origin(bias, 0, 0).map_or_else(String::new, |origin| origin.tensor);
        // After the last layer comes the output head.
        let layer = input.layer.filter(|layer| *layer < self.recorded.layers());
        terms.push(LogitTerm { of: TermKind::Bias, layer, head: None, at, value: dot(gradient, &numbers) });
        Ok(())
    }

    /// Wᵀ g, from the rows of W where g is not 0.
    async fn transposed(&mut self, weight: Weight, gradient: &[f64]) -> Result<Vec<f64>, Error> {
        let mut sums = vec![0.0; weight.columns];
        let first = gradient.iter().position(|number| *number != 0.0).unwrap_or(0);
        let end = gradient.iter().rposition(|number| *number != 0.0).map_or(first, |last| last + 1);
        let rows = self.numbers.rows(weight, first..end, self.cancel).await?;
        for (row, number) in rows.chunks_exact(weight.columns.max(1)).zip(&gradient[first..end]) {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += number * f64::from(*weight));
        }
        Ok(sums)
    }

    /// The row of the token in a tensor (row, column).
    fn vector(&self, tensor: Site) -> Result<Vec<f64>, Error> {
        self.numbers.row_of(tensor, self.row)
    }

    fn term(&self, of: TermKind, site: Site, head: Option<usize>, value: f64) -> LogitTerm {
        let site = match head {
            Some(_) => site,
            None => site.with_index([Index::At(self.row), Index::All]),
        };
        LogitTerm {
            of,
            layer: site.layer.filter(|_| of != TermKind::Embedding),
            head,
            at: site.name(self.recorded.is_pair()),
            value,
        }
    }
}

/// Whether it is the input of the first layer.
fn is_input(site: Site) -> bool {
    site.tensor == TensorName::HiddenStates && site.layer == Some(0)
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn add(gradients: &mut Vec<Gradient>, gradient: Gradient) {
    match gradients.iter_mut().find(|other| other.value == gradient.value) {
        Some(other) => other.numbers.iter_mut().zip(gradient.numbers).for_each(|(sum, number)| *sum += number),
        None => gradients.push(gradient),
    }
}

fn id_out_of_range(logits: Site, size: usize) -> Error {
    Error::SiteIndexOutOfRange { site: logits.to_string(), axis: "id", size }
}

/// An op on the way that this file does not know.
fn stuck(plan: &RecordedPlan, value: Value) -> Error {
    let site = plan.name(value).map_or_else(String::new, |site| site.to_string());
    Error::Internal { reason: format!("no way leads on from {site}") }
}
