//! Indices that do not fit their files.

use ropescope_weights::Error;

use crate::files::{Files, files, golden, open};

const INDEX: &str = "model.safetensors.index.json";

fn shards() -> Files {
    files(&golden("checkpoints/shards"))
}

fn refused(files: &Files) -> Error {
    open(INDEX, files).result.expect_err("it was opened")
}

fn says(files: &Files, code: &str, words: &[&str]) {
    let refusal = refused(files);
    assert_eq!(refusal.code(), code, "{refusal}");
    for word in words {
        assert!(refusal.to_string().contains(word), "{word:?} is not in: {refusal}");
    }
}

fn with_index(index: &str) -> Files {
    let mut files = shards();
    let at = files.iter().position(|(name, _)| name == INDEX).unwrap();
    files[at].1 = index.into();
    files
}

/// The index with one text in place of another.
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
    says(&files, "missing-shard", &["model-00002-of-00003.safetensors", INDEX, "is not there"]);
    files.retain(|(name, _)| name != "model-00003-of-00003.safetensors");
    says(&files, "missing-shard", &["model-00002-of-00003.safetensors", "nor are 1 others"]);
}

#[test]
fn tensors_that_lie_elsewhere_are_named() {
    let name = "\"cls.predictions.bias\"";
    says(&replaced(name, "\"cls.predictions.other\""), "misplaced-tensor", &["cls.predictions.other"]);
    let moved = replaced("\"cls.predictions.bias\": \"model-00001", "\"cls.predictions.bias\": \"model-00002");
    says(&moved, "misplaced-tensor", &["cls.predictions.bias", "model-00002-of-00003.safetensors"]);
    // A file of another model beside it, with the same names.
    let mut files = shards();
    let first = files.iter().find(|(name, _)| name.starts_with("model-00001")).unwrap().1.clone();
    let second = files.iter_mut().find(|(name, _)| name.starts_with("model-00002")).unwrap();
    second.1 = first;
    let refusal = refused(&files);
    assert_eq!(refusal.code(), "tensor-twice", "{refusal}");
    assert!(refusal.to_string().contains("model-00001-of-00003.safetensors and model-00002"), "{refusal}");
}

#[test]
fn an_index_that_is_none_is_refused() {
    for index in ["", "[]", "{}", "{\"weight_map\":{}}", "{\"weight_map\":[]}", "{\"weight_map\":{\"a\":1}}", "null"] {
        says(&with_index(index), "index", &[INDEX]);
    }
    says(&with_index(r#"{"weight_map":{"a":"model-00001-of-00003.safetensors","a":"b"}}"#), "index", &["twice"]);
    for odd in ["../secret.safetensors", "/etc/passwd", "..\\\\x.bin", "other.index.json"] {
        let index = format!("{{\"weight_map\":{{\"a\":\"{odd}\"}}}}");
        says(&with_index(&index), "index", &["not the name of a file"]);
    }
    let nested = format!("{{\"weight_map\":{}", "[".repeat(100_000));
    says(&with_index(&nested), "index", &[]);
}

#[test]
fn files_that_are_broken_are_named() {
    let spoil = |spoil: &dyn Fn(&mut Vec<u8>)| {
        let mut files = shards();
        let file = files.iter_mut().find(|(name, _)| name.starts_with("model-00002")).unwrap();
        spoil(&mut file.1);
        files
    };
    let name = "model-00002-of-00003.safetensors";
    says(&spoil(&|bytes| bytes.truncate(bytes.len() - 3)), "cut-short", &[name]);
    says(&spoil(&|bytes| bytes.truncate(5)), "cut-short", &[name]);
    says(&spoil(&|bytes| bytes[..8].fill(0xff)), "malformed-checkpoint", &[name]);
    says(&spoil(&|bytes| bytes[8] = b'['), "malformed-checkpoint", &[name]);
    let header = |header: &str| {
        let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &[0; 64]].concat();
        spoil(&|shard| *shard = bytes.clone())
    };
    let tensor = |name: &str, start: u64, end: u64| {
        format!("\"{name}\":{{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[{start},{end}]}}")
    };
    let overlapping = format!("{{{},{}}}", tensor("a", 0, 8), tensor("b", 4, 12));
    says(&header(&overlapping), "malformed-checkpoint", &["\"b\"", "overlap"]);
    says(&header(&format!("{{{}}}", tensor("a", 8, 4))), "malformed-checkpoint", &["\"a\"", "ends before"]);
    says(&header(&format!("{{{}}}", tensor("a", 0, u64::MAX))), "malformed-checkpoint", &["\"a\""]);
    says(&header(&format!("{{{}}}", tensor("a", 0, 1 << 40))), "malformed-checkpoint", &["\"a\"", "shape [1]"]);
    let large = r#"{"a":{"dtype":"F32","shape":[274877906944],"data_offsets":[0,1099511627776]}}"#;
    says(&header(large), "cut-short", &[name]);
    let gap = format!("{{{},{}}}", tensor("a", 0, 4), tensor("b", 8, 12));
    says(&header(&gap), "malformed-checkpoint", &["\"b\"", "leave a gap"]);
    says(&header(&format!("{{{}}}", tensor("a", 0, 4))), "malformed-checkpoint", &["belong to no tensor"]);
    says(&header(&format!("{{{0},{0}}}", tensor("a", 0, 4))), "malformed-checkpoint", &["twice"]);
}
