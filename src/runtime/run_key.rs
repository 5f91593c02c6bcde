//! Where a run left its results.

use super::angles::Angles;
use super::plans::PlanId;
use crate::plan::{Part, Sizes};

/// Where a run left its results, and how to tell whether they are still there.
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
