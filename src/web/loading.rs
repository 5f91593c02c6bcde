//! A model that is loading, chunk by chunk.

use crate::error::Error;
use crate::kernels::Format;
use crate::model::Architecture;
use crate::runtime::{Device, LoadOptions, Loading, Model, ModelFiles};
use crate::weights::Header;
use crate::weights::json::Value;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

/// A [`Loading`]. It takes chunks while the engine runs another model.
#[wasm_bindgen]
pub struct ModelLoading {
    loading: Loading,
}

#[wasm_bindgen]
impl ModelLoading {
    /// Takes the next bytes after the header.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), Error> {
        self.loading.push(chunk)
    }
}

impl ModelLoading {
    pub(super) async fn begin(
        device: &Device,
        config_json: &str,
        header: &[u8],
        file_length: f64,
        format: Option<Format>,
    ) -> Result<Self, Error> {
        let header = Header::parse(header, Some(file_length as u64).filter(|length| *length > 0))?;
        let files = ModelFiles { config_json: config_json.into(), header };
        let options = LoadOptions { format, ..LoadOptions::default() };
        let loading = Loading::begin(device, files, options).await?;
        loading.compile()?;
        Ok(Self { loading })
    }

    pub(super) fn finish(self) -> Result<Model, Error> {
        self.loading.finish()
    }
}

/// Facts that a model's config and the header of its weights tell, as JSON {bytes, rope}. bytes: {f32, f16, bf16, int8, int4, stored},
/// the weights' size in each storage format and as stored in the file. rope: {theta, context}: θ of the first layer, (pairs), empty
/// without a rope, and max_position_embeddings.
#[wasm_bindgen(js_name = beforeWeights)]
pub fn before_weights(config_json: &str, header: &[u8]) -> Result<String, Error> {
    let header = Header::parse(header, None)?;
    let mut model = Architecture::read(config_json, Some(&header))?;
    let mut bytes = |format: Option<Format>| {
        model.table.set_formats(format, &header);
        Value::from(model.table.bytes())
    };
    let stored = ("stored".to_string(), bytes(None));
    let formats = Format::ALL.map(|format| (format.name().to_string(), bytes(Some(format))));
    let bytes = Value::Object(formats.into_iter().chain([stored]).collect());
    let theta = model.rope(0).map_or_else(Vec::new, |rope| rope.frequencies(1).theta);
    let context = model.facts.max_position_embeddings;
    Ok(json!({"bytes": bytes, "rope": {"theta": theta, "context": context}}).to_string())
}

/// Bytes of a weights file's header, from the first eight bytes of the file.
#[wasm_bindgen(js_name = headerBytes)]
pub fn header_bytes(start: &[u8]) -> Result<f64, Error> {
    Ok(Header::length_from(start)? as f64)
}
