//! The explanation of a number as a tree.

use super::formula::{INTERVENTION, cells, evaluate, nameless, text};
use super::numbers::Numbers;
use super::recorded::Recorded;
use crate::backend::Cancellation;
use crate::error::Error;
use crate::number::format_number;
use crate::plan::{Cell, Derivation, Input, Part, Site};
use serde::Serialize;

/// Terms of a long sum that an explanation lists, the largest first.
const LISTED_TERMS: usize = 10;

/// A number, and the numbers that it follows from. A number of the text, of the file or of the config has no formula.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// Its name in the formula that it is an operand of.
    pub name: String,
    /// Its address: a site, `tensor[row,column]` of the file of weights, `input_ids[token]` or the like. A term or a constant has none.
    pub at: Option<String>,
    /// As the run computed it, or as the file has it; `None` of a term, which no run stores.
    pub value: Option<f32>,
    /// The formula's value in f64.
    pub recomputed: Option<f64>,
    /// How it follows from its operands, by their names: `Σ x · weight + bias`.
    pub formula: Option<String>,
    /// In the order of the formula. Of a long sum, its largest terms.
    pub operands: Vec<Explanation>,
    /// The other terms of that sum.
    pub rest: Option<Rest>,
    /// Where it is a number of the run.
    #[serde(skip)]
    site: Option<Site>,
}

/// The terms of a long sum, or of a maximum, that an explanation does not list.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rest {
    /// How many there are.
    pub terms: usize,
    /// Their sum, or the largest of them.
    pub value: f64,
}

/// Builds the explanations of one text.
pub struct Builder<'a> {
    pub recorded: &'a Recorded,
    pub numbers: &'a mut Numbers,
    pub cancel: &'a dyn Cancellation,
    /// How many more numbers may be explained.
    pub left: usize,
}

impl Explanation {
    fn leaf(name: impl Into<String>, at: Option<String>, value: Option<f32>) -> Self {
        let (name, recomputed, formula, operands, rest, site) = (name.into(), None, None, Vec::new(), None, None);
        Self { name, at, value, recomputed, formula, operands, rest, site }
    }
}

