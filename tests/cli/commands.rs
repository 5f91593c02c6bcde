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
