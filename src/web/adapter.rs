//! The adapter by name. wgpu fills only part of its description in a browser; the GPUDevice has the rest.

use crate::backend::gpu::Gpu;
use crate::weights::json::{Map, Value};
use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// JSON {adapter?, vendor?, architecture?, device?}. Browsers leave fields out for privacy.
pub fn describe(gpu: &Gpu) -> String {
    let info = gpu.device().as_webgpu().and_then(|device| Reflect::get(device, &"adapterInfo".into()).ok());
    let field = |name: &str| -> Option<String> {
        let value: JsValue = Reflect::get(info.as_ref()?, &name.into()).ok()?;
        value.as_string().filter(|text| !text.is_empty())
    };
    let known = [
        ("adapter", field("description").or_else(|| field("device"))),
        ("vendor", field("vendor")),
        ("architecture", field("architecture")),
        ("device", field("device")),
    ];
    let known: Map<_, _> = known.into_iter().filter_map(|(key, value)| Some((key.into(), value?.into()))).collect();
    Value::Object(known).to_string()
}
