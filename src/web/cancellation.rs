//! Pauses of a run, in which the worker receives messages.

use crate::backend::Cancellation;
use crate::kernels::{RunInProgress, THREAD_POOL};
use js_sys::{Date, Function, Promise};
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The CPU backend pauses once this time has passed, between two ops or in the middle of a long one.
const MILLISECONDS_BETWEEN_PAUSES: f64 = 8.0;

/// Work of each thread between two looks at the clock: some 2 to 8 ms of arithmetic.
const WORK_BETWEEN_LOOKS: usize = 1 << 25;

/// A cancellation by message: `pause` returns a promise, and false cancels the run. Workers of the thread pool stay awake for as long as
/// it exists.
pub struct MessagePauses {
    pause: Function,
    _run: RunInProgress<'static>,
    last_pause: Cell<f64>,
}

impl MessagePauses {
    pub fn new(pause: Function) -> Self {
        Self { pause, _run: THREAD_POOL.begin_run(), last_pause: Cell::new(Date::now()) }
    }
}

impl Cancellation for MessagePauses {
    fn work(&self) -> usize {
        WORK_BETWEEN_LOOKS * THREAD_POOL.threads()
    }

    fn is_due(&self) -> bool {
        Date::now() - self.last_pause.get() >= MILLISECONDS_BETWEEN_PAUSES
    }

    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>> {
        Box::pin(async {
            let promise = self.pause.call0(&JsValue::NULL).ok().and_then(|value| value.dyn_into::<Promise>().ok());
            let continues = match promise {
                Some(promise) => JsFuture::from(promise).await.is_ok_and(|answer| answer.is_truthy()),
                None => true,
            };
            self.last_pause.set(Date::now());
            continues
        })
    }
}
