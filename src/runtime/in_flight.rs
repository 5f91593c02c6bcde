//! Decode steps in flight: submitted to a GPU, not read yet.

use super::plans::PlanId;
use super::request::Request;
use crate::backend::Ticket;
use std::collections::VecDeque;

/// Decode steps of one text that were submitted and not read yet.
pub struct InFlight {
    pub plan: PlanId,
    pub cache: u64,
    /// The request of the oldest step, all of whose ids are known; the next one, where none is in flight.
    pub oldest: Request,
    /// The number of steps that were read. It chooses the next read-back slot.
    pub read: usize,
    /// The numbers of the best tokens, and of the drawn ones.
    pub steps: VecDeque<Ticket<(Vec<f32>, Vec<f32>)>>,
    pub dispatches: usize,
    /// Whether another step may follow. `false` once another run overwrites the tokens after these steps, which can still be read.
    pub open: bool,
}
