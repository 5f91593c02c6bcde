//! Questions about a run, and results beside its logits: labels' losses, statistics of all heads, scores without rotation, the output head
//! on every layer's hidden states; on both backends.

use crate::support::{Expected, Folder, assert_close, context, context_with_heads, golden, gpu, output, run};
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::ops::MapKind;
use ropescope::plan::{Part, Site, Taps, TensorName};
use ropescope::runtime::{
    Context, Continuation, Device, Fill, Generation, HeadId, Intervention, Interventions, Model, Output,
    PredictionRows, Request, Run, Tensor,
};
use ropescope::sampling::SamplingSettings;

/// A RoFormer, a Llama with grouped keys, and models with two ropes, windows, norms of heads, or embeddings that make up for masks.
fn folders() -> [Folder; 5] {
    ["tiny_masked_lm", "decoders/llama", "decoders/gemma3", "readers/modernbert", "readers/esm"].map(golden)
}

fn models(folder: &Folder) -> [(Model, f32); 2] {
    [(folder.load(Device::Cpu), 1e-5), (folder.load(gpu()), 1e-4)]
}

/// A context on each backend, without heads, and how far it may be off.
fn contexts(folder: &Folder) -> [(Context, f32); 2] {
    models(folder).map(|(model, tolerance)| (context(&model), tolerance))
}

/// The same, whose runs keep their heads.
fn contexts_with_heads(folder: &Folder) -> [(Context, f32); 2] {
    models(folder).map(|(model, tolerance)| (context_with_heads(&model), tolerance))
}

fn map(run: &Run, layer: usize, head: usize, kind: MapKind) -> Tensor {
    pollster::block_on(run.map(HeadId::new(layer, head), kind, usize::MAX, &NeverCancelled)).unwrap()
}

/// The statistics of all layers.
fn statistics(run: &Run, layers: usize, tokens: &[f32]) -> Result<Tensor, Error> {
    pollster::block_on(run.statistics(Part::Decoder, 0..layers, tokens, &NeverCancelled))
}

