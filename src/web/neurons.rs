//! The neurons of a text: the strongest ones at a token, and one of them at every token.

use super::cancellation::MessagePauses;
use super::change::Change;
use super::engine::Engine;
use super::model_contexts::model_contexts;
use super::names::PartName;
use super::side_runs::{least_results, text};
use crate::error::Error;
use crate::plan::Part;
use crate::runtime::{Neurons, Output, Request};
use js_sys::Function;
use serde::Serialize;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

/// Neurons of one list at most.
const MOST_NEURONS: usize = 256;

/// Cross-attention counts as the decoder. `change` and `pause` are those of [`Engine::run`]. Each call runs one text.
#[wasm_bindgen]
impl Engine {
    /// JSON of the [numbers](crate::runtime::NeuronNumbers) of the `count` strongest neurons of a layer at token `row` of the part's text.
    #[allow(clippy::too_many_arguments)] // as JavaScript calls it
    pub async fn neurons(
        &mut self,
        ids: Vec<u32>,
        part: PartName,
        layer: usize,
        row: usize,
        count: usize,
        position_offset: f64,
        change: Change,
        pause: Function,
    ) -> Result<String, Error> {
        let part = own_part(part);
        let output = self.neuron_run(ids, part, layer, position_offset, &change, pause).await?;
        written(&Neurons::of(&output, part, layer).strongest(row, count.min(MOST_NEURONS))?)
    }

    /// JSON {values, reads, writes} of a neuron: its value at every token, and its [tokens](crate::runtime::NeuronTokens), `count` of each list.
    #[allow(clippy::too_many_arguments)] // as JavaScript calls it
    pub async fn neuron(
        &mut self,
        ids: Vec<u32>,
        part: PartName,
        layer: usize,
        neuron: usize,
        count: usize,
        position_offset: f64,
        change: Change,
        pause: Function,
    ) -> Result<String, Error> {
        let part = own_part(part);
        let output = self.neuron_run(ids, part, layer, position_offset, &change, pause.clone()).await?;
        let values = Neurons::of(&output, part, layer).values(neuron)?;
        let model = model_contexts(&mut self.contexts)?.model.clone();
        let tokens = model.neuron_tokens(part, layer, neuron, count, &MessagePauses::new(pause)).await?;
        written(&json!({ "values": values, "reads": tokens.reads, "writes": tokens.writes }))
    }
}

impl Engine {
    /// Runs a text with the taps of a layer's neurons.
    async fn neuron_run(
        &mut self,
        ids: Vec<u32>,
        part: Part,
        layer: usize,
        position_offset: f64,
        change: &Change,
        pause: Function,
    ) -> Result<Output, Error> {
        let model = model_contexts(&mut self.contexts)?.model.clone();
        let taps = model.neuron_taps(part, layer)?;
        let request = change.within(least_results(text(ids, position_offset), model.facts()));
        self.output(&Request { taps, ..request }, &change.variant()?, pause).await
    }
}

fn own_part(part: PartName) -> Part {
    if part == PartName::Encoder { Part::Encoder } else { Part::Decoder }
}

fn written(answer: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(answer).map_err(|error| Error::Internal { reason: error.to_string() })
}
