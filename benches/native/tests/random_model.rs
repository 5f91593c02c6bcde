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

#[test]
fn a_gpu_is_measured_from_end_to_end() {
    let name = |of: &str| env::temp_dir().join(format!("ropescope-bench-{}-gpu-{of}", process::id()));
    let [encoder, decoder, json] = ["encoder", "decoder", "tables.json"].map(name);
    let sizes = [
        "--layers",
        "1",
        "--hidden",
        "12",
        "--heads",
        "3",
        "--key-heads",
        "1",
        "--intermediate",
        "5",
        "--vocabulary",
        "40",
    ];
    for (command, folder) in [("make-model", &encoder), ("make-decoder", &decoder)] {
        // RoFormer has as many key heads as heads.
        let sizes = if command == "make-model" { [&sizes[..6], &sizes[8..]].concat() } else { sizes.to_vec() };
        assert!(program().arg(command).arg(folder).args(sizes).status().unwrap().success());
    }
    let limits = ["--longest", "16", "--batch", "2", "--prompt", "5", "--tokens", "2", "--turns", "1"];
    let quick = ["--row-ms", "0", "--peak-ms", "1", "--streamed-mib", "1"];
    let places = [&encoder, &encoder, &decoder, &json];
    let output = program().arg("gpu").args(places).args(limits).args(quick).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let report: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let adapter = report["adapter"]["name"].as_str().unwrap();
    assert!(!adapter.is_empty() && printed.starts_with("## ") && printed.contains(adapter), "{printed}");
    let rows = |table: &str| report["tables"][table]["rows"].as_array().unwrap().clone();
    let counts = ["peaks", "overhead", "decode", "taps", "sweep"].map(|table| rows(table).len());
    // Of the sweep the batches of each model, which is one and the same here. The adapter has 16-bit floats, which f16 is read with in three ways.
    assert_eq!(counts, [5, 8, 6, 2, 4], "{printed}");
    for table in ["peaks", "kernels", "overhead", "decode", "taps", "sweep"] {
        assert!(
            report["tables"][table]["notes"]
                .as_array()
                .unwrap()
                .iter()
                .all(|note| !note.as_str().unwrap().contains("Left out"))
        );
    }
    let sums = rows("kernels").into_iter().filter(|row| row["kernel"] == "all");
    assert!(sums.clone().count() == 8 && sums.clone().all(|row| row["µs"].as_f64().unwrap() > 0.0), "{printed}");
    assert!(rows("sweep").iter().all(|row| row["likeliest tokens"].as_array().unwrap().len() as f64 == row["batch"]));
    assert!(rows("decode").iter().all(|row| row["prompt"].as_array().unwrap().len() == 5));
    for folder in [encoder, decoder] {
        fs::remove_dir_all(folder).unwrap();
    }
    fs::remove_file(json).unwrap();
}
