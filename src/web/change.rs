//! Interventions and settings of one run as the page writes them. A link may contain anything, so nothing here is checked before.

use super::engine::Engine;
use super::names::AttentionName;
use crate::error::{Error, JsonText};
use crate::model::{Attention, Variant};
use crate::rope::Scaling;
use crate::runtime::{Intervention, Interventions, Request, SourceText};
use crate::weights::json;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
pub struct Change {
    interventions: Vec<Intervention>,
    labels: Vec<i32>,
    scaling: String,
    rotary_value: bool,
    beyond_length: bool,
    source: Vec<u32>,
    attention: Option<Attention>,
}

#[wasm_bindgen]
impl Engine {
    /// A change for one run.
    ///
    /// - interventions: a site and its replacement each, as [`Intervention`] reads them.
    /// - labels: an id for each row whose −log p is computed, negative for none; empty for no losses.
    /// - scaling: a JSON object as `rope_parameters` of config.json; empty for the model's own.
    /// - rotary_value, attention: see [`Variant`].
    pub fn change(
        &self,
        interventions: Vec<String>,
        labels: Vec<i32>,
        scaling: String,
        rotary_value: bool,
        attention: Option<AttentionName>,
        beyond_length: bool,
    ) -> Result<Change, Error> {
        let interventions = interventions.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        let attention = attention.map(AttentionName::value).transpose()?;
        Ok(Change { interventions, labels, scaling, rotary_value, beyond_length, source: Vec::new(), attention })
    }
}

#[wasm_bindgen]
impl Change {
    /// Sets the source that an encoder–decoder reads before the text. The model stays the same.
    pub fn after(&mut self, source: Vec<u32>) {
        self.source = source;
    }
}

impl Change {
    pub fn variant(&self) -> Result<Variant, Error> {
        let invalid = |defect| Error::InvalidJson { text: JsonText::RopeScaling, defect };
        let scaling = match self.scaling.as_str() {
            "" => None,
            text => Some(Scaling::parse(&json::parse(text).map_err(invalid)?)?),
        };
        Ok(Variant { scaling, rotary_value: self.rotary_value, attention: self.attention })
    }

    /// Whether the run is of the unchanged model; labels and a source change nothing.
    pub fn is_none(&self) -> bool {
        let is_variant = !self.scaling.is_empty() || self.rotary_value || self.attention.is_some();
        self.interventions.is_empty() && !is_variant
    }

    /// Adds the change to a request. The run checks whether the model has what is changed.
    pub fn within(&self, request: Request) -> Request {
        let labels = self.labels.iter().map(|label| u32::try_from(*label).ok()).collect();
        let labels = Some(labels).filter(|_| !self.labels.is_empty());
        let source = Some(&self.source).filter(|source| !source.is_empty()).cloned().map(SourceText::one);
        let interventions = Interventions::from(self.interventions.iter().copied());
        Request { interventions, labels, source, beyond_length: self.beyond_length, ..request }
    }
}
