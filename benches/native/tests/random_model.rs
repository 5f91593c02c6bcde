//! The random model is the same every time, and runs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

fn make(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("ropescope-bench-{}-{name}", process::id()));
    let sizes = ["--layers", "1", "--hidden", "12", "--heads", "3", "--intermediate", "5", "--vocabulary", "40"];
    let status = program().arg("make-model").arg(&folder).args(sizes).status().unwrap();
    assert!(status.success());
    folder
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ropescope-bench"))
}

fn weights(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("model.safetensors")).unwrap()
}

#[test]
fn it_is_the_same_every_time_and_runs_on_both_backends() {
    let (first, second) = (make("first"), make("second"));
    assert_eq!(weights(&first), weights(&second));

    let output = program().arg("run").arg(&first).arg("6").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<&str> = table.lines().skip(2).collect();
    assert_eq!(rows.len(), 2, "{table}");
    // 7 for the layer, and 6.
    assert!(rows.iter().all(|row| row.contains("| 6 |") && row.contains("| 13 |")), "{table}");
    assert!(rows[1].starts_with("| CPU |"), "{table}");
    for folder in [first, second] {
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_decoder_goes_on_in_every_format_on_both_backends() {
    let folder = env::temp_dir().join(format!("ropescope-bench-{}-decoder", process::id()));
    let sizes = ["--layers", "1", "--hidden", "12", "--heads", "3", "--key-heads", "1", "--intermediate", "5"];
    let status = program().arg("make-decoder").arg(&folder).args(sizes).args(["--vocabulary", "40"]).status().unwrap();
    assert!(status.success());
    for backend in ["gpu", "cpu"] {
        let formats = ["6", "3", "1", "f16", "int8", "int4"];
        let output = program().arg("formats").arg(&folder).arg(backend).args(formats).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let table = String::from_utf8(output.stdout).unwrap();
        let names: Vec<&str> = table.lines().skip(2).filter_map(|row| row.split(' ').nth(1)).collect();
        assert_eq!(names, ["f16", "int8", "int4"], "{table}");
    }
    fs::remove_dir_all(folder).unwrap();
}
