//! The engine as JavaScript sees it: the page's worker calls these functions. An error becomes `{code, message, retryable, parameters}`.

mod cancellation;
mod canvas;
mod change;
mod engine;
mod explained_text;
mod explanations;
mod failure;
mod generation;
mod loading;
mod mathematics;
mod model_contexts;
mod names;
mod neurons;
mod painting;
mod probes;
mod relaxed;
mod results;
mod run;
mod side_runs;
mod trial;

use wasm_bindgen::prelude::wasm_bindgen;

/// Panics are logged to the console with their place; the page replaces the worker after one.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
    // A browser without relaxed SIMD runs the engine's own kernels.
    let _ = relaxed::install_module();
}
