//! Trials that the page times: the three forms of the rotation, and attention against the length.

use super::engine::Engine;
use super::failure::failure;
use super::pace::BetweenMessages;
use crate::error::Error;
use crate::session::{Trial, TrialKind};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// See [`Trial`].
#[wasm_bindgen]
pub struct WasmTrial(Trial);

#[wasm_bindgen]
impl Engine {
    /// what: as a [`TrialKind`] is named. It needs no model and leaves the one that is loaded alone.
    pub async fn trial(&self, what: String, length: usize, head_size: usize) -> Result<WasmTrial, JsValue> {
        let unknown = || failure(&Error::InvalidInput { reason: format!("{what:?} is nothing that is timed") });
        let kind = TrialKind::named(&what).ok_or_else(unknown)?;
        Trial::new(&self.device, kind, length, head_size).await.map(WasmTrial).map_err(|error| failure(&error))
    }
}

#[wasm_bindgen]
impl WasmTrial {
    /// Runs it to its end, and gives what it computes of the last token; `pause` as for a run.
    pub async fn run(&mut self, pause: Function) -> Result<Vec<f32>, JsValue> {
        self.0.run(&BetweenMessages::new(pause)).await.map_err(|error| failure(&error))
    }

    /// Bytes of what a rotation is made by.
    #[wasm_bindgen(js_name = storedBytes)]
    pub fn stored_bytes(&self) -> f64 {
        self.0.stored_bytes() as f64
    }

    /// Bytes of all that it holds.
    pub fn bytes(&self) -> f64 {
        self.0.bytes() as f64
    }
}