/// (length, head_size) of one head of the first sequence.
fn rows(output: &Output, tap: Site, head: usize) -> Vec<Vec<f32>> {
    let tensor = &output.taps[&tap];
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
        let taps = |layer| {
            [
                TensorName::Query.at(layer),
                TensorName::Key.at(layer),
                TensorName::QueryRotated.at(layer),
                TensorName::KeyRotated.at(layer),
            ]
        };
        let taps: Taps = (0..facts.layers).flat_map(taps).collect();
        for (context, tolerance) in contexts_with_heads(&folder) {
            for (length, position_ids, position_offset) in [(9, None, 0), (5, Some(vec![4, 0, 2, 2, 1]), 1000)] {
                let taps = taps.clone();
                let request = Request { taps, position_ids, position_offset, ..folder.text(1, length) };
                let (output, run) = run(&context, &request);
                for (layer, head) in (0..facts.layers).flat_map(|layer| (0..facts.heads).map(move |head| (layer, head)))
                {
                    let of = |query, key| {
                        products(&rows(&output, query, head), &rows(&output, key, head / group), facts.scale)
                    };
                    let unrotated = of(TensorName::Query.at(layer), TensorName::Key.at(layer));
                    let rotated = of(TensorName::QueryRotated.at(layer), TensorName::KeyRotated.at(layer));
                    let effect: Vec<f32> = rotated.iter().zip(&unrotated).map(|(with, less)| with - less).collect();
                    assert!(length == 1 || effect.iter().any(|effect| effect.abs() > 1e-3));
                    let kinds =
                        [(MapKind::Score, rotated), (MapKind::Unrotated, unrotated), (MapKind::RotationEffect, effect)];
                    for (kind, expected) in kinds {
                        let what = format!("{}, layer {layer}, head {head}, {kind:?}", folder.name);
                        let found = map(&run, layer, head, kind);
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
    let layers = folder.facts().layers;
    for (context, tolerance) in contexts_with_heads(&folder) {
        let (_, at_once) = run(&context, &text);
        let expected =
            [MapKind::Score, MapKind::Unrotated, MapKind::RotationEffect].map(|kind| map(&at_once, 1, 1, kind));
        let tokens: Vec<f32> = text.ids.iter().map(|id| *id as f32).collect();
        let expected_statistics = statistics(&at_once, layers, &tokens).unwrap();
        let assert_same = |run: &Run, what: &str| {
            for (kind, expected) in
                [MapKind::Score, MapKind::Unrotated, MapKind::RotationEffect].into_iter().zip(&expected)
            {
                let found = map(run, 1, 1, kind);
                assert_eq!(found.shape, expected.shape, "{what}, {kind:?}");
                assert_close(&format!("{what}, {kind:?}"), &found.data, &expected.data, tolerance);
            }
            let found = statistics(run, layers, &tokens).unwrap();
            assert_eq!(found.shape, expected_statistics.shape, "{what}");
            assert_close(what, &found.data, &expected_statistics.data, tolerance);
        };
        let part = Request { ids: text.ids[..6].to_vec(), length: 6, continues: true, ..text.clone() };
        run(&context, &part);
        let (_, in_parts) = run(&context, &Request { continues: true, ..text.clone() });
        assert_same(&in_parts, "a text in two parts");
        // Answers are about the text as it was, while tokens are generated after it.
        let continuation = Continuation {
            sampling: SamplingSettings { temperature: 0.0, ..SamplingSettings::default() },
            candidates: 0,
            most: 3,
            ends: Vec::new(),
            beyond_length: false,
        };
        let mut generation = Generation::new(&text.ids, 1, None, continuation).unwrap();
        while !generation.ended() {
            pollster::block_on(context.generate(&mut generation, &NeverCancelled)).unwrap();
            assert_same(&in_parts, "a text with more after it");
        }
    }
}

#[test]
fn statistics_are_means_over_the_maps_of_a_run() {
    for folder in [golden("tiny_masked_lm"), golden("causal_lm_padded"), golden("decoders/llama")] {
        let facts = folder.facts();
        let (layers, heads) = (facts.layers, facts.heads);
        for (model, tolerance) in models(&folder) {
            let length = folder.request().length;
            // Every other id again, the first special.
            let tokens: Vec<f32> =
                (0..length).map(|token| if token == 0 { -1.0 } else { (token % 3) as f32 }).collect();
            let context = context(&model);
            let (_, headless) = run(&context, &folder.request());
            let refused = statistics(&headless, layers, &tokens).unwrap_err();
            assert_eq!(refused.code(), "no-heads", "statistics of a run that kept no heads");
            let request = Request {
                taps: (0..layers).map(|layer| TensorName::Attentions.at(layer)).collect(),
                ..folder.request()
            };
            let (output, run) = run(&context, &request);
            let refused = statistics(&run, layers, &tokens[1..]).unwrap_err();
            assert_eq!(refused.code(), "wrong-count", "statistics of another text");
            let mask = &request.attention_mask.as_ref().unwrap()[..length];
            let queries: Vec<usize> = (1..length).filter(|query| mask[*query] == 1).collect();
            let found = statistics(&run, layers, &tokens).unwrap();
            assert_eq!(found.shape, [layers, heads, 10], "{}", folder.name);
            let mut expected = Vec::new();
            for layer in 0..layers {
                let maps = &output.taps[&TensorName::Attentions.at(layer)].data;
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
    for (context, _) in contexts_with_heads(&folder) {
        let frozen = [Intervention::freeze(0, 0, 0..=0)];
        let interventions = Interventions::from(frozen);
        let (_, run) = run(&context, &Request { interventions, ..folder.text(1, 5) });
        map(&run, 0, 0, MapKind::Score);
        for kind in [MapKind::Unrotated, MapKind::RotationEffect] {
            let refused =
                pollster::block_on(run.map(HeadId::new(0, 0), kind, usize::MAX, &NeverCancelled)).unwrap_err();
            assert_eq!(refused.code(), "rotation-of-changed-pairs", "{kind:?}");
        }
        let outside = HeadId::new(0, folder.facts().heads);
        let refused = pollster::block_on(run.map(outside, MapKind::Score, usize::MAX, &NeverCancelled)).unwrap_err();
        assert_eq!(refused.code(), "head-out-of-range");
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
    let present = |losses: &[Option<f32>]| losses.iter().map(Option::is_some).collect::<Vec<bool>>();
    assert_eq!(present(found), present(expected), "{what}");
    let numbers = |losses: &[Option<f32>]| losses.iter().flatten().copied().collect::<Vec<f32>>();
    assert_close(what, &numbers(found), &numbers(expected), tolerance);
}

#[test]
fn labels_are_scored_beside_every_result() {
    for folder in folders() {
        let vocabulary = folder.facts().vocab_size as u32;
        for (context, tolerance) in contexts(&folder) {
            let text = folder.text(2, 5);
            let logits = output(&context, &text).result.unwrap().data;
            let label = |row: u32| (row % 3 != 1).then_some((row * 17 + vocabulary - 1) % vocabulary);
            let labels: Vec<Option<u32>> = (0..10).map(label).collect();
            let expected = losses(&logits, &labels);
            let of_all = output(&context, &Request { labels: Some(labels.clone()), ..text.clone() });
            assert_losses(&format!("{}: all rows", folder.name), &of_all.losses, &expected, tolerance);
            assert_close("logits beside them", &of_all.result.as_ref().unwrap().data, &logits, 1e-6);

            // Some rows, in an order of their own, beside fills and taps.
            let at = [7u32, 2, 4];
            let picked: Vec<Option<u32>> = at.iter().map(|row| labels[*row as usize]).collect();
            let request = Request {
                rows: PredictionRows::At(at.to_vec()),
                labels: Some(picked.clone()),
                top_k: 3,
                taps: [TensorName::HiddenStates.at(0)].into_iter().collect(),
                selection: Some(HeadId::new(0, 0)),
                ..text.clone()
            };
            let of_some = output(&context, &request);
            let expected: Vec<Option<f32>> = at.iter().map(|row| expected[*row as usize]).collect();
            assert_losses(&format!("{}: rows {at:?}", folder.name), &of_some.losses, &expected, tolerance);
            assert!(of_some.taps.contains_key(&TensorName::HiddenStates.at(0)) && of_some.head.is_some());

            // The best fills as labels have the logarithms that came with them.
            let best: Vec<Option<u32>> = of_some.top.iter().map(|row| Some(row[0].id)).collect();
            let logarithms: Vec<Option<f32>> = of_some.top.iter().map(|row| Some(-row[0].log_probability)).collect();
            let of_best = output(&context, &Request { labels: Some(best), ..request });
            assert_losses(&format!("{}: best fills", folder.name), &of_best.losses, &logarithms, 1e-5);
            assert_eq!(output(&context, &text).losses, Vec::new());
        }
    }
}

#[test]
fn a_text_that_goes_on_is_scored_alike() {
    let folder = golden("decoders/llama");
    for (context, tolerance) in contexts(&folder) {
        let text = folder.text(1, 9);
        let labels: Vec<Option<u32>> = text.ids[1..].iter().map(|id| Some(*id)).chain([None]).collect();
        let at_once = output(&context, &Request { labels: Some(labels.clone()), top_k: 1, ..text.clone() }).losses;
        run(&context, &Request { ids: text.ids[..5].to_vec(), length: 5, continues: true, ..text.clone() });
        let rest = Request {
            rows: PredictionRows::At(vec![6, 7, 8]),
            labels: Some(labels[6..].to_vec()),
            continues: true,
            ..text.clone()
        };
        assert_losses("the rest", &output(&context, &rest).losses, &at_once[6..], tolerance);
    }
}

#[test]
fn wrong_labels_are_refused() {
    let folder = golden("tiny_masked_lm");
    let vocabulary = folder.facts().vocab_size as u32;
    let with = |labels: Vec<Option<u32>>| Request { labels: Some(labels), ..folder.text(1, 3) };
    let context = context(&folder.load(Device::Cpu));
    for (labels, code) in [
        (vec![Some(0), None, Some(vocabulary)], "label-out-of-vocabulary"),
        (vec![Some(0), None, Some(u32::MAX)], "label-out-of-vocabulary"),
        (vec![Some(0); 2], "wrong-count"),
        (vec![Some(0); 4], "wrong-count"),
        (vec![], "wrong-count"),
    ] {
        let refused = pollster::block_on(context.run(&with(labels.clone()), &NeverCancelled)).err().unwrap();
        assert_eq!(refused.code(), code, "{labels:?}");
    }
    assert_eq!(output(&context, &with(vec![None; 3])).losses, [None; 3]);
    for name in ["tiny_model", "tiny_sequence_classification"] {
        let folder = golden(name);
        let request = Request { labels: Some(vec![None; 3]), ..folder.text(1, 3) };
        let refused = pollster::block_on(self::context(&folder.load(Device::Cpu)).run(&request, &NeverCancelled));
        let refused = refused.err().unwrap();
        assert_eq!(refused.code(), "no-vocabulary-head", "{name}");
    }
}

/// The texts that tests/golden/generate_interventions.py reads a folder's model with.
fn text_of(folder: &Folder, expected: &Expected) -> Request {
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
        let request = Request { top_k, lens: true, ..text_of(&folder, &expected) };
        for (context, tolerance) in contexts(&folder) {
            let all = output(&context, &request);
            assert_eq!(all.lens.len(), layers, "{}", folder.name);
            assert_eq!(all.lens[layers - 1], all.top, "{}: the last layer is the result", folder.name);
            let theirs = expected.integers(&of("ids")).chunks_exact(rows * top_k);
            let theirs = theirs.zip(expected.floats(&of("log_p")).chunks_exact(rows * top_k));
            for (layer, (found, (expected_ids, expected))) in all.lens.iter().zip(theirs).enumerate() {
                let what = format!("{}, layer {layer}", folder.name);
                assert_eq!(ids(found), expected_ids, "{what}");
                assert_close(&what, &logarithms(found), expected, tolerance);
            }
            // Some rows, in an order of their own, beside labels, taps and a head.
            let some = Request {
                rows: PredictionRows::At(vec![7, 2]),
                labels: Some(vec![None, Some(1)]),
                taps: [TensorName::HiddenStates.at(1)].into_iter().collect(),
                selection: Some(HeadId::new(1, 0)),
                ..request.clone()
            };
            let some = output(&context, &some);
            for (layer, (some, all)) in some.lens.iter().zip(&all.lens).enumerate() {
                let picked = [all[7].clone(), all[2].clone()];
                assert_eq!(ids(some), ids(&picked), "{}, rows of layer {layer}", folder.name);
                assert_close(&folder.name, &logarithms(some), &logarithms(&picked), 1e-5);
            }
            assert!(
                some.head.is_some()
                    && some.losses[1].is_some()
                    && some.taps.contains_key(&TensorName::HiddenStates.at(1))
            );
            assert_eq!(
                output(&context, &Request { lens: false, ..request.clone() }).lens,
                Vec::<Vec<Vec<Fill>>>::new()
            );
        }
    }
}

#[test]
fn the_lens_of_a_text_that_goes_on_is_that_of_the_whole() {
    let folder = golden("decoders/llama");
    for (context, tolerance) in contexts(&folder) {
        let text = folder.text(1, 9);
        let with_lens = Request { rows: PredictionRows::At(vec![7, 8]), top_k: 4, lens: true, ..text.clone() };
        let at_once = output(&context, &with_lens);
        run(&context, &Request { ids: text.ids[..5].to_vec(), length: 5, continues: true, ..text });
        let rest = output(&context, &Request { continues: true, ..with_lens.clone() });
        assert_eq!(rest.report.computed, 4);
        for (layer, (rest, at_once)) in rest.lens.iter().zip(&at_once.lens).enumerate() {
            assert_eq!(ids(rest), ids(at_once), "layer {layer}");
            assert_close(&format!("layer {layer}"), &logarithms(rest), &logarithms(at_once), tolerance);
        }
        // A penalty acts on what every layer gives.
        let penalised = output(&context, &Request { penalty: Some(5.0), ..with_lens });
        for (layer, (with, without)) in penalised.lens.iter().zip(&at_once.lens).enumerate() {
            assert_ne!(logarithms(with), logarithms(without), "layer {layer}");
        }
        assert_eq!(penalised.lens.last(), Some(&penalised.top));
    }
}

#[test]
fn a_lens_without_fills_or_a_head_is_refused() {
    for (name, top_k, code) in [
        ("tiny_masked_lm", 0, "top-k-out-of-range"),
        ("tiny_model", 3, "no-vocabulary-head"),
        ("tiny_model", 0, "no-vocabulary-head"),
    ] {
        let folder = golden(name);
        let request = Request { lens: true, top_k, ..folder.text(1, 3) };
        let context = context(&folder.load(Device::Cpu));
        let refused = pollster::block_on(context.run(&request, &NeverCancelled)).err().unwrap();
        assert_eq!(refused.code(), code, "{name}, {top_k} fills");
    }
}
