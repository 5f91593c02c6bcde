//! Decoders of every family, under every rope, with configs, headers and numbers that were spoiled.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::attempt::{Files, attempt};
use crate::strategies::{edge, edit, edits, try_all, value};
use crate::tiny::{DTYPES, Tiny, join};

/// A golden folder of each family, and the pairs of a head that turn there.
const FAMILIES: [(&str, usize); 6] =
    [("llama_1_head", 0), ("mistral_window", 0), ("qwen2_window", 0), ("qwen3", 0), ("gpt_neox", 2), ("roformer", 0)];

/// Golden folders whose ropes are put into each family.
const ROPES: [&str; 12] = [
    "rope_linear",
    "rope_linear_old",
    "rope_dynamic_across",
    "rope_dynamic_old",
    "rope_llama3",
    "rope_longrope_across",
    "rope_longrope_old",
    "rope_proportional",
    "rope_proportional_factor",
    "rope_yarn",
    "rope_yarn_mscale",
    "rope_yarn_old",
];

/// Families whose ropes are their own: by layer, or of the file.
const WITH_OWN_ROPES: [&str; 8] = [
    "decoders/gemma3",
    "decoders/gemma3_old_config",
    "readers/modernbert",
    "readers/modernbert_old_config",
    "readers/modernbert_sequence",
    "readers/esm",
    "readers/esm_model",
    "readers/llama_model",
];

/// Every family with its own rope, and with every other one.
static MODELS: LazyLock<Vec<Tiny>> = LazyLock::new(|| {
    let golden = |name: &str| Tiny::golden(&format!("decoders/{name}"));
    let ropes = ROPES.map(golden);
    let mut models = Vec::from(WITH_OWN_ROPES.map(Tiny::golden));
    for (name, turning) in FAMILIES {
        let family = golden(name);
        models.push(family.clone());
        // A RoFormer has the paper's rope, whatever its config says.
        let others = ropes.iter().filter(|_| name != "roformer");
        models.extend(others.map(|rope| with_rope(&family, &rope.config, turning)));
    }
    models
});

/// A family's files with another's rope. turning: pairs of a head that turn; 0: all.
fn with_rope(family: &Tiny, rope: &Value, turning: usize) -> Tiny {
    let mut model = family.clone();
    let config = &model.config;
    let size = |key: &str| config[key].as_u64().unwrap_or(0) as usize;
    let head_size = match size("head_dim") {
        0 => size("hidden_size") / size("num_attention_heads"),
        head_size => head_size,
    };
    let pairs = if turning > 0 { turning } else { head_size / 2 };
    let part = config["rope_parameters"]["partial_rotary_factor"].clone();
    for key in ["rope_parameters", "rope_scaling", "rope_theta", "max_position_embeddings"] {
        model.config[key] = rope[key].clone();
    }
    for object in ["rope_parameters", "rope_scaling"] {
        let Value::Object(settings) = &mut model.config[object] else { continue };
        for key in ["short_factor", "long_factor"] {
            if let Some(Value::Array(factors)) = settings.get_mut(key) {
                factors.truncate(pairs);
            }
        }
        if turning > 0 && settings.get("partial_rotary_factor").is_none() {
            settings.insert("partial_rotary_factor".into(), part.clone());
        }
    }
    model
}

fn models() -> impl Strategy<Value = Tiny> {
    any::<Index>().prop_map(|index| index.get(&MODELS).clone())
}

/// The keys that decoders read.
const KEYS: &[&str] = &[
    "model_type",
    "architectures",
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "hidden_act",
    "max_position_embeddings",
    "original_max_position_embeddings",
    "rms_norm_eps",
    "layer_norm_eps",
    "rope_theta",
    "rope_scaling",
    "rope_parameters",
    "rotary_pct",
    "rotary_emb_base",
    "partial_rotary_factor",
    "sliding_window",
    "use_sliding_window",
    "max_window_layers",
    "layer_types",
    "attention_bias",
    "mlp_bias",
    "use_parallel_residual",
    "tie_word_embeddings",
    "eos_token_id",
    "is_decoder",
    "rotary_value",
    "rope_local_base_freq",
    "sliding_window_pattern",
    "query_pre_attn_scalar",
    "use_bidirectional_attention",
    "hidden_activation",
    "local_attention",
    "global_attn_every_n_layers",
    "local_rope_theta",
    "norm_bias",
    "token_dropout",
    "mask_token_id",
    "emb_layer_norm_before",
];

/// The keys of a rope.
const ROPE_KEYS: &[&str] = &[
    "rope_type",
    "type",
    "rope_theta",
    "factor",
    "partial_rotary_factor",
    "original_max_position_embeddings",
    "low_freq_factor",
    "high_freq_factor",
    "short_factor",
    "long_factor",
    "attention_factor",
    "beta_fast",
    "beta_slow",
    "mscale",
    "mscale_all_dim",
    "truncate",
];

