//! Numbers as text. The browser writes and reads them itself: Rust's own printing and reading of floats are a twelfth of the engine.

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

/// What a number of JSON says: infinite where it is beyond all, none where the text is none.
#[cfg(not(target_arch = "wasm32"))]
pub fn read(digits: &str) -> Option<f64> {
    digits.parse().ok()
}

/// The same as JavaScript reads it.
#[cfg(target_arch = "wasm32")]
pub fn read(digits: &str) -> Option<f64> {
    Some(js_sys::Number::parse_float(digits)).filter(|number| !number.is_nan())
}
