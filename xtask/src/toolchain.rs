//! The targets of the Rust toolchain.

use std::path::Path;

use anyhow::bail;

use crate::process;

/// Installs the standard library of `target`, if it is missing.
///
/// # Errors
/// When rustup is missing, too, or fails.
pub fn install_target(target: &str) -> anyhow::Result<()> {
    let sysroot = process::output(process::command("rustc").args(["--print", "sysroot"]))?;
    if Path::new(sysroot.trim()).join("lib/rustlib").join(target).exists() {
        return Ok(());
    }
    if !process::succeeds(process::command("rustup").arg("--version")) {
        bail!(
            "Rust's target {target} is missing, and rustup is not here to install it: get it from https://rustup.rs, or the target \
             from wherever this Rust came from"
        );
    }
    process::run(process::command("rustup").args(["target", "add", target]))
}
