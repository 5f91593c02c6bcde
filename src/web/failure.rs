//! Errors as plain objects that the page turns into words.

use crate::error::Error;
use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

/// {code, message, retryable}
pub fn failure(error: &Error) -> JsValue {
    let object = Object::new();
    let fields = [
        ("code", JsValue::from(error.code())),
        ("message", JsValue::from(error.to_string())),
        ("retryable", JsValue::from(error.retryable())),
    ];
    for (key, value) in fields {
        // Setting a field of a fresh object cannot fail.
        let _ = Reflect::set(&object, &key.into(), &value);
    }
    object.into()
}
