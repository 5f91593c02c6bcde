//! Interventions and settings of one run as the page writes them. A link may contain anything, so nothing here is checked before.

use super::engine::Engine;
use crate::error::Error;
use crate::model::{Attention, Variant};
use crate::rope::Scaling;
use crate::runtime::{Intervention, Replacement, Request, SourceText};
use crate::weights::json;
use wasm_bindgen::prelude::wasm_bindgen;

/// The arguments of [`Engine::change`].
#[wasm_bindgen]
pub struct Change {
    muted: Vec<u32>,
    off: Vec<u32>,
    labels: Vec<i32>,
    scaling: String,
    rotary_value: bool,
    rotates_values: bool,
    log_n: Option<f64>,
    reach: Option<u32>,
    beyond_length: bool,
    source: Vec<u32>,
    attention: String,
}

/// Stands for all heads of a layer.
const ALL_HEADS: u32 = u32::MAX;

#[wasm_bindgen]
impl Engine {
    /// A change for one run; the lists have several numbers an entry.
    ///
    /// - muted: layer, head or 2³² − 1 for all heads, pair, and 0 to freeze the pair or 1 to ablate it.
    /// - off: layer, head, and 0 to replace the head's output by zero or 1 by its mean.
    /// - labels: an id for each row whose −log p is computed, negative for none; empty for no losses.
    /// - scaling: a JSON object as `rope_parameters` of config.json; empty for the model's own.
    /// - attention: a name of [`Attention`]; any other text for the model's own.
    /// - The rest: see [`Variant`] and [`Intervention`].
    #[allow(clippy::too_many_arguments)] // as JavaScript calls it
    pub fn change(
        &self,
        muted: Vec<u32>,
        off: Vec<u32>,
        labels: Vec<i32>,
        scaling: String,
        rotary_value: bool,
        rotates_values: bool,
        log_n: Option<f64>,
        reach: Option<u32>,
        beyond_length: bool,
        attention: String,
    ) -> Change {
        let source = Vec::new();
        Change {
            muted,
            off,
            labels,
            scaling,
            rotary_value,
            rotates_values,
            log_n,
            reach,
            beyond_length,
            source,
            attention,
        }
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
    /// The variant of the model that runs.
    ///
    /// # Errors
    /// A scaling that is no JSON, or of an unknown type.
    pub fn variant(&self) -> Result<Variant, Error> {
        let invalid = |error| Error::InvalidInput { reason: format!("the rope's scaling is no JSON: {error}") };
        let scaling = match self.scaling.as_str() {
            "" => None,
            text => Some(Scaling::parse(&json::parse(text).map_err(invalid)?)?),
        };
        let attention = Attention::named(&self.attention);
        Ok(Variant { scaling, rotary_value: self.rotary_value, attention })
    }

    /// Whether the run is of the unchanged model; labels and a source change nothing.
    pub fn is_none(&self) -> bool {
        let changes_scores = !self.muted.is_empty() || self.log_n.is_some() || self.reach.is_some();
        let changes_values = !self.off.is_empty() || self.rotary_value || self.rotates_values;
        let is_variant = !self.scaling.is_empty() || !self.attention.is_empty();
        !changes_scores && !changes_values && !is_variant
    }

    /// Adds the change to a request for a model with `heads` heads. The run checks whether the model has what is changed.
    pub fn within(&self, request: Request, heads: usize) -> Request {
        let mut all = Vec::new();
        for &[layer, head, pair, ablated] in self.muted.as_chunks().0 {
            let (layer, pair) = (layer as usize, pair as usize);
            let heads = if head == ALL_HEADS { 0..=heads.saturating_sub(1) } else { head as usize..=head as usize };
            let kind = if ablated == 0 { Intervention::freeze } else { Intervention::ablate_pairs };
            all.extend(heads.map(|head| kind(layer, head, pair..=pair)));
        }
        for &[layer, head, mean] in self.off.as_chunks().0 {
            let replacement = if mean == 0 { Replacement::Zero } else { Replacement::Mean };
            all.push(Intervention::ablate_head(layer as usize, head as usize, replacement));
        }
        all.extend(self.rotates_values.then(Intervention::rotate_values));
        all.extend(self.log_n.map(Intervention::log_n));
        all.extend(self.reach.map(|reach| Intervention::clamp_distances(reach as usize)));
        let labels = self.labels.iter().map(|label| u32::try_from(*label).ok()).collect();
        let labels = Some(labels).filter(|_| !self.labels.is_empty());
        let source = Some(&self.source).filter(|source| !source.is_empty()).cloned().map(SourceText::one);
        Request { interventions: all.into(), labels, source, beyond_length: self.beyond_length, ..request }
    }
}
