//! Indices that disagree with their files.

use crate::files::{Files, assert_error, files, golden, open};

const INDEX: &str = "model.safetensors.index.json";

fn shards() -> Files {
    files(&golden("checkpoints/shards"))
}

fn check(files: &Files, code: &str, words: &[&str]) {
    assert_error(&open(INDEX, files).result.expect_err("it was opened"), code, words);
}

fn with_index(index: &str) -> Files {
    let mut files = shards();
    let at = files.iter().position(|(name, _)| name == INDEX).unwrap();
    files[at].1 = index.into();
    files
}

/// The files with a replacement in the index.
fn replaced(from: &str, to: &str) -> Files {
    let files = shards();
    let (_, index) = files.iter().find(|(name, _)| name == INDEX).unwrap();
    let index = std::str::from_utf8(index).unwrap();
    assert!(index.contains(from));
    with_index(&index.replacen(from, to, 1))
}

#[test]
fn missing_files_are_named() {
    let mut files = shards();
    files.retain(|(name, _)| name != "model-00002-of-00003.safetensors");
    check(&files, "missing-shard", &["model-00002-of-00003.safetensors", INDEX, "is not there"]);
    files.retain(|(name, _)| name != "model-00003-of-00003.safetensors");
    check(&files, "missing-shard", &["model-00002-of-00003.safetensors", "nor are 1 others"]);
}

#[test]
fn misplaced_tensors_are_named() {
    let name = "\"cls.predictions.bias\"";
    check(&replaced(name, "\"cls.predictions.other\""), "misplaced-tensor", &["cls.predictions.other"]);
    let moved = replaced("\"cls.predictions.bias\": \"model-00001", "\"cls.predictions.bias\": \"model-00002");
    check(&moved, "misplaced-tensor", &["cls.predictions.bias", "model-00002-of-00003.safetensors"]);
    // A second file with the same tensors.
    let mut files = shards();
    let first = files.iter().find(|(name, _)| name.starts_with("model-00001")).unwrap().1.clone();
    let second = files.iter_mut().find(|(name, _)| name.starts_with("model-00002")).unwrap();
    second.1 = first;
    check(&files, "tensor-twice", &["model-00001-of-00003.safetensors and model-00002"]);
}

#[test]
fn invalid_indices_are_refused() {
    for index in ["", "[]", "{}", "{\"weight_map\":{}}", "{\"weight_map\":[]}", "{\"weight_map\":{\"a\":1}}", "null"] {
        check(&with_index(index), "invalid-index", &[INDEX]);
    }
    check(
        &with_index(r#"{"weight_map":{"a":"model-00001-of-00003.safetensors","a":"b"}}"#),
        "invalid-index",
        &["twice"],
    );
    for odd in ["../secret.safetensors", "/etc/passwd", "..\\\\x.bin", "other.index.json"] {
        let index = format!("{{\"weight_map\":{{\"a\":\"{odd}\"}}}}");
        check(&with_index(&index), "invalid-index", &["not the name of a file"]);
    }
    let nested = format!("{{\"weight_map\":{}", "[".repeat(100_000));
    check(&with_index(&nested), "invalid-index", &[]);
}

#[test]
fn broken_files_are_named() {
    let modify = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut files = shards();
        let file = files.iter_mut().find(|(name, _)| name.starts_with("model-00002")).unwrap();
        change(&mut file.1);
        files
    };
    let name = "model-00002-of-00003.safetensors";
    check(&modify(&|bytes| bytes.truncate(bytes.len() - 3)), "truncated", &[name]);
    check(&modify(&|bytes| bytes.truncate(5)), "truncated", &[name]);
    check(&modify(&|bytes| bytes[..8].fill(0xff)), "malformed-checkpoint", &[name]);
    check(&modify(&|bytes| bytes[8] = b'['), "malformed-checkpoint", &[name]);
    let header = |header: &str| {
        let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &[0; 64]].concat();
        modify(&|shard| *shard = bytes.clone())
    };
    let tensor = |name: &str, start: u64, end: u64| {
        format!("\"{name}\":{{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[{start},{end}]}}")
    };
    let overlapping = format!("{{{},{}}}", tensor("a", 0, 8), tensor("b", 4, 12));
    check(&header(&overlapping), "malformed-checkpoint", &["\"b\"", "overlap"]);
    check(&header(&format!("{{{}}}", tensor("a", 8, 4))), "malformed-checkpoint", &["\"a\"", "end before"]);
    check(&header(&format!("{{{}}}", tensor("a", 0, u64::MAX))), "malformed-checkpoint", &["\"a\""]);
    check(&header(&format!("{{{}}}", tensor("a", 0, 1 << 40))), "malformed-checkpoint", &["\"a\"", "shape [1]"]);
    let large = r#"{"a":{"dtype":"F32","shape":[274877906944],"data_offsets":[0,1099511627776]}}"#;
    check(&header(large), "truncated", &[name]);
    let gap = format!("{{{},{}}}", tensor("a", 0, 4), tensor("b", 8, 12));
    check(&header(&gap), "malformed-checkpoint", &["\"b\"", "leave a gap"]);
    check(&header(&format!("{{{}}}", tensor("a", 0, 4))), "malformed-checkpoint", &["B at its end are of no tensor"]);
    check(&header(&format!("{{{0},{0}}}", tensor("a", 0, 4))), "malformed-checkpoint", &["twice"]);
}
