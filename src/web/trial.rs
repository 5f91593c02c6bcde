//! Trials that the page times: the three forms of the rotation, and attention against the length.

use super::cancellation::BetweenMessages;
use super::engine::Engine;
use crate::error::Error;
use crate::trial::{Trial, TrialKind};
use js_sys::{Date, Function};

/// A trial is repeated for so many milliseconds: clocks are coarse.
const LEAST_TIMED: f64 = 100.0;

impl Engine {
    /// Times a [`Trial`]: the milliseconds of a run, the bytes of what a rotation is made by and of all that is held, then what is
    /// computed of the last token. It leaves the model that is loaded alone.
    pub(super) async fn trial(
        &self,
        kind: TrialKind,
        length: usize,
        head_size: usize,
        pause: Function,
    ) -> Result<Vec<f64>, Error> {
        let mut trial = Trial::new(&self.device, kind, length, head_size).await?;
        let (cancel, mut start, mut runs) = (BetweenMessages::new(pause), 0.0, 0.0);
        loop {
            let numbers = trial.run(&cancel).await?;
            let passed = Date::now() - start;
            // The first run compiles.
            if runs > 0.0 && passed >= LEAST_TIMED {
                let mut told = vec![passed / runs, trial.stored_bytes() as f64, trial.bytes() as f64];
                told.extend(numbers.into_iter().map(f64::from));
                return Ok(told);
            }
            if runs == 0.0 {
                start = Date::now();
            }
            runs += 1.0;
        }
    }
}
