//! Errors as plain objects that the page turns into words.

use crate::error::Error;
use js_sys::JSON;
use serde_json::json;
use wasm_bindgen::JsValue;

/// {code, message, retryable, parameters}: JavaScript catches this from every function that returns an [`Error`].
impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        let object = json!({
            "code": error.code(),
            "message": error.to_string(),
            "retryable": error.retryable(),
            "parameters": error.parameters(),
        });
        // JSON.parse accepts what serde_json writes.
        JSON::parse(&object.to_string()).unwrap_or_default()
    }
}
