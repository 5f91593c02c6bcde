//! The place of a run's results in its context.

use super::angles::Angles;
use super::plans::PlanId;
use crate::plan::{Part, Sizes};

/// The plan and the states with a run's results, and the counts that show whether a later run has overwritten them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunKey {
    pub plan: PlanId,
    /// Runs of that plan, this one included.
    pub plan_runs: u64,
    pub states: StatesOf,
    pub sizes: Sizes,
    pub angles: Angles,
    /// The encoder's run or the decoder's.
    pub part: Part,
    /// The source that it came after.
    pub source: Option<u64>,
}

/// The states that a run read and wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatesOf {
    Nothing,
    Source,
    /// The cache of this id, as it was at this time.
    Cache {
        id: u64,
        time: u64,
    },
}
