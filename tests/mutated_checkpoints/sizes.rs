//! Files that are made to take memory: each is held to a small multiple of its size.

use ropescope::model::Architecture;
use ropescope::weights::Header;
use serde_json::json;

use crate::allocation::peak;
use crate::attempt::attempt;
use crate::tiny::{DTYPES, Tiny, join};

const LARGE: usize = 1 << 20;

/// Above the few hundred bytes that any error takes.
const SMALL: usize = 1 << 12;

#[test]
fn headers_take_a_small_multiple() {
    let entry = |name: usize| format!("\"{name:x}\":{{\"dtype\":\"F4\",\"shape\":[0],\"data_offsets\":[0,0]}}");
    let entries: Vec<String> = (0..LARGE / 50).map(entry).collect();
    let escaped = "\\u0001".repeat(LARGE / 6);
    let hostile = [
        format!("{{{}}}", entries.join(",")),
        format!("{{\"a\":{{\"shape\":[{}0]}}}}", "0,".repeat(LARGE)),
        format!("{{\"a\":{{\"other\":[{}0]}}}}", "0,".repeat(LARGE)),
        format!("{{\"a\":[{}0]}}", "0,".repeat(LARGE)),
        format!("{{\"a\":{}", "[".repeat(LARGE)),
        format!("{{\"a\":{}", "{\"a\":".repeat(LARGE / 5)),
        format!("{{\"__metadata__\":{{\"a\":\"{escaped}\"}}}}"),
        format!("{{\"{escaped}\":{{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[1,1]}}}}"),
        format!("{{\"a\":{{\"dtype\":\"{escaped}\"}}}}"),
        format!("{{\"a\":{{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,{}]}}}}", "9".repeat(LARGE)),
    ];
    for header in hostile {
        let bytes = join(&header, &[]);
        let (_, most) = peak(|| Header::parse(&bytes, Some(bytes.len() as u64)).map(|_| ()));
        let start = header.get(..60).unwrap_or(&header);
        assert!(most <= 10 * bytes.len() + SMALL, "{most} bytes for {} of {start}", bytes.len());
    }
}

#[test]
fn lengths_that_are_not_there_take_nothing() {
    for length in [u64::MAX, u64::MAX - 7, 1 << 62, 1 << 40, 100_000_001, 100_000_000, 1 << 20] {
        let bytes = [&length.to_le_bytes()[..], b"{\"a\":{\"dtype\":\"F32\"}}"].concat();
        let (result, most) = peak(|| Header::parse(&bytes, Some(bytes.len() as u64)).map(|_| ()));
        assert!(result.is_err());
        assert!(most <= SMALL, "{most} bytes for a header of {length}");
    }
    for end in [u64::MAX, 1 << 62, 1 << 40] {
        let tensor = format!("{{\"a\":{{\"dtype\":\"F32\",\"shape\":[{}],\"data_offsets\":[0,{end}]}}}}", end / 4);
        let bytes = join(&tensor, &[0; 8]);
        let (result, most) = peak(|| Header::parse(&bytes, Some(bytes.len() as u64)).map(|_| ()));
        assert!(result.is_err());
        assert!(most <= SMALL, "{most} bytes for a tensor that ends at {end}");
    }
}

