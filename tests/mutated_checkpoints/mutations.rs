//! The classes of mutations, thousands of each.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::attempt::Files;
use crate::strategies::{edge, edit, edits, try_all, value};
use crate::tiny::{DTYPES, Sizes, Stored, Tiny, join};

#[test]
fn header_bytes() {
    let strategy = (edits(), any::<bool>());
    let (_, refused) = try_all(strategy, |(edits, fitting)| {
        let tiny = Tiny::new(DTYPES[0]);
        let mut header = tiny.header().into_bytes();
        let length = header.len();
        edit(&mut header, &edits);
        let length = if fitting { header.len() } else { length } as u64;
        let weights = [&length.to_le_bytes(), &header[..], &tiny.data].concat();
        Files { weights, ..tiny.files() }
    });
    assert!(refused > 0);
}

#[test]
fn lengths_and_offsets() {
    let offsets = prop::collection::vec((any::<Index>(), edge(), edge(), 0_u8..4), 0..4);
    let strategy = (offsets, prop::option::of(edge()), 0_usize..8);
    let (ran, refused) = try_all(strategy, |(offsets, length, shift)| {
        let mut tiny = Tiny::new(DTYPES[0]);
        if shift > 0 {
            // Everything begins at an odd place, and is whole.
            let mut moved = Tiny { tensors: Vec::new(), data: Vec::new(), config: tiny.config.clone() };
            moved.add("shift", ("U8", 1), &[shift]);
            for stored in &mut tiny.tensors {
                let place = |end: usize| stored.offsets[end].as_u64().unwrap() as usize + shift;
                stored.offsets = json!([place(0), place(1)]);
            }
            tiny.tensors.extend(moved.tensors);
            tiny.data = [moved.data, tiny.data].concat();
        }
        for (index, start, end, kind) in offsets {
            let stored: &mut Stored = index.get_mut(&mut tiny.tensors);
            let (old_start, old_end) = (stored.offsets[0].clone(), stored.offsets[1].clone());
            stored.offsets = match kind {
                0 => json!([start, end]),
                1 => json!([old_start, end]),
                2 => json!([start, old_end]),
                _ => json!([old_end, old_start]),
            };
        }
        let mut files = tiny.files();
        if let Some(length) = length {
            files.weights[..8].copy_from_slice(&length.to_le_bytes());
        }
        files
    });
    assert!(ran > 0 && refused > 0, "{ran} ran, {refused} did not");
}

#[test]
fn dtypes_and_shapes() {
    let dtype = select(vec![
        "F32", "F16", "BF16", "F64", "I8", "U8", "BOOL", "I16", "U32", "I64", "F8_E4M3", "F4", "f32", "", "F\u{0}",
        "C64",
    ]);
    let shape = prop_oneof![
        prop::collection::vec(edge(), 0..5).prop_map(Value::from),
        prop::collection::vec(select(vec![0_u64, 1, 2, 5, 6, 8, 11]), 1..3).prop_map(Value::from),
        value(),
    ];
    let changes = prop::collection::vec((any::<Index>(), prop::option::of(dtype), prop::option::of(shape)), 0..3);
    let (ran, refused) = try_all((select(&DTYPES[..]), changes, any::<bool>()), |(stored_as, changes, fitting)| {
        let mut tiny = Tiny::new(stored_as);
        for (index, dtype, shape) in changes {
            let place = index.index(tiny.tensors.len());
            let stored = &mut tiny.tensors[place];
            let (name, old_shape) = (stored.name.clone(), stored.shape.clone());
            stored.dtype = dtype.unwrap_or(stored_as.0).into();
            stored.shape = shape.unwrap_or(old_shape);
            let sizes: Option<Vec<usize>> = serde_json::from_value(stored.shape.clone()).ok();
            let small = sizes.filter(|sizes| sizes.iter().all(|size| *size < 20) && sizes.len() < 4);
            if let (true, Some(sizes)) = (fitting, small) {
                // A whole file that holds the tensor like that.
                let dtype = stored.dtype.clone();
                let width = DTYPES.iter().find(|(name, _)| *name == dtype).map_or(1, |(_, width)| *width);
                tiny.remove(place);
                tiny.add(&name, (&dtype, width), &sizes);
            }
        }
        tiny.files()
    });
    assert!(ran > 0 && refused > 0, "{ran} ran, {refused} did not");
}

/// The keys that are read, and one that is not.
const KEYS: &[&str] = &[
    "model_type",
    "architectures",
    "vocab_size",
    "embedding_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "hidden_act",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
    "pad_token_id",
    "rotary_value",
    "is_decoder",
    "tie_word_embeddings",
    "num_labels",
    "id2label",
    "add_cross_attention",
    "norm_type",
    "use_bias",
    "gradient_checkpointing",
];

