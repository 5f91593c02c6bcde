//! The crate for JavaScript, as a module of its own. Errors become `{code, message, retryable, parameters}`, like the
//! engine's.

use js_sys::JSON;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{Checkpoint, CheckpointReader, Error, FileLength, Span, Step};

/// The file among `names` that describes all weights; undefined if there is none.
#[wasm_bindgen(js_name = weightsAmong)]
pub fn find_weights(names: Vec<String>) -> Result<Option<String>, JsValue> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    crate::find_weights(&names).map(|name| name.map(str::to_string)).map_err(|error| failure(&error))
}

/// See [`CheckpointReader`].
#[wasm_bindgen]
pub struct WeightFiles {
    reader: CheckpointReader,
    missing: Vec<Span>,
    checkpoint: Option<Checkpoint>,
}

#[wasm_bindgen]
impl WeightFiles {
    /// For `main`, one of the files of these names and lengths.
    #[wasm_bindgen(constructor)]
    pub fn new(main: String, names: Vec<String>, lengths: &[f64]) -> WeightFiles {
        let files = names.into_iter().zip(lengths).map(|(name, length)| FileLength { name, length: *length as u64 });
        WeightFiles { reader: CheckpointReader::new(main, files.collect()), missing: Vec::new(), checkpoint: None }
    }

    /// Reads on. Returns the spans whose bytes are missing, as file, start and end of each in one list; an empty list once the
    /// checkpoint is known.
    pub fn step(&mut self) -> Result<Vec<f64>, JsValue> {
        match self.reader.step().map_err(|error| failure(&error))? {
            Step::Read(missing) => self.missing = missing,
            Step::Done(checkpoint) => {
                self.missing.clear();
                self.checkpoint = Some(checkpoint);
            }
        }
        Ok(flat(&self.missing))
    }

    /// Takes the bytes of the span at `index` of that list.
    pub fn give(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), JsValue> {
        let Some(span) = self.missing.get(index) else { return Ok(()) };
        self.reader.give(*span, bytes).map_err(|error| failure(&error))
    }

    /// The checkpoint's header; empty before it is known.
    pub fn header(&self) -> Vec<u8> {
        self.checkpoint.as_ref().map(|checkpoint| checkpoint.header.clone()).unwrap_or_default()
    }

    /// The checkpoint's data: file, start and end of each piece in one list.
    pub fn pieces(&self) -> Vec<f64> {
        self.checkpoint.as_ref().map(|checkpoint| flat(&checkpoint.pieces)).unwrap_or_default()
    }
}

/// Exact below 2⁵³ bytes, which no file reaches.
fn flat(spans: &[Span]) -> Vec<f64> {
    spans.iter().flat_map(|span| [span.file as f64, span.start as f64, span.end as f64]).collect()
}

fn failure(error: &Error) -> JsValue {
    let object = json!({
        "code": error.code(),
        "message": error.to_string(),
        "retryable": false,
        "parameters": error.parameters(),
    });
    // A text that serde_json wrote can be parsed.
    JSON::parse(&object.to_string()).unwrap_or_default()
}
