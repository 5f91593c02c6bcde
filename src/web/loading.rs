//! A model on its way into the engine, chunk by chunk.

use super::failure::failure;
use crate::error::Error;
use crate::kernels::Format;
use crate::model::Architecture;
use crate::runtime::{Device, LoadOptions, Loading, Model, ModelFiles};
use crate::weights::Header;
use crate::weights::json::Value;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// See [`Loading`]. It may be filled while the engine runs another model.
#[wasm_bindgen]
pub struct ModelLoading {
    loading: Loading,
}

#[wasm_bindgen]
impl ModelLoading {
    /// Takes the next bytes of the weights, which begin behind their header.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), JsValue> {
        self.loading.push(chunk).map_err(|error| failure(&error))
    }
}

impl ModelLoading {
    pub(super) async fn begin(
        device: &Device,
        config_json: &str,
        header: &[u8],
        file_length: f64,
        weights: &str,
    ) -> Result<Self, Error> {
        let header = Header::parse(header, Some(file_length as u64).filter(|length| *length > 0))?;
        let files = ModelFiles { config_json: config_json.into(), header };
        let options = LoadOptions { format: Format::named(weights), ..LoadOptions::default() };
        let loading = Loading::begin(device, files, options).await?;
        loading.compile()?;
        Ok(Self { loading })
    }

    pub(super) fn finish(self) -> Result<Model, Error> {
        self.loading.finish()
    }
}

/// What is known of a model before its weights are there, as JSON {bytes, rope}. bytes: {f32, f16, bf16, int8, int4, stored}, what the
/// weights take, kept so or as they are stored; rope: {theta, context}, θ of the first layer, (pairs), none where nothing turns, and
/// max_position_embeddings.
#[wasm_bindgen(js_name = beforeWeights)]
pub fn before_weights(config_json: &str, header: &[u8]) -> Result<String, JsValue> {
    let tell = || -> Result<Value, Error> {
        let header = Header::parse(header, None)?;
        let mut model = Architecture::read(config_json, Some(&header))?;
        let mut bytes = |format: Option<Format>| {
            model.table.set_formats(format, &header);
            Value::from(model.table.bytes())
        };
        let stored = ("stored".to_string(), bytes(None));
        let kept = Format::ALL.map(|format| (format.name().to_string(), bytes(Some(format))));
        let bytes = Value::Object(kept.into_iter().chain([stored]).collect());
        let theta = model.rope(0).map_or_else(Vec::new, |rope| rope.frequencies(1).theta);
        let context = model.facts.max_position_embeddings;
        Ok(json!({"bytes": bytes, "rope": {"theta": theta, "context": context}}))
    };
    tell().map(|value| value.to_string()).map_err(|error| failure(&error))
}

/// Bytes of a weights file's header, told by its first eight.
#[wasm_bindgen(js_name = headerBytes)]
pub fn header_bytes(start: &[u8]) -> Result<f64, JsValue> {
    Header::length_from(start).map(|bytes| bytes as f64).map_err(|error| failure(&error.into()))
}
