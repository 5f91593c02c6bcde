//! The third face of an op, beside its shader and its CPU kernel: how one of the numbers that it writes follows from the numbers that it
//! reads, as data. [`crate::runtime::Explainer`] reads it.

use super::{Input, RowStatistic, Site, Value, View, Weight};
use crate::kernels::Activation;
use std::ops::Range;

/// How a number follows from others.
#[derive(Debug, Clone, PartialEq)]
pub enum Derivation {
    /// A number of an operand, under the name that it has in the formula.
    Cell(&'static str, Cell),
    /// A constant of the model.
    Constant {
        name: &'static str,
        value: f64,
    },
    /// A number of a linear layer before its epilogue.
    Linear(LinearCell),
    /// A number of a norm before any residual is added.
    Norm(NormCell),
    /// The mean or the scale that a norm computes of columns of a row.
    Statistic {
        value: Value,
        row: usize,
        columns: Range<usize>,
        of: RowStatistic,
    },
    /// The sum of a head's attention weights times a column of values; `values` has one head.
    WeightedValues {
        row: usize,
        head: usize,
        values: View,
        column: usize,
    },
    /// The number that an intervention puts at a site; where none does, the number before it.
    Replaceable {
        site: Site,
        before: Box<Derivation>,
    },
    /// The number that an intervention puts there.
    Intervention(f32),
    /// A sum of a few terms.
    Sum(Vec<Derivation>),
    /// A sum of many terms of one form.
    Series(Vec<Derivation>),
    Product(Vec<Derivation>),
    /// The largest of these.
    Maximum(Vec<Derivation>),
    Function(Function, Box<Derivation>),
}

/// A function of one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Function {
    /// −x
    Negative,
    /// x²
    Square,
    /// 1 / x
    Reciprocal,
    /// 1 / √x
    InverseRoot,
    /// e^x
    Exponential,
    Activation(Activation),
    /// φ(x) = elu(x) + 1, of linear attention.
    FeatureMap,
}

/// A number of an operand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// row: of all tokens of the batch.
    Value {
        value: Value,
        row: usize,
        column: usize,
    },
    /// A number of a tensor of the forward pass.
    Site(Site),
    Weight {
        weight: Weight,
        row: usize,
        column: usize,
    },
    /// A number of the row `first` + n of a table, where n is the token's number in `by`.
    Lookup {
        table: Weight,
        by: Input,
        first: usize,
        token: usize,
        column: usize,
    },
    /// A number of an input with one for each token.
    Input {
        input: Input,
        token: usize,
    },
    /// Cosine or sine of a pair's angle at the position of a token.
    Angle {
        table: Input,
        token: usize,
        pair: usize,
        is_sine: bool,
    },
}

/// Number `column` of row `row` of x Wᵀ + b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearCell {
    pub x: Value,
    pub weight: Weight,
    pub bias: Option<Weight>,
    pub row: usize,
    pub column: usize,
}

/// Number `column` of row `row` of the norm of x, which has rows of `width` numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormCell {
    pub x: Value,
    pub width: usize,
    pub gain: Option<Weight>,
    pub shift: Option<Weight>,
    pub centres: bool,
    pub epsilon: f32,
    pub row: usize,
    pub column: usize,
}

impl Derivation {
    /// A number of a value.
    pub fn value(name: &'static str, value: Value, row: usize, column: usize) -> Self {
        Self::Cell(name, Cell::Value { value, row, column })
    }

    /// A number of a weight.
    pub fn weight(name: &'static str, weight: Weight, row: usize, column: usize) -> Self {
        Self::Cell(name, Cell::Weight { weight, row, column })
    }

    pub fn site(name: &'static str, site: Site) -> Self {
        Self::Cell(name, Cell::Site(site))
    }

    /// A function of it.
    pub fn apply(self, function: Function) -> Self {
        Self::Function(function, Box::new(self))
    }

    /// It less `other`.
    pub fn minus(self, other: Self) -> Self {
        Self::Sum(vec![self, other.apply(Function::Negative)])
    }

    /// The sum of a derivation and any further ones; itself without any.
    pub fn plus(self, others: impl IntoIterator<Item = Self>) -> Self {
        let terms: Vec<_> = [self].into_iter().chain(others).collect();
        Self::many(terms, Self::Sum)
    }

    /// The product of a derivation and any further ones; itself without any.
    pub fn times(self, others: impl IntoIterator<Item = Self>) -> Self {
        let factors: Vec<_> = [self].into_iter().chain(others).collect();
        Self::many(factors, Self::Product)
    }

    fn many(mut parts: Vec<Self>, of: impl FnOnce(Vec<Self>) -> Self) -> Self {
        match (parts.len(), parts.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                parts.extend(last);
                of(parts)
            }
        }
    }
}

impl LinearCell {
    /// Σ x · weight + bias.
    pub fn expand(&self) -> Derivation {
        let Self { x, weight, bias, row, column } = *self;
        let term =
            |inner| Derivation::value("x", x, row, inner).times([Derivation::weight("weight", weight, column, inner)]);
        let product = Derivation::Series((0..weight.columns).map(term).collect());
        product.plus(bias.map(|bias| Derivation::weight("bias", bias, 0, column)))
    }
}

impl NormCell {
    /// (x − mean) · scale · gain + shift; an RMS norm subtracts no mean.
    pub fn expand(&self) -> Derivation {
        let Self { x, width, gain, shift, centres, epsilon, row, column } = *self;
        let statistic = |of| Derivation::Statistic { value: x, row, columns: 0..width, of };
        let of_row = |name, weight| Derivation::weight(name, weight, 0, column);
        let mut number = Derivation::value("x", x, row, column);
        if centres {
            number = number.minus(statistic(RowStatistic::Mean));
        }
        let gain = gain.map(|gain| of_row("gain", gain));
        let normed = number.times([statistic(RowStatistic::Scale { centres, epsilon })].into_iter().chain(gain));
        normed.plus(shift.map(|shift| of_row("shift", shift)))
    }
}

impl RowStatistic {
    /// The mean of these numbers, or 1 / √(Σ (x − mean)² / width + ε). mean: of the same numbers.
    pub fn expand(self, numbers: impl ExactSizeIterator<Item = Derivation>, mean: Derivation) -> Derivation {
        let count = Derivation::Constant { name: "width", value: numbers.len() as f64 }.apply(Function::Reciprocal);
        match self {
            RowStatistic::Mean => Derivation::Series(numbers.collect()).times([count]),
            RowStatistic::Scale { centres, epsilon } => {
                let square = |number: Derivation| {
                    let number = if centres { number.minus(mean.clone()) } else { number };
                    number.apply(Function::Square)
                };
                let epsilon = Derivation::Constant { name: "ε", value: f64::from(epsilon) };
                let squares = Derivation::Series(numbers.map(square).collect());
                squares.times([count]).plus([epsilon]).apply(Function::InverseRoot)
            }
        }
    }
}