#[test]
fn configs_take_a_small_multiple() {
    let labels: Vec<String> = (0..LARGE / 10).map(|label| format!("\"{label}\":\"\"")).collect();
    let hostile = [
        format!("{{\"other\":[{}0]}}", "0,".repeat(LARGE)),
        format!("{{\"vocab_size\":[{}0]}}", "0,".repeat(LARGE)),
        format!("{{\"architectures\":[{}0]}}", "0,".repeat(LARGE)),
        format!("{{\"architectures\":[\"{}\"]}}", "a".repeat(LARGE)),
        format!("{{\"hidden_act\":\"{}\"}}", "\\u0001".repeat(LARGE / 6)),
        format!("{{\"id2label\":{{{}}}}}", labels.join(",")),
        format!("{{\"other\":{}", "[".repeat(LARGE)),
        format!("{{\"num_labels\":{}}}", 65_536),
        format!("{{\"model_type\":\"qwen2\",\"layer_types\":[{}\"\"]}}", "\"full_attention\",".repeat(LARGE / 17)),
        format!(
            "{{\"model_type\":\"llama\",\"rope_scaling\":{{\"type\":\"longrope\",\"short_factor\":[{}1]}}}}",
            "1,".repeat(LARGE)
        ),
        format!("{{\"model_type\":\"llama\",\"rope_scaling\":{{\"type\":\"{}\"}}}}", "\\u0001".repeat(LARGE / 6)),
        format!("{{\"model_type\":\"gpt_neox\",\"eos_token_id\":[{}1]}}", "1,".repeat(LARGE)),
    ];
    for json in hostile {
        let (_, most) = peak(|| Architecture::read(&json, None).map(|_| ()));
        let start = json.get(..60).unwrap_or(&json);
        // Names of the layers that a config without a number of layers has come on top.
        assert!(most <= 10 * json.len() + (1 << 18), "{most} bytes for {} of {start}", json.len());
    }
}

#[test]
fn weights_take_a_small_multiple() {
    for dtype in DTYPES {
        let mut tiny = Tiny::new(dtype);
        let (vocabulary, embedding) = (LARGE / 6 / dtype.1, 6);
        tiny.config["vocab_size"] = json!(vocabulary);
        for (index, shape) in [(0, vec![vocabulary, embedding]), (tiny.tensors.len() - 2, vec![vocabulary])] {
            let name = tiny.tensors[index].name.clone();
            tiny.remove(index);
            tiny.add(&name, dtype, &shape);
        }
        let files = tiny.files();
        let size = files.size();
        let outcome = attempt(files);
        outcome.result.unwrap();
        // Numbers are held as f32, however they are stored, and logits of a few rows come on top.
        assert!(outcome.peak <= 12 * size, "{} bytes for {size} in {}", outcome.peak, dtype.0);
    }
}

#[test]
fn a_config_that_claims_much_takes_little() {
    for (key, value) in [
        ("num_hidden_layers", 1_000_000_000_u64),
        ("num_hidden_layers", 512),
        ("max_position_embeddings", 1 << 24),
        ("vocab_size", 1 << 24),
        ("hidden_size", 1 << 16),
        ("intermediate_size", 1 << 18),
        ("type_vocab_size", 1 << 16),
        ("embedding_size", 1 << 16),
    ] {
        let mut tiny = Tiny::new(DTYPES[0]);
        tiny.config[key] = json!(value);
        let outcome = attempt(tiny.files());
        assert!(outcome.peak <= 4 << 20, "{} bytes for {key} {value}", outcome.peak);
        assert_eq!(outcome.result.is_ok(), key == "max_position_embeddings", "{key} {value}: {:?}", outcome.result);
    }
}

#[test]
fn a_decoders_config_that_claims_much_takes_little() {
    for (key, value, runs) in [
        ("num_hidden_layers", 1_000_000_000_u64, false),
        ("num_hidden_layers", 512, false),
        ("num_attention_heads", 1024, false),
        ("head_dim", 1 << 16, false),
        ("hidden_size", 1 << 16, false),
        ("intermediate_size", 1 << 18, false),
        ("vocab_size", 1 << 24, false),
        ("max_position_embeddings", 1 << 24, true),
        ("sliding_window", 1 << 24, true),
    ] {
        let mut model = Tiny::golden("decoders/mistral_window");
        model.config[key] = json!(value);
        let outcome = attempt(model.files());
        assert!(outcome.peak <= 4 << 20, "{} bytes for {key} {value}", outcome.peak);
        assert_eq!(outcome.result.is_ok(), runs, "{key} {value}: {:?}", outcome.result);
    }
}
