//! Kernels with relaxed SIMD, where the browser supports it, and on several threads, where the page is isolated: WebAssembly modules of
//! the same source, on the engine's memory.

use crate::kernels::{THREAD_POOL, job_runner};
use js_sys::{Function, Object, Reflect, Uint8Array, WebAssembly};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// The package ropescope-relaxed, see `xtask/src/relaxed.rs`. Empty when another tool than xtask compiles the engine.
#[cfg(relaxed_kernels)]
const MODULE: &[u8] = include_bytes!(env!("RELAXED_KERNELS"));
#[cfg(not(relaxed_kernels))]
const MODULE: &[u8] = &[];

/// The import of a memory with a limit. In place of the last byte, 3 means shared.
const LIMITED: &[u8] = b"\x06memory\x02\x01";

/// Replaces the engine's kernels by the module's.
pub fn install_module() -> Result<(), JsValue> {
    install(&kernels(MODULE).or_else(|_| kernels(&on_shared_memory()))?)
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
    // The module imports `env.memory`, which the engine exports.
    let imports = Object::new();
    Reflect::set(&imports, &"env".into(), &wasm_bindgen::exports())?;
    let exports = WebAssembly::Instance::new(&module, &imports)?.exports();
    Ok(Reflect::get(&exports, &"run_job".into())?.unchecked_into())
}

/// Makes `run_job` of a module on the engine's memory the function that runs jobs. Returns the address of the thread pool.
#[wasm_bindgen(js_name = useKernels)]
pub fn use_kernels(run_job: &Function) -> Result<usize, JsValue> {
    install(run_job)?;
    Ok(&raw const THREAD_POOL as usize)
}

fn install(run_job: &Function) -> Result<(), JsValue> {
    let table: WebAssembly::Table = wasm_bindgen::function_table().unchecked_into();
    // In WebAssembly the address of a function is its index in the table.
    table.set(job_runner() as usize as u32, run_job)
}
