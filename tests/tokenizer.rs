//! The command line's tokenizer gives Hugging Face's ids for every text of the shared fixture.

use std::fs;
use std::path::Path;

use ropescope::cli::tokenizer::Tokenizer;
use serde::Deserialize;

#[derive(Deserialize)]
struct Entry {
    text: String,
    ids: Vec<u32>,
    tokens: Vec<String>,
}

fn fixture() -> Vec<Entry> {
    let entries: Vec<Entry> = serde_json::from_str(include_str!("fixtures/tokenizer.json")).unwrap();
    assert!(entries.len() >= 200, "only {} texts", entries.len());
    entries
}

fn assert_agrees(tokenizer: &Tokenizer) {
    for Entry { text, ids, tokens } in fixture() {
        assert_eq!(tokenizer.encode(&text).unwrap(), ids, "ids of {text:?}");
        assert_eq!(tokenizer.tokens(&text).unwrap(), tokens, "tokens of {text:?}");
    }
}

fn model() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/models/roformer-english"))
}

/// An empty folder of this name.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn tokenizer_json_gives_hugging_faces_ids() {
    let tokenizer = Tokenizer::open(model()).unwrap();
    assert_agrees(&tokenizer);
    assert_eq!(tokenizer.token(tokenizer.mask().unwrap()), "[MASK]");
}

#[test]
fn the_vocabulary_alone_gives_the_same() {
    let folder = folder("tokenizer-vocabulary");
    fs::copy(model().join("vocab.txt"), folder.join("vocab.txt")).unwrap();
    assert_agrees(&Tokenizer::open(&folder).unwrap());
}

#[test]
fn a_file_saved_with_truncation_and_padding_does_neither() {
    let folder = folder("tokenizer-fitted");
    let json = fs::read(model().join("tokenizer.json")).unwrap();
    let mut json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    json["truncation"] = serde_json::json!(
        {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
    );
    json["padding"] = serde_json::json!(
        {"strategy": {"Fixed": 40}, "direction": "Right", "pad_to_multiple_of": null,
         "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}
    );
    fs::write(folder.join("tokenizer.json"), json.to_string()).unwrap();
    assert_agrees(&Tokenizer::open(&folder).unwrap());
}

#[test]
fn cased_vocabularies_keep_their_case() {
    let folder = folder("tokenizer-cased");
    fs::write(folder.join("vocab.txt"), "[UNK]\n[CLS]\n[SEP]\nE\nV\ne\n").unwrap();
    assert_eq!(Tokenizer::open(&folder).unwrap().encode("E V").unwrap(), [1, 5, 0, 2]);
    fs::write(folder.join("tokenizer_config.json"), r#"{"do_lower_case": false}"#).unwrap();
    assert_eq!(Tokenizer::open(&folder).unwrap().encode("E V").unwrap(), [1, 3, 4, 2]);
}
