//! The same weights under other settings, each in contexts of its own, and rows of all heads; on both backends.

use crate::support::{Folder, assert_close, context, context_with_heads, golden, gpu, output, run};
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::model::{Architecture, Variant};
use ropescope::plan::{Part, Site, Taps, TensorName};
use ropescope::rope::Scaling;
use ropescope::runtime::{
    Context, Device, HeadId, HeadMaps, HeadRows, Intervention, Interventions, LoadOptions, Model, Output,
    PredictionRows, Request, Run,
};
use std::ops::Range;

/// A RoFormer, a Llama with grouped keys, and models with two ropes, windows, norms of heads, or embeddings that make up for masks.
fn folders() -> [Folder; 5] {
    ["tiny_masked_lm", "decoders/llama", "decoders/gemma3", "readers/modernbert", "readers/esm_float16"].map(golden)
}

fn models(folder: &Folder) -> [(Model, f32); 2] {
    [(folder.load(Device::Cpu), 1e-5), (folder.load(gpu()), 1e-4)]
}

fn linear(factor: f64) -> Variant {
    let scaling = Scaling::Linear { factor, original_max_position_embeddings: None };
    Variant { scaling: Some(scaling), ..Variant::default() }
}

/// The folder's model, loaded under these settings on the CPU.
fn load(folder: &Folder, variant: &Variant) -> Model {
    let options = LoadOptions { variant: variant.clone(), ..LoadOptions::default() };
    pollster::block_on(Model::load(&Device::Cpu, &folder.config_json(), &folder.file(), options)).unwrap()
}

/// A text, whose last token's logits are read.
fn text(folder: &Folder, length: usize) -> Request {
    Request {
        rows: PredictionRows::At(vec![length as u32 - 1]),
        continues: folder.facts().causal,
        ..folder.text(1, length)
    }
}

fn logits(output: &Output) -> &[f32] {
    &output.result.as_ref().unwrap().data
}

/// Two texts with labels at some of their tokens.
fn labelled(folder: &Folder) -> Request {
    Request {
        rows: PredictionRows::At(vec![1, 3, 8]),
        labels: Some(vec![Some(4), None, Some(2)]),
        top_k: 1,
        ..folder.text(2, 5)
    }
}

fn losses(context: &Context, folder: &Folder) -> Vec<f32> {
    output(context, &labelled(folder)).losses.into_iter().flatten().collect()
}

fn head(run: &Run, head: usize) -> Result<HeadMaps, Error> {
    pollster::block_on(run.head(HeadId::new(1, head), &NeverCancelled))
}

fn head_rows(run: &Run, layers: Range<usize>) -> Result<HeadRows, Error> {
    pollster::block_on(run.head_rows(Part::Decoder, layers, &NeverCancelled))
}

/// A linear scaling, and values that rotate where the model can rotate them.
fn scaled_and_rotated(folder: &Folder) -> Variant {
    Variant { rotary_value: !folder.pairs_halves(), ..linear(2.0) }
}

#[test]
fn a_variant_runs_as_if_it_had_been_loaded() {
    for folder in folders() {
        let variant = scaled_and_rotated(&folder);
        let request = text(&folder, 7);
        let expected = output(&context(&load(&folder, &variant)), &request);
        for (model, tolerance) in models(&folder) {
            let plain_context = context(&model);
            let plain = output(&plain_context, &request);
            let varied_model = model.variant(&variant).unwrap();
            assert_eq!(varied_model.facts().rotary_value, variant.rotary_value, "{}", folder.name);
            let varied = output(&context(&varied_model), &request);
            assert_close(&folder.name, logits(&varied), logits(&expected), tolerance);
            let changed = logits(&varied).iter().zip(logits(&plain)).any(|(one, other)| (one - other).abs() > 1e-3);
            assert!(changed, "{}: another scaling changes nothing", folder.name);
            assert_close(&folder.name, logits(&output(&plain_context, &request)), logits(&plain), 1e-6);
            // A variant of the variant is read from the model's own files.
            let plain_again = context(&varied_model.variant(&Variant::default()).unwrap());
            assert_close(&folder.name, logits(&output(&plain_again, &request)), logits(&plain), 1e-6);
        }
    }
}

/// The file's own rotary table and θ belong to every variant that reads them.
#[test]
fn a_model_loaded_as_a_variant_has_the_plain_one_as_a_variant() {
    for folder in folders().into_iter().chain(["masked_lm", "float16", "readers/esm"].map(golden)) {
        let request = text(&folder, 7);
        let plain = output(&context(&folder.load(Device::Cpu)), &request);
        let plain_again = load(&folder, &scaled_and_rotated(&folder)).variant(&Variant::default()).unwrap();
        assert_eq!(logits(&output(&context(&plain_again), &request)), logits(&plain), "{}", folder.name);
    }
}

