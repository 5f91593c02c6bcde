//! What can be asked of a run beside its results: labels' losses, statistics of all heads, scores without rotation, the
//! output head on every layer's hidden states; on both backends.

mod support;

use ropescope::backend::Unhurried;
use ropescope::ops::MapKind;
use ropescope::plan::{Tap, Taps};
use ropescope::sampling::Settings;
use ropescope::session::{
    Continuation, Device, Fill, Generation, Intervention, Output, Pairs, Penalty, Request, Rows, Selection, Session,
    Tensor,
};
use support::{Expected, Folder, assert_close, golden, gpu, run};

/// A RoFormer, a Llama with grouped keys, and models with two ropes, windows, norms of heads, or embeddings that make up for masks.
fn folders() -> [Folder; 5] {
    ["tiny_masked_lm", "decoders/llama", "decoders/gemma3", "readers/modernbert", "readers/esm"].map(golden)
}

fn sessions(folder: &Folder) -> [(Session, f32); 2] {
    [(folder.load(Device::Cpu), 1e-5), (folder.load(gpu()), 1e-4)]
}

fn map(session: &mut Session, layer: usize, head: usize, kind: MapKind) -> Tensor {
    pollster::block_on(session.map(Selection { layer, head }, kind, usize::MAX, &Unhurried)).unwrap()
}

/// (length, head_size) of one head of the first sequence.
fn rows(output: &Output, tap: Tap, head: usize) -> Vec<Vec<f32>> {
    let tensor = &output.tensors[&tap.to_string()];
    let &[_, _, length, size] = tensor.shape.as_slice() else { panic!("{tap}: {:?}", tensor.shape) };
    tensor.data[head * length * size..][..length * size].chunks(size).map(<[f32]>::to_vec).collect()
}

/// query · key · scale of each query and key.
fn products(query: &[Vec<f32>], key: &[Vec<f32>], scale: f64) -> Vec<f32> {
    let product = |query: &Vec<f32>, key: &Vec<f32>| {
        let sum: f64 = query.iter().zip(key).map(|(q, k)| f64::from(*q) * f64::from(*k)).sum();
        (sum * scale) as f32
    };
    query.iter().flat_map(|query| key.iter().map(move |key| product(query, key))).collect()
}

#[test]
fn unrotated_scores_are_products_of_unrotated_taps() {
    for folder in folders() {
        let facts = folder.facts();
        let group = facts.heads / facts.key_heads;
        let taps = |layer| [Tap::Query(layer), Tap::Key(layer), Tap::QueryRotated(layer), Tap::KeyRotated(layer)];
        let taps: Taps = (0..facts.layers).flat_map(taps).collect();
        for (mut session, tolerance) in sessions(&folder) {
            for (length, position_ids, position_offset) in [(9, None, 0), (5, Some(vec![4, 0, 2, 2, 1]), 1000)] {
                let request = Request {
                    keeps_heads: true,
                    taps: taps.clone(),
                    position_ids,
                    position_offset,
                    ..folder.text(1, length)
                };
                let output = run(&mut session, &request);
                for (layer, head) in (0..facts.layers).flat_map(|layer| (0..facts.heads).map(move |head| (layer, head)))
                {
                    let of = |query, key| {
                        products(&rows(&output, query, head), &rows(&output, key, head / group), facts.scale)
                    };
                    let unrotated = of(Tap::Query(layer), Tap::Key(layer));
                    let rotated = of(Tap::QueryRotated(layer), Tap::KeyRotated(layer));
                    let effect: Vec<f32> = rotated.iter().zip(&unrotated).map(|(with, less)| with - less).collect();
                    assert!(length == 1 || effect.iter().any(|effect| effect.abs() > 1e-3));
                    let kinds =
                        [(MapKind::Score, rotated), (MapKind::Unrotated, unrotated), (MapKind::RotationEffect, effect)];
                    for (kind, expected) in kinds {
                        let what = format!("{}, layer {layer}, head {head}, {kind:?}", folder.name);
                        let found = map(&mut session, layer, head, kind);
                        assert_eq!(found.shape, [length, length], "{what}");
                        assert_close(&what, &found.data, &expected, tolerance);
                    }
                }
            }
        }
    }
}

