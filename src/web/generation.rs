//! A text that is written on, a token a call.

use super::failure::failure;
use super::pace::BetweenMessages;
use super::shared::SharedSession;
use crate::error::Error;
use crate::sampling::Settings;
use crate::session::{Continuation, End, Generation};
use js_sys::Function;
use serde::Deserialize;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// See [`Generation`]. Runs of the same model may go between its tokens.
#[wasm_bindgen]
pub struct Generating {
    generation: Generation,
    session: SharedSession,
}

/// As the page writes them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sampled {
    temperature: f64,
    top_k: usize,
    top_p: f64,
    min_p: f64,
    repetition_penalty: f64,
    seed: f64,
}

/// What a text that is written on has besides.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Continued {
    max_new_tokens: usize,
    stop_ids: Vec<u32>,
    beyond_length: bool,
}

impl From<Sampled> for Settings {
    fn from(sampled: Sampled) -> Self {
        let Sampled { temperature, top_k, top_p, min_p, repetition_penalty, seed } = sampled;
        Settings { temperature, top_k, top_p, min_p, repetition_penalty, seed: seed as u64 }
    }
}

fn unreadable(error: &serde_json::Error) -> Error {
    Error::InvalidInput { reason: format!("the sampling settings cannot be read: {error}") }
}

/// # Errors
/// Settings that are out of range or unreadable.
pub fn sampling(json: &str) -> Result<Settings, Error> {
    let settings: Settings = serde_json::from_str::<Sampled>(json).map_err(|error| unreadable(&error))?.into();
    settings.check()?;
    Ok(settings)
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
        let continued: Continued = serde_json::from_str(settings).map_err(|error| unreadable(&error))?;
        let Continued { max_new_tokens: most, stop_ids: ends, beyond_length } = continued;
        Ok(Continuation { sampling: sampling(settings)?, most, ends, beyond_length, keeps_heads: true })
    }

    async fn try_next(&mut self, pause: Function) -> Result<String, Error> {
        let mut session = self.session.take()?;
        let next = session.write_on(&mut self.generation, &BetweenMessages::new(pause)).await;
        self.session.put(session);
        let ended = || Error::InvalidInput { reason: "the text has ended".into() };
        let next = next?.pop().flatten().ok_or_else(ended)?;
        let candidates: Vec<_> = next
            .candidates
            .iter()
            .map(|token| json!({"id": token.id, "before": token.before, "after": token.after}))
            .collect();
        let ended = next.end.map(|end| match end {
            End::Token => "end",
            End::Length => "length",
        });
        Ok(json!({"id": next.id, "candidates": candidates, "ended": ended}).to_string())
    }
}
