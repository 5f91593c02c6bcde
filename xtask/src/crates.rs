//! The packages for Rust: what `cargo publish` would take, built from nothing but what is in it, and their documentation. Nothing is
//! published.
//!
//! Plain `cargo package --workspace` compiles a package against the others as it met their version first: it takes them from a registry that
//! it makes in the target folder, unpacks each once into its own cache, by that folder's path, and holds what is compiled of it for good.
//! `cargo package --workspace --target-dir FOLDER`, with a folder that is not there yet, tries what is packed now; so does this.

use std::fs;

use anyhow::Context;

use crate::process;

const PACKAGES: [&str; 3] = ["ropescope-kernels", "ropescope-weights", "ropescope"];

/// All packages have one.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Packs each, compiles the library from what was packed, with its default features and without, and makes the documentation, of which no
/// link may be broken.
///
/// # Errors
/// When a file is left out that a package needs, something does not compile, or rustdoc warns.
pub fn check() -> anyhow::Result<()> {
    let packed = process::target_directory().join("package");
    let mut packing = process::cargo();
    // What is not committed yet is tried, too. cargo's own trial keeps the first copy of each version that it meets.
    packing.args(["package", "--quiet", "--allow-dirty", "--no-verify"]);
    process::run(packing.args(PACKAGES.iter().flat_map(|package| ["--package", package])))?;

    let unpacked = packed.join("crates");
    if unpacked.exists() {
        fs::remove_dir_all(&unpacked)?;
    }
    fs::create_dir_all(&unpacked)?;
    let mut manifest = "[workspace]\nmembers = [\"*-*\"]\nresolver = \"3\"\n\n[patch.crates-io]\n".to_string();
    for package in PACKAGES {
        let name = format!("{package}-{VERSION}");
        let archive = packed.join(format!("{name}.crate"));
        process::run(process::command("tar").arg("-xzf").arg(archive).arg("-C").arg(&unpacked))?;
        manifest.push_str(&format!("{package} = {{ path = \"{name}\" }}\n"));
    }
    let manifest_file = unpacked.join("Cargo.toml");
    fs::write(&manifest_file, manifest).with_context(|| format!("cannot write {}", manifest_file.display()))?;
    fs::copy(crate::root().join("Cargo.lock"), unpacked.join("Cargo.lock"))?;
    for features in [&[][..], &["--no-default-features"]] {
        let mut checking = process::cargo();
        checking.args(["check", "--quiet", "--package", "ropescope", "--target-dir"]).arg(process::target_directory());
        process::run(checking.arg("--manifest-path").arg(&manifest_file).args(features))?;
    }
    // What was just checked for the library serves its documentation, too.
    let mut documenting = process::cargo();
    documenting.args(["doc", "--quiet", "--no-deps", "--lib", "--target-dir"]).arg(process::target_directory());
    documenting
        .arg("--manifest-path")
        .arg(&manifest_file)
        .args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    process::run(documenting.env("RUSTDOCFLAGS", "-D warnings"))?;
    let relaxed = ["doc", "--no-deps", "--lib", "--package", "ropescope-relaxed"];
    process::run(process::cargo().args(relaxed).env("RUSTDOCFLAGS", "-D warnings"))
}