#[test]
fn config_values() {
    let changes = prop::collection::vec((select(KEYS), prop_oneof![value(), (1_u64..20).prop_map(Value::from)]), 1..3);
    let (ran, refused) = try_all((changes, prop::option::weighted(0.2, edits())), |(changes, edits)| {
        let mut tiny = Tiny::new(DTYPES[0]);
        for (key, value) in changes {
            tiny.config[key] = value;
        }
        let mut files = tiny.files();
        edit(&mut files.config, &edits.unwrap_or_default());
        files
    });
    assert!(ran > 0 && refused > 0, "{ran} ran, {refused} did not");
}

#[test]
fn truncation() {
    let strategy = (any::<Index>(), any::<Index>(), prop::collection::vec(any::<u8>(), 0..9), 0_u8..4);
    let (ran, refused) = try_all(strategy, |(weights, config, more, kind)| {
        let mut files = Tiny::new(DTYPES[1]).files();
        match kind {
            0 | 1 => files.weights.truncate(weights.index(files.weights.len())),
            2 => files.config.truncate(config.index(files.config.len())),
            _ => files.weights.extend(more),
        }
        files
    });
    assert!(ran > 0 && refused > 0, "{ran} ran, {refused} did not");
}

#[test]
fn missing_and_extra_tensors() {
    let removed = prop::collection::vec(any::<Index>(), 0..3);
    let names = prop_oneof![
        any::<String>(),
        select(vec!["classifier.weight", "qa_outputs.weight", "cls.predictions.decoder.weight", "__metadata__", ""])
            .prop_map(String::from),
        select(vec!["roformer.encoder.embed_positions.weight", "encoder.embed_positions.weight"])
            .prop_map(String::from),
    ];
    let sizes = prop::collection::vec(prop_oneof![0_usize..5, Just(11), Just(16)], 0..3);
    let added = prop::collection::vec((names, sizes), 0..3);
    let renamed = prop::option::weighted(0.3, (any::<Index>(), any::<String>()));
    let strategy = (removed, added, renamed, 0_u8..4, any::<bool>());
    let (ran, refused) = try_all(strategy, |(removed, added, renamed, naming, named_class)| {
        let mut tiny = Tiny::new(DTYPES[0]);
        if !named_class {
            tiny.config["architectures"] = Value::Null;
        }
        for index in removed {
            tiny.remove(index.index(tiny.tensors.len()));
        }
        for (name, shape) in added {
            tiny.add(&name, DTYPES[0], &shape);
        }
        if let Some((index, name)) = renamed {
            index.get_mut(&mut tiny.tensors).name = name;
        }
        for stored in &mut tiny.tensors {
            if naming & 1 > 0 {
                stored.name = stored.name.replace("roformer.", "");
            }
            if naming & 2 > 0 {
                stored.name = stored.name.replace("LayerNorm.weight", "LayerNorm.gamma");
                stored.name = stored.name.replace("LayerNorm.bias", "LayerNorm.beta");
            }
        }
        tiny.files()
    });
    assert!(ran > 0 && refused > 0, "{ran} ran, {refused} did not");
}

/// Files that fit together, of sizes that no model has: all of them run.
#[test]
fn sizes_that_fit() {
    let family = ropescope::model::FAMILIES.iter().find(|family| family.model_type == "roformer").unwrap();
    let classes: Vec<&'static str> = family.architectures.to_vec();
    let widths = (1_usize..40, 1_usize..3, 1_usize..20, 1_usize..6, 1_usize..7, 1_usize..40);
    let strategy = (select(classes), widths, 1_usize..3, 1_usize..6, any::<(bool, bool)>());
    let (ran, refused) = try_all(strategy, |(class, widths, layers, labels, (rotary_value, is_decoder))| {
        let (vocabulary, types, embedding, heads, pairs, inner) = widths;
        let sizes = Sizes { class, vocabulary, types, embedding, heads, head_size: 2 * pairs, inner, layers, labels };
        let mut tiny = Tiny::sized(DTYPES[0], &sizes);
        tiny.config["rotary_value"] = json!(rotary_value);
        tiny.config["is_decoder"] = json!(is_decoder);
        tiny.files()
    });
    assert!(ran > 0 && refused == 0, "{ran} ran, {refused} did not");
}

/// Numbers that no training gives: infinities, NaN, the largest and the smallest there are.
#[test]
fn numbers_of_any_bits() {
    let bytes = prop::collection::vec((any::<Index>(), any::<[u8; 4]>()), 1..40);
    let special = select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE, -0.0]);
    let numbers = prop::collection::vec((any::<Index>(), special), 0..40);
    let (ran, refused) = try_all((select(&DTYPES[..]), bytes, numbers), |(stored_as, bytes, numbers)| {
        let mut tiny = Tiny::new(stored_as);
        let header = tiny.header();
        let special = numbers.iter().map(|(index, number)| (index, number.to_le_bytes()));
        for (index, bits) in bytes.iter().map(|(index, bits)| (index, *bits)).chain(special) {
            let (places, _) = tiny.data.as_chunks_mut::<4>();
            *index.get_mut(places) = bits;
        }
        Files { weights: join(&header, &tiny.data), ..tiny.files() }
    });
    assert!(ran > 0 && refused == 0, "{ran} ran, {refused} did not");
}
