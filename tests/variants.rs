//! The same weights as another model, from now on or for one run beside the last one, and rows of all heads; on both backends.

mod support;

use ropescope::backend::Unhurried;
use ropescope::model::{Model, Variant};
use ropescope::plan::{Tap, Taps};
use ropescope::rope::Scaling;
use ropescope::session::{Device, HeadMaps, HeadRows, Intervention, Output, Pairs, Request, Rows, Selection, Session};
use ropescope::weights::Header;
use support::{Folder, assert_close, golden, gpu, run};

/// A RoFormer, a Llama with grouped keys, and models with two ropes, windows, norms of heads, or embeddings that make up for masks.
fn folders() -> [Folder; 5] {
    ["tiny_masked_lm", "decoders/llama", "decoders/gemma3", "readers/modernbert", "readers/esm_float16"].map(golden)
}

fn sessions(folder: &Folder) -> [(Session, f32); 2] {
    [(folder.load(Device::Cpu), 1e-5), (folder.load(gpu()), 1e-4)]
}

fn linear(factor: f64) -> Scaling {
    Scaling::Linear { factor, original_max_position_embeddings: None }
}

fn read(folder: &Folder, variant: &Variant) -> Model {
    let header = Header::parse(&folder.file(), None).unwrap();
    variant.read(&folder.config_json(), Some(&header)).unwrap()
}

/// A text whose heads are kept.
fn watched(folder: &Folder, length: usize) -> Request {
    let rows = Rows::At(vec![length as u32 - 1]);
    Request { selection: Some(Selection { layer: 1, head: 1 }), rows, ..folder.text(1, length) }
}

fn logits(output: &Output) -> &[f32] {
    &output.tensors["logits"].data
}

/// Two texts with labels at some of their tokens.
fn labelled(folder: &Folder) -> Request {
    Request { rows: Rows::At(vec![1, 3, 8]), labels: Some(vec![Some(4), None, Some(2)]), top_k: 1, ..folder.text(2, 5) }
}

fn losses(output: &Output) -> Vec<f32> {
    output.losses.iter().flatten().copied().collect()
}

fn head(session: &mut Session, head: usize) -> HeadMaps {
    pollster::block_on(session.head(Selection { layer: 1, head })).unwrap()
}

#[test]
fn a_variant_runs_as_if_it_had_been_loaded_and_back_again() {
    for folder in folders() {
        let rotates = folder.facts().architecture.starts_with("RoFormer");
        let variant = Variant { scaling: Some(linear(2.0)), rotary_value: rotates, ..Variant::default() };
        for (mut session, tolerance) in sessions(&folder) {
            let request = watched(&folder, 7);
            let plain = run(&mut session, &request);
            session.become_variant(read(&folder, &variant)).unwrap();
            assert_eq!(session.facts().rotary_value, rotates, "{}", folder.name);
            let refused = pollster::block_on(session.head(Selection { layer: 0, head: 0 })).unwrap_err();
            assert_eq!(refused.code(), "invalid-input", "the run of another variant");
            let varied = run(&mut session, &request);
            let mut fresh = folder.load(Device::Cpu);
            fresh.become_variant(read(&folder, &variant)).unwrap();
            let expected = run(&mut fresh, &request);
            assert_close(&folder.name, logits(&varied), logits(&expected), tolerance);
            let changed = logits(&varied).iter().zip(logits(&plain)).any(|(one, other)| (one - other).abs() > 1e-3);
            assert!(changed, "{}: another scaling changes nothing", folder.name);
            session.become_variant(read(&folder, &Variant::default())).unwrap();
            assert_close(&folder.name, logits(&run(&mut session, &request)), logits(&plain), 1e-6);
        }
    }
}

#[test]
fn a_scaling_by_one_is_none() {
    let folder = golden("decoders/llama");
    let mut session = folder.load(Device::Cpu);
    let plain = run(&mut session, &watched(&folder, 7));
    session.become_variant(read(&folder, &Variant { scaling: Some(linear(1.0)), ..Variant::default() })).unwrap();
    assert_close("scaled by 1", logits(&run(&mut session, &watched(&folder, 7))), logits(&plain), 1e-6);
}

