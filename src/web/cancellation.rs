//! Pauses in which the worker hears its messages.

use crate::backend::Cancellation;
use crate::kernels::THREAD_POOL;
use js_sys::{Date, Function, Promise};
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The CPU backend lets messages in between two ops, or in the middle of a long one, once so much time has passed.
const MILLISECONDS_BETWEEN_PAUSES: f64 = 8.0;

/// Some 2 to 8 ms of arithmetic of each thread.
const WORK_BETWEEN_LOOKS: usize = 1 << 25;

/// Pauses for the worker's messages. `pause` gives a promise; false: the run is not wanted any more. While it is there, a run goes on, and workers
/// stay awake.
pub struct BetweenMessages {
    pause: Function,
    last: Cell<f64>,
}

impl BetweenMessages {
    pub fn new(pause: Function) -> Self {
        THREAD_POOL.begin_run();
        Self { pause, last: Cell::new(Date::now()) }
    }
}

impl Drop for BetweenMessages {
    fn drop(&mut self) {
        THREAD_POOL.end_run();
    }
}

impl Cancellation for BetweenMessages {
    fn work(&self) -> usize {
        WORK_BETWEEN_LOOKS * THREAD_POOL.threads()
    }

    fn is_due(&self) -> bool {
        Date::now() - self.last.get() >= MILLISECONDS_BETWEEN_PAUSES
    }

    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>> {
        Box::pin(async {
            let promise = self.pause.call0(&JsValue::NULL).ok().and_then(|value| value.dyn_into::<Promise>().ok());
            let goes_on = match promise {
                Some(promise) => JsFuture::from(promise).await.is_ok_and(|answer| answer.is_truthy()),
                None => true,
            };
            self.last.set(Date::now());
            goes_on
        })
    }
}
