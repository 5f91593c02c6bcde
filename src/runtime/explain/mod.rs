//! Explanations: how a number of a forward pass follows from others, down to the text and the file of weights.
//!
//! | file | subject |
//! |---|---|
//! | `recorded` | the plans of a model's parts with every tap, and what each number follows from |
//! | `recorded_plan` | one of these plans: the ops that write its numbers, and the names of its numbers |
//! | `tracer` | from a number of a plan back to numbers that have names |
//! | `attention` | the same for scores and weights, which no plan stores |
//! | `attribution` | what each part of the model adds to a logit |
//! | `numbers` | the numbers of a run, of weights and of inputs |
//! | `formula` | a derivation as text, and its value in f64 |
//! | `explanation` | the tree that is handed out |

mod attention;
mod attribution;
mod explanation;
mod formula;
mod numbers;
mod recorded;
mod recorded_plan;
mod tracer;

pub use attribution::{Attribution, LogitTerm, TermKind};
pub use explanation::{Explanation, Rest};

use self::attribution::Attributor;
use self::explanation::Builder;
use self::numbers::Numbers;
use self::recorded::Recorded;
use super::model::Model;
use super::request::Request;
use super::taps::check_tap;
use crate::backend::Cancellation;
use crate::error::Error;
use crate::plan::{Cell, Index, Site, TensorName};

/// Numbers that one tree explains at most.
const MOST_EXPLAINED: usize = 2000;

/// Explains the numbers of a forward pass. It runs the text with taps, and stores the numbers that were read for later explanations.
pub struct Explainer {
    model: Model,
    recorded: Recorded,
    numbers: Numbers,
    /// Whether an intervention puts a number in the residual stream.
    changes_stream: bool,
}

impl Explainer {
    /// Of one text. Of the request only ids, masks, types, positions and the source are read.
    ///
    /// # Errors
    /// A request out of range, with several texts, or with interventions other than numbers that it puts somewhere.
    pub fn new(model: &Model, request: &Request) -> Result<Self, Error> {
        request.check(model.facts())?;
        if request.batch != 1 {
            return Err(Error::ExplainsOneText { texts: request.batch });
        }
        if !request.interventions.are_numbers() {
            return Err(Error::ExplainsNoInterventions);
        }
        let recorded = Recorded::new(model.architecture(), request)?;
        let (numbers, changes_stream) = (Numbers::new(model, request)?, request.interventions.changes_stream());
        Ok(Self { model: model.clone(), recorded, numbers, changes_stream })
    }

    /// The explanation of the number at a site that has one index for each axis, as `attentions.2[6,9,8]`. depth: how many numbers one after the
    /// other are explained, 1 for this one alone.
    ///
    /// # Errors
    /// A site of no single number, out of range, or without an explanation; a tree of too many numbers; those of [`Context::run`](super::Context::run).
    pub async fn explain(&mut self, site: Site, depth: usize, cancel: &dyn Cancellation) -> Result<Explanation, Error> {
        self.check(site)?;
        self.numbers.make_room();
        self.numbers.fetch(&self.recorded, site.part, &[Cell::Site(site)], cancel).await?;
        self.numbers.check_index(site)?;
        let left = MOST_EXPLAINED;
        let mut builder = Builder { recorded: &self.recorded, numbers: &mut self.numbers, cancel, left };
        builder.explain("", site, depth.max(1)).await
    }

    /// What each part of the model adds to the logit of token `id` at token `row` of the text; see [`Attribution`].
    ///
    /// # Errors
    /// A row or an id out of range; a model without logits of each token; numbers that an intervention puts in the residual stream; those of [`Context::run`](super::Context::run).
    pub async fn attribute(&mut self, row: usize, id: usize, cancel: &dyn Cancellation) -> Result<Attribution, Error> {
        self.check(TensorName::Logits.at(0).with_index([row, id].map(Index::At)))?;
        if self.changes_stream {
            return Err(Error::ExplainsNoInterventions);
        }
        self.numbers.make_room();
        let attributor = Attributor { recorded: &self.recorded, numbers: &mut self.numbers, cancel, row };
        attributor.attribute(id).await
    }

    /// Bytes of its plans and of the numbers that it stores; [`Model::bytes`] counts the weights.
    pub fn bytes(&self) -> u64 {
        self.numbers.bytes()
    }

    /// Whether the model has such a number, as far as that is known without a run.
    fn check(&self, site: Site) -> Result<(), Error> {
        let axes = site.tensor.axes();
        let is_number = site.index.iter().take(axes.len()).all(|index| matches!(index, Index::At(_)));
        if !is_number {
            let axes: Vec<&str> = axes.iter().map(|axis| axis.name()).collect();
            return Err(Error::SiteOfManyNumbers { site: site.to_string(), axes: axes.join(",") });
        }
        let tensor = site.with_index([Index::All; 3]);
        check_tap(tensor, self.model.facts())?;
        self.recorded.check(tensor)
    }
}
