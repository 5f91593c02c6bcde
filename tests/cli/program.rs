//! Starting the program, and folders for it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the program to its end.
pub fn ropescope(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ropescope")).args(arguments).output().unwrap()
}

/// The standard output of a successful run that reads `input`.
pub fn stdout_of(input: &str, arguments: &[&str]) -> String {
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(input.as_bytes()).unwrap();
    drop(writer);
    let output = Command::new(env!("CARGO_BIN_EXE_ropescope")).args(arguments).stdin(reader).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The standard output of a successful run whose standard input is a file.
pub fn stdout_of_file(input: &Path, arguments: &[&str]) -> String {
    let file = fs::File::open(input).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_ropescope")).args(arguments).stdin(file).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The one line on stderr of a run that fails and whose standard input is a file.
pub fn failure_of(input: &Path, arguments: &[&str]) -> String {
    let file = fs::File::open(input).unwrap();
    failed(Command::new(env!("CARGO_BIN_EXE_ropescope")).args(arguments).stdin(file).output().unwrap(), arguments)
}

/// The standard output of a successful run.
pub fn stdout(arguments: &[&str]) -> String {
    let output = ropescope(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    assert!(said.is_empty(), "{arguments:?} says on stderr: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line on stderr of a run that fails.
pub fn failure(arguments: &[&str]) -> String {
    failed(ropescope(arguments), arguments)
}

fn failed(output: Output, arguments: &[&str]) -> String {
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
    assert!(output.stdout.is_empty(), "{arguments:?} prints: {}", String::from_utf8_lossy(&output.stdout));
    let line = said.strip_suffix('\n').unwrap_or_else(|| panic!("{arguments:?} ends without a line: {said:?}"));
    assert!(!line.contains('\n'), "{arguments:?} says more than one line: {said}");
    line.strip_prefix("ropescope: ").unwrap_or_else(|| panic!("{arguments:?}: {line}")).to_string()
}

/// A path inside the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A folder of golden files.
pub fn golden(case: &str) -> PathBuf {
    repository("tests/golden").join(case)
}

/// An empty folder of this name.
pub fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Every golden folder of one kind.
pub fn within(kind: &str) -> Vec<String> {
    let entries = fs::read_dir(golden(kind)).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names.into_iter().map(|name| format!("{kind}/{name}")).collect()
}

/// A copy of a golden model that may be spoiled.
pub fn copy(case: &str, name: &str) -> PathBuf {
    let folder = empty_folder(name);
    for file in ["config.json", "model.safetensors"] {
        fs::write(folder.join(file), fs::read(golden(case).join(file)).unwrap()).unwrap();
    }
    folder
}

/// Changes a setting of a folder's config.json.
pub fn set(folder: &Path, key: &str, value: serde_json::Value) {
    let path = folder.join("config.json");
    let mut config: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    config[key] = value;
    fs::write(path, config.to_string()).unwrap();
}

/// Gives a folder a vocabulary of a few words.
pub fn add_vocabulary(folder: &Path) {
    let words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sat", "on", "mat", "."];
    fs::write(folder.join("vocab.txt"), words.join("\n")).unwrap();
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
