//! A derivation as text, and its value in f64.

use super::numbers::Numbers;
use crate::error::Error;
use crate::kernels::Activation;
use crate::plan::{Cell, Derivation, Function, Part};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

/// Terms of a sum that a formula writes out.
const MOST_TERMS: usize = 6;

/// The name of a number that an intervention puts there.
pub const INTERVENTION: &str = "intervention";

/// The cells of a derivation whose operands have names.
pub fn cells(derivation: &Derivation, to: &mut Vec<Cell>) {
    match derivation {
        Derivation::Cell(_, cell) => to.push(*cell),
        Derivation::Function(_, of) => cells(of, to),
        other => parts(other).iter().for_each(|part| cells(part, to)),
    }
}

/// Of a derivation that was not traced to numbers with names.
pub fn nameless() -> Error {
    Error::Internal { reason: "an operand has no name".into() }
}

/// The terms or factors of a derivation.
fn parts(derivation: &Derivation) -> &[Derivation] {
    match derivation {
        Derivation::Sum(parts)
        | Derivation::Series(parts)
        | Derivation::Product(parts)
        | Derivation::Maximum(parts) => parts,
        _ => &[],
    }
}

/// The value of a derivation whose operands have names, in f64. part: that whose inputs it reads.
pub fn evaluate(derivation: &Derivation, numbers: &Numbers, part: Part) -> Result<f64, Error> {
    let of_parts = || parts(derivation).iter().map(|of| evaluate(of, numbers, part));
    match derivation {
        Derivation::Cell(_, cell) => numbers.number(cell, part).map(f64::from),
        Derivation::Constant { value, .. } => Ok(*value),
        Derivation::Intervention(number) => Ok(f64::from(*number)),
        Derivation::Sum(_) | Derivation::Series(_) => of_parts().sum(),
        Derivation::Product(_) => of_parts().product(),
        Derivation::Maximum(_) => of_parts().try_fold(f64::NEG_INFINITY, |maximum, part| Ok(maximum.max(part?))),
        Derivation::Function(function, of) => Ok(function.of(evaluate(of, numbers, part)?)),
        _ => Err(nameless()),
    }
}

impl Function {
    fn of(self, x: f64) -> f64 {
        match self {
            Function::Negative => -x,
            Function::Square => x * x,
            Function::Reciprocal => x.recip(),
            Function::InverseRoot => x.sqrt().recip(),
            Function::Exponential => x.exp(),
            Function::FeatureMap => {
                if x > 0.0 {
                    x + 1.0
                } else {
                    x.exp()
                }
            }
            Function::Activation(activation) => activate(activation, x),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Function::Negative => "−",
            Function::Square => "²",
            Function::Reciprocal => "1 / ",
            Function::InverseRoot => "1 / √",
            Function::Exponential => "exp",
            Function::FeatureMap => "φ",
            Function::Activation(Activation::Gelu) => "gelu",
            Function::Activation(Activation::GeluTanh) => "gelu_tanh",
            Function::Activation(Activation::Relu) => "relu",
            Function::Activation(Activation::Silu) => "silu",
        }
    }
}

/// The activation of one number, as the kernels compute it of many.
fn activate(activation: Activation, x: f64) -> f64 {
    match activation {
        Activation::Gelu => x * (1.0 + libm::erf(x * FRAC_1_SQRT_2)) / 2.0,
        Activation::GeluTanh => {
            let inner = (FRAC_2_PI).sqrt() * (x + 0.044715 * x.powi(3));
            x * (1.0 + inner.tanh()) / 2.0
        }
        Activation::Relu => x.max(0.0),
        Activation::Silu => x / (1.0 + (-x).exp()),
    }
}

/// A derivation as text: `Σ x · weight + bias`.
pub fn text(derivation: &Derivation) -> String {
    match derivation {
        Derivation::Cell(name, _) | Derivation::Constant { name, .. } => (*name).into(),
        Derivation::Intervention(_) => INTERVENTION.into(),
        Derivation::Sum(terms) => sum(terms),
        Derivation::Series(terms) => format!("Σ {}", terms.first().map_or_else(String::new, in_product)),
        Derivation::Product(factors) => product(factors),
        Derivation::Maximum(of) => format!("max {}", of.first().map_or_else(String::new, in_product)),
        Derivation::Function(function, of) => match function {
            Function::Square => format!("{}{}", in_product(of), function.name()),
            Function::Negative | Function::Reciprocal => format!("{}{}", function.name(), in_product(of)),
            _ => format!("{}({})", function.name(), text(of)),
        },
        _ => String::new(),
    }
}

fn in_product(derivation: &Derivation) -> String {
    match derivation {
        Derivation::Sum(_) | Derivation::Series(_) | Derivation::Maximum(_) => format!("({})", text(derivation)),
        _ => text(derivation),
    }
}

fn sum(terms: &[Derivation]) -> String {
    let mut written = String::new();
    for (index, term) in terms.iter().enumerate() {
        if terms.len() > MOST_TERMS && index == MOST_TERMS - 1 {
            let last = terms.last().map_or_else(String::new, text);
            return format!("{written} + … + {last}");
        }
        match term {
            _ if index == 0 => written.push_str(&text(term)),
            Derivation::Function(Function::Negative, of) => written.push_str(&format!(" − {}", in_product(of))),
            term => written.push_str(&format!(" + {}", text(term))),
        }
    }
    written
}

fn product(factors: &[Derivation]) -> String {
    let mut written = String::new();
    for (index, factor) in factors.iter().enumerate() {
        match factor {
            _ if index == 0 => written.push_str(&in_product(factor)),
            Derivation::Function(Function::Reciprocal, of) => written.push_str(&format!(" / {}", in_product(of))),
            factor => written.push_str(&format!(" · {}", in_product(factor))),
        }
    }
    written
}
