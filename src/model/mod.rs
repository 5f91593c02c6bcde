//! RoFormer: its config, its checkpoint, and its forward pass recorded as a plan. One file per architecture or head.

pub mod checkpoint;
pub mod config;
mod heads;
pub mod keys;
mod roformer;
mod weights;

pub use checkpoint::Checkpoint;
pub use config::Config;
pub use heads::{Architecture, Head};
pub use keys::Keys;
pub use roformer::Roformer;
pub use weights::WeightTable;

use crate::error::Error;
use crate::plan::{Capacity, Finished, Plan, Taps};

/// A RoFormer with its head, declared from a config: shapes and names, no numbers.
pub struct Model {
    pub architecture: Architecture,
    pub table: WeightTable,
    roformer: Roformer,
    head: Head,
}

/// What a plan of a model is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purpose {
    pub capacity: Capacity,
    /// Taps to keep.
    pub taps: Taps,
    /// Whether the query and key rows of a chosen head can be read back.
    pub selects_heads: bool,
    /// Whether logits are made only for gathered prediction rows (vocabulary heads).
    pub gathers: bool,
    /// k of the fills that are read instead of logits; 0: logits.
    pub top_k: usize,
}

/// A recorded plan and the values that a session reads.
pub struct Recorded {
    pub plan: Finished,
    /// Logits, top fills or the last hidden state.
    pub result: crate::plan::Value,
    /// (2, length, head_size) of the chosen head, where the purpose asks for it.
    pub head_rows: Option<crate::plan::Value>,
}

impl Model {
    /// Declares every weight that this architecture needs.
    pub fn declare(config: &Config, architecture: Architecture) -> Self {
        let mut table = WeightTable::default();
        let roformer = Roformer::declare(config, &mut table);
        let head = Head::declare(config, architecture, &roformer, &mut table);
        Self { architecture, table, roformer, head }
    }

    /// The forward pass as a plan. Errors: shapes that do not fit, an impossible k.
    pub fn record(&self, purpose: &Purpose) -> Result<Recorded, Error> {
        let mut plan = Plan::new(purpose.capacity, purpose.taps.clone());
        let head_rows = purpose.selects_heads.then(|| self.roformer.head_rows(&mut plan));
        let hidden = self.roformer.record(&mut plan, head_rows);
        let gathers = purpose.gathers || self.architecture == Architecture::SequenceClassification;
        let read = if gathers { plan.gather(hidden) } else { hidden };
        let mut result = self.head.record(&mut plan, read);
        if purpose.top_k > 0 {
            result = plan.top_k(result, purpose.top_k);
        }
        plan.output(result);
        head_rows.into_iter().for_each(|rows| plan.output(rows));
        Ok(Recorded { plan: plan.finish()?, result, head_rows })
    }
}
