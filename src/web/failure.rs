//! Errors as plain objects that the page turns into words.

use crate::error::Error;
use js_sys::JSON;
use serde_json::json;
use wasm_bindgen::JsValue;

/// {code, message, retryable, parameters}
pub fn failure(error: &Error) -> JsValue {
    let object = json!({
        "code": error.code(),
        "message": error.to_string(),
        "retryable": error.retryable(),
        "parameters": error.parameters(),
    });
    // A text that serde_json wrote can be parsed.
    JSON::parse(&object.to_string()).unwrap_or_default()
}
