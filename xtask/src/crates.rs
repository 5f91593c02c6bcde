//! The Rust packages as `cargo publish` would take them, built from their own files alone, and their documentation. Nothing is published.
//!
//! Plain `cargo package --workspace` compiles a package against cached copies of the others. It takes them from a registry in the target
//! folder, unpacks each version once into a cache of that folder, and never compiles it again. With a new `--target-dir` it compiles the
//! present files, as this command does.

use std::fs;

use anyhow::Context;

use crate::process;

const PACKAGES: [&str; 3] = ["ropescope-kernels", "ropescope-weights", "ropescope"];

/// All packages have the same version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Packs each, and compiles the library from the packed files, with its default features and without. Makes the documentation, of which no
/// link may be broken.
///
/// # Errors
/// When a file is left out that a package needs, something does not compile, or rustdoc warns.
pub fn check() -> anyhow::Result<()> {
    let packed = process::target_directory().join("package");
    let mut packing = process::cargo();
    // Uncommitted files are packed too. cargo's own verification would use the cached copies.
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
        // -m: files get the present time. With the archive's times cargo would reuse its former build.
        process::run(process::command("tar").arg("-xmzf").arg(archive).arg("-C").arg(&unpacked))?;
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
    // The library that was just checked is reused for its documentation.
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
