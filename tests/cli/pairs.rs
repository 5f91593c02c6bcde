//! Encoder–decoders: their outputs, and the texts that they generate after a source, against Hugging Face's.

use crate::program::{copy, failure, golden, stdout, text, within};
use crate::run::{compare, read};
use serde_json::Value;

fn pairs() -> Vec<String> {
    let pairs = within("pairs");
    assert!(pairs.len() >= 8, "only {} pairs", pairs.len());
    pairs
}

/// The ids that `generate` prints for a folder's sources, without the padding after their ends.
fn written(case: &str, more: &[&str]) -> Vec<Vec<u64>> {
    let folder = golden(case);
    let (_, rows) = read(&folder.join("expected.safetensors"));
    let arguments = ["generate", "--json", "--model", text(&folder), "--ids", &rows["input_ids"]];
    let mask = ["--attention-mask", &rows["attention_mask"]];
    let report: Value = serde_json::from_str(&stdout(&[&arguments[..], &mask, more].concat())).unwrap();
    assert!(report["text"].as_array().unwrap().iter().all(Value::is_null), "{case} has no tokenizer");
    let ids = |row: &Value| row.as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
    report["ids"].as_array().unwrap().iter().map(ids).collect()
}

/// The ids that Hugging Face generates in one kind of search.
fn expected(case: &str, kind: &str) -> Vec<Vec<u64>> {
    let (_, rows) = read(&golden(case).join("expected.safetensors"));
    let row = |row: &str| {
        let ids: Vec<u64> = row.split(',').map(|id| id.parse().unwrap()).collect();
        // It ends with the first end token after the start token.
        let end = ids.iter().skip(1).position(|id| *id == 1).map_or(ids.len(), |end| end + 2);
        ids[..end].to_vec()
    };
    rows[kind].split(';').map(row).collect()
}

#[test]
fn every_pair_gives_hugging_faces_numbers() {
    pairs().iter().for_each(|case| compare(case, "cpu", 1e-5));
}

#[test]
fn the_gpu_gives_the_same_pairs() {
    pairs().iter().for_each(|case| compare(case, "gpu", 1e-4));
}

#[test]
fn the_best_token_each_time_is_hugging_faces() {
    for case in &pairs() {
        for backend in ["cpu", "gpu"] {
            let found = written(case, &["--num-beams", "1", "--backend", backend]);
            assert_eq!(found, expected(case, "greedy"), "{case} on {backend}");
        }
    }
}

/// Beams, penalties, bad words, forced tokens and lengths are those of generation_config.json, or of an older model's config.json.
#[test]
fn beams_find_what_hugging_faces_find() {
    for case in &pairs() {
        for backend in ["cpu", "gpu"] {
            let found = written(case, &["--backend", backend]);
            assert_eq!(found, expected(case, "beams"), "{case} on {backend}");
        }
    }
}

#[test]
fn a_seed_names_what_is_sampled() {
    let sampled = |seed: &str| written("pairs/marian", &["--temperature", "1", "--seed", seed, "--backend", "cpu"]);
    assert_eq!(sampled("5"), sampled("5"));
    assert!((0..8).any(|seed| sampled(&seed.to_string()) != sampled("5")), "nothing is drawn");
    let short = written("pairs/marian", &["--temperature", "1", "--max-new-tokens", "2", "--backend", "cpu"]);
    assert!(short.iter().all(|ids| ids.len() <= 3 && ids[0] == 0), "{short:?}");
}

#[test]
fn what_a_pair_cannot_do_is_said() {
    let marian = golden("pairs/marian");
    let generate = |more: &[&str]| {
        let arguments = ["generate", "--model", text(&marian), "--ids", "4,5,1", "--backend", "cpu"];
        failure(&[&arguments[..], more].concat())
    };
    assert_eq!(generate(&["--num-beams", "9"]), "num_beams is 9, but must be a whole number from 1 to 8");
    assert!(generate(&["--num-beams", "2", "--temperature", "1"]).contains("leave --temperature"));
    let run = ["run", "--model", text(&marian), "--ids", "4,5,1", "--backend", "cpu", "--output", "/dev/null"];
    let fails = |more: &[&str]| failure(&[&run[..], more].concat());
    assert_eq!(fails(&["--decoder-ids", "0,5;0,6"]), "1 sources were given, but 2 are needed");
    assert!(fails(&["--decoder-ids", "0,99"]).contains("id 99 (row 0, position 1) is outside the vocabulary of 29"));
    assert!(fails(&["--heads-off", "0.1"]).contains("runs as it is"));
    assert!(fails(&["--position-offset", "3"]).contains("cannot be shifted"));
    let decoder = golden("decoders/llama");
    let arguments = ["run", "--model", text(&decoder), "--ids", "4", "--decoder-ids", "0", "--output", "/dev/null"];
    assert!(failure(&arguments).contains("reads no source"));
    let arguments = ["generate", "--model", text(&decoder), "--ids", "4", "--num-beams", "2"];
    assert!(failure(&arguments).contains("beams are searched for encoder–decoders"));
}

/// SentencePiece's own files are not read.
#[test]
fn a_marian_without_tokenizer_json_says_how_to_make_one() {
    let folder = copy("pairs/marian", "pairs-spm");
    for file in ["source.spm", "target.spm", "vocab.json"] {
        std::fs::write(folder.join(file), "{}").unwrap();
    }
    let said = failure(&["generate", "--model", text(&folder), "--text", "a", "--backend", "cpu"]);
    assert!(said.contains("source.spm") && said.contains("tokenizer.json") && said.contains("--ids"), "{said}");
}