/// A text that goes on: as if it had been run at once, before and after tokens are written to it.
#[test]
fn a_text_that_goes_on_is_turned_back_by_its_places() {
    let folder = golden("decoders/llama");
    let text = folder.text(1, 11);
    for (mut session, tolerance) in sessions(&folder) {
        run(&mut session, &Request { keeps_heads: true, ..text.clone() });
        let expected =
            [MapKind::Score, MapKind::Unrotated, MapKind::RotationEffect].map(|kind| map(&mut session, 1, 1, kind));
        let tokens: Vec<f32> = text.ids.iter().map(|id| *id as f32).collect();
        let statistics = pollster::block_on(session.statistics(&tokens)).unwrap();
        let assert_same = |session: &mut Session, what: &str| {
            for (kind, expected) in
                [MapKind::Score, MapKind::Unrotated, MapKind::RotationEffect].into_iter().zip(&expected)
            {
                let found = map(session, 1, 1, kind);
                assert_eq!(found.shape, expected.shape, "{what}, {kind:?}");
                assert_close(&format!("{what}, {kind:?}"), &found.data, &expected.data, tolerance);
            }
            let found = pollster::block_on(session.statistics(&tokens)).unwrap();
            assert_eq!(found.shape, statistics.shape, "{what}");
            assert_close(what, &found.data, &statistics.data, tolerance);
        };
        let part =
            Request { ids: text.ids[..6].to_vec(), length: 6, continues: true, keeps_heads: true, ..text.clone() };
        run(&mut session, &part);
        run(&mut session, &Request { continues: true, keeps_heads: true, ..text.clone() });
        assert_same(&mut session, "a text in two parts");
        // Questions stay about the text as it was, while tokens are written behind it.
        let continuation = Continuation {
            sampling: Settings { temperature: 0.0, ..Settings::default() },
            most: 3,
            ends: Vec::new(),
            beyond_length: false,
            keeps_heads: true,
        };
        let mut generation = Generation::new(&text.ids, 1, None, continuation).unwrap();
        while !generation.ended() {
            pollster::block_on(session.write_on(&mut generation, &Unhurried)).unwrap();
            assert_same(&mut session, "a text with more behind it");
        }
    }
}

#[test]
fn statistics_are_means_over_the_maps_of_a_run() {
    for folder in [golden("tiny_masked_lm"), golden("causal_lm_padded"), golden("decoders/llama")] {
        let facts = folder.facts();
        let (layers, heads) = (facts.layers, facts.heads);
        for (mut session, tolerance) in sessions(&folder) {
            let length = folder.request().length;
            // Every other id again, the first special.
            let tokens: Vec<f32> =
                (0..length).map(|token| if token == 0 { -1.0 } else { (token % 3) as f32 }).collect();
            let refused = pollster::block_on(session.statistics(&tokens)).unwrap_err();
            assert_eq!(refused.code(), "invalid-input", "statistics before a run");
            let request = Request { taps: (0..layers).map(Tap::Attentions).collect(), ..folder.request() };
            let output = run(&mut session, &request);
            let refused = pollster::block_on(session.statistics(&tokens[1..])).unwrap_err();
            assert_eq!(refused.code(), "invalid-input", "statistics of another text");
            let kept = &request.attention_mask.as_ref().unwrap()[..length];
            let queries: Vec<usize> = (1..length).filter(|query| kept[*query] == 1).collect();
            let found = pollster::block_on(session.statistics(&tokens)).unwrap();
            assert_eq!(found.shape, [layers, heads, 10], "{}", folder.name);
            let mut expected = Vec::new();
            for layer in 0..layers {
                let maps = &output.tensors[&Tap::Attentions(layer).to_string()].data;
                for map in maps.chunks_exact(length * length).take(heads) {
                    let mut sums = [0.0f64; 10];
                    for &query in &queries {
                        let row = &map[query * length..][..length];
                        sums[6] += f64::from(row.iter().copied().fold(0.0f32, f32::max));
                        for (key, weight) in map[query * length..][..length].iter().enumerate() {
                            let weight = f64::from(*weight);
                            sums[0] -= if weight > 0.0 { weight * weight.ln() } else { 0.0 };
                            sums[1] += weight * query.abs_diff(key) as f64;
                            sums[2] += if key + 1 == query { weight } else { 0.0 };
                            sums[3] += if key == query { weight } else { 0.0 };
                            sums[4] += if key == query + 1 { weight } else { 0.0 };
                            sums[5] += if key == 0 { weight } else { 0.0 };
                            sums[7] += if key != query && tokens[key] == tokens[query] { weight } else { 0.0 };
                            sums[8] += if key == 0 { weight } else { 0.0 };
                            let follows = (1..=query).contains(&key) && tokens[key - 1] == tokens[query];
                            sums[9] += if follows { weight } else { 0.0 };
                        }
                    }
                    expected.extend(sums.map(|sum| (sum / queries.len().max(1) as f64) as f32));
                }
            }
            assert_close(&folder.name, &found.data, &expected, tolerance);
        }
    }
}

