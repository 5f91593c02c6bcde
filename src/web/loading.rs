//! A model on its way into the engine, chunk by chunk.

use super::change::Origin;
use super::failure::failure;
use crate::error::Error;
use crate::files::Directory;
use crate::model::Model;
use crate::session::{Device, Loading, Session};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// See [`Loading`]. It may be filled while the engine runs another model.
#[wasm_bindgen]
pub struct ModelLoading {
    loading: Loading,
    origin: Origin,
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
    ) -> Result<Self, Error> {
        let directory = Directory::parse(header, Some(file_length as u64).filter(|length| *length > 0))?;
        let model = Model::read(config_json, Some(&directory))?;
        device.prepare(&model)?;
        let loading = Loading::begin(model, &directory, device).await?;
        Ok(Self { loading, origin: Origin { config_json: config_json.into(), directory } })
    }

    pub(super) fn finish(self) -> Result<(Session, Origin), Error> {
        Ok((self.loading.finish()?, self.origin))
    }
}

/// Bytes of a weights file's header, told by its first eight.
#[wasm_bindgen(js_name = headerBytes)]
pub fn header_bytes(start: &[u8]) -> Result<f64, JsValue> {
    Directory::header_bytes(start).map(|bytes| bytes as f64).map_err(|error| failure(&error))
}
