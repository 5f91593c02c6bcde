//! Numbers in the words of errors. The browser writes them itself: Rust's own printing of floats is a fiftieth of the engine.

/// The shortest digits that give the number again.
#[cfg(not(target_arch = "wasm32"))]
pub fn written(number: f64) -> String {
    number.to_string()
}

/// The same as JavaScript writes it.
#[cfg(target_arch = "wasm32")]
pub fn written(number: f64) -> String {
    js_sys::Number::from(number).to_string_with_radix(10).ok().and_then(|text| text.as_string()).unwrap_or_default()
}
