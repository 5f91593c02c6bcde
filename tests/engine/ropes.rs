//! Every rope scaling against Hugging Face's numbers, and what any settings give: an error or finite frequencies.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use ropescope::rope::{Frequencies, Rope, RopeParameters, Scaling};
use serde_json::{Value, json};

const TYPES: [&str; 7] = ["default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional"];

/// An entry of tests/golden/ropes.json.
#[derive(serde::Deserialize)]
struct Entry {
    head_dim: usize,
    base: f64,
    scaling: Value,
    max_position_embeddings: u64,
    length: u64,
    theta: Vec<f64>,
    attention_factor: f64,
}

fn assert_close(what: &str, found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{what}: {found} instead of {expected}");
}

#[test]
fn every_scaling_is_hugging_faces() {
    let entries: Vec<Entry> = serde_json::from_str(include_str!("../golden/ropes.json")).unwrap();
    let mut found = Vec::new();
    for Entry { head_dim, base, scaling, max_position_embeddings, length, theta, attention_factor } in entries {
        let what = format!("head size {head_dim}, base {base}, {scaling}, {length} of {max_position_embeddings}");
        let parameters = RopeParameters::parse(&scaling).unwrap();
        assert_eq!(parameters.base, None, "{what}");
        found.push(parameters.scaling.name());
        let share = parameters.partial_rotary_factor.unwrap_or(1.0);
        let rope = Rope::new(head_dim, share, base, parameters.scaling, max_position_embeddings).unwrap();
        let frequencies = rope.frequencies(length);
        assert_eq!(frequencies.theta.len(), head_dim / 2, "{what}");
        // Hugging Face leaves out the pairs that do not turn.
        let padded = theta.iter().copied().chain(std::iter::repeat(0.0));
        for (pair, (found, expected)) in frequencies.theta.iter().zip(padded).enumerate() {
            assert_close(&format!("{what}: pair {pair}"), *found, expected);
        }
        assert_close(&what, frequencies.magnitude, attention_factor);
    }
    assert!(TYPES.iter().all(|name| found.contains(name)), "only {found:?}");
}

#[test]
fn types_are_read_under_both_names() {
    let linear = Scaling::Linear { factor: 2.0, original_max_position_embeddings: None };
    for settings in [
        json!({"rope_type": "linear", "factor": 2}),
        json!({"type": "linear", "factor": 2.0}),
        json!({"rope_type": "linear", "type": "mrope", "factor": 2, "unknown": [1]}),
        json!({"rope_type": null, "type": "linear", "factor": 2, "original_max_position_embeddings": null}),
    ] {
        assert_eq!(Scaling::parse(&settings).unwrap(), linear, "{settings}");
    }
    for settings in [json!(null), json!({}), json!({"rope_theta": 5e5}), json!({"rope_type": "default"})] {
        assert_eq!(Scaling::parse(&settings).unwrap(), Scaling::Default, "{settings}");
    }
    let parameters = RopeParameters::parse(&json!({"rope_theta": 500_000, "partial_rotary_factor": 0.25})).unwrap();
    assert_eq!((parameters.base, parameters.partial_rotary_factor), (Some(5e5), Some(0.25)));
}

