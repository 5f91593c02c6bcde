//! The page's packages and scripts.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use anyhow::bail;

use crate::process;

/// The oldest Node that the page's build tools run on; `engines` in package.json says the same.
const NODE: (u32, u32) = (20, 19);

/// Installs the page's packages, as package-lock.json names them, unless they are installed already.
///
/// # Errors
/// When Node is missing or too old, or the packages cannot be fetched.
pub fn install() -> anyhow::Result<()> {
    install_in(&crate::root())
}

/// Installs the packages of a folder of its own.
///
/// # Errors
/// When Node is missing or too old, or the packages cannot be fetched.
pub fn install_in(folder: &Path) -> anyhow::Result<()> {
    check_node()?;
    if is_stale(&folder.join("package-lock.json"), &folder.join("node_modules/.package-lock.json")) {
        process::run(npm().args(["ci", "--no-audit", "--no-fund"]).current_dir(folder))?;
    }
    Ok(())
}

/// Runs a script of package.json.
///
/// # Errors
/// When it fails.
pub fn script(name: &str) -> anyhow::Result<()> {
    process::run(npm().args(["run", "--silent", name]))
}

/// Vite's development server, on `port` if given.
pub fn development_server(port: Option<u16>) -> Command {
    let mut command = npm();
    command.args(["run", "--silent", "dev"]);
    if let Some(port) = port {
        command.args(["--", "--strictPort", "--port", &port.to_string()]);
    }
    command
}

/// Node, to run a script with the packages installed here.
pub fn node() -> Command {
    process::command("node")
}

/// Binaryen's optimiser of WebAssembly.
pub fn wasm_opt() -> Command {
    let mut command = node();
    command.arg("node_modules/binaryen/bin/wasm-opt");
    command
}

/// Playwright's command line.
pub fn playwright() -> Command {
    let mut command = node();
    command.arg(crate::root().join("node_modules/@playwright/test/cli.js"));
    command
}

/// npm, to pack a folder into an archive in the current directory.
pub fn packed(folder: &str) -> Command {
    let mut command = npm();
    command.args(["pack", &format!("./{folder}"), "--silent"]);
    command
}

fn npm() -> Command {
    process::command(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

fn check_node() -> anyhow::Result<()> {
    let Ok(text) = process::output(node().arg("--version")) else {
        bail!("Node is missing: install version {}.{} or newer from https://nodejs.org", NODE.0, NODE.1);
    };
    match version(&text) {
        Some(found) if found < NODE => {
            bail!(
                "Node {} is too old: version {}.{} or newer is needed, from https://nodejs.org",
                text.trim(),
                NODE.0,
                NODE.1
            )
        }
        _ => Ok(()),
    }
}

/// Major and minor of a text such as `v20.19.2`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().trim_start_matches('v').split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Whether `product` is missing or older than `source`.
fn is_stale(source: &Path, product: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    !product.exists() || modified(product) < modified(source)
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn node_versions_are_read() {
        assert_eq!(version("v20.19.2\n"), Some((20, 19)));
        assert_eq!(version("v24.0.0-nightly"), Some((24, 0)));
        assert_eq!(version("nonsense"), None);
    }
}
