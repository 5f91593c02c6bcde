//! Candidates for the next token as JSON.

use serde_json::{Value, json};

use crate::sampling::Probability;

/// [{id, before, after}]: probabilities before and after the cut-offs.
pub fn candidates(candidates: &[Probability]) -> Value {
    candidates.iter().map(|next| json!({"id": next.id, "before": next.before, "after": next.after})).collect()
}