#[test]
fn mistakes_are_named() {
    for (settings, code, words) in [
        (json!({"rope_type": "mrope"}), "unsupported-rope", "\"mrope\""),
        (json!({"type": "su", "factor": 2}), "unsupported-rope", "\"su\""),
        (json!({"rope_type": "axial"}), "unsupported-rope", "supported are \"default\""),
        (json!({"rope_type": "a".repeat(100_000)}), "unsupported-rope", "does not run here"),
        (json!({"rope_type": 7}), "invalid-rope-value", "rope_type is 7"),
        (json!("linear"), "invalid-rope-value", "is \"linear\", but must be an object"),
        (json!([1]), "invalid-rope-value", "is a list of 1, but must be an object"),
        (json!({"rope_type": "linear"}), "invalid-rope-value", "factor is missing"),
        (json!({"rope_type": "linear", "factor": 0}), "invalid-rope-value", "factor is 0"),
        (json!({"rope_type": "dynamic", "factor": "2"}), "invalid-rope-value", "factor is \"2\""),
        (json!({"rope_type": "dynamic", "factor": -1.5}), "invalid-rope-value", "factor is -1.5"),
        (json!({"rope_type": "yarn", "factor": true}), "invalid-rope-value", "factor is true"),
        (json!({"rope_type": "yarn", "mscale": -1}), "invalid-rope-value", "mscale is -1"),
        (json!({"rope_type": "yarn", "truncate": 1}), "invalid-rope-value", "truncate is 1"),
        (
            json!({"rope_type": "yarn", "original_max_position_embeddings": 0.5}),
            "invalid-rope-value",
            "is 0.5, but must be a w",
        ),
        (json!({"rope_type": "yarn", "original_max_position_embeddings": -1}), "invalid-rope-value", "is -1"),
        (json!({"rope_type": "longrope", "long_factor": [1]}), "invalid-rope-value", "short_factor is missing"),
        (json!({"rope_type": "longrope", "short_factor": [1, 0]}), "invalid-rope-value", "short_factor is a list"),
        (
            json!({"rope_type": "llama3", "low_freq_factor": 4, "high_freq_factor": 4}),
            "invalid-rope-value",
            "more than low",
        ),
        (json!({"full_attention": {"rope_type": "linear"}}), "invalid-rope-value", "full_attention is an object"),
        (json!({"rope_theta": 0}), "invalid-rope-value", "rope_theta is 0"),
        (json!({"partial_rotary_factor": 1.5}), "invalid-rope-value", "partial_rotary_factor is 1.5"),
    ] {
        let error = Scaling::parse(&settings).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        let message = error.to_string();
        assert!(message.contains(words), "{words:?} is not in: {message}");
        assert!(message.len() < 300 && !message.contains('\n'), "{message}");
    }
}

/// Numbers as files have them, and as they have not.
fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (0.5..40.0_f64).prop_map(Value::from),
        2 => (1..100_000_u64).prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => select(vec![0.0, f64::MIN_POSITIVE, f64::MAX, 5e-324, 1.0, 1e300, -1.0]).prop_map(Value::from),
    ]
}

/// Any value that JSON has.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        ".{0,6}".prop_map(Value::from),
        select(TYPES.to_vec()).prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            btree_map(".{0,6}", inner, 0..6).prop_map(|keys| Value::Object(keys.into_iter().collect())),
        ]
    })
}

/// Settings under the names that are read: mostly numbers and lists of numbers, now and then anything.
fn settings() -> impl Strategy<Value = Value> {
    const KEYS: [&str; 15] = [
        "factor",
        "original_max_position_embeddings",
        "attention_factor",
        "beta_fast",
        "beta_slow",
        "mscale",
        "mscale_all_dim",
        "truncate",
        "short_factor",
        "long_factor",
        "low_freq_factor",
        "high_freq_factor",
        "rope_theta",
        "partial_rotary_factor",
        "type",
    ];
    let value = prop_oneof![8 => number(), 1 => anything()];
    let factors = || prop_oneof![8 => vec(number(), 8).prop_map(Value::from), 1 => anything()];
    let keys = btree_map(select(KEYS.to_vec()), value, 0..10);
    (select(TYPES.to_vec()), keys, factors(), factors()).prop_map(|(name, keys, short, long)| {
        let mut settings = json!({"rope_type": name, "short_factor": short, "long_factor": long});
        for (key, value) in keys {
            settings[key] = value;
        }
        settings
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_gives_settings_or_an_error(value in anything()) {
        if let Err(error) = RopeParameters::parse(&value) {
            prop_assert!(!error.to_string().contains('\n') && error.to_string().len() < 1000);
        }
    }

    #[test]
    fn any_settings_give_finite_frequencies_or_an_error(
        settings in settings(),
        rotated in 0..=17_u8,
        base in prop_oneof![Just(1e4), any::<f64>(), 0.5..2.0_f64],
        longest in prop_oneof![1..10_000_u64, any::<u64>()],
        length in prop_oneof![0..10_000_u64, any::<u64>()],
    ) {
        let Ok(RopeParameters { scaling, .. }) = RopeParameters::parse(&settings) else { return Ok(()) };
        let Ok(rope) = Rope::new(16, f64::from(rotated) / 16.0, base, scaling, longest) else { return Ok(()) };
        let Frequencies { theta, magnitude, rotary_pairs } = rope.frequencies(length);
        prop_assert_eq!(theta.len(), 8);
        prop_assert!(rotary_pairs <= 8 && theta[rotary_pairs..].iter().all(|theta| *theta == 0.0));
        prop_assert!(magnitude.is_finite() && theta.iter().all(|theta| theta.is_finite() && *theta >= 0.0));
        prop_assert!(rope.has_same_frequencies(length, length));
        prop_assert!(rope.context_length().is_none_or(|tokens| tokens >= longest));
    }
}