#[test]
fn a_rotation_that_was_changed_is_not_taken_back() {
    let folder = golden("decoders/llama");
    for (mut session, _) in sessions(&folder) {
        let stopped = vec![Pairs { layer: 0, head: 0, pairs: 0..=0 }];
        let intervention = Intervention { stopped, ..Intervention::default() };
        run(&mut session, &Request { keeps_heads: true, intervention, ..folder.text(1, 5) });
        map(&mut session, 0, 0, MapKind::Score);
        for kind in [MapKind::Unrotated, MapKind::RotationEffect] {
            let refused =
                pollster::block_on(session.map(Selection { layer: 0, head: 0 }, kind, usize::MAX, &Unhurried))
                    .unwrap_err();
            assert_eq!(refused.code(), "invalid-input", "{kind:?}");
        }
        let outside = Selection { layer: 0, head: folder.facts().heads };
        let refused = pollster::block_on(session.map(outside, MapKind::Score, usize::MAX, &Unhurried)).unwrap_err();
        assert_eq!(refused.code(), "invalid-input");
    }
}

/// −log p of each label from logits (rows, vocabulary).
fn losses(logits: &[f32], labels: &[Option<u32>]) -> Vec<Option<f32>> {
    let rows = logits.chunks_exact(logits.len() / labels.len());
    let loss = |row: &[f32], label: u32| {
        let total: f64 = row.iter().map(|logit| f64::from(*logit).exp()).sum();
        (total.ln() - f64::from(row[label as usize])) as f32
    };
    rows.zip(labels).map(|(row, label)| label.map(|label| loss(row, label))).collect()
}

fn assert_losses(what: &str, found: &[Option<f32>], expected: &[Option<f32>], tolerance: f32) {
    let told = |losses: &[Option<f32>]| losses.iter().map(Option::is_some).collect::<Vec<bool>>();
    assert_eq!(told(found), told(expected), "{what}");
    let numbers = |losses: &[Option<f32>]| losses.iter().flatten().copied().collect::<Vec<f32>>();
    assert_close(what, &numbers(found), &numbers(expected), tolerance);
}

#[test]
fn labels_are_scored_beside_every_result() {
    for folder in folders() {
        let vocabulary = folder.facts().vocab_size as u32;
        for (mut session, tolerance) in sessions(&folder) {
            let text = folder.text(2, 5);
            let logits = run(&mut session, &text).tensors["logits"].data.clone();
            let label = |row: u32| (row % 3 != 1).then_some((row * 17 + vocabulary - 1) % vocabulary);
            let labels: Vec<Option<u32>> = (0..10).map(label).collect();
            let expected = losses(&logits, &labels);
            let output = run(&mut session, &Request { labels: Some(labels.clone()), ..text.clone() });
            assert_losses(&format!("{}: all rows", folder.name), &output.losses, &expected, tolerance);
            assert_close("logits beside them", &output.tensors["logits"].data, &logits, 1e-6);

            // Some rows, in an order of their own, beside fills and taps.
            let at = [7u32, 2, 4];
            let chosen: Vec<Option<u32>> = at.iter().map(|row| labels[*row as usize]).collect();
            let request = Request {
                rows: Rows::At(at.to_vec()),
                labels: Some(chosen.clone()),
                top_k: 3,
                taps: [Tap::HiddenStates(0)].into_iter().collect(),
                selection: Some(Selection { layer: 0, head: 0 }),
                ..text.clone()
            };
            let output = run(&mut session, &request);
            let expected: Vec<Option<f32>> = at.iter().map(|row| expected[*row as usize]).collect();
            assert_losses(&format!("{}: rows {at:?}", folder.name), &output.losses, &expected, tolerance);
            assert!(output.tensors.contains_key("hidden_states.0") && output.head.is_some());

            // The best fills as labels have the logarithms that are told of them.
            let best: Vec<Option<u32>> = output.top.iter().map(|row| Some(row[0].id)).collect();
            let logarithms: Vec<Option<f32>> = output.top.iter().map(|row| Some(-row[0].log_probability)).collect();
            let output = run(&mut session, &Request { labels: Some(best), ..request });
            assert_losses(&format!("{}: best fills", folder.name), &output.losses, &logarithms, 1e-5);
            assert_eq!(run(&mut session, &text).losses, Vec::new());
        }
    }
}

