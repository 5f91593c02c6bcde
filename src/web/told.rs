//! What the engine tells as JSON.

use crate::json::Value;
use crate::number::written;
use crate::sampling::Probability;

/// A number as JavaScript writes it; null for one that JSON has no words for.
pub fn number(number: f64) -> Value {
    if number.is_finite() { Value::Number(written(number).into()) } else { Value::Null }
}

/// [{id, before, after}]
pub fn candidates(candidates: &[Probability]) -> Value {
    let one = |next: &Probability| {
        [("id", next.id.into()), ("before", number(next.before)), ("after", number(next.after))].into()
    };
    Value::List(candidates.iter().map(one).collect())
}
