//! Hands the shaders to the crate: as they are, or for the browser without comments and indentation, which every visitor would
//! fetch.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=shaders");
    let folder = PathBuf::from(env::var("OUT_DIR")?);
    let for_browser = env::var("CARGO_CFG_TARGET_ARCH")? == "wasm32";
    for entry in fs::read_dir("shaders")? {
        let entry = entry?;
        let text = fs::read_to_string(entry.path())?;
        let text = if for_browser { bare(&text) } else { text };
        fs::write(folder.join(entry.file_name()), text)?;
    }
    Ok(())
}

/// WGSL has no strings: what follows two slashes is a comment.
fn bare(text: &str) -> String {
    let code = |line: &str| line.split("//").next().unwrap_or_default().trim().to_string() + "\n";
    text.lines().map(code).filter(|line| line != "\n").collect()
}