#[test]
fn a_text_that_goes_on_is_scored_alike() {
    let folder = golden("decoders/llama");
    for (mut session, tolerance) in sessions(&folder) {
        let text = folder.text(1, 9);
        let labels: Vec<Option<u32>> = text.ids[1..].iter().map(|id| Some(*id)).chain([None]).collect();
        let whole = run(&mut session, &Request { labels: Some(labels.clone()), top_k: 1, ..text.clone() }).losses;
        run(&mut session, &Request { ids: text.ids[..5].to_vec(), length: 5, continues: true, ..text.clone() });
        let rest = Request {
            rows: Rows::At(vec![6, 7, 8]),
            labels: Some(labels[6..].to_vec()),
            continues: true,
            ..text.clone()
        };
        assert_losses("the rest", &run(&mut session, &rest).losses, &whole[6..], tolerance);
    }
}

#[test]
fn wrong_labels_are_refused() {
    let folder = golden("tiny_masked_lm");
    let vocabulary = folder.facts().vocab_size as u32;
    let with = |labels: Vec<Option<u32>>| Request { labels: Some(labels), ..folder.text(1, 3) };
    let mut session = folder.load(Device::Cpu);
    for (labels, code) in [
        (vec![Some(0), None, Some(vocabulary)], "label-out-of-vocabulary"),
        (vec![Some(0), None, Some(u32::MAX)], "label-out-of-vocabulary"),
        (vec![Some(0); 2], "invalid-input"),
        (vec![Some(0); 4], "invalid-input"),
        (vec![], "invalid-input"),
    ] {
        let refused = pollster::block_on(session.run(&with(labels.clone()))).unwrap_err();
        assert_eq!(refused.code(), code, "{labels:?}");
    }
    assert_eq!(run(&mut session, &with(vec![None; 3])).losses, [None; 3]);
    for name in ["tiny_model", "tiny_sequence_classification"] {
        let folder = golden(name);
        let request = Request { labels: Some(vec![None; 3]), ..folder.text(1, 3) };
        let refused = pollster::block_on(folder.load(Device::Cpu).run(&request)).unwrap_err();
        assert_eq!(refused.code(), "no-vocabulary-head", "{name}");
    }
}

/// The texts that tests/golden/generate_interventions.py reads a folder's model with.
fn told_text(folder: &Folder, expected: &Expected) -> Request {
    let of = |name: &str| format!("{}/{name}", folder.name);
    let &[batch, length] = expected.shape(&of("input_ids")) else { panic!("{}: ids of no batch", folder.name) };
    let attention_mask = Some(expected.integers(&of("attention_mask")).to_vec());
    Request { attention_mask, ..Request::new(expected.integers(&of("input_ids")).to_vec(), batch, length) }
}

fn ids(fills: &[Vec<Fill>]) -> Vec<u32> {
    fills.iter().flatten().map(|fill| fill.id).collect()
}

fn logarithms(fills: &[Vec<Fill>]) -> Vec<f32> {
    fills.iter().flatten().map(|fill| fill.log_probability).collect()
}

