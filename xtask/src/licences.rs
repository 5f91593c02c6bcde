//! The licences of the crates in the WebAssembly of the page and of the npm package.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::{process, wasm};

/// Between two licences.
const RULE: &str = "\n\n--------------------------------------------------------------------------------\n\n";

/// Writes them where the page's build and the npm package read them.
///
/// # Errors
/// When cargo does not know a crate, one brings no licence, or the file cannot be written.
pub fn write() -> anyhow::Result<()> {
    let folder = crate::root().join("target/package");
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join("licences-of-crates"), of_crates()?)?)
}

/// All of them as one text: each licence once, under the names of the crates that it is of. Fails when cargo does not know a crate, or one
/// brings no licence.
fn of_crates() -> anyhow::Result<String> {
    let mut metadata = process::cargo();
    metadata.args(["metadata", "--format-version", "1", "--locked", "--filter-platform", wasm::TARGET]);
    let described = process::output(&mut metadata)?;
    let described: Value = serde_json::from_str(&described)?;
    let packages = described["packages"].as_array().context("cargo metadata lists no packages")?;
    // Compared by words: copies differ in indentation.
    let mut texts: BTreeMap<Vec<String>, (String, Vec<String>)> = BTreeMap::new();
    let mut add = |text: String, name: String| {
        let words = text.split_whitespace().map(str::to_string).collect();
        texts.entry(words).or_insert((text, Vec::new())).1.push(name);
    };
    for (name, version) in compiled()? {
        let package = packages
            .iter()
            .find(|package| package["name"] == name.as_str() && package["version"] == version.as_str())
            .with_context(|| format!("cargo metadata does not list {name} {version}"))?;
        let of = package["license"].as_str().with_context(|| format!("{name} {version} names no licence"))?;
        let manifest = package["manifest_path"].as_str().context("a package without a manifest")?;
        let folder = Path::new(manifest).parent().context("a manifest outside of all folders")?;
        for text in texts_in(folder, of).with_context(|| format!("the licence of {name} {version}"))? {
            add(text, format!("{name} {version} ({of})"));
        }
    }
    // The standard library has the licences of its compiler.
    let compiler = process::output(process::command("rustc").arg("--version"))?;
    add(apache()?, format!("Rust's standard library, {} (MIT OR Apache-2.0)", compiler.trim()));
    let mut entries: Vec<_> = texts.values().map(|(text, names)| format!("{}\n\n{text}", names.join("\n"))).collect();
    entries.sort();
    Ok(entries.join(RULE) + "\n")
}

/// Name and version of each foreign crate in the modules, without macros and build scripts.
fn compiled() -> anyhow::Result<BTreeSet<(String, String)>> {
    let mut found = BTreeSet::new();
    let mut tree = process::cargo();
    tree.args(["tree", "--locked", "--package", "ropescope", "--no-default-features"]);
    tree.args(["--target", wasm::TARGET, "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]);
    for line in process::output(&mut tree)?.lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(version)) = (words.next(), words.next()) else { continue };
        if !name.starts_with("ropescope") {
            found.insert((name.to_string(), version.trim_start_matches('v').to_string()));
        }
    }
    ensure!(!found.is_empty(), "cargo tree names no crates");
    Ok(found)
}

/// The licence files of a crate; of alternatives MIT's alone.
fn texts_in(folder: &Path, licence: &str) -> anyhow::Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        if ["LICENSE", "LICENCE", "COPYING", "UNLICENSE", "NOTICE"].iter().any(|start| name.starts_with(start)) {
            files.push((name, path));
        }
    }
    files.sort();
    if !licence.contains(" AND ") && files.iter().any(|(name, _)| name.contains("MIT")) {
        files.retain(|(name, _)| name.contains("MIT") || name.starts_with("NOTICE"));
    }
    if files.is_empty() {
        ensure!(licence.contains("Apache-2.0"), "it is {licence}, and no file says so");
        return Ok(vec![apache()?]);
    }
    files.iter().map(|(_, path)| Ok(tidy(&fs::read_to_string(path)?))).collect()
}

/// This project's copy, which names no author.
fn apache() -> anyhow::Result<String> {
    Ok(tidy(&fs::read_to_string(crate::root().join("LICENSE-APACHE"))?))
}

/// Normalises line ends, and removes blanks at ends and edges.
fn tidy(text: &str) -> String {
    let lines = text.lines().map(str::trim_end).collect::<Vec<_>>();
    lines.join("\n").trim_matches('\n').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_crate_in_the_modules_is_named_once_with_its_licence() {
        let text = of_crates().unwrap();
        for name in ["wgpu ", "wasm-bindgen ", "half ", "serde_json ", "Rust's standard library"] {
            assert!(text.lines().any(|line| line.starts_with(name)), "{name} is not named");
        }
        assert!(!text.contains("clap "), "the command line's crates are not in the modules");
        // Neither has a file: one copy serves both.
        let lines: Vec<_> = text.lines().collect();
        let shared =
            lines.windows(2).any(|two| two[0].starts_with("profiling ") && two[1].starts_with("Rust's standard"));
        assert!(shared, "the same text is there once, under all names");
        assert!(text.contains("UNICODE LICENSE V3"), "what goes with a licence by AND stays");
    }
}
