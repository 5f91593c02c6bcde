//! What a run changes in a model, as the page writes it. All of it may come from a link.

use super::engine::Engine;
use crate::error::Error;
use crate::model::{Attention, Variant};
use crate::rope::Scaling;
use crate::runtime::{Intervention, Replacement, Request, SourceText};
use crate::weights::json;
use wasm_bindgen::prelude::wasm_bindgen;

/// Lists of numbers, several for each entry.
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

/// In place of a head: all of them.
const ALL: u32 = u32::MAX;

#[wasm_bindgen]
impl Engine {
    /// A change for one run. muted: layer, head or 2³² − 1 for all, pair, and 0 to stop or 1 to cut it, again and again. off:
    /// layer, head, and 0 for zero or 1 for the mean. labels: for each prediction row an id whose −log p is told, none where negative;
    /// empty: none at all. scaling: JSON of an object as config.json has it in rope_parameters; empty: the model's own. attention: as [`Attention`] is named; any other text: the model's own. The rest: see
    /// [`Variant`] and [`Intervention`].
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
    /// Runs the text after this source, which an encoder–decoder reads. It changes nothing in the model.
    pub fn after(&mut self, source: Vec<u32>) {
        self.source = source;
    }
}

impl Change {
    /// The model that is to run.
    ///
    /// # Errors
    /// A scaling that is no JSON, or none that is known.
    pub fn variant(&self) -> Result<Variant, Error> {
        let invalid = |error| Error::InvalidInput { reason: format!("the rope's scaling is no JSON: {error}") };
        let scaling = match self.scaling.as_str() {
            "" => None,
            text => Some(Scaling::parse(&json::parse(text).map_err(invalid)?)?),
        };
        let attention = Attention::named(&self.attention);
        Ok(Variant { scaling, rotary_value: self.rotary_value, attention })
    }

    /// Whether nothing is changed in the model, whatever is asked of the run.
    pub fn is_none(&self) -> bool {
        let scores = !self.muted.is_empty() || self.log_n.is_some() || self.reach.is_some();
        let variant = !self.scaling.is_empty() || !self.attention.is_empty();
        !scores && self.off.is_empty() && !variant && !self.turns_values()
    }

    /// Whether values are rotated, where the model does not do so by itself.
    fn turns_values(&self) -> bool {
        self.rotary_value || self.rotates_values
    }

    /// A request with this change in it, of a model with so many heads; its check refuses what the model does not have.
    pub fn within(&self, request: Request, heads: usize) -> Request {
        let mut all = Vec::new();
        for &[layer, head, pair, ablated] in self.muted.as_chunks().0 {
            let (layer, pair) = (layer as usize, pair as usize);
            let heads = if head == ALL { 0..=heads.saturating_sub(1) } else { head as usize..=head as usize };
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
