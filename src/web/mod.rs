//! The engine as JavaScript sees it: what the page's worker calls. Nothing here computes; every failure becomes
//! `{code, message, retryable}`.

mod adapter;
mod aside;
mod cancellation;
mod canvas;
mod change;
mod engine;
mod failure;
mod generation;
mod loaded;
mod loading;
mod looking;
mod mathematics;
mod painting;
mod relaxed;
mod results;
mod running;
mod told;
mod trial;

use wasm_bindgen::prelude::wasm_bindgen;

/// Panics go to the console with their place; the worker is replaced after one.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
    // Where the browser refuses it, the engine's own product computes the same.
    let _ = relaxed::take();
}
