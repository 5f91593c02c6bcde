//! `ropescope generate`: arguments that are refused before anything is written, and prompts that the output repeats unchanged.

use serde_json::Value;

use crate::program::{failure, golden, stdout, text};

#[test]
fn no_tokens_are_asked_for_of_a_prompt_that_would_not_run() {
    let folder = golden("decoders/llama");
    let none = ["generate", "--model", text(&folder), "--backend", "cpu", "--max-new-tokens", "0", "--json", "--ids"];
    let said = failure(&[&none[..], &["2,4000000"]].concat());
    assert!(said.contains("id 4000000 (row 0, position 1) is outside the vocabulary"), "{said}");
    let long = vec!["2"; 1000].join(",");
    let said = failure(&[&none[..], &[&long]].concat());
    assert!(said.contains("the text has 1000 tokens"), "{said}");
    let printed: Value = serde_json::from_str(&stdout(&[&none[..], &["2,5"]].concat())).unwrap();
    assert_eq!(printed["ids"], serde_json::json!([[2, 5]]));

    let folder = golden("pairs/marian");
    let none = ["generate", "--model", text(&folder), "--backend", "cpu", "--max-new-tokens", "0", "--json", "--ids"];
    let said = failure(&[&none[..], &["2,4000000"]].concat());
    assert!(said.contains("id 4000000 (row 0, position 1) is outside the vocabulary"), "{said}");
}

#[test]
fn a_prompt_comes_back_as_it_was_given() {
    let folder = golden("decoders/llama");
    let generate = |ids: &str, mask: &str| -> Value {
        let arguments = ["generate", "--model", text(&folder), "--backend", "cpu", "--temperature", "0", "--json"];
        let more = ["--max-new-tokens", "3", "--ignore-eos", "--ids", ids, "--attention-mask", mask];
        let printed: Value = serde_json::from_str(&stdout(&[&arguments[..], &more].concat())).unwrap();
        printed["ids"].clone()
    };
    let ids = |value: &Value, row: usize, range: std::ops::Range<usize>| value[row].as_array().unwrap()[range].to_vec();
    let right = generate("5,6,0,0;7,8,9,4", "1,1,0,0;1,1,1,1");
    let left = generate("0,0,5,6;7,8,9,4", "0,0,1,1;1,1,1,1");
    assert_eq!(ids(&right, 0, 0..4), [5, 6, 0, 0]);
    assert_eq!(ids(&left, 0, 0..4), [0, 0, 5, 6]);
    for row in 0..2 {
        assert_eq!(ids(&right, row, 4..7), ids(&left, row, 4..7));
    }
}

/// On the Vulkan adapter of the tests.
#[test]
fn a_cache_of_f16_writes_the_same_text() {
    let folder = golden("decoders/llama");
    let write = |cache: &str| {
        let arguments = ["generate", "--model", text(&folder), "--backend", "gpu", "--temperature", "0", "--json"];
        let more = ["--max-new-tokens", "9", "--ignore-eos", "--ids", "5,6,7", "--cache", cache];
        stdout(&[&arguments[..], &more].concat())
    };
    assert_eq!(write("f16"), write("f32"));
}

/// Padding has the ids of the first tokens that are generated. If it counted as text, other tokens would follow.
#[test]
fn a_repetition_penalty_leaves_padding_out_as_hugging_face_does() {
    let golden_file: Value = serde_json::from_slice(&std::fs::read(golden("sampling.json")).unwrap()).unwrap();
    let batch = &golden_file["batch"];
    let rows = |name: &str| -> String {
        let rows: Vec<String> = batch[name].as_array().unwrap().iter().map(Value::to_string).collect();
        rows.join(";").replace(['[', ']'], "")
    };
    let (ids, mask, penalty) = (rows("input_ids"), rows("attention_mask"), batch["repetition_penalty"].to_string());
    let folder = golden(batch["model"].as_str().unwrap());
    for backend in ["cpu", "gpu"] {
        let arguments = ["generate", "--model", text(&folder), "--backend", backend, "--temperature", "0", "--json"];
        let more = ["--max-new-tokens", "8", "--ignore-eos", "--repetition-penalty", &penalty];
        let texts = ["--ids", &ids, "--attention-mask", &mask];
        let printed: Value = serde_json::from_str(&stdout(&[&arguments[..], &more, &texts].concat())).unwrap();
        for (row, written) in batch["written"].as_array().unwrap().iter().enumerate() {
            assert_eq!(&printed["ids"][row].as_array().unwrap()[5..], &written.as_array().unwrap()[..], "{backend}");
        }
    }
}