#[test]
fn the_lens_reads_every_layer_as_hugging_faces_head_does() {
    let expected = Expected::open("tests/golden/interventions.safetensors");
    for folder in folders().into_iter().chain([golden("decoders/gpt_neox")]) {
        let of = |name: &str| format!("{}/lens.{name}", folder.name);
        let &[layers, rows, top_k] = expected.shape(&of("ids")) else { panic!("{}: a lens of no rows", folder.name) };
        assert_eq!(layers, folder.facts().layers + 1);
        let request = Request { top_k, lens: true, ..told_text(&folder, &expected) };
        for (mut session, tolerance) in sessions(&folder) {
            let output = run(&mut session, &request);
            assert_eq!(output.lens.len(), layers, "{}", folder.name);
            assert_eq!(output.lens[layers - 1], output.top, "{}: the last layer is the result", folder.name);
            let told = expected.integers(&of("ids")).chunks_exact(rows * top_k);
            let told = told.zip(expected.floats(&of("log_p")).chunks_exact(rows * top_k));
            for (layer, (found, (expected_ids, expected))) in output.lens.iter().zip(told).enumerate() {
                let what = format!("{}, layer {layer}", folder.name);
                assert_eq!(ids(found), expected_ids, "{what}");
                assert_close(&what, &logarithms(found), expected, tolerance);
            }
            // Some rows, in an order of their own, beside labels, taps and a head.
            let some = Request {
                rows: Rows::At(vec![7, 2]),
                labels: Some(vec![None, Some(1)]),
                taps: [Tap::HiddenStates(1)].into_iter().collect(),
                selection: Some(Selection { layer: 1, head: 0 }),
                ..request.clone()
            };
            let some = run(&mut session, &some);
            for (layer, (some, all)) in some.lens.iter().zip(&output.lens).enumerate() {
                let chosen = [all[7].clone(), all[2].clone()];
                assert_eq!(ids(some), ids(&chosen), "{}, rows of layer {layer}", folder.name);
                assert_close(&folder.name, &logarithms(some), &logarithms(&chosen), 1e-5);
            }
            assert!(some.head.is_some() && some.losses[1].is_some() && some.tensors.contains_key("hidden_states.1"));
            assert_eq!(
                run(&mut session, &Request { lens: false, ..request.clone() }).lens,
                Vec::<Vec<Vec<Fill>>>::new()
            );
        }
    }
}

#[test]
fn the_lens_of_a_text_that_goes_on_is_that_of_the_whole() {
    let folder = golden("decoders/llama");
    for (mut session, tolerance) in sessions(&folder) {
        let text = folder.text(1, 9);
        let asked = Request { rows: Rows::At(vec![7, 8]), top_k: 4, lens: true, ..text.clone() };
        let whole = run(&mut session, &asked);
        run(&mut session, &Request { ids: text.ids[..5].to_vec(), length: 5, continues: true, ..text });
        let rest = run(&mut session, &Request { continues: true, ..asked.clone() });
        assert_eq!(rest.report.computed, 4);
        for (layer, (rest, whole)) in rest.lens.iter().zip(&whole.lens).enumerate() {
            assert_eq!(ids(rest), ids(whole), "layer {layer}");
            assert_close(&format!("layer {layer}"), &logarithms(rest), &logarithms(whole), tolerance);
        }
        // A penalty acts on what every layer gives.
        let penalised = run(&mut session, &Request { penalty: Some(Penalty(5.0)), ..asked });
        for (layer, (with, without)) in penalised.lens.iter().zip(&whole.lens).enumerate() {
            assert_ne!(logarithms(with), logarithms(without), "layer {layer}");
        }
        assert_eq!(penalised.lens.last(), Some(&penalised.top));
    }
}

#[test]
fn a_lens_without_fills_or_a_head_is_refused() {
    for (name, top_k, code) in [
        ("tiny_masked_lm", 0, "invalid-input"),
        ("tiny_model", 3, "no-vocabulary-head"),
        ("tiny_model", 0, "no-vocabulary-head"),
    ] {
        let folder = golden(name);
        let request = Request { lens: true, top_k, ..folder.text(1, 3) };
        let refused = pollster::block_on(folder.load(Device::Cpu).run(&request)).unwrap_err();
        assert_eq!(refused.code(), code, "{name}, {top_k} fills");
    }
}
