//! The texts of the shaders. Natively the crate holds them; for the browser they are a file of their own, which a visitor without
//! WebGPU does not fetch, and a kernel's source is a list of names.

/// The text of a file in shaders/, or in the browser its name on a line.
#[cfg(not(target_arch = "wasm32"))]
macro_rules! shader {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $name, ".wgsl"))
    };
}
#[cfg(target_arch = "wasm32")]
macro_rules! shader {
    ($name:literal) => {
        concat!($name, "\n")
    };
}

/// What a device compiles of a kernel's source.
#[cfg(not(target_arch = "wasm32"))]
pub fn text(source: &'static str) -> &'static str {
    source
}

#[cfg(target_arch = "wasm32")]
pub use browser::{give, text};

#[cfg(target_arch = "wasm32")]
mod browser {
    use std::sync::OnceLock;

    static TEXTS: OnceLock<String> = OnceLock::new();

    /// Hands over the file that the build makes of all shaders: in front of each a line of `#` and its name. The first one stays.
    pub fn give(texts: String) {
        let _ = TEXTS.set(texts);
    }

    /// What a device compiles of a kernel's source: the files that it names, one after the other.
    pub fn text(names: &'static str) -> String {
        let texts = TEXTS.get().map_or("", String::as_str);
        let named = |name: &str| {
            let mut files = texts.split('#').filter_map(|file| file.split_once('\n'));
            files.find(|(other, _)| *other == name).map_or("", |(_, text)| text)
        };
        names.lines().map(named).collect()
    }
}
