//! A text that is written on, a token a call.

mod after_source;

use super::cancellation::BetweenMessages;
use super::failure::failure;
use super::told;
use crate::error::Error;
use crate::runtime::{BeamSearch, Context, Continuation, End, Generation, Next};
use crate::sampling::Settings;
use crate::weights::json::{self, Value};
use js_sys::Function;
use serde_json::json;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// See [`Generation`] and `BeamSearch`. Runs of the same model may go between its tokens.
#[wasm_bindgen]
pub struct Generating {
    writing: Writing,
}

enum Writing {
    Tokens(Generation, Rc<Context>),
    Beams(BeamSearch),
}

/// # Errors
/// Settings that are out of range or unreadable.
pub fn sampling(json: &str) -> Result<Settings, Error> {
    let settings = Sampled::parse(json)?;
    let settings = Settings {
        temperature: settings.number("temperature")?,
        top_k: settings.number("topK")? as usize,
        top_p: settings.number("topP")?,
        min_p: settings.number("minP")?,
        repetition_penalty: settings.number("repetitionPenalty")?,
        seed: settings.number("seed")? as u64,
    };
    settings.check()?;
    Ok(settings)
}

/// The settings as the page writes them.
struct Sampled(Value);

impl Sampled {
    fn parse(json: &str) -> Result<Self, Error> {
        json::parse(json).map(Self).map_err(|error| unreadable(&error))
    }

    fn value<T>(&self, key: &str, read: impl Fn(&Value) -> Option<T>) -> Result<T, Error> {
        self.0.get(key).and_then(read).ok_or_else(|| unreadable(key))
    }

    fn number(&self, key: &str) -> Result<f64, Error> {
        self.value(key, Value::as_f64)
    }
}

fn unreadable(what: &str) -> Error {
    Error::InvalidInput { reason: format!("the sampling settings cannot be read: {what}") }
}

#[wasm_bindgen]
impl Generating {
    /// JSON {id, candidates: [{id, before, after}], ended: null | "end" | "length"}; of a beam search {ids, ended}, the best text so far.
    /// `pause` as for a run.
    pub async fn next(&mut self, pause: Function) -> Result<String, JsValue> {
        self.try_next(pause).await.map_err(|error| failure(&error))
    }
}

impl Generating {
    /// Begins to write on after ids; after a source where the settings hold one.
    ///
    /// # Errors
    /// Settings that cannot be read, or searched.
    pub(super) fn begin(ids: &[u32], json: &str, context: Rc<Context>) -> Result<Self, Error> {
        let settings = Sampled::parse(json)?;
        let writing = match settings.0.get("source") {
            None | Some(Value::Null) => {
                Writing::Tokens(Generation::new(ids, 1, None, settings.continuation(json)?)?, context)
            }
            Some(source) => after_source::begin(&settings, source, ids, json, context)?,
        };
        Ok(Self { writing })
    }

    async fn try_next(&mut self, pause: Function) -> Result<String, Error> {
        let cancel = BetweenMessages::new(pause);
        let next = match &mut self.writing {
            Writing::Tokens(generation, context) => token(context.generate(generation, &cancel).await?)?,
            Writing::Beams(search) => {
                search.step(&cancel).await?;
                after_source::told(search)
            }
        };
        Ok(next.to_string())
    }
}

/// What a step wrote.
fn token(mut next: Vec<Option<Next>>) -> Result<Value, Error> {
    let ended = || Error::InvalidInput { reason: "the text has ended".into() };
    let next = next.pop().flatten().ok_or_else(ended)?;
    let ended = next.end.map(|end| match end {
        End::Token => "end",
        End::Length => "length",
    });
    Ok(json!({"id": next.id, "candidates": told::candidates(&next.candidates), "ended": ended}))
}

fn ids_of(list: &Value) -> Option<Vec<u32>> {
    list.as_array()?.iter().map(|id| id.as_u64()?.try_into().ok()).collect()
}

impl Sampled {
    fn continuation(&self, json: &str) -> Result<Continuation, Error> {
        Ok(Continuation {
            sampling: sampling(json)?,
            most: self.number("maxNewTokens")? as usize,
            ends: self.value("stopIds", ids_of)?,
            beyond_length: self.value("beyondLength", Value::as_bool)?,
        })
    }
}