#[test]
fn a_scaling_by_one_is_none() {
    let folder = golden("decoders/llama");
    let model = folder.load(Device::Cpu);
    let plain = output(&context(&model), &text(&folder, 7));
    let scaled = output(&context(&model.variant(&linear(1.0)).unwrap()), &text(&folder, 7));
    assert_close("scaled by 1", logits(&scaled), logits(&plain), 1e-6);
}

/// Contexts of one model and of its variants share weights and nothing else.
#[test]
fn contexts_of_variants_leave_each_other_as_they_are() {
    for folder in folders() {
        let facts = folder.facts();
        let mut variants = vec![Variant::default(), linear(4.0)];
        if !folder.pairs_halves() {
            variants.push(Variant { rotary_value: true, ..Variant::default() });
        }
        let expected: Vec<Vec<f32>> =
            variants.iter().map(|variant| losses(&context(&load(&folder, variant)), &folder)).collect();
        for (model, tolerance) in models(&folder) {
            let what = format!("{} on {}", folder.name, model.backend_name());
            let watched = context_with_heads(&model);
            let (_, watched_run) = run(&watched, &text(&folder, 7));
            let before = head(&watched_run, 1).unwrap();
            let others: Vec<Context> =
                variants.iter().map(|variant| context(&model.variant(variant).unwrap())).collect();
            // In turn, twice.
            for (at, context) in others.iter().enumerate().chain(others.iter().enumerate()) {
                let found = losses(context, &folder);
                assert_eq!(found.len(), 2);
                assert_close(&format!("{what}, {:?}", variants[at]), &found, &expected[at], tolerance);
                let differs = found.iter().zip(&expected[0]).any(|(one, other)| (one - other).abs() > 1e-4);
                assert!(at == 0 || differs, "{what}, {:?}", variants[at]);
                assert!(head(&watched_run, 1).unwrap() == before, "{what}: the run that is watched");
            }
            // The text goes on from its cache.
            let longer = output(&watched, &text(&folder, 9));
            assert_eq!(longer.report.computed, if facts.causal { 2 } else { 9 }, "{what}");
        }
    }
}

#[test]
fn a_run_of_a_variant_is_asked_about_like_any_other() {
    for folder in folders() {
        let scaled = linear(4.0);
        for (model, tolerance) in models(&folder) {
            let what = format!("{} on {}", folder.name, model.backend_name());
            let watched = context_with_heads(&model);
            let (_, watched_run) = run(&watched, &text(&folder, 7));
            let before = head(&watched_run, 1).unwrap();
            let before_rows = head_rows(&watched_run, 0..1).unwrap();
            for (variant, length) in [(&Variant::default(), 9), (&scaled, 7), (&Variant::default(), 5)] {
                let other_context = context_with_heads(&model.variant(variant).unwrap());
                let request = Request { rows: PredictionRows::At(vec![0]), top_k: 1, ..folder.text(1, length) };
                let (_, other_run) = run(&other_context, &request);
                let found = head(&other_run, 1).unwrap();
                let loaded = context_with_heads(&load(&folder, variant));
                let expected = head(&run(&loaded, &text(&folder, length)).1, 1).unwrap();
                assert_close(&what, &found.attention, &expected.attention, tolerance);
                assert_close(&what, &found.key, &expected.key, tolerance);
                if *variant != Variant::default() {
                    assert!(found.attention != before.attention, "{what}: scaled, nothing changes");
                    // The first layer reads the same embeddings: rows before rotation are those of any rope.
                    let rows = head_rows(&other_run, 0..1).unwrap();
                    assert_close(&what, &rows.queries, &before_rows.queries, tolerance);
                    assert_close(&what, &rows.keys, &before_rows.keys, tolerance);
                }
                assert!(head(&watched_run, 1).unwrap() == before, "{what}: the run that is watched");
                drop(other_context);
                assert!(!other_run.is_fresh() && watched_run.is_fresh(), "{what}");
                assert_eq!(head(&other_run, 1).unwrap_err(), Error::Stale, "{what}: its context is gone");
            }
            assert!(head(&watched_run, 1).unwrap() == before, "{what}");
        }
    }
}

#[test]
fn a_model_lives_as_long_as_a_context_of_it() {
    let folder = golden("tiny_masked_lm");
    for (model, _) in models(&folder) {
        let expected = output(&context(&model), &text(&folder, 5));
        let context = context(&model.variant(&Variant::default()).unwrap());
        drop(model);
        assert_eq!(logits(&output(&context, &text(&folder, 5))), logits(&expected));
    }
}

