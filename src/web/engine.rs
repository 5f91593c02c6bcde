//! The engine class: a backend, a model on it and a canvas. Its methods are here, in run.rs, side_runs.rs, probes.rs,
//! painting.rs and trial.rs.

use super::canvas::Canvas;
use super::loading::ModelLoading;
use super::model_contexts::ModelContexts;
use super::names::{BackendName, FormatName};
use crate::backend::gpu::Gpu;
use crate::draw::Layout;
use crate::error::Error;
use crate::runtime::{Device, Model};
use crate::shaders;
use crate::weights::json::{Map, Value};
use js_sys::{Function, Reflect};
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// One engine on one backend. A method that takes `&mut self` must not start before the one before it has settled.
#[wasm_bindgen]
pub struct Engine {
    pub(super) device: Device,
    pub(super) contexts: Option<ModelContexts>,
    pub(super) canvas: Option<Canvas>,
    pub(super) layout: Option<Layout>,
}

#[wasm_bindgen]
impl Engine {
    /// Opens a backend. `on_lost` is called once with the reason when the device is lost.
    pub async fn open(backend: BackendName, on_lost: Function) -> Result<Engine, Error> {
        let device = Device::open(backend.value()?).await?;
        if let Device::Gpu(device) = &device {
            device.gpu.on_lost(move |reason| {
                // The engine ignores an error of its listener.
                let _ = on_lost.call1(&JsValue::NULL, &reason.into());
            });
        }
        Ok(Engine { device, contexts: None, canvas: None, layout: None })
    }

    /// Compares the adapter with the CPU on a small model.
    pub async fn check(&self) -> Result<(), Error> {
        self.device.check().await
    }

    /// JSON {adapter?, vendor?, architecture?, device?}, each where the browser reveals it.
    pub fn adapter(&self) -> String {
        match &self.device {
            Device::Cpu => "{}".into(),
            Device::Gpu(device) => describe(&device.gpu),
        }
    }

    /// Starts to load a model: checks config.json and the header of its weights, allocates and compiles pipelines. The current model
    /// stays. file_length: bytes of the weights file, 0 if unknown. weights: the storage format of matrices.
    pub async fn begin(
        &self,
        config_json: String,
        header: Vec<u8>,
        file_length: f64,
        weights: FormatName,
    ) -> Result<ModelLoading, Error> {
        ModelLoading::begin(&self.device, &config_json, &header, file_length, weights.value()?).await
    }

    /// Replaces the current model by a complete one. Returns JSON of its sizes.
    pub fn adopt(&mut self, loading: ModelLoading) -> Result<String, Error> {
        let model = loading.finish()?;
        let sizes = sizes(&model);
        // Numbers of runs are never used again.
        let newest_number = self.contexts.take().map_or(0, |previous| previous.runs.newest_number) + 1;
        self.contexts = Some(ModelContexts::new(model, newest_number));
        Ok(sizes)
    }

    /// The device alone, which a test can destroy during a run.
    pub fn device(&self) -> DeviceHandle {
        DeviceHandle(self.device.clone())
    }

    /// Panics, for tests of the page.
    pub fn panic(&self) {
        panic!("requested by a test");
    }
}

/// The engine's device, for tests of its loss.
#[wasm_bindgen]
pub struct DeviceHandle(Device);

/// Sets the texts of the shaders, which an engine on a GPU needs before it opens.
#[wasm_bindgen(js_name = giveShaders)]
pub fn give_shaders(texts: String) {
    shaders::set_files(texts);
}

#[wasm_bindgen]
impl DeviceHandle {
    /// Destroys the device, as a reset of the driver does.
    pub fn lose(&self) {
        if let Device::Gpu(device) = &self.0 {
            device.gpu.destroy();
        }
    }
}

/// JSON of a model's sizes, under the keys of config.json.
fn sizes(model: &Model) -> String {
    let facts = model.facts();
    // The network that reads a source.
    let encoder = facts.encoder.as_ref().map(|encoder| {
        json!({
            "num_hidden_layers": encoder.layers,
            "num_attention_heads": encoder.heads,
            "head_size": encoder.head_size,
            "scale": encoder.scale,
            "vocab_size": encoder.vocab_size,
        })
    });
    json!({
        "architecture": facts.architecture,
        "num_hidden_layers": facts.layers,
        "num_attention_heads": facts.heads,
        "num_key_value_heads": facts.key_heads,
        "hidden_size": facts.hidden_size,
        "embedding_size": facts.embedding_size,
        "intermediate_size": facts.intermediate_size,
        "vocab_size": facts.vocab_size,
        // The longest text that runs without beyondLength.
        "max_position_embeddings": facts.longest.unwrap_or(facts.max_position_embeddings as u64),
        // Whether beyondLength may be set.
        "stretches": facts.stretches,
        "head_size": facts.head_size,
        "scale": facts.scale,
        "attention": facts.attention.name(),
        "is_decoder": facts.causal,
        "eos_token_ids": facts.eos_token_ids,
        "rotary_value": facts.rotary_value,
        "parameters": model.parameters(),
        "predicts_tokens": facts.predicts_tokens(),
        "labels": facts.labels,
        "has_contact_head": facts.has_contact_head,
        "adds_positions": facts.adds_positions,
        "encoder": encoder,
        "decoder_start_token_id": facts.decoder_start_token_id,
    })
    .to_string()
}

/// wgpu fills only part of the adapter's description in a browser; the GPUDevice has the rest. Browsers leave fields out for privacy.
fn describe(gpu: &Gpu) -> String {
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