/// Settings of a config or of its rope.
fn settings() -> impl Strategy<Value = Vec<(&'static str, &'static str, Value)>> {
    let place = prop_oneof![
        3 => select(KEYS).prop_map(|key| ("", key)),
        2 => (select(vec!["rope_parameters", "rope_scaling"]), select(ROPE_KEYS)),
    ];
    let small = prop_oneof![(0_u64..70).prop_map(Value::from), (0.0..40.0_f64).prop_map(Value::from)];
    let setting =
        (place, prop_oneof![2 => value(), 1 => small]).prop_map(|((object, key), value)| (object, key, value));
    prop::collection::vec(setting, 1..4)
}

fn set(config: &mut Value, object: &str, key: &str, value: Value) {
    match object {
        "" => config[key] = value,
        _ if config[object].is_object() => config[object][key] = value,
        _ => config[object] = json!({key: value}),
    }
}

#[test]
fn every_family_runs_under_every_rope() {
    for model in MODELS.iter() {
        let outcome = attempt(model.files());
        assert!(outcome.result.is_ok(), "{}: {:?}", model.config, outcome.result);
    }
}

#[test]
fn decoders_settings() {
    let strategy = (models(), settings(), prop::option::weighted(0.1, edits()));
    let (ran, refused) = try_all(strategy, |(mut model, settings, edits)| {
        for (object, key, value) in settings {
            set(&mut model.config, object, key, value);
        }
        let mut files = model.files();
        edit(&mut files.config, &edits.unwrap_or_default());
        files
    });
    assert!(ran > 300 && refused > 300, "{ran} ran, {refused} did not");
}

#[test]
fn decoders_headers() {
    let (ran, refused) = try_all((models(), edits(), any::<bool>()), |(model, edits, fitting)| {
        let mut header = model.header().into_bytes();
        let length = header.len();
        edit(&mut header, &edits);
        let length = if fitting { header.len() } else { length } as u64;
        let weights = [&length.to_le_bytes(), &header[..], &model.data].concat();
        Files { weights, ..model.files() }
    });
    assert!(ran + refused > 2000 && refused > 300, "{ran} ran, {refused} did not");
}

/// Tensors in other places, types and shapes, under other names, missing, or more of them.
#[test]
fn decoders_tensors() {
    let dtype = select(vec!["F32", "F16", "BF16", "F64", "I8", "U8", "BOOL", "I64", "F8_E4M3", "", "C64"]);
    let shape = prop_oneof![
        prop::collection::vec(edge(), 0..4).prop_map(Value::from),
        prop::collection::vec(select(vec![0_u64, 1, 2, 6, 20, 24, 61]), 1..3).prop_map(Value::from),
        value(),
    ];
    let name = prop_oneof![
        any::<String>(),
        select(vec!["lm_head.weight", "embed_out.weight", "model.layers.0.self_attn.q_proj.bias", "model.norm.weight"])
            .prop_map(String::from),
    ];
    let changes = prop::collection::vec((any::<Index>(), dtype, shape, name, (edge(), edge()), 0_u8..7), 0..3);
    let (ran, refused) = try_all((models(), changes), |(mut model, changes)| {
        // While all offsets are still those of the file.
        for (index, ..) in changes.iter().filter(|change| change.5 == 6) {
            model.remove(index.index(model.tensors.len()));
        }
        for (index, dtype, shape, name, (start, end), kind) in changes {
            let at = index.index(model.tensors.len());
            let stored = &mut model.tensors[at];
            match kind {
                0 => stored.dtype = dtype.into(),
                1 => stored.shape = shape,
                2 => stored.name = name,
                3 => stored.offsets = json!([start, end]),
                4 => stored.name = stored.name.trim_start_matches("model.").trim_start_matches("gpt_neox.").into(),
                5 => model.add(&name, DTYPES[0], &[6]),
                _ => {}
            }
        }
        model.files()
    });
    assert!(ran > 300 && refused > 300, "{ran} ran, {refused} did not");
}

#[test]
fn truncated_decoders() {
    let strategy = (models(), any::<Index>(), any::<Index>(), 0_u8..3);
    let (ran, refused) = try_all(strategy, |(model, weights, config, kind)| {
        let mut files = model.files();
        match kind {
            0 => files.weights.truncate(weights.index(files.weights.len())),
            1 => files.config.truncate(config.index(files.config.len())),
            _ => files.weights.extend([0; 3]),
        }
        files
    });
    assert!(ran == 0 && refused > 2000, "{ran} ran, {refused} did not");
}

/// Numbers that no training gives.
#[test]
fn decoders_numbers_of_any_bits() {
    let special = select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE, -0.0]);
    let numbers =
        prop::collection::vec((any::<Index>(), prop_oneof![special, any::<u32>().prop_map(f32::from_bits)]), 1..60);
    // θ that are no numbers are refused.
    let models = models().prop_filter("no θ in the file", |model| {
        !model.tensors.iter().any(|stored| stored.name.ends_with("inv_freq"))
    });
    let (ran, refused) = try_all((models, numbers), |(mut model, numbers)| {
        let header = model.header();
        for (index, number) in numbers {
            let (places, _) = model.data.as_chunks_mut::<4>();
            *index.get_mut(places) = number.to_le_bytes();
        }
        Files { weights: join(&header, &model.data), ..model.files() }
    });
    assert!(ran > 2000 && refused == 0, "{ran} ran, {refused} did not");
}