#[test]
fn a_run_aside_leaves_the_last_run_to_be_looked_at() {
    for folder in folders() {
        let facts = folder.facts();
        let scaled = Variant { scaling: Some(linear(4.0)), ..Variant::default() };
        let turned = Variant { rotary_value: true, ..Variant::default() };
        for (mut session, tolerance) in sessions(&folder) {
            let request = Request { continues: facts.causal, ..watched(&folder, 7) };
            run(&mut session, &request);
            let before = head(&mut session, 1);
            let plain = losses(&run(&mut folder.load(Device::Cpu), &labelled(&folder)));
            assert_eq!(plain.len(), 2);
            let mut aside = |variant: Option<&Variant>| {
                let model = variant.map(|variant| read(&folder, variant));
                let texts = labelled(&folder);
                let found = losses(&pollster::block_on(session.run_aside(model, &texts, &Unhurried)).unwrap());
                let after = head(&mut session, 1);
                assert_close("its map", &after.attention, &before.attention, 1e-6);
                assert_close("its keys", &after.key, &before.key, 1e-6);
                found
            };
            assert_close("as it is", &aside(None), &plain, tolerance);
            for variant in
                [scaled.clone(), turned.clone()].iter().filter(|one| !one.rotary_value || !folder.pairs_halves())
            {
                let mut other = folder.load(Device::Cpu);
                other.become_variant(read(&folder, variant)).unwrap();
                let expected = losses(&run(&mut other, &labelled(&folder)));
                assert!(expected.iter().zip(&plain).any(|(one, other)| (one - other).abs() > 1e-4), "{variant:?}");
                assert_close(&format!("{variant:?}"), &aside(Some(variant)), &expected, tolerance);
            }
            assert_close("as it is, again", &aside(None), &plain, tolerance);
            // The text goes on from its cache.
            let longer = run(&mut session, &Request { continues: facts.causal, ..watched(&folder, 9) });
            assert_eq!(longer.report.computed, if facts.causal { 2 } else { 9 }, "{}", folder.name);
        }
    }
}

#[test]
fn a_run_beside_the_last_is_looked_at_and_leaves_the_last_as_it_was() {
    for folder in folders() {
        let facts = folder.facts();
        let scaled = Variant { scaling: Some(linear(4.0)), ..Variant::default() };
        for (mut session, tolerance) in sessions(&folder) {
            let what = format!("{} on {}", folder.name, session.backend_name());
            let request = Request { continues: facts.causal, ..watched(&folder, 7) };
            run(&mut session, &request);
            let (last, before) = (session.mark().unwrap(), head(&mut session, 1));
            let mut earlier = None;
            for (variant, length) in [(None, 9), (Some(&scaled), 7), (None, 5)] {
                let model = variant.map(|variant| read(&folder, variant));
                let beside = Request { keeps_heads: true, rows: Rows::At(vec![0]), top_k: 1, ..folder.text(1, length) };
                let (_, mark) = pollster::block_on(session.run_beside(model, &beside, &Unhurried)).unwrap();
                assert_eq!(session.mark(), Some(last), "{what}: the last run is still the last");
                assert_close("its map", &head(&mut session, 1).attention, &before.attention, 1e-6);
                assert!(earlier.is_none_or(|earlier| !session.look_at(earlier)), "{what}: the one before gave way");
                assert!(session.look_at(mark), "{what}");
                let found = head(&mut session, 1);
                let refused = pollster::block_on(session.head_rows(0..1)).unwrap_err();
                assert_eq!(refused.code(), "invalid-input", "{what}: rows of another rope");
                assert!(session.look_at(last), "{what}");

                let mut other = folder.load(Device::Cpu);
                variant.into_iter().for_each(|variant| other.become_variant(read(&folder, variant)).unwrap());
                run(&mut other, &watched(&folder, length));
                let expected = head(&mut other, 1);
                assert_close(&what, &found.attention, &expected.attention, tolerance);
                assert_close(&what, &found.key, &expected.key, tolerance);
                assert!(variant.is_none() || found.attention != before.attention, "{what}: scaled, nothing changes");
                earlier = mark;
            }
            // Losses aside leave it, another model does not.
            pollster::block_on(session.run_aside(Some(read(&folder, &scaled)), &labelled(&folder), &Unhurried))
                .unwrap();
            assert!(session.look_at(earlier), "{what}");
            assert!(session.look_at(last), "{what}");
            let longer = run(&mut session, &Request { continues: facts.causal, ..watched(&folder, 9) });
            assert_eq!(longer.report.computed, if facts.causal { 2 } else { 9 }, "{what}");
            session.become_variant(read(&folder, &scaled)).unwrap();
            assert!(!session.look_at(earlier), "{what}: a run of the model as it was");
        }
    }
}

