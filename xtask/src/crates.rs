//! The packages for Rust: what `cargo publish` would take, and their documentation. Nothing is published.

use crate::process;

/// In the order in which they need each other.
const PACKAGES: [&str; 3] = ["ropescope-kernels", "ropescope-checkpoints", "ropescope"];

/// Packs each, and builds it from nothing but what was packed: with the command line and without.
///
/// # Errors
/// When a file is left out that the package needs, or a feature does not build.
pub fn package() -> anyhow::Result<()> {
    for features in [&[][..], &["--no-default-features"]] {
        process::run(packing().args(features))?;
    }
    Ok(())
}

/// Packs each without building it, and makes the documentation, of which no link may be broken.
///
/// # Errors
/// When something stands in the way of a package, or rustdoc warns.
pub fn check() -> anyhow::Result<()> {
    process::run(packing().arg("--no-verify"))?;
    process::run(process::cargo().args(["doc", "--workspace", "--lib", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

fn packing() -> std::process::Command {
    let mut command = process::cargo();
    // What is not committed yet is tried, too.
    command.args(["package", "--quiet", "--allow-dirty"]);
    for package in PACKAGES {
        command.args(["--package", package]);
    }
    command
}
