//! Trials that the page times: the three forms of the rotation, and attention against the length.

use super::cancellation::MessagePauses;
use super::engine::Engine;
use super::names::TrialName;
use crate::error::Error;
use crate::trial::Trial;
use js_sys::{Date, Function};
use wasm_bindgen::prelude::wasm_bindgen;

/// The time for which a trial repeats its run, in milliseconds: clocks are coarse.
const MIN_MILLISECONDS: f64 = 100.0;

#[wasm_bindgen]
impl Engine {
    /// Times a [`Trial`]: milliseconds of a run, bytes of the rotation's tables, bytes of all buffers,
    /// then the result for the last token. It needs no model.
    pub async fn trial(
        &self,
        kind: TrialName,
        length: usize,
        head_size: usize,
        pause: Function,
    ) -> Result<Vec<f64>, Error> {
        let mut trial = Trial::new(&self.device, kind.value()?, length, head_size).await?;
        let (cancellation, mut start, mut runs) = (MessagePauses::new(pause), 0.0, 0.0);
        loop {
            let result = trial.run(&cancellation).await?;
            let milliseconds = Date::now() - start;
            // The first run compiles pipelines, so it is not timed.
            if runs > 0.0 && milliseconds >= MIN_MILLISECONDS {
                let mut numbers = vec![milliseconds / runs, trial.stored_bytes() as f64, trial.bytes() as f64];
                numbers.extend(result.into_iter().map(f64::from));
                return Ok(numbers);
            }
            if runs == 0.0 {
                start = Date::now();
            }
            runs += 1.0;
        }
    }
}
