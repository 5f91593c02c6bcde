//! The other commands: fill-mask, decay, inspect, and the program's own help.

use crate::program::{add_vocabulary, copy, golden, repository, stdout, text};

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
            let shown = format!("{:.2} %  {}  ({})", 100.0 * probability, fill["token"].as_str().unwrap(), fill["id"]);
            assert_eq!(line.trim(), shown);
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
fn rope_prints_hugging_faces_frequencies_as_json() {
    let entries = std::fs::read(golden("ropes.json")).unwrap();
    let entries: Vec<serde_json::Value> = serde_json::from_slice(&entries).unwrap();
    for entry in entries.iter().step_by(5) {
        let [head_dim, base, scaling, longest, length] =
            ["head_dim", "base", "scaling", "max_position_embeddings", "length"].map(|key| entry[key].to_string());
        let flags = ["--head-dim", &head_dim, "--base", &base, "--scaling", &scaling, "--length", &length, "--json"];
        let json = stdout(&[&["rope", "--max-position-embeddings", &longest], &flags[..]].concat());
        let shown: serde_json::Value = serde_json::from_str(&json).unwrap();
        let (frequencies, wavelengths) = (shown["frequencies"].as_array().unwrap(), &shown["wavelengths"]);
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
        let (found, expected) = (&shown["attention_factor"], entry["attention_factor"].as_f64().unwrap());
        assert!((found.as_f64().unwrap() - expected).abs() <= 1e-6 * expected, "{entry}: {found}");
    }
}

#[test]
fn rope_prints_a_table() {
    let table = stdout(&["rope", "--head-dim", "4"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[1..3], [vec!["0", "1.00000", "6.28319"], vec!["1", "0.0100000", "628.319"]]);
    assert_eq!(rows.len(), 4);
}

#[test]
fn inspect_counts_what_hugging_face_counts() {
    // `sum(p.numel() for p in model.parameters())`, and the table of angles in it.
    for (case, total, fixed) in [("masked_lm", "19,681", "512"), ("decoder_untied", "14,602", "512")] {
        let table = stdout(&["inspect", "--model", text(&golden(case)), "--length", "8"]);
        assert!(table.contains(&format!("\nTotal params: {total}\n")), "{case}:\n{table}");
        assert!(table.contains(&format!("\nNon-trainable params: {fixed}\n")), "{case}:\n{table}");
    }
    let table = stdout(&["inspect", "--model", text(&golden("tiny_sequence_classification"))]);
    let row = table.lines().find(|row| row.contains("Linear (out_proj)")).unwrap();
    assert_eq!(row.split_once(": 2-4").unwrap().1.split_whitespace().collect::<Vec<_>>(), ["[1,", "3]", "99"]);
    assert!(table.contains("[1, 128, 32]"), "{table}");
}

#[test]
fn help_and_version_are_no_errors() {
    assert!(stdout(&["--help"]).contains("fill-mask"));
    assert!(stdout(&["run", "--help"]).contains("--position-offset"));
    assert!(stdout(&["--version"]).starts_with("ropescope "));
}
