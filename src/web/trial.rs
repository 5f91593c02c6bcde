//! Trials that the page times: the three forms of the rotation, and attention against the length.

use super::engine::Engine;
use super::failure::failure;
use super::pace::BetweenMessages;
use crate::error::Error;
use crate::session::{Trial, TrialKind};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A trial is repeated for so many milliseconds: clocks are coarse.
const LEAST_TIMED: f64 = 60.0;

#[wasm_bindgen]
impl Engine {
    /// Times a [`Trial`]. what: as a [`TrialKind`] is named; pause: as for a run; now: a clock in milliseconds. Returns the milliseconds
    /// of a run, the bytes of what a rotation is made by and of all that is held, then what it computes of the last token. It needs
    /// no model, and leaves the one that is loaded alone.
    pub async fn trial(
        &self,
        what: String,
        length: usize,
        head_size: usize,
        pause: Function,
        now: Function,
    ) -> Result<Vec<f64>, JsValue> {
        let told = self.time(&what, length, head_size, pause, &now).await;
        told.map_err(|error| failure(&error))
    }
}

impl Engine {
    async fn time(
        &self,
        what: &str,
        length: usize,
        head_size: usize,
        pause: Function,
        now: &Function,
    ) -> Result<Vec<f64>, Error> {
        let unknown = || Error::InvalidInput { reason: "nothing that is timed".into() };
        let kind = TrialKind::named(what).ok_or_else(unknown)?;
        let mut trial = Trial::new(&self.device, kind, length, head_size).await?;
        let (pace, mut start, mut runs) = (BetweenMessages::new(pause), 0.0, 0.0);
        let clock = || now.call0(&JsValue::NULL).ok().and_then(|value| value.as_f64()).unwrap_or_default();
        loop {
            let numbers = trial.run(&pace).await?;
            let passed = clock() - start;
            // The first run compiles.
            if runs > 0.0 && passed >= LEAST_TIMED {
                let told = [passed / runs, trial.stored_bytes() as f64, trial.bytes() as f64];
                return Ok(told.into_iter().chain(numbers.into_iter().map(f64::from)).collect());
            }
            if runs == 0.0 {
                start = clock();
            }
            runs += 1.0;
        }
    }
}
