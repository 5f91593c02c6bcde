//! The program reads only regular files of a bounded size. It names any other file in its message, and does not wait for its bytes.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use crate::forms::{MASKED, folder as form};
use crate::program::{add_vocabulary, copy, empty_folder, failure, failure_of, stdout, stdout_of_file, text};

/// The messages of commands about a folder with one spoiled file.
fn said(folder: &Path, commands: &[&[&str]]) -> Vec<String> {
    let output = empty_folder("inputs-output").join("out.safetensors");
    let run = ["run", "--model", text(folder), "--backend", "cpu", "--text", "the cat", "--output", text(&output)];
    let mut said = vec![failure(&run)];
    said.extend(commands.iter().map(|command| failure(&[command, &["--model", text(folder)][..]].concat())));
    assert!(!output.exists());
    said
}

/// Something else in the place of a file: its kind, a function that makes it, and the words of the message.
#[cfg(unix)]
type OddEntry = (&'static str, fn(&Path), &'static str);

#[cfg(unix)]
fn odd_entries() -> [OddEntry; 5] {
    use std::os::unix::fs::symlink;
    let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    [
        ("folder", |path| fs::create_dir(path).unwrap(), "is a folder, but must be a regular file"),
        ("pipe", pipe, "is a pipe or a device, but must be a regular file"),
        ("device", |path| symlink("/dev/zero", path).unwrap(), "is a pipe or a device, but must be a regular file"),
        ("loop", |path| symlink(path, path).unwrap(), "symbolic links"),
        ("nowhere", |path| symlink("nowhere", path).unwrap(), "is a link to a file that is not there"),
    ]
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_named() {
    let inspect: &[&[&str]] = &[&["inspect"]];
    for (kind, make, words) in odd_entries() {
        for (name, commands) in [
            ("config.json", inspect),
            ("model.safetensors", inspect),
            ("tokenizer.json", &[]),
            ("tokenizer_config.json", &[]),
            ("special_tokens_map.json", &[]),
            ("vocab.txt", &[]),
        ] {
            let folder = copy("tiny_masked_lm", "inputs-odd");
            add_vocabulary(&folder);
            let path = folder.join(name);
            let _ = fs::remove_file(&path); // some are not there
            make(&path);
            for line in said(&folder, commands) {
                assert!(line.contains(text(&path)) && line.contains(words), "{kind} as {name}: {line}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn forms_of_weights_and_settings_of_writing_are_regular_files_too() {
    for (kind, make, words) in odd_entries() {
        let folder = copy("tiny_masked_lm", "inputs-odd-forms");
        fs::remove_file(folder.join("model.safetensors")).unwrap();
        let path = folder.join("pytorch_model.bin");
        make(&path);
        let line = failure(&["inspect", "--model", text(&folder)]);
        assert!(line.contains(text(&path)) && line.contains(words), "{kind}: {line}");

        let shards = form("shards", MASKED);
        let path = shards.join("model-00002-of-00003.safetensors");
        fs::remove_file(&path).unwrap();
        make(&path);
        let line = failure(&["inspect", "--model", text(&shards)]);
        assert!(line.contains("model-00002-of-00003.safetensors"), "{kind}: {line}");

        let folder = copy("decoders/llama", "inputs-odd-generation");
        let path = folder.join("generation_config.json");
        make(&path);
        let line = failure(&["generate", "--model", text(&folder), "--backend", "cpu", "--ids", "2"]);
        assert!(line.contains(text(&path)) && line.contains(words), "{kind}: {line}");
    }
}

#[test]
fn a_file_is_refused_by_its_size() {
    let folder = copy("tiny_masked_lm", "inputs-large");
    let config = File::options().write(true).open(folder.join("config.json")).unwrap();
    config.set_len(65 << 20).unwrap();
    let line = failure(&["inspect", "--model", text(&folder)]);
    assert!(line.contains("config.json") && line.contains("larger than 64 MB"), "{line}");
}

/// The tokenizer would take hundreds of megabytes for it.
#[test]
fn a_text_is_refused_before_all_of_it_is_in_the_tokenizer() {
    let folder = copy("tiny_masked_lm", "inputs-text");
    add_vocabulary(&folder);
    let long = folder.join("long.txt");
    fs::write(&long, "the cat sat. ".repeat(5_000_000 / 13)).unwrap();
    let output = folder.join("out.safetensors");
    let run = ["run", "--model", text(&folder), "--backend", "cpu", "--text", "-", "--output", text(&output)];
    let fill = ["fill-mask", "--model", text(&folder), "--backend", "cpu", "--text", "-"];
    let place = ["--layer", "0", "--head", "0", "--query", "0", "--key", "0"];
    let score = [&["score", "--model", text(&folder), "--backend", "cpu", "--text", "-"], &place[..]].concat();
    for arguments in [&run[..], &fill, &score] {
        let line = failure_of(&long, arguments);
        assert!(line.contains("than the 512 that the model is made for"), "{line}");
        assert!(line.contains("in the first 65536 of its") && line.contains("shorten it"), "{line}");
    }
    // The program reads no more than that of standard input, whatever character it ends in.
    let large = empty_folder("inputs-larger").join("text.txt");
    fs::write(&large, "é".repeat((32 << 20) + 1)).unwrap();
    assert!(failure_of(&large, &run).contains("standard input: the text is larger than 64 MB"));
    fs::remove_file(&large).unwrap();
    // A text may be long and have few tokens.
    fs::write(&long, [" ".repeat(1 << 20), "the cat".into(), "x".repeat(1 << 20)].concat()).unwrap();
    let printed = stdout_of_file(&long, &run);
    assert!(printed.starts_with("logits [1, 4,"), "{printed}");
}

#[test]
fn heads_reads_a_longer_text_than_the_model_takes() {
    let folder = copy("tiny_masked_lm", "inputs-heads");
    add_vocabulary(&folder);
    let book = folder.join("book.txt");
    fs::write(&book, "the cat sat. ".repeat(10_000)).unwrap();
    let arguments = ["heads", "--model", text(&folder), "--backend", "cpu", "--text-file", text(&book)];
    let table = stdout(&[&arguments[..], &["--rows", "2", "--length", "16"]].concat());
    assert!(table.lines().count() > 2, "{table}");
}
