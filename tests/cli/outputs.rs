//! Files that the program writes: never one that it reads, and never half of one.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::forms::{MASKED, folder as form};
use crate::program::{add_vocabulary, copy, empty_folder, failure, failure_of, stdout, text};

fn run<'a>(folder: &'a Path, output: &'a Path) -> [&'a str; 9] {
    ["run", "--model", text(folder), "--backend", "cpu", "--ids", "2,5,3", "--output", text(output)]
}

/// Everything in a folder, with its bytes.
fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.map(|path| (text(&path).to_string(), fs::read(&path).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn an_output_is_none_of_the_inputs() {
    let folder = copy("tiny_masked_lm", "outputs-inputs");
    add_vocabulary(&folder);
    fs::write(folder.join("tokenizer_config.json"), "{}").unwrap();
    fs::write(folder.join("generation_config.json"), "{}").unwrap();
    let before = content(&folder);
    for (name, _) in &before {
        let said = failure(&run(&folder, Path::new(name)));
        assert!(said.contains("is a file that this command reads") && said.contains("choose another"), "{said}");
    }
    let roundabout = folder.join("../outputs-inputs/model.safetensors");
    assert!(failure(&run(&folder, &roundabout)).contains("is a file that this command reads"));
    assert_eq!(content(&folder), before);
}

#[test]
fn an_output_is_no_shard_and_no_index() {
    let folder = form("shards", MASKED);
    let before = content(&folder);
    assert!(before.len() >= 4);
    for (name, _) in &before {
        assert!(failure(&run(&folder, Path::new(name))).contains("is a file that this command reads"), "{name}");
    }
    assert_eq!(content(&folder), before);
}

#[cfg(unix)]
#[test]
fn links_to_an_input_are_that_input() {
    let folder = copy("tiny_masked_lm", "outputs-links");
    let weights = folder.join("model.safetensors");
    let before = fs::read(&weights).unwrap();
    let links = empty_folder("outputs-links-elsewhere");
    let [hard, soft] = ["hard", "soft"].map(|name| links.join(name));
    fs::hard_link(&weights, &hard).unwrap();
    std::os::unix::fs::symlink(&weights, &soft).unwrap();
    for link in [hard, soft] {
        assert!(failure(&run(&folder, &link)).contains("is a file that this command reads"), "{link:?}");
    }
    assert_eq!(fs::read(&weights).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn an_output_is_not_the_text_that_standard_input_is() {
    let folder = copy("tiny_masked_lm", "outputs-input");
    add_vocabulary(&folder);
    let notes = folder.join("notes.txt");
    fs::write(&notes, "the cat").unwrap();
    let arguments = ["run", "--model", text(&folder), "--backend", "cpu", "--text", "-", "--output", text(&notes)];
    assert!(failure_of(&notes, &arguments).contains("is a file that this command reads"));
    assert_eq!(fs::read(&notes).unwrap(), b"the cat");
}

/// A reader of the older file gets all of it, also after a run that was interrupted.
#[cfg(unix)]
#[test]
fn an_older_output_is_replaced_and_not_written_over() {
    let folder = copy("tiny_masked_lm", "outputs-replaced");
    let output = folder.join("out.safetensors");
    fs::write(&output, "the older file").unwrap();
    let mut opened = File::open(&output).unwrap();
    stdout(&run(&folder, &output));
    let mut older = String::new();
    opened.read_to_string(&mut older).unwrap();
    assert_eq!(older, "the older file");
    assert!(fs::read(&output).unwrap().len() > 1000);
    assert_eq!(content(&folder).len(), 3, "nothing else is left");
}

#[test]
fn a_missing_folder_is_said_before_a_model_is_read() {
    let folder = empty_folder("outputs-nowhere");
    let nowhere = folder.join("missing/out.safetensors");
    // There is no model either: the program checks that later.
    let said = failure(&run(&folder, &nowhere));
    let words = ["missing/out.safetensors", "the folder", "of this output is not there"];
    assert!(words.iter().all(|word| said.contains(word)), "{said}");
    assert!(!said.contains("config.json"), "{said}");
    assert!(failure(&run(&folder, &folder)).contains("is a folder; name a file in it"));
    if cfg!(target_os = "linux") {
        // Not even root can make a file there.
        let said = failure(&run(&folder, Path::new("/proc/out.safetensors")));
        assert!(said.contains("/proc/out.safetensors: no output can be written in /proc"), "{said}");
    }
}