#[test]
fn what_is_no_variant_is_refused_in_words() {
    let [roformer, llama, ..] = folders();
    let mut session = llama.load(Device::Cpu);
    let header = Header::parse(&llama.file(), None).unwrap();
    let turned = Variant { rotary_value: true, ..Variant::default() };
    let Err(refused) = turned.read(&llama.config_json(), Some(&header)) else { panic!("a Llama turns its values") };
    assert!(refused.to_string().contains("RoFormer"), "{refused}");
    let other = session.become_variant(roformer.model()).unwrap_err();
    assert_eq!(other.code(), "invalid-input");
    let request = Request { continues: true, ..llama.text(1, 4) };
    let refused = pollster::block_on(session.run_aside(None, &request, &Unhurried)).unwrap_err();
    assert_eq!(refused.code(), "invalid-input");
    let refused = pollster::block_on(session.run_beside(None, &request, &Unhurried)).unwrap_err();
    assert_eq!(refused.code(), "invalid-input");
    let other = pollster::block_on(session.run_aside(Some(roformer.model()), &llama.text(1, 4), &Unhurried));
    assert_eq!(other.unwrap_err().code(), "invalid-input");
    run(&mut session, &llama.text(1, 4));
}

/// (length, heads, head_size) of a tap (batch, heads, length, head_size), pairs adjacent: taps of all but RoFormer
/// have them half a head apart, as Hugging Face does.
fn by_token(output: &Output, tap: Tap, halves: bool) -> Vec<f32> {
    let tensor = &output.tensors[&tap.to_string()];
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
        let taps: Taps = (0..facts.layers).flat_map(|layer| [Tap::Query(layer), Tap::Key(layer)]).collect();
        for (mut session, tolerance) in sessions(&folder) {
            for position_offset in [0, 1000] {
                let request = Request { taps: taps.clone(), position_offset, keeps_heads: true, ..folder.text(1, 6) };
                let output = run(&mut session, &request);
                let all = pollster::block_on(session.head_rows(0..facts.layers)).unwrap();
                let mut joined = HeadRows { queries: Vec::new(), keys: Vec::new() };
                for layer in 0..facts.layers {
                    let HeadRows { queries, keys } = pollster::block_on(session.head_rows(layer..layer + 1)).unwrap();
                    let what = format!("{}, layer {layer}, from {position_offset}", folder.name);
                    assert_close(&what, &queries, &by_token(&output, Tap::Query(layer), halves), tolerance);
                    assert_close(&what, &keys, &by_token(&output, Tap::Key(layer), halves), tolerance);
                    joined.queries.extend(queries);
                    joined.keys.extend(keys);
                }
                assert_eq!(all, joined, "{}: all layers at once", folder.name);
            }
            if facts.causal {
                // Some from the cache, some from this run.
                let whole = folder.text(1, 6);
                let part = Request { ids: whole.ids[..4].to_vec(), length: 4, ..whole.clone() };
                let expected = run(&mut session, &Request { taps: taps.clone(), ..whole.clone() });
                for request in [part, whole] {
                    run(&mut session, &Request { continues: true, keeps_heads: true, ..request });
                }
                let found = pollster::block_on(session.head_rows(1..2)).unwrap();
                assert_close(
                    "queries of a text that went on",
                    &found.queries,
                    &by_token(&expected, Tap::Query(1), halves),
                    tolerance,
                );
                assert_close(
                    "keys of a text that went on",
                    &found.keys,
                    &by_token(&expected, Tap::Key(1), halves),
                    tolerance,
                );
            }
            let refused = pollster::block_on(session.head_rows(1..facts.layers + 1)).unwrap_err();
            assert_eq!(refused.code(), "invalid-input", "a layer that is not there");
            let stopped = vec![Pairs { layer: 0, head: 0, pairs: 0..=0 }];
            let intervention = Intervention { stopped, ..Intervention::default() };
            run(&mut session, &Request { intervention, keeps_heads: true, ..folder.text(1, 6) });
            let refused = pollster::block_on(session.head_rows(0..1)).unwrap_err();
            assert_eq!(refused.code(), "invalid-input", "pairs that did not turn");
        }
    }
}
