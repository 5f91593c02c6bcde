use super::*;

fn error(json: &str) -> Error {
    Config::parse(json).expect_err(json)
}

#[test]
fn an_empty_object_has_hugging_faces_defaults() {
    let config = Config::parse("{}").unwrap();
    let expected = Config {
        architectures: Vec::new(),
        vocab_size: 50_000,
        embedding_size: 768,
        hidden_size: 768,
        num_hidden_layers: 12,
        num_attention_heads: 12,
        intermediate_size: 3072,
        hidden_act: Activation::Gelu,
        max_position_embeddings: 1536,
        type_vocab_size: 2,
        layer_norm_eps: 1e-12,
        pad_token_id: 0,
        rotary_value: false,
        is_decoder: false,
        tie_word_embeddings: true,
        num_labels: 2,
        labels: Vec::new(),
    };
    assert_eq!(config, expected);
    assert_eq!(config.head_size(), 64);
}

#[test]
fn a_real_file_is_read() {
    let config = Config::parse(include_str!("../../../models/roformer-english/config.json")).unwrap();
    assert_eq!(config.architectures, ["RoFormerForMaskedLM"]);
    assert_eq!(config.head_size() * config.num_attention_heads, config.hidden_size);
}

#[test]
fn harmless_keys_and_null_are_skipped() {
    let json = r#"{"model_type": "roformer", "norm_type": "layer_norm", "use_bias": true, "embedding_size": null,
        "hidden_size": 64, "num_attention_heads": 4, "gradient_checkpointing": false, "rope_theta": 5e5,
        "pooler_activation": ["x", {"y": 1}], "hidden_act": "silu", "pad_token_id": null, "summary_type": {"a": [1]}}"#;
    let config = Config::parse(json).unwrap();
    assert_eq!((config.embedding_size, config.hidden_act), (64, Activation::Silu));
}

#[test]
fn labels_come_in_the_order_of_their_numbers() {
    let config = Config::parse(r#"{"id2label": {"1": "b", "0": "a", "2": 7}, "num_labels": 9}"#).unwrap();
    assert_eq!((config.num_labels, config.labels), (3, vec!["a".to_string(), "b".into(), "7".into()]));
    let config = Config::parse(r#"{"num_labels": 9}"#).unwrap();
    assert_eq!((config.num_labels, config.labels.len()), (9, 0));
    assert_eq!(error(r#"{"id2label": {"5": "a"}}"#).code(), "config-value");
    assert_eq!(error(r#"{"id2label": ["a"]}"#).code(), "config-not-json");
}

#[test]
fn other_models_are_named() {
    let cases = [
        (r#"{"model_type": "bert"}"#, "unsupported-model-type"),
        (r#"{"model_type": 3}"#, "unsupported-model-type"),
        (r#"{"architectures": ["RoFormerForMultipleChoice"]}"#, "unsupported-architecture"),
        (r#"{"hidden_act": "gelu_new"}"#, "unsupported-activation"),
        (r#"{"hidden_act": 1}"#, "unsupported-activation"),
        (r#"{"norm_type": "rms_norm"}"#, "roformer-v2"),
        (r#"{"use_bias": false}"#, "roformer-v2"),
        (r#"{"add_cross_attention": true}"#, "cross-attention"),
        (r#"{"hidden_size": 18, "num_attention_heads": 6}"#, "odd-head-size"),
        (r#"{"hidden_size": 32, "num_attention_heads": 5}"#, "heads-do-not-divide"),
    ];
    for (json, code) in cases {
        assert_eq!(error(json).code(), code, "{json}");
    }
}

#[test]
fn numbers_that_are_none_are_named() {
    let cases = [
        (r#"{"num_hidden_layers": 1000000000}"#, "num_hidden_layers is 1000000000, but must be a whole number from 1"),
        (r#"{"hidden_size": -768}"#, "hidden_size is -768, but"),
        (r#"{"hidden_size": 76.5}"#, "hidden_size is 76.5, but"),
        (r#"{"vocab_size": "many"}"#, "vocab_size is \"many\", but"),
        (r#"{"num_attention_heads": 0}"#, "num_attention_heads is 0, but"),
        (r#"{"layer_norm_eps": -1e-12}"#, "layer_norm_eps is -0.000000000001, but must be a number from 0 to 1"),
        (r#"{"pad_token_id": 50000}"#, "pad_token_id is 50000, but must be a whole number from 0 to 49999"),
        (r#"{"is_decoder": "yes"}"#, "is_decoder is \"yes\", but must be true or false"),
        (r#"{"vocab_size": [1, 2]}"#, "vocab_size is a list or an object, but"),
    ];
    for (json, message) in cases {
        assert!(error(json).to_string().contains(message), "{}", error(json));
    }
}

#[test]
fn text_that_is_no_object_is_refused() {
    for json in ["", "[]", "null", "{", "{\"hidden_size\": 1e999}", "{\"a\": }", "\u{feff}{}"] {
        assert_eq!(error(json).code(), "config-not-json", "{json:?}");
    }
    let deep = format!("{{\"a\": {}", "[".repeat(1_000_000));
    assert_eq!(error(&deep).code(), "config-not-json");
}
