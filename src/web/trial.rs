//! Trials that the page times: the three forms of the rotation, and attention against the length.

use super::engine::Engine;
use super::failure::failure;
use super::pace::BetweenMessages;
use crate::error::Error;
use crate::model::Attention;
use crate::session::{Device, RotationForm, Trial};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// See [`Trial`].
#[wasm_bindgen]
pub struct WasmTrial(Trial);

#[wasm_bindgen]
impl Engine {
    /// what: a form of the rotation, "blocks", "elementwise" or "fused"; or an attention, "softmax", "linear", or "map": softmax
    /// with one head's map made, whose head size is given. It needs no model and leaves the one that is loaded alone.
    pub async fn trial(&self, what: String, length: usize, head_size: usize) -> Result<WasmTrial, JsValue> {
        let trial = begin(&self.device, &what, length, head_size).await;
        trial.map(WasmTrial).map_err(|error| failure(&error))
    }
}

async fn begin(device: &Device, what: &str, length: usize, head_size: usize) -> Result<Trial, Error> {
    match RotationForm::named(what) {
        Some(form) => Trial::rotation(device, form, length, head_size).await,
        None => {
            let attention = Attention::named(what).unwrap_or_default();
            Trial::attention(device, attention, what == "map", length).await
        }
    }
}

#[wasm_bindgen]
impl WasmTrial {
    /// Runs it to its end; `pause` as for a run.
    pub async fn run(&mut self, pause: Function) -> Result<(), JsValue> {
        self.0.run(&BetweenMessages::new(pause)).await.map_err(|error| failure(&error))
    }

    /// What it computes: (length, heads · head_size).
    pub async fn numbers(&mut self, pause: Function) -> Result<Vec<f32>, JsValue> {
        self.0.numbers(&BetweenMessages::new(pause)).await.map_err(|error| failure(&error))
    }

    /// Bytes of what a rotation is made by; of an attention all that it holds.
    pub fn bytes(&self) -> f64 {
        let stored = self.0.stored_bytes();
        (if stored > 0 { stored } else { self.0.bytes() }) as f64
    }
}
