//! `ropescope tune`, and the forms that it finds given to a run.

use std::fs;

use ropescope::plan::Forms;

use crate::program::{copy, failure, stdout, text};

#[test]
fn tune_writes_forms_that_a_run_takes() {
    let folder = copy("tiny_masked_lm", "tune");
    let forms = folder.join("forms.txt");
    let tune = ["tune", "--model", text(&folder), "--backend", "gpu", "--output", text(&forms)];
    let csv = stdout(&tune);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("tokens,past,before_ms,after_ms,changed"));
    let tokens: Vec<&str> = lines.map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(tokens[..2], ["1", "32"]);
    let found = Forms::parse(fs::read_to_string(&forms).unwrap().trim());
    assert!(found.len() > 4, "{found}");
    // All that there are is known: nothing is left to be tried.
    assert_eq!(stdout(&[&tune[..], &["--forms", text(&forms)]].concat()).lines().count(), 1);

    let [plain, tuned] = ["plain.safetensors", "tuned.safetensors"].map(|name| folder.join(name));
    let run = ["run", "--model", text(&folder), "--backend", "gpu", "--ids", "2,3,4", "--output"];
    stdout(&[&run[..], &[text(&plain)]].concat());
    stdout(&[&run[..], &[text(&tuned), "--forms", text(&forms)]].concat());
    assert_eq!(fs::read(&plain).unwrap().len(), fs::read(&tuned).unwrap().len());
}

#[test]
fn forms_that_are_none_are_told() {
    let folder = copy("tiny_masked_lm", "no-forms");
    let forms = folder.join("forms.txt");
    fs::write(&forms, "nothing of the kind").unwrap();
    let run = ["run", "--model", text(&folder), "--ids", "2", "--output", "out.safetensors", "--forms", text(&forms)];
    assert!(failure(&run).ends_with("it holds no forms: write it by `ropescope tune`"));
    let on_cpu = ["tune", "--model", text(&folder), "--backend", "cpu", "--output", text(&forms)];
    assert!(failure(&on_cpu).contains("choose --backend gpu"));
}