#[test]
fn what_is_no_variant_is_refused_in_words() {
    let llama = golden("decoders/llama");
    let model = llama.load(Device::Cpu);
    let rotated = Variant { rotary_value: true, ..Variant::default() };
    let Err(refused) = model.variant(&rotated) else { panic!("a Llama rotates its values") };
    assert!(refused.to_string().contains("RoFormer"), "{refused}");
    output(&context(&model), &llama.text(1, 4));

    // A model of numbers has no config to read a variant from.
    let architecture = Architecture::read(&llama.config_json(), None).unwrap();
    let numbers = architecture.table.iter().map(|(weight, ..)| vec![0.0; weight.rows * weight.columns]).collect();
    let model = pollster::block_on(Model::of_numbers(&Device::Cpu, architecture, numbers)).unwrap();
    let Err(refused) = model.variant(&linear(2.0)) else { panic!("a model of numbers has a variant") };
    assert_eq!(refused.code(), "no-variants");
    assert!(refused.to_string().contains("files"), "{refused}");
}

/// (length, heads, head_size) of a tap (batch, heads, length, head_size), pairs adjacent: taps of all but RoFormer
/// have them half a head apart, as Hugging Face does.
fn by_token(output: &Output, tap: Site, halves: bool) -> Vec<f32> {
    let tensor = &output.taps[&tap];
    let &[_, heads, length, size] = tensor.shape.as_slice() else { panic!("{tap}: {:?}", tensor.shape) };
    let row = |token: usize, head: usize| &tensor.data[(head * length + token) * size..][..size];
    let adjacent = |row: &[f32]| -> Vec<f32> {
        let place = |at: usize| if halves { at / 2 + at % 2 * (size / 2) } else { at };
        (0..size).map(|at| row[place(at)]).collect()
    };
    let places = (0..length).flat_map(|token| (0..heads).map(move |head| (token, head)));
    places.flat_map(|(token, head)| adjacent(row(token, head))).collect()
}

#[test]
fn rows_of_all_heads_are_those_before_rotation() {
    for folder in folders() {
        let (facts, halves) = (folder.facts(), folder.pairs_halves());
        let taps: Taps =
            (0..facts.layers).flat_map(|layer| [TensorName::Query.at(layer), TensorName::Key.at(layer)]).collect();
        for (model, tolerance) in models(&folder) {
            let context = context_with_heads(&model);
            for position_offset in [0, 1000] {
                let request = Request { taps: taps.clone(), position_offset, ..folder.text(1, 6) };
                let (output, run) = run(&context, &request);
                let all = head_rows(&run, 0..facts.layers).unwrap();
                let mut joined = HeadRows { queries: Vec::new(), keys: Vec::new() };
                for layer in 0..facts.layers {
                    let HeadRows { queries, keys } = head_rows(&run, layer..layer + 1).unwrap();
                    let what = format!("{}, layer {layer}, from {position_offset}", folder.name);
                    assert_close(&what, &queries, &by_token(&output, TensorName::Query.at(layer), halves), tolerance);
                    assert_close(&what, &keys, &by_token(&output, TensorName::Key.at(layer), halves), tolerance);
                    joined.queries.extend(queries);
                    joined.keys.extend(keys);
                }
                assert_eq!(all, joined, "{}: all layers at once", folder.name);
            }
            if facts.causal {
                // Some from the cache, some from this run.
                let complete = folder.text(1, 6);
                let part = Request { ids: complete.ids[..4].to_vec(), length: 4, ..complete.clone() };
                let expected = output(&context, &Request { taps: taps.clone(), ..complete.clone() });
                let runs = [part, complete].map(|request| run(&context, &Request { continues: true, ..request }).1);
                let found = head_rows(&runs[1], 1..2).unwrap();
                assert_close(
                    "queries of a text that went on",
                    &found.queries,
                    &by_token(&expected, TensorName::Query.at(1), halves),
                    tolerance,
                );
                assert_close(
                    "keys of a text that went on",
                    &found.keys,
                    &by_token(&expected, TensorName::Key.at(1), halves),
                    tolerance,
                );
            }
            let (_, complete) = run(&context, &folder.text(1, 6));
            let refused = head_rows(&complete, 1..facts.layers + 1).unwrap_err();
            assert_eq!(refused.code(), "layers-out-of-range", "a layer that is not there");
            let frozen = [Intervention::freeze(0, 0, 0..=0)];
            let interventions = Interventions::from(frozen);
            let (_, frozen_run) = run(&context, &Request { interventions, ..folder.text(1, 6) });
            let refused = head_rows(&frozen_run, 0..1).unwrap_err();
            assert_eq!(refused.code(), "rotation-of-changed-pairs", "pairs that did not turn");
        }
    }
}
