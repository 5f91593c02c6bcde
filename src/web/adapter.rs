//! What the browser tells of the adapter: wgpu fills only part of it, the GPUDevice knows more.

use crate::backend::gpu::Gpu;
use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// JSON {adapter?, vendor?, architecture?, device?}: browsers leave out what they do not want known.
pub fn describe(gpu: &Gpu) -> String {
    let info = gpu.device().as_webgpu().and_then(|device| Reflect::get(device, &"adapterInfo".into()).ok());
    let field = |name: &str| -> Option<String> {
        let value: JsValue = Reflect::get(info.as_ref()?, &name.into()).ok()?;
        value.as_string().filter(|text| !text.is_empty())
    };
    let mut known = serde_json::Map::new();
    let mut add = |key: &str, value: Option<String>| value.map(|value| known.insert(key.into(), value.into()));
    add("adapter", field("description").or_else(|| field("device")));
    add("vendor", field("vendor"));
    add("architecture", field("architecture"));
    add("device", field("device"));
    serde_json::Value::Object(known).to_string()
}
