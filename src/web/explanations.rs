//! Where a number of a text comes from.

use super::cancellation::MessagePauses;
use super::change::Change;
use super::engine::Engine;
use super::explained_text::ExplainedText;
use super::model_contexts::model_contexts;
use crate::error::Error;
use crate::runtime::{Explainer, Request};
use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Engine {
    /// JSON of the [explanation](crate::runtime::Explanation) of the number of a text at a site. `change` and `pause` are those of [`Engine::run`].
    pub async fn explanation(
        &mut self,
        ids: Vec<u32>,
        position_offset: f64,
        change: Change,
        at: String,
        pause: Function,
    ) -> Result<String, Error> {
        let site = at.parse()?;
        let mut text = self.explained(ids, position_offset, &change)?;
        let explanation = text.explainer.explain(site, 1, &MessagePauses::new(pause)).await;
        self.keep(text)?;
        json(&explanation?)
    }

    /// JSON of the [attribution](crate::runtime::Attribution) of the logit of token `id` at token `row` of a text.
    pub async fn attribution(
        &mut self,
        ids: Vec<u32>,
        position_offset: f64,
        change: Change,
        row: usize,
        id: usize,
        pause: Function,
    ) -> Result<String, Error> {
        let mut text = self.explained(ids, position_offset, &change)?;
        let attribution = text.explainer.attribute(row, id, &MessagePauses::new(pause)).await;
        self.keep(text)?;
        json(&attribution?)
    }
}

impl Engine {
    /// The text that was explained last, or another one. A cancelled explanation frees it.
    fn explained(&mut self, ids: Vec<u32>, position_offset: f64, change: &Change) -> Result<ExplainedText, Error> {
        let contexts = model_contexts(&mut self.contexts)?;
        let (length, variant) = (ids.len(), change.variant()?);
        let request = Request { position_offset: position_offset as u64, ..Request::new(ids, 1, length) };
        let request = Request { labels: None, ..change.within(request) };
        let last = contexts.explained.take().filter(|last| last.request == request && last.variant == variant);
        match last {
            Some(text) => Ok(text),
            None => {
                let explainer = Explainer::new(&contexts.model.variant_or_self(&variant)?, &request)?;
                Ok(ExplainedText { request, variant, explainer })
            }
        }
    }

    fn keep(&mut self, text: ExplainedText) -> Result<(), Error> {
        model_contexts(&mut self.contexts)?.explained = Some(text);
        Ok(())
    }
}

fn json(explained: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(explained).map_err(|error| Error::Internal { reason: error.to_string() })
}
