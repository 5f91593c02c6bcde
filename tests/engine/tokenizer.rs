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
    let entries: Vec<Entry> = serde_json::from_str(include_str!("../fixtures/tokenizer.json")).unwrap();
    assert!(entries.len() >= 200, "only {} texts", entries.len());
    entries
}

fn assert_agrees(tokenizer: &Tokenizer) {
    for Entry { text, ids, tokens } in fixture() {
        assert_eq!(tokenizer.encode(&text).unwrap(), ids, "ids of {text:?}");
        let written: Vec<String> = ids.iter().map(|id| tokenizer.token(*id)).collect();
        assert_eq!(written, tokens, "tokens of {text:?}");
    }
}

fn model() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/models/roformer-english"))
}

fn kind(name: &str) -> Tokenizer {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tokenizers").join(name);
    Tokenizer::open(&folder).unwrap()
}

const KINDS: [&str; 11] =
    ["gpt2", "neox", "llama3", "qwen", "roberta", "llama2", "mistral", "gemma", "t5", "unigram_bytes", "word_level"];

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
    assert_eq!(Tokenizer::open(&folder).unwrap().encode("E V").unwrap(), [1, 3, 4, 2]);
    fs::write(folder.join("tokenizer_config.json"), r#"{"do_lower_case": true}"#).unwrap();
    assert_eq!(Tokenizer::open(&folder).unwrap().encode("E V").unwrap(), [1, 5, 0, 2]);
    fs::write(folder.join("tokenizer_config.json"), r#"{"do_lower_case": false}"#).unwrap();
    assert_eq!(Tokenizer::open(&folder).unwrap().encode("E V").unwrap(), [1, 3, 4, 2]);
}

#[derive(Deserialize)]
struct Expected {
    text: String,
    ids: Vec<u32>,
    tokens: Vec<String>,
    decoded: String,
}

#[test]
fn every_kind_gives_hugging_faces_ids_and_texts() {
    for name in KINDS {
        assert_kind(name, &kind(name));
    }
}

fn assert_kind(name: &str, tokenizer: &Tokenizer) {
    let path = format!("{}/tests/fixtures/tokenizers/{name}/expected.json", env!("CARGO_MANIFEST_DIR"));
    let expected: Vec<Expected> = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert!(expected.len() >= 200, "only {} texts", expected.len());
    for Expected { text, ids, tokens, decoded } in expected {
        assert_eq!(tokenizer.encode(&text).unwrap(), ids, "{name}: ids of {text:?}");
        let written: Vec<String> = ids.iter().map(|id| tokenizer.token(*id)).collect();
        assert_eq!(written, tokens, "{name}: tokens of {text:?}");
        assert_eq!(tokenizer.decode(&ids, false), decoded, "{name}: text of {text:?}");
    }
}

/// The text of each push, and the rest at the end.
fn pushed(tokenizer: &Tokenizer, ids: &[u32], continues: bool) -> Vec<String> {
    let mut stream = tokenizer.stream(continues);
    let mut texts: Vec<String> = ids.iter().map(|id| stream.push(*id)).collect();
    texts.push(stream.flush());
    texts
}

/// The text's own ids.
fn own(tokenizer: &Tokenizer, text: &str) -> Vec<u32> {
    tokenizer.encode_to_continue(text).unwrap().split_off(tokenizer.template().before)
}

#[test]
fn a_text_to_be_continued_keeps_what_stands_before_it() {
    let around = |name| {
        let tokenizer = kind(name);
        let (complete, open) = (tokenizer.encode("a").unwrap(), tokenizer.encode_to_continue("a").unwrap());
        assert_eq!(complete[..open.len()], open);
        assert_eq!(complete.len() - open.len(), tokenizer.template().after);
        let tokens_of = |ids: &[u32]| ids.iter().map(|id| tokenizer.token(*id)).collect::<Vec<_>>();
        (tokens_of(&open[..tokenizer.template().before]), tokens_of(&complete[open.len()..]))
    };
    assert_eq!(around("roberta"), (vec!["<s>".to_string()], vec!["</s>".to_string()]));
    assert_eq!(around("llama3"), (vec!["<|begin_of_text|>".to_string()], vec![]));
    assert_eq!(around("gpt2"), (vec![], vec![]));
    assert_eq!(kind("roberta").encode_to_continue("").unwrap(), [0]);
}

#[test]
fn a_stream_holds_bytes_back_until_their_character_is_whole() {
    for name in ["gpt2", "llama2"] {
        let tokenizer = kind(name);
        let texts = pushed(&tokenizer, &own(&tokenizer, "a👍b"), false);
        let said: Vec<&String> = texts.iter().filter(|text| !text.is_empty()).collect();
        assert_eq!(said, ["a", "👍", "b"], "{name}");
    }
}

#[test]
fn bytes_that_become_no_character_are_written_as_numbers() {
    let tokenizer = kind("llama2");
    let (begin, thumb) = (own(&tokenizer, "a")[0], own(&tokenizer, "👍").split_off(1));
    assert_eq!(pushed(&tokenizer, &[begin, thumb[0], thumb[1]], false), ["a", "", "", "⟨F0⟩⟨9F⟩"]);
    assert_eq!(pushed(&tokenizer, &[thumb[0], begin], false), ["", "⟨F0⟩ a", ""]);
}

#[test]
fn the_added_space_is_taken_off_the_first_token_alone() {
    for name in ["llama2", "mistral"] {
        let tokenizer = kind(name);
        let ids = own(&tokenizer, "the the");
        assert_eq!(pushed(&tokenizer, &ids, false), ["the", " the", ""], "{name}");
        assert_eq!(pushed(&tokenizer, &ids, true), [" the", " the", ""], "{name}");
        assert_eq!(pushed(&tokenizer, &tokenizer.encode("the").unwrap(), false), ["", "the", ""], "{name}");
    }
    let pieces = Tokenizer::open(model()).unwrap();
    assert_eq!(pushed(&pieces, &own(&pieces, "the dog"), true), [" the", " dog", ""]);
    assert_eq!(
        pieces.decode(&pieces.encode("The unbelievableness, he said.").unwrap(), false),
        "the unbelievableness, he said."
    );
}

#[test]
fn tokens_are_shown_readably() {
    let display = |name, text| -> Vec<String> {
        let tokenizer = kind(name);
        tokenizer.encode(text).unwrap().iter().map(|id| tokenizer.display(*id)).collect()
    };
    assert_eq!(display("gpt2", "\n\t"), ["↵", "⇥"]);
    assert_eq!(display("llama2", "\n"), ["<s>", " ", "↵"]);
    assert_eq!(display("llama2", "a👍"), ["<s>", " a", "⟨F0⟩", "⟨9F⟩", "⟨91⟩", "⟨8D⟩"]);
    assert_eq!(display("mistral", "the the"), ["<s>", " the", " the"]);
}

#[test]
fn the_mask_token_is_the_declared_one_and_may_be_missing() {
    assert_eq!(kind("gpt2").mask_token(), None);
    let error = kind("gpt2").mask().unwrap_err().to_string();
    assert!(error.contains("no mask token"), "{error}");
    assert_eq!(kind("roberta").mask_token(), Some("<mask>"));
    assert!(kind("roberta").encode("a <mask>").unwrap().contains(&kind("roberta").mask().unwrap()));

    let folder = folder("tokenizer-mask");
    fs::write(folder.join("vocab.txt"), "[UNK]\nthe\n<hidden>\n").unwrap();
    fs::write(folder.join("special_tokens_map.json"), r#"{"mask_token": {"content": "<hidden>"}}"#).unwrap();
    let tokenizer = Tokenizer::open(&folder).unwrap();
    assert_eq!(tokenizer.mask_token(), Some("<hidden>"));
    assert_eq!(tokenizer.encode("the <hidden>").unwrap(), [1, 2]);
}

#[test]
fn residues_are_read_as_hugging_faces_esm_tokenizer_does() {
    assert_kind("esm", &kind("esm"));
    // The vocabulary alone says so, too.
    let folder = folder("tokenizer-residues");
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tokenizers/esm/vocab.txt");
    fs::copy(fixture, folder.join("vocab.txt")).unwrap();
    assert_kind("esm", &Tokenizer::open(&folder).unwrap());
    assert_eq!(kind("esm").mask_token(), Some("<mask>"));
}

#[test]
fn a_fasta_record_is_read_as_its_sequence() {
    let tokenizer = kind("esm");
    let plain = tokenizer.encode("MKTAYIAKQR").unwrap();
    for record in [
        ">sp|P12345|NAME A protein OS=Homo sapiens\nMKTAY\nIAKQR\n",
        "\n  > MKT\r\nMKTAYIAKQR",
        ">one\nMKTAY\n\nIAKQR\n>two\nAAAA\n",
    ] {
        assert_eq!(tokenizer.encode(record).unwrap(), plain, "{record:?}");
    }
    assert_eq!(tokenizer.encode(">only a description").unwrap(), [0, 2]);
    assert_ne!(tokenizer.encode("MKTAYIAKQR > x").unwrap(), plain);
    // Others read what is written.
    assert!(kind("gpt2").encode(">a\nMKT").unwrap().len() > kind("gpt2").encode("MKT").unwrap().len());
}

#[test]
fn a_decoder_that_is_not_known_is_refused_by_name() {
    let folder = folder("tokenizer-decoder");
    let json = fs::read(model().join("tokenizer.json")).unwrap();
    let mut json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    json["decoder"] = serde_json::json!({"type": "BPEDecoder", "suffix": "</w>"});
    fs::write(folder.join("tokenizer.json"), json.to_string()).unwrap();
    let error = Tokenizer::open(&folder).err().unwrap().to_string();
    assert!(error.contains("BPEDecoder"), "{error}");
}