impl Builder<'_> {
    /// The explanation of a number that was fetched. depth: see [`Explainer::explain`](super::Explainer::explain).
    pub async fn explain(&mut self, name: &str, site: Site, depth: usize) -> Result<Explanation, Error> {
        self.left = self.left.checked_sub(1).ok_or(Error::ExplanationTooLarge)?;
        let derivation = self.recorded.derive(site)?;
        let mut operands = vec![Cell::Site(site)];
        cells(&derivation, &mut operands);
        self.numbers.fetch(self.recorded, site.part, &operands, self.cancel).await?;
        let mut explained = self.derived(name, &derivation, site.part)?;
        (explained.at, explained.site) = (Some(self.name(site)), Some(site));
        explained.value = Some(self.numbers.number(&Cell::Site(site), site.part)?);
        if depth > 1 {
            self.explain_operands(&mut explained, depth - 1).await?;
        }
        Ok(explained)
    }

    /// Explains the operands that are sites.
    async fn explain_operands(&mut self, explained: &mut Explanation, depth: usize) -> Result<(), Error> {
        for operand in &mut explained.operands {
            match operand.site {
                Some(site) => *operand = Box::pin(self.explain(&operand.name.clone(), site, depth)).await?,
                None => Box::pin(self.explain_operands(operand, depth)).await?,
            }
        }
        Ok(())
    }

    fn name(&self, site: Site) -> String {
        site.name(self.recorded.is_pair())
    }

    /// A number that follows from others by a formula.
    fn derived(&self, name: &str, derivation: &Derivation, part: Part) -> Result<Explanation, Error> {
        let mut explained = Explanation::leaf(name, None, None);
        explained.recomputed = Some(evaluate(derivation, self.numbers, part)?);
        explained.formula = Some(text(derivation));
        let is_lone = count_series(derivation) == 1;
        self.add_operands(derivation, part, is_lone, &mut explained)?;
        Ok(explained)
    }

    /// Adds the operands of a formula in its order. is_lone: whether the formula has one long sum, whose terms are then its own operands.
    fn add_operands(
        &self,
        derivation: &Derivation,
        part: Part,
        is_lone: bool,
        to: &mut Explanation,
    ) -> Result<(), Error> {
        match derivation {
            Derivation::Cell(name, cell) => to.operands.push(self.leaf(name, cell, part)?),
            Derivation::Constant { name, value } => {
                to.operands.push(Explanation::leaf(*name, None, Some(*value as f32)));
            }
            Derivation::Intervention(number) => {
                to.operands.push(Explanation::leaf(INTERVENTION, None, Some(*number)));
            }
            Derivation::Sum(parts) | Derivation::Product(parts) => {
                for of in parts {
                    self.add_operands(of, part, is_lone, to)?;
                }
            }
            Derivation::Function(_, of) => self.add_operands(of, part, is_lone, to)?,
            Derivation::Series(_) | Derivation::Maximum(_) if !is_lone => {
                to.operands.push(self.derived(&text(derivation), derivation, part)?);
            }
            Derivation::Series(terms) => self.add_terms(terms, part, to, f64::abs, |sum, term| sum + term)?,
            Derivation::Maximum(terms) => self.add_terms(terms, part, to, |value| value, f64::max)?,
            _ => return Err(nameless()),
        }
        Ok(())
    }

    /// Adds the largest terms, and the rest of them joined into one number.
    fn add_terms(
        &self,
        terms: &[Derivation],
        part: Part,
        to: &mut Explanation,
        size: impl Fn(f64) -> f64,
        join: impl Fn(f64, f64) -> f64,
    ) -> Result<(), Error> {
        let values = terms.iter().map(|term| evaluate(term, self.numbers, part));
        let mut values: Vec<f64> = values.collect::<Result<_, _>>()?;
        let mut others: Vec<&Derivation> = terms.iter().collect();
        for _ in 0..values.len().min(LISTED_TERMS) {
            let sizes = values.iter().map(|value| size(*value)).enumerate();
            let Some((largest, _)) = sizes.max_by(|(_, one), (_, other)| one.total_cmp(other)) else { break };
            values.remove(largest);
            to.operands.push(match others.remove(largest) {
                Derivation::Cell(name, cell) => self.leaf(name, cell, part)?,
                term => self.derived("term", term, part)?,
            });
        }
        to.rest = values.into_iter().reduce(join).map(|value| Rest { terms: others.len(), value });
        Ok(())
    }

    /// A number that is not explained further here: of a run, of the file, or of the text.
    fn leaf(&self, name: &str, cell: &Cell, part: Part) -> Result<Explanation, Error> {
        let value = self.numbers.number(cell, part)?;
        let of_token = |input: Input, token: usize| format!("{}[{token}]", name_of_input(input, part));
        Ok(match *cell {
            Cell::Site(site) => {
                Explanation { site: Some(site), ..Explanation::leaf(name, Some(self.name(site)), Some(value)) }
            }
            Cell::Input { input, token } => Explanation::leaf(name, Some(of_token(input, token)), Some(value)),
            Cell::Angle { table, token, pair, .. } => self.angle(name, table, token, pair, value, part),
            Cell::Weight { .. } | Cell::Lookup { .. } | Cell::Value { .. } => {
                let mut leaf = self.weight(name, cell, value, part);
                if let Cell::Lookup { by, token, .. } = *cell {
                    let id = self.numbers.index(by, token, part) as f32;
                    leaf.operands.push(Explanation::leaf("row", Some(of_token(by, token)), Some(id)));
                }
                leaf
            }
        })
    }

    /// A number of the file of weights, and what the engine adds to it.
    fn weight(&self, name: &str, cell: &Cell, value: f32, part: Part) -> Explanation {
        let place = self.numbers.place_in_weight(cell, part);
        let origin = place.and_then(|(weight, row, column)| self.numbers.origin(weight, row, column));
        let Some(origin) = origin else { return Explanation::leaf(name, None, Some(value)) };
        let index: Vec<String> = origin.index.iter().map(u64::to_string).collect();
        let at = format!("{}[{}]", origin.tensor, index.join(","));
        if origin.addend == 0.0 {
            return Explanation::leaf(name, Some(at), Some(value));
        }
        let stored = value - origin.addend;
        Explanation {
            recomputed: Some(f64::from(stored) + f64::from(origin.addend)),
            formula: Some(format!("{} + stored", format_number(f64::from(origin.addend)))),
            operands: vec![Explanation::leaf("stored", Some(at), Some(stored))],
            ..Explanation::leaf(name, None, Some(value))
        }
    }

    /// A cosine or a sine of the rotary table: magnitude · cos(m · θ).
    fn angle(&self, name: &str, table: Input, token: usize, pair: usize, value: f32, part: Part) -> Explanation {
        let leaf = Explanation::leaf(name, None, Some(value));
        let Some([theta, magnitude]) = self.numbers.frequency(table, pair) else { return leaf };
        let (id, offset) = self.numbers.position(token, part);
        let angle = (u64::from(id) + offset) as f64 * theta;
        let function = if name == "sin" { angle.sin() } else { angle.cos() };
        let mut operands = vec![Explanation::leaf("m", Some(format!("position_ids[{token}]")), Some(id as f32))];
        let mut position = "m";
        if offset > 0 {
            operands.push(Explanation::leaf("offset", None, Some(offset as f32)));
            position = "(m + offset)";
        }
        operands.push(Explanation::leaf("θ", Some(format!("theta[{pair}]")), Some(theta as f32)));
        let mut formula = format!("{name}({position} · θ)");
        if magnitude != 1.0 {
            operands.push(Explanation::leaf("magnitude", None, Some(magnitude as f32)));
            formula = format!("magnitude · {formula}");
        }
        Explanation { recomputed: Some(magnitude * function), formula: Some(formula), operands, ..leaf }
    }
}

/// The long sums and maxima of a formula, without those inside of their terms.
fn count_series(derivation: &Derivation) -> usize {
    match derivation {
        Derivation::Series(_) | Derivation::Maximum(_) => 1,
        Derivation::Sum(parts) | Derivation::Product(parts) => parts.iter().map(count_series).sum(),
        Derivation::Function(_, of) => count_series(of),
        _ => 0,
    }
}

/// The name of an input with a number for each token, as Hugging Face's tokenizers and models have it.
fn name_of_input(input: Input, part: Part) -> &'static str {
    match (input, part) {
        (Input::Ids, Part::Encoder) => "encoder.input_ids",
        (Input::Ids, _) => "input_ids",
        (Input::TokenTypes, _) => "token_type_ids",
        (Input::Positions, Part::Encoder) => "encoder.position_ids",
        (Input::Positions, _) => "position_ids",
        (Input::EmbeddingScales, _) => "token_dropout",
        _ => "attention_mask",
    }
}
