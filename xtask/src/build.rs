//! `cargo xtask build`: the static site in `dist/`, all in release.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{licences, npm, wasm};

/// Builds the engine, then the page around it.
///
/// # Errors
/// When a tool is missing and cannot be fetched, or a build fails.
pub fn run() -> anyhow::Result<()> {
    npm::install()?;
    wasm::build()?;
    licences::write()?;
    npm::script("build")?;
    let dist = dist();
    println!(
        "dist/ holds the page: {:.1} MB, of it the models {:.1} MB",
        megabytes(&dist),
        megabytes(&dist.join("models"))
    );
    Ok(())
}

/// The folder of the built page.
pub fn dist() -> PathBuf {
    crate::root().join("dist")
}

fn megabytes(path: &Path) -> f64 {
    bytes(path) as f64 / 1e6
}

/// Size of a file or folder; 0 if it does not exist.
fn bytes(path: &Path) -> u64 {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| bytes(&entry.path())).sum(),
        Err(_) => fs::metadata(path).map_or(0, |data| data.len()),
    }
}
