use super::report::ModelReport;
use super::table::{bytes, thousands};
use super::text_length;
use crate::cli::stdout::indented_json;
use crate::model::Architecture;

fn report(json: &str, length: usize) -> ModelReport {
    ModelReport::of(&Architecture::read(json, None).unwrap(), [1, length], vec![("cls.extra".into(), 1234)]).unwrap()
}

const LLAMA: &str = r#"{"model_type": "llama", "vocab_size": 50, "hidden_size": 24, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 40, "max_position_embeddings": 64,
    "rope_scaling": {"rope_type": "linear", "factor": 2.0}}"#;

#[test]
fn numbers_are_grouped() {
    assert_eq!([0, 12, 999, 1000, 1_234_567].map(thousands), ["0", "12", "999", "1,000", "1,234,567"]);
}

#[test]
fn bytes_are_written_as_megabytes_where_there_are_some() {
    assert_eq!([bytes(0), bytes(99_999)], ["0 bytes", "99,999 bytes"]);
    assert_eq!(bytes(12_345_678), "12,345,678 bytes (12.35 MB)");
}

#[test]
fn texts_have_the_length_of_the_request() {
    assert_eq!([text_length(None, Some(64)), text_length(None, None)], [Ok(64), Ok(128)]);
    assert_eq!([text_length(Some(5), Some(64)), text_length(Some(500), None)], [Ok(5), Ok(500)]);
    assert!(text_length(Some(65), Some(64)).is_err() && text_length(Some(0), None).is_err());
}

#[test]
fn the_table_has_facts_rows_and_sums() {
    let text = report(LLAMA, 8).table();
    let facts = "LlamaForCausalLM: 2 layers, 4 heads and 2 key heads of 6, hidden size 24, vocabulary 50, texts up to 128 \
                 tokens, rope linear (3 of 3 pairs turn, × 1)\n";
    assert!(text.starts_with(facts), "{text}");
    let row = |start: &str| {
        let row = text.lines().find(|line| line.trim_start().starts_with(start));
        let row = row.unwrap_or_else(|| panic!("no row {start} in\n{text}"));
        row.trim().split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(row("embed_tokens"), ["embed_tokens", "weight [50, 24]", "[1, 8, 24]", "1,200"]);
    assert_eq!(row("k_proj"), ["k_proj", "weight [12, 24]", "[1, 8, 12]", "288"]);
    assert_eq!(row("gate_proj"), ["gate_proj", "weight [40, 24]", "[1, 8, 40]", "960"]);
    assert_eq!(row("input_layernorm"), ["input_layernorm", "weight [24]", "[1, 8, 24]", "24"]);
    assert_eq!(row("self_attn"), ["self_attn", "[1, 8, 24]"]);
    assert_eq!(row("layers"), ["layers"]);
    let layer = 24 * (24 + 12 + 12 + 24) + 3 * 24 * 40 + 2 * 24;
    let learned = 2 * 50 * 24 + 2 * layer + 24;
    assert!(text.contains(&format!("\nparameters: {0}\n  learned: {0}\n  fixed: 0\n", thousands(learned))), "{text}");
    assert!(text.contains("\nin the file, but not read: cls.extra (1,234)\n"), "{text}");
    // Keys and values: 2 layers of 2 · 12 numbers a token.
    assert!(text.contains(&format!("\n  cache: {} bytes", thousands(4 * 8 * 2 * 24))), "{text}");
}

#[test]
fn json_holds_the_same() {
    let report = report(LLAMA, 8);
    let value: serde_json::Value = serde_json::from_str(&indented_json(&report).unwrap()).unwrap();
    assert_eq!((&value["architecture"], &value["key_heads"]), (&"LlamaForCausalLM".into(), &2.into()));
    let modules = value["modules"].as_array().unwrap();
    let query = modules.iter().find(|module| module["name"] == "model.layers.1.self_attn.q_proj").unwrap();
    assert_eq!(query["output"], serde_json::json!([1, 8, 24]));
    let tensor = serde_json::json!({"name": "weight", "shape": [24, 24], "parameters": 576, "kind": "learned"});
    assert_eq!(query["tensors"], serde_json::json!([tensor]));
    let parameters = modules.iter().flat_map(|module| module["tensors"].as_array().unwrap());
    let sum: u64 = parameters.map(|tensor| tensor["parameters"].as_u64().unwrap()).sum();
    assert_eq!(value["parameters"]["learned"], sum);
    assert_eq!(value["memory"]["weights"], 4 * sum);
}

/// The count that the notebook prints of itself, and its rows for four texts of the longest length.
#[test]
fn the_notebooks_roformer_is_counted_as_torchinfo_does() {
    let model = Architecture::read(r#"{"model_type": "roformer_notebook"}"#, None).unwrap();
    let text = ModelReport::of(&model, [4, 1024], Vec::new()).unwrap().table();
    assert!(text.contains("\nparameters: 77,509,632\n"), "{text}");
    for (module, output, parameters) in [
        ("token_embeddings", "[4, 1024, 768]", "24,576,000"),
        ("query", "[4, 1024, 768]", "590,592"),
        ("c_fc", "[4, 1024, 3072]", "2,362,368"),
        ("c_proj", "[4, 1024, 768]", "2,360,064"),
        ("layer_norm", "[4, 1024, 768]", "1,536"),
        ("output", "[4, 1024, 32000]", "24,576,000"),
    ] {
        let is_row = |line: &&str| line.trim_start().starts_with(module);
        let row = text.lines().find(is_row).unwrap_or_else(|| panic!("no {module} in\n{text}"));
        assert!(row.contains(output) && row.ends_with(parameters), "{row}");
    }
    let layer = text.lines().find(|line| line.trim_start().starts_with("attention ")).unwrap();
    assert!(layer.trim_end().ends_with("[4, 1024, 768]"), "{layer}");
}

#[test]
fn heads_that_are_normed_have_a_shape_of_their_own() {
    let qwen = LLAMA.replace("llama", "qwen3");
    let report = report(&qwen.replace("\"hidden_size\"", "\"head_dim\": 6, \"hidden_size\""), 8);
    let output = |end: &str| {
        let row = report.modules.iter().find(|row| row.name.ends_with(end)).unwrap();
        row.output.clone().unwrap()
    };
    assert_eq!((output("1.self_attn.q_norm"), output("1.self_attn.k_norm")), (vec![1, 8, 4, 6], vec![1, 8, 2, 6]));
}
