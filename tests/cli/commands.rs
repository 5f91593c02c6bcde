//! The other commands: fill-mask, decay, inspect, and the program's own help.

use std::fs;
use std::path::Path;

use safetensors::{Dtype, SafeTensors};

use crate::program::{add_vocabulary, copy, golden, repository, stdout, stdout_of, text, within};

#[test]
fn fill_mask_prints_a_table_and_the_same_as_json() {
    let folder = repository("models/roformer-english");
    let arguments =
        ["fill-mask", "--model", text(&folder), "--text", "The [MASK] sat on the [MASK].", "--backend", "cpu"];
    let json = stdout(&[&arguments[..], &["--top-k", "3", "--json"]].concat());
    let masks: serde_json::Value = serde_json::from_str(&json).unwrap();
    let masks = masks.as_array().unwrap();
    assert_eq!(masks.iter().map(|mask| mask["position"].as_u64().unwrap()).collect::<Vec<_>>(), [2, 6]);
    let table = stdout(&[&arguments[..], &["--top-k", "3"]].concat());
    let mut lines = table.lines();
    for mask in masks {
        assert_eq!(lines.next().unwrap(), format!("[MASK] at position {}", mask["position"]));
        let fills = mask["fills"].as_array().unwrap();
        assert_eq!(fills.len(), 3);
        let probabilities: Vec<f64> = fills.iter().map(|fill| fill["probability"].as_f64().unwrap()).collect();
        assert!(probabilities.is_sorted_by(|left, right| left >= right), "{probabilities:?}");
        assert!(probabilities.iter().all(|probability| (0.0..=1.0).contains(probability)), "{probabilities:?}");
        for (fill, probability) in fills.iter().zip(probabilities) {
            let line = lines.next().unwrap();
            let expected =
                format!("{:.2} %  {}  ({})", 100.0 * probability, fill["token"].as_str().unwrap(), fill["id"]);
            assert_eq!(line.trim(), expected);
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn fill_mask_shows_five_words_and_never_more_than_there_are() {
    let folder = copy("tiny_masked_lm", "fill-mask");
    add_vocabulary(&folder);
    let arguments = ["fill-mask", "--model", text(&folder), "--text", "the [MASK]", "--backend", "cpu"];
    assert_eq!(stdout(&arguments).lines().count(), 1 + 5);
    assert_eq!(stdout(&[&arguments[..], &["--top-k", "64"]].concat()).lines().count(), 1 + 64);
    let from_input = ["fill-mask", "--model", text(&folder), "--text", "-", "--backend", "cpu"];
    assert_eq!(stdout_of("the [MASK]\n", &from_input), stdout(&arguments));
}

#[test]
fn decay_is_figure_two_as_csv() {
    let csv = stdout(&["decay", "--head-dim", "128", "--base", "10000", "--max-distance", "256"]);
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!((rows.len(), rows[0], rows[1]), (258, "distance,bound", "0,32.5"));
    let bound = |distance: usize| {
        let (number, bound) = rows[distance + 1].split_once(',').unwrap();
        assert_eq!(number, distance.to_string());
        bound.parse::<f64>().unwrap()
    };
    for (distance, expected) in [(1, 31.538166), (64, 10.089942), (236, 6.414997), (256, 6.543097)] {
        assert!((bound(distance) - expected).abs() < 1e-6, "{distance}: {}", bound(distance));
    }
}

#[test]
fn decay_prints_a_column_a_base() {
    let csv = stdout(&["decay", "--curve", "cosines", "--base", "1e4", "--base", "500000", "--max-distance", "1708"]);
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!((rows.len(), rows[0], rows[1]), (1710, "distance,10000,500000", "0,64,64"));
    let negative = |row: &str| row.split(',').nth(1).unwrap().starts_with('-');
    assert_eq!(rows.iter().skip(1).position(|row| negative(row)), Some(1707));
    let single = stdout(&["decay", "--head-dim", "8", "--curve", "cosines", "--base", "1.5", "--max-distance", "1"]);
    assert!(single.starts_with("distance,cosines\n0,4\n"), "{single}");
}

#[test]
fn score_takes_a_score_apart() {
    let folder = repository("models/roformer-english");
    let words = "The little dog sat on the [MASK] and looked at the door, because he wanted to go out.";
    let place = ["--layer", "2", "--head", "6", "--query", "9", "--key", "8"];
    let arguments = [&["score", "--model", text(&folder), "--text", words, "--backend", "cpu"], &place[..]].concat();
    let json = stdout(&[&arguments[..], &["--json", "--max-distance", "32"]].concat());
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let numbers = |key: &str| -> Vec<f64> {
        report[key].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let (parts, running, score) = (numbers("parts"), numbers("running"), report["score"].as_f64().unwrap());
    assert_eq!((parts.len(), running.len()), (16, 16));
    assert!((parts.iter().sum::<f64>() - score).abs() < 1e-9 && running[15] == score);
    let sweep: Vec<(i64, f64)> = report["sweep"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["distance"].as_i64().unwrap(), entry["score"].as_f64().unwrap()))
        .collect();
    assert_eq!((sweep.len(), sweep[0].0, sweep[64].0), (65, -32, 32));
    assert!((sweep[33].1 - score).abs() < 1e-9, "the true distance is on the sweep");
    let highest = sweep.iter().max_by(|one, other| one.1.total_cmp(&other.1)).unwrap();
    assert_eq!(highest.0, 1, "this head looks one token back");
    let table = stdout(&arguments);
    assert_eq!(table.lines().count(), 1 + 16 + 2);
    assert!(table.contains(&format!("score {score:.4}")), "{table}");
}

#[test]
fn rope_prints_hugging_faces_frequencies_as_json() {
    let entries = std::fs::read(golden("ropes.json")).unwrap();
    let entries: Vec<serde_json::Value> = serde_json::from_slice(&entries).unwrap();
    for entry in entries.iter().step_by(5) {
        let [head_dim, base, scaling, longest, length] =
            ["head_dim", "base", "scaling", "max_position_embeddings", "length"].map(|key| entry[key].to_string());
        let flags = ["--head-dim", &head_dim, "--base", &base, "--scaling", &scaling, "--length", &length, "--json"];
        let json = stdout(&[&["rope", "--max-position-embeddings", &longest], &flags[..]].concat());
        let report: serde_json::Value = serde_json::from_str(&json).unwrap();
        let (frequencies, wavelengths) = (report["frequencies"].as_array().unwrap(), &report["wavelengths"]);
        assert_eq!(frequencies.len(), head_dim.parse::<usize>().unwrap() / 2);
        assert_eq!(wavelengths.as_array().unwrap().len(), frequencies.len());
        for (pair, frequency) in frequencies.iter().enumerate() {
            let (found, expected) = (frequency.as_f64().unwrap(), entry["theta"][pair].as_f64().unwrap_or(0.0));
            assert!((found - expected).abs() <= 1e-6 * expected, "{entry}, pair {pair}: {found}");
            match wavelengths[pair].as_f64() {
                Some(wavelength) => {
                    assert!((wavelength * found / std::f64::consts::TAU - 1.0).abs() < 1e-12, "{entry}")
                }
                None => assert!(wavelengths[pair].is_null() && found == 0.0, "{entry}, pair {pair}"),
            }
        }
        let (found, expected) = (&report["attention_factor"], entry["attention_factor"].as_f64().unwrap());
        assert!((found.as_f64().unwrap() - expected).abs() <= 1e-6 * expected, "{entry}: {found}");
    }
}

#[test]
fn rope_prints_a_table() {
    let rows = |more: &[&str]| -> Vec<Vec<String>> {
        let table = stdout(&[&["rope", "--head-dim", "4"], more].concat());
        table.lines().map(|line| line.split_whitespace().map(str::to_string).collect()).collect()
    };
    let turning = rows(&[]);
    assert_eq!(turning[1..3], [vec!["0", "1.00000", "6.28319"], vec!["1", "0.0100000", "628.319"]]);
    assert_eq!((turning.len(), turning[3].last().map(String::as_str)), (4, Some("1")));
    let half = rows(&["--scaling", r#"{"partial_rotary_factor": 0.5}"#]);
    assert_eq!(half[1..3], [vec!["0", "1.00000", "6.28319"], vec!["1", "0", "stands", "still"]]);
}

/// The JSON of `inspect --json` for a model's folder.
fn inspected(folder: &Path, more: &[&str]) -> serde_json::Value {
    let json = stdout(&[&["inspect", "--model", text(folder), "--json"], more].concat());
    serde_json::from_str(&json).unwrap()
}

#[test]
fn inspect_counts_what_hugging_face_counts() {
    // `sum(p.numel() for p in model.parameters())`, and the table of angles in it. Untied, Hugging Face's class has a second
    // bias of 97 numbers that nothing reads.
    for (case, total, fixed, unread) in [("masked_lm", 19_681, 512, 0), ("decoder_untied", 14_602 - 97, 512, 97)] {
        let report = inspected(&golden(case), &["--length", "8"]);
        let parameters = &report["parameters"];
        assert_eq!(
            (parameters["learned"].as_u64(), parameters["fixed"].as_u64()),
            (Some(total - fixed), Some(fixed)),
            "{case}"
        );
        let found: u64 = parameters["unread"].as_array().unwrap().iter().map(|entry| entry[1].as_u64().unwrap()).sum();
        assert_eq!(found, unread, "{case}");
    }
}

/// The model's numbers and the tensors that it does not read are all numbers of the file, each once.
#[test]
fn inspect_counts_every_number_of_a_decoders_or_readers_file() {
    let folders = [within("decoders"), within("readers")].concat();
    assert!(folders.len() >= 90, "only {} folders", folders.len());
    for case in folders {
        let folder = golden(&case);
        let file = fs::read(folder.join("model.safetensors")).unwrap();
        let stored: u64 = SafeTensors::deserialize(&file)
            .unwrap()
            .iter()
            .map(|(_, view)| view.shape().iter().product::<usize>() as u64)
            .sum();
        let report = inspected(&folder, &[]);
        let parameters = &report["parameters"];
        let unread: u64 = parameters["unread"].as_array().unwrap().iter().map(|entry| entry[1].as_u64().unwrap()).sum();
        // The file has a copy of a tied weight, which is no parameter.
        let copied = if case.ends_with("_stored") {
            report["vocab_size"].as_u64().unwrap() * report["hidden_size"].as_u64().unwrap()
        } else {
            0
        };
        let counted = parameters["learned"].as_u64().unwrap() + parameters["fixed"].as_u64().unwrap();
        assert_eq!(counted + unread + copied, stored, "{case}");
        let modules = report["modules"].as_array().unwrap();
        let tensors = modules.iter().flat_map(|module| module["tensors"].as_array().unwrap());
        let rows: u64 = tensors.map(|tensor| tensor["parameters"].as_u64().unwrap()).sum();
        assert_eq!(rows, counted, "{case}");
        // Matrices of 16 bits a number stay in that format, vectors never do.
        let tensors = SafeTensors::deserialize(&file).unwrap();
        let plain = tensors.iter().all(|(_, view)| view.dtype() == Dtype::F32);
        let memory = report["memory"]["weights"].as_u64().unwrap();
        assert!(
            if plain { memory == 4 * counted } else { (2 * counted..=4 * counted).contains(&memory) },
            "{case}: {memory}"
        );
    }
}

#[test]
fn inspect_says_what_a_model_is() {
    let table = stdout(&["inspect", "--model", text(&golden("decoders/gpt_neox")), "--length", "9"]);
    assert!(
        table
            .starts_with("GPTNeoXForCausalLM: 2 layers, 2 heads and 2 key heads of 16, hidden size 32, vocabulary 61,"),
        "{table}"
    );
    assert!(table.contains("rope default (2 of 8 pairs turn, × 1)"), "{table}");
    let row = table.lines().find(|row| row.contains("query_key_value")).unwrap();
    let cells: Vec<&str> = row.trim().split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    assert_eq!(cells, ["query_key_value", "weight [96, 32], bias [96]", "[1, 9, 96]", "3,168"]);
    let yarn = inspected(&golden("decoders/rope_yarn"), &[]);
    assert_eq!((&yarn["ropes"][0]["rope_type"], &yarn["longest_text"]), (&"yarn".into(), &128.into()));
    let both = stdout(&["inspect", "--model", text(&golden("decoders/gemma3"))]);
    assert!(
        both.contains(", rope default of 1 layers, θ 5000 (3 of 3 pairs turn, × 1), rope default of 2 layers, θ 100 ("),
        "{both}"
    );
    let dynamic = inspected(&golden("decoders/rope_dynamic_across"), &[]);
    assert_eq!((&dynamic["longest_text"], &dynamic["length"]), (&serde_json::Value::Null, &128.into()));
    let classifier = stdout(&["inspect", "--model", text(&golden("tiny_sequence_classification"))]);
    let row = classifier.lines().find(|row| row.trim().starts_with("out_proj")).unwrap();
    assert!(row.contains("weight [3, 32], bias [3]") && row.contains("[1, 3]") && row.ends_with("99"), "{row}");
    assert!(classifier.contains("[1, 128, 32]"), "{classifier}");
}

#[test]
fn help_and_version_are_no_errors() {
    assert!(stdout(&["--help"]).contains("fill-mask"));
    assert!(stdout(&["run", "--help"]).contains("--position-offset"));
    assert!(stdout(&["--version"]).starts_with("ropescope "));
}
