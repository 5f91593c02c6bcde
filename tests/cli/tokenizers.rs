//! Tokenizer files that make the library panic: the program ends with a message and status 1, as for any other broken file.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::program::{copy, failure, stdout, stdout_of_file, text};

fn tokenizer(key: &str, value: Value) -> Value {
    let mut tokenizer = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "two": 1, "x": 2}, "unk_token": "[UNK]"}
    });
    tokenizer[key] = value;
    tokenizer
}

fn added(id: u32, content: &str, lstrip: bool, rstrip: bool) -> Value {
    json!({"id": id, "content": content, "lstrip": lstrip, "rstrip": rstrip,
           "single_word": false, "normalized": false, "special": false})
}

/// The fault, and the file that has it.
fn broken() -> [(&'static str, Value); 6] {
    let template = json!({
        "type": "TemplateProcessing", "special_tokens": {}, "pair": [],
        "single": [{"SpecialToken": {"id": "[X]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    });
    let merges = json!({
        "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null, "end_of_word_suffix": null,
        "fuse_unk": false, "byte_fallback": false, "vocab": {"t": 0, "w": 1}, "merges": [["t", "w"]]
    });
    // The size of the trie in bytes, the trie, and what characters become: an empty trie, and one whose root points far out.
    let charsmap = |base64: &str| json!({"type": "Precompiled", "precompiled_charsmap": base64});
    [
        (
            "an added token takes the spaces that the next one begins with",
            tokenizer("added_tokens", json!([added(1, "two", false, true), added(2, "\n\n", true, false)])),
        ),
        ("a merge makes a longer token than there are", tokenizer("model", merges)),
        ("pieces of no length", tokenizer("pre_tokenizer", json!({"type": "FixedLength", "length": 0}))),
        ("an empty charsmap", tokenizer("normalizer", charsmap("AAAAAA=="))),
        ("a charsmap that points out of itself", tokenizer("normalizer", charsmap("BAAAAAD8/wA="))),
        ("a template of a token that it does not list", tokenizer("post_processor", template)),
    ]
}

fn folder(model: &str, name: &str, tokenizer: &Value) -> std::path::PathBuf {
    let folder = copy(model, name);
    fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    folder
}

fn run(folder: &Path) -> Vec<String> {
    let output = folder.join("out.safetensors");
    let run = ["run", "--model", text(folder), "--backend", "cpu", "--output", text(&output), "--text"];
    run.into_iter().chain(["  two \n\n \n\n x"]).map(str::to_string).collect()
}

#[test]
fn a_tokenizer_that_the_library_panics_on_is_named() {
    for (what, tokenizer) in broken() {
        let folder = folder("tiny_masked_lm", "tokenizers-broken", &tokenizer);
        let arguments = run(&folder);
        let line = failure(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let path = folder.join("tokenizer.json");
        assert!(line.contains(text(&path)) && line.contains("is not a readable tokenizer"), "{what}: {line}");
        assert!(line.contains("the tokenizers library fails on it"), "{what}: {line}");
    }
}

/// The library would take 8 GB for it, and a program that is refused memory ends at once.
#[cfg(unix)]
#[test]
fn a_charsmap_that_claims_gigabytes_is_refused() {
    let charsmap = json!({"type": "Precompiled", "precompiled_charsmap": "/P///w=="});
    let nested = json!({"type": "Sequence", "normalizers": [charsmap]});
    let tokenizer_json = |normalizer: &Value| tokenizer("normalizer", normalizer.clone()).to_string();
    // The file is also wrong after the charsmap, but the library would not read so far.
    let twice = tokenizer_json(&charsmap).replacen('{', &format!(r#"{{"normalizer": {charsmap},"#), 1);
    let truncated = format!(r#"{{"version": "1.0", "normalizer": {charsmap}, "#);
    for (json, words) in [
        (tokenizer_json(&charsmap), "precompiled_charsmap"),
        (tokenizer_json(&nested), "precompiled_charsmap"),
        (twice, "duplicate field `normalizer`"),
        (truncated, "EOF"),
    ] {
        let folder = copy("decoders/llama", "tokenizers-large");
        fs::write(folder.join("tokenizer.json"), json).unwrap();
        let limited = |arguments: &[String]| {
            let limit = ["-c", "ulimit -v 6000000 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_ropescope")];
            Command::new("sh").args(limit).args(arguments).output().unwrap()
        };
        let output = limited(&run(&folder));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("tokenizer.json") && said.contains(words), "{said}");
        let generate =
            ["generate", "--model", text(&folder), "--backend", "cpu", "--ids", "2,5", "--max-new-tokens", "1"];
        let output = limited(&generate.map(str::to_string));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A text is measured piece by piece, which cuts words in two: no half of one is an unknown word of the text.
#[test]
fn a_long_text_of_known_words_is_read_whatever_its_length() {
    let words = json!({"type": "WordLevel", "vocab": {"two": 1, "x": 2}, "unk_token": "[UNK]"});
    let folder = folder("tiny_masked_lm", "tokenizers-words", &tokenizer("model", words));
    let long = folder.join("long.txt");
    fs::write(&long, " ".repeat((1 << 16) - 1) + "two x").unwrap();
    let mut arguments = run(&folder);
    *arguments.last_mut().unwrap() = "-".into();
    let printed = stdout_of_file(&long, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(printed.starts_with("logits [1, 2, "), "{printed}");
}

/// The same files without their faults.
#[test]
fn the_same_tokenizer_without_the_mistake_runs() {
    let folder = folder("tiny_masked_lm", "tokenizers-whole", &tokenizer("decoder", Value::Null));
    let arguments = run(&folder);
    let printed = stdout(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(printed.starts_with("logits [1, 2, "), "{printed}");
}

#[test]
fn ids_are_continued_whatever_the_tokenizer_is() {
    for (what, tokenizer) in broken() {
        let folder = folder("decoders/llama", "tokenizers-generate", &tokenizer);
        let arguments =
            ["generate", "--model", text(&folder), "--backend", "cpu", "--ids", "2,5", "--temperature", "0"];
        let printed = stdout(&[&arguments[..], &["--max-new-tokens", "2", "--ignore-eos"]].concat());
        assert_eq!(printed.lines().count(), 1, "{what}: {printed}");
    }
}
