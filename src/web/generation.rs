//! A text that the model continues, a token a call.

pub mod settings;

use super::cancellation::MessagePauses;
use crate::error::Error;
use crate::runtime::{BeamSearch, Context, End, Generation, Next};
use crate::sampling::Probability;
use js_sys::Function;
use serde_json::{Value, json};
use settings::PageSettings;
use std::rc::Rc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A [`Generation`] or a [`BeamSearch`]. The same model may run other texts between two tokens.
#[wasm_bindgen]
pub struct GenerationHandle {
    decoder: Decoder,
}

enum Decoder {
    Tokens(Generation, Rc<Context>),
    Beams(BeamSearch),
}

#[wasm_bindgen]
impl GenerationHandle {
    /// JSON {id, candidates: [{id, before, after}], left, ended: null | "end" | "length"}; of a beam search {ids, ended}, the best text so far.
    /// `pause` is awaited every few milliseconds; false cancels the call.
    pub async fn next(&mut self, pause: Function) -> Result<String, Error> {
        let cancellation = MessagePauses::new(pause);
        let next = match &mut self.decoder {
            Decoder::Tokens(generation, context) => token(context.generate(generation, &cancellation).await?)?,
            Decoder::Beams(search) => {
                search.step(&cancellation).await?;
                let best = search.ids().next().unwrap_or_default();
                json!({"ids": best, "ended": search.ended().then_some("end")})
            }
        };
        Ok(next.to_string())
    }
}

impl GenerationHandle {
    /// Continues `ids`, after a source where the settings have one.
    pub(super) fn new(ids: &[u32], settings: &str, context: Rc<Context>) -> Result<Self, Error> {
        let settings = PageSettings::parse(settings)?;
        let tokens = || Generation::new(ids, 1, None, settings.continuation()?);
        let decoder = match settings.source()? {
            None => Decoder::Tokens(tokens()?, context),
            Some(source) => {
                let rules = settings.rules(ids.len())?;
                match settings.search(&rules)? {
                    Some(search) => Decoder::Beams(BeamSearch::new(context.model(), source, ids, search)?),
                    None => Decoder::Tokens(tokens()?.after(source, rules), context),
                }
            }
        };
        Ok(Self { decoder })
    }
}

/// The next token of the only text.
fn token(mut next: Vec<Option<Next>>) -> Result<Value, Error> {
    let next = next.pop().flatten().ok_or(Error::TextEnded)?;
    let ended = next.end.map(|end| match end {
        End::Token => "end",
        End::Length => "length",
    });
    Ok(json!({"id": next.id, "candidates": candidates(&next.candidates), "left": next.left, "ended": ended}))
}

/// [{id, before, after}]: probabilities before and after the cut-offs.
pub fn candidates(candidates: &[Probability]) -> Value {
    candidates.iter().map(|next| json!({"id": next.id, "before": next.before, "after": next.after})).collect()
}
