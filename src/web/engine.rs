//! The engine class: one backend, the model on it, the canvas it paints. What it does with them: running.rs, looking.rs,
//! painting.rs.

use super::adapter;
use super::canvas::Canvas;
use super::change::Origin;
use super::failure::failure;
use super::loading::ModelLoading;
use super::shared::SharedSession;
use crate::draw::Layout;
use crate::kernels::ThreadingPolicy;
use crate::model::Variant;
use crate::plan::Part;
use crate::session::{BackendChoice, Device, Fill, Mark, Request, Session};
use crate::shaders;
use js_sys::Function;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// See the module. Its methods must not overlap.
#[wasm_bindgen]
pub struct Engine {
    pub(super) device: Device,
    pub(super) session: SharedSession,
    /// What the model in it was read from, and what it is now.
    pub(super) origin: Option<(Origin, Variant)>,
    pub(super) canvas: Option<Canvas>,
    pub(super) layout: Option<Layout>,
    /// The last run of a model that writes on: its request, and the candidates for what comes after its last row.
    pub(super) last: Option<(Request, Vec<Fill>)>,
    /// Runs so far: the newest one's number.
    pub(super) runs: u32,
    /// The last run of the model as it is, by its number.
    pub(super) unchanged: Option<(u32, Mark)>,
    /// The last run beside it whose heads are kept. Its number is counted down from the largest: runs are counted up.
    pub(super) beside: Option<(u32, Mark)>,
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
            device.gpu.when_lost(move |reason| {
                // A listener that throws has no bearing on the engine.
                let _ = on_lost.call1(&JsValue::NULL, &reason.into());
            });
        }
        let session = SharedSession::default();
        Ok(Engine {
            device,
            session,
            origin: None,
            canvas: None,
            layout: None,
            last: None,
            runs: 0,
            unchanged: None,
            beside: None,
            threading: ThreadingPolicy::default(),
        })
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

    /// Takes over a model whose weights are all there, and gives back the one before. Returns JSON of its sizes.
    pub fn adopt(&mut self, loading: ModelLoading) -> Result<String, JsValue> {
        let (session, origin) = loading.finish().map_err(|error| failure(&error))?;
        let described = describe(&session);
        self.origin = Some((origin, Variant::default()));
        self.last = None;
        self.runs += 1;
        self.unchanged = None;
        self.beside = None;
        self.threading = ThreadingPolicy::default();
        self.session.put(session);
        Ok(described)
    }

    /// Chooses the part of an encoder–decoder whose heads are asked about, and painted: "encoder", "decoder" or "cross".
    pub fn part(&self, name: &str) -> Result<(), JsValue> {
        let part = Part::named(name).unwrap_or_default();
        let chosen = self.session.with(|session| session.look_at_part(part));
        chosen.and_then(|chosen| chosen).map_err(|error| failure(&error))
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
    shaders::give(texts);
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
fn describe(session: &Session) -> String {
    let facts = session.facts();
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
        "parameters": session.parameters(),
        "predicts_tokens": facts.predicts_tokens(),
        "labels": facts.labels,
        "tells_contacts": facts.tells_contacts,
        "adds_positions": facts.adds_positions,
        "encoder": encoder,
        "decoder_start_token_id": facts.decoder_start_token_id,
    })
    .to_string()
}
