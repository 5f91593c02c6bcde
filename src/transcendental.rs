//! Sines, exponentials and powers in f64. The browser has them itself: those of Rust's library are a fortieth of the engine.

#[cfg(target_arch = "wasm32")]
pub use js_sys::Math::{atan2, cos, exp, log1p, pow, sin};

#[cfg(not(target_arch = "wasm32"))]
pub use of_library::{atan2, cos, exp, log1p, pow, sin};

#[cfg(not(target_arch = "wasm32"))]
mod of_library {
    pub fn sin(x: f64) -> f64 {
        x.sin()
    }

    pub fn cos(x: f64) -> f64 {
        x.cos()
    }

    /// The angle of (x, y) in radians.
    pub fn atan2(y: f64, x: f64) -> f64 {
        y.atan2(x)
    }

    pub fn exp(x: f64) -> f64 {
        x.exp()
    }

    /// ln(1 + x)
    pub fn log1p(x: f64) -> f64 {
        x.ln_1p()
    }

    pub fn pow(base: f64, exponent: f64) -> f64 {
        base.powf(exponent)
    }
}

pub fn sin_cos(x: f64) -> (f64, f64) {
    (sin(x), cos(x))
}
