//! `cargo xtask package`: the npm package in `target/package/ropescope`, packed as a developer gets it, and checked; then the crates.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};

use crate::{crates, licences, npm, process, wasm};

/// Bytes of the packed package, at most. More than half is the engine for browsers, whose own limit is 500 kB.
const LIMIT: u64 = 890_000;

/// Builds the engine, then the package around it, and tries the crates as they would be published.
///
/// # Errors
/// When something cannot be built, a check finds a fault, or the package is too large.
pub fn run() -> anyhow::Result<()> {
    npm::install()?;
    wasm::build()?;
    pack()?;
    crates::check()
}

/// Makes and checks the package of the engine that is built.
///
/// # Errors
/// When a check finds a fault, or the package is too large.
pub fn pack() -> anyhow::Result<()> {
    let folder = crate::root().join("target/package");
    licences::write()?;
    process::run(npm::node().arg("package/build.js"))?;
    process::run(npm::packed("ropescope").current_dir(&folder))?;
    let packed = tarball(&folder)?;
    let bytes = fs::metadata(&packed)?.len();
    ensure!(bytes <= LIMIT, "{} has {bytes} bytes, {LIMIT} at most", packed.display());
    process::run(npm::node().args(["node_modules/publint/src/cli.js", "run", "--strict", "target/package/ropescope"]))?;
    // The package has ES modules alone: CommonJS is not checked.
    let types = ["node_modules/@arethetypeswrong/cli/dist/index.js", "--profile", "esm-only"];
    process::run(npm::node().args(types).args(["--exclude-entrypoints", "./worker", "--"]).arg(&packed))?;
    println!("{}: {:.0} kB", packed.display(), bytes as f64 / 1e3);
    Ok(())
}

fn tarball(folder: &std::path::Path) -> anyhow::Result<PathBuf> {
    let mut found = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    found.find(|path| path.extension().is_some_and(|ending| ending == "tgz")).context("npm packed nothing")
}
