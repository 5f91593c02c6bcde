//! The list that the browser tests read is complete: it has every shader of a forward pass, and of questions about it.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

#[test]
fn every_kernel_is_printed_with_its_source() {
    let printed = Command::new(env!("CARGO_BIN_EXE_ropescope-pipelines")).output().unwrap();
    assert!(printed.status.success());
    let pipelines: Vec<Value> = serde_json::from_slice(&printed.stdout).unwrap();
    let names: BTreeSet<&str> = pipelines.iter().filter_map(|pipeline| pipeline["name"].as_str()).collect();
    let expected = [
        "attention",
        "copy_rows",
        "embedding",
        "gather",
        "head_statistics",
        "label_loss",
        "maps",
        "norm",
        "penalty",
        "gemm",
        "number_replacement",
        "rotation",
        "sample",
        "token_scale",
        "top_k",
    ];
    for name in expected {
        assert!(names.iter().any(|shader| shader.starts_with(&format!("{name}/"))), "{name} is missing from {names:?}");
    }
    for pipeline in &pipelines {
        assert!(pipeline["source"].as_str().is_some_and(|source| source.contains("@compute")), "{pipeline}");
    }
}
