//! Kernels by relaxed SIMD where the browser has it, and by several threads where the page has them: modules of the same source on the engine's
//! memory.

use crate::kernels::{THREAD_POOL, job_runner};
use js_sys::{Function, Object, Reflect, Uint8Array, WebAssembly};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// The package ropescope-relaxed, see `xtask/src/relaxed.rs`; empty where something else compiles the engine.
#[cfg(relaxed_kernels)]
const MODULE: &[u8] = include_bytes!(env!("RELAXED_KERNELS"));
#[cfg(not(relaxed_kernels))]
const MODULE: &[u8] = &[];

/// How the module says that its memory has a limit; it is shared where the last byte is 3.
const LIMITED: &[u8] = b"\x06memory\x02\x01";

/// Puts the module's kernels where the engine calls its own.
///
/// # Errors
/// What JavaScript throws where the browser does not know relaxed SIMD: then the engine's own stay.
pub fn take() -> Result<(), JsValue> {
    give(&kernels(MODULE).or_else(|_| kernels(&on_shared_memory()))?)
}

/// The same module for an engine whose memory is shared.
fn on_shared_memory() -> Vec<u8> {
    let mut module = MODULE.to_vec();
    if let Some(at) = module.windows(LIMITED.len()).position(|bytes| bytes == LIMITED) {
        module[at + LIMITED.len() - 1] = 3;
    }
    module
}

fn kernels(module: &[u8]) -> Result<Function, JsValue> {
    let module = WebAssembly::Module::new(&Uint8Array::from(module).into())?;
    // The module asks for `env.memory`: the engine exports one of that name.
    let imports = Object::new();
    Reflect::set(&imports, &"env".into(), &wasm_bindgen::exports())?;
    let exports = WebAssembly::Instance::new(&module, &imports)?.exports();
    Ok(Reflect::get(&exports, &"run_job".into())?.unchecked_into())
}

/// Has jobs done by this function of a module on the engine's memory. Returns where what its threads share lies.
#[wasm_bindgen(js_name = useKernels)]
pub fn use_kernels(run_job: &Function) -> Result<usize, JsValue> {
    give(run_job)?;
    Ok(&raw const THREAD_POOL as usize)
}

fn give(run_job: &Function) -> Result<(), JsValue> {
    let table: WebAssembly::Table = wasm_bindgen::function_table().unchecked_into();
    // In WebAssembly the address of a function is its place in the table.
    table.set(job_runner() as usize as u32, run_job)
}
