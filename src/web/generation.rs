//! A text that is written on, a token a call.

use super::failure::failure;
use super::pace::BetweenMessages;
use super::shared::SharedSession;
use super::told;
use crate::error::Error;
use crate::json::Value;
use crate::sampling::Settings;
use crate::session::{Continuation, End, Generation};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// See [`Generation`]. Runs of the same model may go between its tokens.
#[wasm_bindgen]
pub struct Generating {
    generation: Generation,
    session: SharedSession,
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
        Value::parse(json).map(Self).map_err(|error| unreadable(&error))
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
    /// JSON {id, candidates: [{id, before, after}], ended: null | "end" | "length"}. `pause` as for a run.
    pub async fn next(&mut self, pause: Function) -> Result<String, JsValue> {
        self.try_next(pause).await.map_err(|error| failure(&error))
    }
}

impl Generating {
    pub(super) fn new(generation: Generation, session: SharedSession) -> Self {
        Self { generation, session }
    }

    /// # Errors
    /// Settings that cannot be read.
    pub(super) fn parse(settings: &str) -> Result<Continuation, Error> {
        let continued = Sampled::parse(settings)?;
        let ids = |list: &Value| list.as_list()?.iter().map(|id| id.as_u64()?.try_into().ok()).collect();
        Ok(Continuation {
            sampling: sampling(settings)?,
            most: continued.number("maxNewTokens")? as usize,
            ends: continued.value("stopIds", ids)?,
            beyond_length: continued.value("beyondLength", Value::as_flag)?,
            keeps_heads: true,
        })
    }

    async fn try_next(&mut self, pause: Function) -> Result<String, Error> {
        let mut session = self.session.take()?;
        let next = session.write_on(&mut self.generation, &BetweenMessages::new(pause)).await;
        self.session.put(session);
        let ended = || Error::InvalidInput { reason: "the text has ended".into() };
        let next = next?.pop().flatten().ok_or_else(ended)?;
        let ended = next.end.map(|end| match end {
            End::Token => "end",
            End::Length => "length",
        });
        let ended = ended.map_or(Value::Null, Value::from);
        let candidates = told::candidates(&next.candidates);
        Ok(Value::from([("id", next.id.into()), ("candidates", candidates), ("ended", ended)]).to_string())
    }
}
