//! What the engine tells as JSON.

use serde_json::{Value, json};

use crate::sampling::Probability;

/// [{id, before, after}]
pub fn candidates(candidates: &[Probability]) -> Value {
    candidates.iter().map(|next| json!({"id": next.id, "before": next.before, "after": next.after})).collect()
}
