//! The engine class: one backend, the model on it, the canvas it paints. What it does with them: running.rs, looking.rs,
//! painting.rs.

use super::adapter;
use super::canvas::Canvas;
use super::failure::failure;
use super::loaded::{Loaded, loaded};
use super::loading::ModelLoading;
use crate::draw::Layout;
use crate::error::Error;
use crate::kernels::ThreadingPolicy;
use crate::plan::Part;
use crate::runtime::{BackendChoice, Device, Model};
use crate::shaders;
use js_sys::Function;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// See the module. Its methods must not overlap.
#[wasm_bindgen]
pub struct Engine {
    pub(super) device: Device,
    pub(super) loaded: Option<Loaded>,
    pub(super) canvas: Option<Canvas>,
    pub(super) layout: Option<Layout>,
    /// The part of an encoder–decoder whose heads are asked about, and painted.
    pub(super) part: Part,
    /// Whether worker threads take part in runs.
    pub(super) threading: ThreadingPolicy,
}

#[wasm_bindgen]
impl Engine {
    /// Opens a backend, "gpu" or "cpu"; `on_lost` is called with the reason when the device goes.
    pub async fn open(backend: String, on_lost: Function) -> Result<Engine, JsValue> {
        let choice = if backend == "gpu" { BackendChoice::Gpu } else { BackendChoice::Cpu };
        let device = Device::open(choice).await.map_err(|error| failure(&error))?;
        if let Device::Gpu(device) = &device {
            device.gpu.on_lost(move |reason| {
                // A listener that throws has no bearing on the engine.
                let _ = on_lost.call1(&JsValue::NULL, &reason.into());
            });
        }
        let (canvas, layout) = (None, None);
        Ok(Engine { device, loaded: None, canvas, layout, part: Part::Decoder, threading: ThreadingPolicy::default() })
    }

    /// Whether the adapter computes what the CPU computes: rejects with code "self-check" where it does not.
    pub async fn check(&self) -> Result<(), JsValue> {
        self.device.check().await.map_err(|error| failure(&error))
    }

    /// JSON {adapter?, vendor?, architecture?, device?}, as far as the browser tells.
    pub fn adapter(&self) -> String {
        match &self.device {
            Device::Cpu => "{}".into(),
            Device::Gpu(device) => adapter::describe(&device.gpu),
        }
    }

    /// Begins to load a model: checks config.json and the header of its weights, makes room and compiles pipelines. The model
    /// before stays. file_length: bytes of the whole file, 0 where that is not known.
    /// weights: the format that matrices are kept in, or "stored".
    pub async fn begin(
        &self,
        config_json: String,
        header: Vec<u8>,
        file_length: f64,
        weights: String,
    ) -> Result<ModelLoading, JsValue> {
        let loading = ModelLoading::begin(&self.device, &config_json, &header, file_length, &weights).await;
        loading.map_err(|error| failure(&error))
    }

    /// Takes over a model whose weights have all arrived, and frees the one before. Returns JSON of its sizes.
    pub fn adopt(&mut self, loading: ModelLoading) -> Result<String, JsValue> {
        let model = loading.finish().map_err(|error| failure(&error))?;
        let described = describe(&model);
        // A number of the model before is never given again.
        let newest_number = self.loaded.take().map_or(0, |before| before.runs.newest_number) + 1;
        self.loaded = Some(Loaded::new(model, newest_number));
        (self.part, self.threading) = (Part::Decoder, ThreadingPolicy::default());
        Ok(described)
    }

    /// Chooses the part of an encoder–decoder whose heads are asked about, and painted: "encoder", "decoder" or "cross".
    pub fn part(&mut self, name: &str) -> Result<(), JsValue> {
        let part = Part::named(name).unwrap_or_default();
        let facts = loaded(&mut self.loaded).map_err(|error| failure(&error))?.model.facts();
        if !facts.has(part) {
            return Err(failure(&Error::InvalidInput { reason: facts.lacks(part) }));
        }
        self.part = part;
        Ok(())
    }

    /// The device by itself, to be lost even while the engine is at work.
    pub fn device(&self) -> DeviceHandle {
        DeviceHandle(self.device.clone())
    }

    /// Panics, so that tests see what the page does then.
    pub fn panic(&self) {
        panic!("asked to");
    }
}

/// The engine's device, for tests of its loss.
#[wasm_bindgen]
pub struct DeviceHandle(Device);

/// Hands over the texts of the shaders, before an engine is opened on a GPU.
#[wasm_bindgen(js_name = giveShaders)]
pub fn give_shaders(texts: String) {
    shaders::set_files(texts);
}

#[wasm_bindgen]
impl DeviceHandle {
    /// Destroys the device, as a driver's reset would.
    pub fn lose(&self) {
        if let Device::Gpu(device) = &self.0 {
            device.gpu.destroy();
        }
    }
}

/// JSON of a model's sizes, under the keys of config.json.
fn describe(model: &Model) -> String {
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
        // The longest text that runs unless a longer one is allowed.
        "max_position_embeddings": facts.longest.unwrap_or(facts.max_position_embeddings as u64),
        // Whether a longer text may be allowed.
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
        "tells_contacts": facts.tells_contacts,
        "adds_positions": facts.adds_positions,
        "encoder": encoder,
        "decoder_start_token_id": facts.decoder_start_token_id,
    })
    .to_string()
}
