//! A text that is written after a source: one choice after the other, or by a search with beams.

use super::{Sampled, Writing, ids_of, unreadable};
use crate::error::Error;
use crate::runtime::{BeamSearch, Context, Generation, SourceText};
use crate::sampling::{Rules, Search, Stopping};
use crate::weights::json::Value;
use serde_json::json;
use std::rc::Rc;

/// Begins to write after a source.
///
/// # Errors
/// Settings that cannot be read, or searched.
pub fn begin(
    settings: &Sampled,
    source: &Value,
    ids: &[u32],
    json: &str,
    context: Rc<Context>,
) -> Result<Writing, Error> {
    let source = SourceText::one(ids_of(source).ok_or_else(|| unreadable("source"))?);
    let rules = settings.rules(ids.len())?;
    let width = settings.number("beams")? as usize;
    if width <= 1 {
        let generation = Generation::new(ids, 1, None, settings.continuation(json)?)?;
        return Ok(Writing::Tokens(generation.after(source, rules), context));
    }
    let stopping = match settings.0.get("stopping").and_then(Value::as_str) {
        Some("early") => Stopping::Early,
        Some("never") => Stopping::Never,
        _ => Stopping::Likely,
    };
    let length_penalty = settings.number("lengthPenalty")? as f32;
    Ok(Writing::Beams(BeamSearch::new(
        context.model(),
        source,
        ids,
        Search { width, length_penalty, stopping, rules },
    )?))
}

/// Where a search is.
pub fn told(search: &BeamSearch) -> Value {
    let best = search.ids().next().unwrap_or_default();
    json!({"ids": best, "ended": search.ended().then_some("end")})
}

impl Sampled {
    /// What a text after a source is written by, which begins with so many tokens.
    fn rules(&self, begun: usize) -> Result<Rules, Error> {
        let words = |list: &Value| list.as_array()?.iter().map(ids_of).collect();
        Ok(Rules {
            bad_words: self.value("badWords", words)?,
            no_repeat: self.number("noRepeat")? as usize,
            min_length: self.number("minLength")? as usize,
            forced_first: self.value("forcedFirst", ids_of)?.first().copied(),
            forced_last: self.value("forcedLast", ids_of)?,
            max_length: (self.number("maxNewTokens")? as usize).saturating_add(begun),
            ends: self.value("stopIds", ids_of)?,
        })
    }
}
