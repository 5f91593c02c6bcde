//! Interventions of a run, on both backends: pairs are frozen or ablated, heads are replaced, ropes are rescaled.

use crate::support::{Expected, Folder, assert_close, context, context_with_heads, golden, gpu, output, run};
use ropescope::backend::NeverCancelled;
use ropescope::model::Architecture;
use ropescope::ops::MapKind;
use ropescope::plan::{Heads, Part, Site, Taps, TensorName};
use ropescope::rope::Scaling;
use ropescope::runtime::{
    Context, Device, HeadId, Intervention, Interventions, LoadOptions, Model, Output, PredictionRows, Replacement,
    Request, Run,
};
use ropescope::weights::json;

/// A RoFormer, a Llama with grouped keys, and models with two ropes, windows, norms of heads, or embeddings that make up for masks.
pub fn folders() -> [Folder; 5] {
    ["tiny_masked_lm", "decoders/llama", "decoders/gemma3", "readers/modernbert", "readers/esm"].map(golden)
}

fn with_taps(interventions: Interventions, request: Request) -> Request {
    let taps = [0, 1].into_iter().flat_map(|layer| {
        [
            TensorName::Attentions.at(layer),
            TensorName::Query.at(layer),
            TensorName::Key.at(layer),
            TensorName::QueryRotated.at(layer),
            TensorName::KeyRotated.at(layer),
        ]
    });
    Request {
        taps: taps.chain([TensorName::HiddenStates.at(1), TensorName::HiddenStates.at(0)]).collect::<Taps>(),
        interventions,
        ..request
    }
}

/// (heads, length, head_size) of a tap of the first sequence: one head.
fn rows(output: &Output, tap: Site, head: usize) -> Vec<Vec<f32>> {
    let tensor = &output.taps[&tap];
    let &[_, _, length, size] = tensor.shape.as_slice() else { panic!("{tap}: {:?}", tensor.shape) };
    tensor.data[head * length * size..][..length * size].chunks(size).map(<[f32]>::to_vec).collect()
}

/// The map that query and key rows of a layer give: softmax(q kᵀ · scale), causal or not, in its window.
fn map(query: &[Vec<f32>], key: &[Vec<f32>], Heads { scale, causal, window, .. }: Heads) -> Vec<f32> {
    let mut map = Vec::new();
    for (at, query) in query.iter().enumerate() {
        let score = |key: &Vec<f32>| -> f64 {
            query.iter().zip(key).map(|(q, k)| f64::from(*q) * f64::from(*k)).sum::<f64>() * f64::from(scale)
        };
        let near = |n: usize| window.is_none_or(|window| at.abs_diff(n) < window);
        let visible = |n: usize| near(n) && !(causal && n > at);
        let weights: Vec<f64> =
            key.iter().enumerate().map(|(n, key)| if visible(n) { score(key).exp() } else { 0.0 }).collect();
        let total: f64 = weights.iter().sum();
        map.extend(weights.iter().map(|weight| (weight / total) as f32));
    }
    map
}

fn attention(output: &Output, layer: usize, head: usize) -> Vec<f32> {
    let tensor = &output.taps[&TensorName::Attentions.at(layer)];
    let count = tensor.shape[2] * tensor.shape[3];
    tensor.data[head * count..][..count].to_vec()
}

/// These heads ablated.
fn ablated(heads: impl IntoIterator<Item = (usize, usize)>, by: Replacement) -> Interventions {
    heads.into_iter().map(|(layer, head)| Intervention::ablate_head(layer, head, by)).into()
}

fn zero(heads: impl IntoIterator<Item = (usize, usize)>) -> Interventions {
    ablated(heads, Replacement::Zero)
}

fn models(folder: &Folder) -> [(Model, f32); 2] {
    [(folder.load(Device::Cpu), 1e-5), (folder.load(gpu()), 1e-4)]
}

/// A context on each backend, without heads, and how far it may be off.
pub fn contexts(folder: &Folder) -> [(Context, f32); 2] {
    models(folder).map(|(model, tolerance)| (context(&model), tolerance))
}

/// The same, whose runs keep their heads.
fn contexts_with_heads(folder: &Folder) -> [(Context, f32); 2] {
    models(folder).map(|(model, tolerance)| (context_with_heads(&model), tolerance))
}

fn map_of(run: &Run, head: HeadId, kind: MapKind) -> Vec<f32> {
    pollster::block_on(run.map(head, kind, usize::MAX, &NeverCancelled)).unwrap().data
}

#[test]
fn frozen_heads_score_by_content_alone() {
    for folder in folders() {
        let facts = folder.facts();
        let pairs = 0..=facts.head_size / 2 - 1;
        let frozen = [Intervention::freeze(0, 1, pairs)];
        let request = with_taps(Interventions::from(frozen), folder.text(1, 7));
        let group = facts.heads / facts.key_heads;
        let heads = folder.heads()[0];
        for (context, tolerance) in contexts(&folder) {
            let output = output(&context, &request);
            // Every query head of the group, since their keys are one.
            for head in (0..facts.heads).filter(|head| head / group == 1 / group) {
                let (query, key) =
                    (rows(&output, TensorName::Query.at(0), head), rows(&output, TensorName::Key.at(0), head / group));
                let expected = map(&query, &key, heads);
                assert_close(
                    &format!("{}, head {head}", folder.name),
                    &attention(&output, 0, head),
                    &expected,
                    tolerance,
                );
            }
            // The last head is of another group, and turns.
            let last = facts.heads - 1;
            let (query, key) = (
                rows(&output, TensorName::QueryRotated.at(0), last),
                rows(&output, TensorName::KeyRotated.at(0), last / group),
            );
            assert_close("another head", &attention(&output, 0, last), &map(&query, &key, heads), tolerance);
            assert_ne!(rows(&output, TensorName::Query.at(0), last), query, "{}", folder.name);
        }
    }
}

#[test]
fn ablated_pairs_have_no_part_in_their_head() {
    for folder in folders() {
        let facts = folder.facts();
        let pair = 1;
        let ablated = [Intervention::ablate_pairs(1, 0, pair..=pair)];
        let request = with_taps(Interventions::from(ablated), folder.text(1, 7));
        for (context, tolerance) in contexts(&folder) {
            let output = output(&context, &request);
            let query = rows(&output, TensorName::QueryRotated.at(1), 0);
            let key = rows(&output, TensorName::KeyRotated.at(1), 0);
            let places = match folder.pairs_halves() {
                true => [pair, pair + facts.head_size / 2],
                false => [2 * pair, 2 * pair + 1],
            };
            assert!(query.iter().all(|row| places.iter().all(|at| row[*at] == 0.0)), "{}: {query:?}", folder.name);
            assert!(key.iter().any(|row| row[places[0]] != 0.0), "{}", folder.name);
            let expected = map(&query, &key, folder.heads()[1]);
            assert_close(&folder.name, &attention(&output, 1, 0), &expected, tolerance);
        }
    }
}

#[test]
fn interventions_out_of_range_are_refused() {
    let folder = golden("tiny_masked_lm");
    let facts = folder.facts();
    let context = context(&folder.load(Device::Cpu));
    let too_far = Intervention::freeze(0, 0, 0..=facts.head_size / 2);
    let both = [Intervention::freeze(0, 0, 0..=0), Intervention::clamp_distances(3)];
    for interventions in [
        zero([(facts.layers, 0)]),
        zero([(0, facts.heads)]),
        Interventions::from([Intervention::log_n(1.0)]),
        Interventions::from([Intervention::log_n(f64::NAN)]),
        Interventions::from([Intervention::log_n(f64::INFINITY)]),
        Interventions::from([too_far]),
        Interventions::from(both),
        Interventions::from([Intervention::ablate_pairs(facts.layers, 0, 0..=0)]),
    ] {
        let request = Request { interventions, ..folder.text(1, 3) };
        assert!(pollster::block_on(context.run(&request, &NeverCancelled)).is_err(), "{:?}", request.interventions);
    }
}

/// The changes of tests/golden/generate_interventions.py.
fn changes() -> Vec<(&'static str, Interventions)> {
    let mixed = [(0, 0, Replacement::Zero), (0, 1, Replacement::Mean)];
    let mixed = mixed.map(|(layer, head, by)| Intervention::ablate_head(layer, head, by));
    let all = [
        Intervention::rotate_values(),
        Intervention::log_n(4.0),
        Intervention::clamp_distances(3),
        Intervention::ablate_head(1, 0, Replacement::Mean),
    ];
    vec![
        ("zero", zero([(0, 1), (1, 0)])),
        ("mean", ablated([(0, 0), (1, 1)], Replacement::Mean)),
        ("mean_and_zero", mixed.into()),
        ("rove", Interventions::from([Intervention::rotate_values()])),
        ("log_n", Interventions::from([Intervention::log_n(3.0)])),
        ("rerope", Interventions::from([Intervention::clamp_distances(2)])),
        ("all", all.into()),
    ]
}

#[test]
fn changes_are_those_of_hugging_faces_models() {
    let expected = Expected::open("tests/golden/interventions.safetensors");
    for folder in [golden("tiny_masked_lm"), golden("decoders/llama"), golden("decoders/gpt_neox")] {
        let of = |name: &str| format!("{}/{name}", folder.name);
        let &[batch, length] = expected.shape(&of("input_ids")) else { panic!("{}: ids of no batch", folder.name) };
        let text = Request {
            attention_mask: Some(expected.integers(&of("attention_mask")).to_vec()),
            ..Request::new(expected.integers(&of("input_ids")).to_vec(), batch, length)
        };
        for (context, tolerance) in contexts_with_heads(&folder) {
            for (name, interventions) in changes() {
                let what = of(name);
                // Over a cache, too, which holds the same text unchanged.
                for continues in [false, true].into_iter().filter(|continues| folder.facts().causal || !continues) {
                    if continues {
                        run(&context, &Request { continues, ..text.clone() });
                    }
                    let changed = Request { interventions: interventions.clone(), continues, ..text.clone() };
                    let (output, run) = run(&context, &changed);
                    let logits = expected.floats(&format!("{what}.logits"));
                    assert_close(&what, &output.result.as_ref().unwrap().data, logits, tolerance);
                    for (kind, maps) in [(MapKind::Weight, "weights"), (MapKind::Score, "scores")] {
                        let maps = expected.floats(&format!("{what}.{maps}")).chunks_exact(length * length);
                        for (head, expected) in maps.enumerate() {
                            let map = map_of(&run, HeadId::new(folder.facts().layers - 1, head), kind);
                            assert_close(&format!("{what}, {kind:?} of head {head}"), &map, expected, tolerance);
                        }
                    }
                }
            }
        }
    }
}

/// RoVE is a function of distances alone, RoFormer's own `rotary_value` is not.
#[test]
fn rotated_values_that_turn_back_do_not_know_where_the_text_begins() {
    let rove = Interventions::from([Intervention::rotate_values()]);
    let change = |folder: &Folder, interventions: &Interventions| {
        contexts(folder).map(|(context, tolerance)| {
            let [here, there] = [0, 1000].map(|position_offset| {
                let request = Request { position_offset, interventions: interventions.clone(), ..folder.text(2, 11) };
                output(&context, &request).result.unwrap().data
            });
            let largest = here.iter().fold(1.0f32, |largest, logit| largest.max(logit.abs()));
            let change = here.iter().zip(&there).fold(0.0f32, |most, (here, there)| most.max((here - there).abs()));
            (change / largest, tolerance)
        })
    };
    for name in
        ["tiny_masked_lm", "masked_lm_rotary_value", "decoders/llama", "decoders/gpt_neox", "decoders/rope_yarn"]
    {
        for (change, tolerance) in change(&golden(name), &rove) {
            assert!(change <= tolerance, "{name}: RoVE changes by {change}");
        }
    }
    for (change, _) in change(&golden("masked_lm_rotary_value"), &Interventions::default()) {
        assert!(change > 1e-2, "rotary_value changes by {change} alone");
    }
}

/// RoFormer's `rotary_value` has turned the values already: turned back, they are RoVE's.
#[test]
fn rotary_value_turned_back_is_rove() {
    let folder = golden("masked_lm_rotary_value");
    let rove = Interventions::from([Intervention::rotate_values()]);
    let request = Request { interventions: rove, ..folder.text(1, 9) };
    let plain = folder.config_json().replace("\"rotary_value\": true", "\"rotary_value\": false");
    assert_ne!(plain, folder.config_json());
    for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
        let file = folder.file();
        let without = pollster::block_on(Model::load(&device, &plain, &file, LoadOptions::default())).unwrap();
        let expected = output(&context(&without), &request).result.unwrap();
        let found = output(&context(&folder.load(device)), &request).result.unwrap();
        assert_close("logits", &found.data, &expected.data, tolerance);
    }
}

/// Scaled by position ids and the offset, in a text that goes on as in a whole one; below n nothing is scaled.
#[test]
fn scores_are_scaled_by_the_position_of_the_query() {
    let folder = golden("decoders/llama");
    let with = |log_n: Option<f64>| log_n.map(Intervention::log_n).into();
    for (context, tolerance) in contexts_with_heads(&folder) {
        let text = folder.text(1, 9);
        let scores = |request: &Request| map_of(&run(&context, request).1, HeadId::new(0, 1), MapKind::Score);
        let plain = scores(&text);
        let below = scores(&Request { interventions: with(Some(9.0)), ..text.clone() });
        assert_eq!(below, plain);
        let ids = vec![8, 7, 6, 5, 4, 3, 2, 1, 0];
        let moved = Request { position_ids: Some(ids.clone()), position_offset: 20, ..text.clone() };
        let plain = scores(&moved);
        let scaled = scores(&Request { interventions: with(Some(25.0)), ..moved });
        let scale = |id: u32| (f64::from(id + 21).ln() / 25f64.ln()).max(1.0) as f32;
        let expected = plain.chunks(9).zip(&ids).flat_map(|(row, id)| row.iter().map(move |score| score * scale(*id)));
        assert_close("scaled scores", &scaled, &expected.collect::<Vec<f32>>(), tolerance);

        let changed = Request { interventions: with(Some(2.0)), ..text.clone() };
        let complete = scores(&changed);
        let part = Request { ids: text.ids[..4].to_vec(), length: 4, continues: true, ..changed.clone() };
        scores(&part);
        let rows = PredictionRows::At(vec![8]);
        let gone_on = scores(&Request { continues: true, rows, ..changed });
        assert_close("a text that goes on", &gone_on, &complete, tolerance);
    }
}

/// A reach that no pair passes changes nothing; wherever a text begins, and whatever its cache holds, maps of one reach are alike.
#[test]
fn distances_are_clamped_to_the_reach() {
    for folder in folders() {
        for (context, tolerance) in contexts_with_heads(&folder) {
            let text = folder.text(1, 9);
            let layers = folder.facts().layers;
            let answers = |reach: Option<usize>, request: &Request| {
                let interventions = Interventions::from(reach.map(Intervention::clamp_distances));
                let (output, run) = run(&context, &Request { interventions, ..request.clone() });
                let mut answers = output.result.unwrap().data;
                for kind in [MapKind::Weight, MapKind::Score, MapKind::Unrotated] {
                    answers.extend(map_of(&run, HeadId::new(1, 1), kind));
                }
                let tokens = vec![0.0; request.length];
                let statistics = run.statistics(Part::Decoder, 0..layers, &tokens, &NeverCancelled);
                answers.extend(pollster::block_on(statistics).unwrap().data);
                answers
            };
            let plain = answers(None, &text);
            for far in [8, usize::MAX] {
                assert_close(&folder.name, &answers(Some(far), &text), &plain, tolerance);
            }
            let clamped = answers(Some(3), &text);
            let change = clamped.iter().zip(&plain).fold(0.0f32, |most, (one, other)| most.max((one - other).abs()));
            assert!(change > 1e-2, "{}: {change}", folder.name);
            let moved = answers(Some(3), &Request { position_offset: 1000, ..text.clone() });
            assert_close(&format!("{}, moved", folder.name), &moved, &clamped, 10.0 * tolerance);
            if folder.facts().causal {
                let start = Request { ids: text.ids[..5].to_vec(), length: 5, continues: true, ..text.clone() };
                answers(Some(3), &start);
                let gone_on = answers(Some(3), &Request { continues: true, ..text.clone() });
                assert_close(&format!("{}, gone on", folder.name), &gone_on, &clamped, tolerance);
            }
        }
    }
}

/// At distance 0 alone nothing turns: every score is the unrotated one.
#[test]
fn without_a_reach_no_score_turns() {
    for folder in folders() {
        for (context, tolerance) in contexts_with_heads(&folder) {
            let interventions = Interventions::from([Intervention::clamp_distances(0)]);
            let (_, run) = run(&context, &Request { interventions, ..folder.text(1, 7) });
            let [score, unrotated] =
                [MapKind::Score, MapKind::Unrotated].map(|kind| map_of(&run, HeadId::new(0, 1), kind));
            assert_close(&folder.name, &score, &unrotated, tolerance);
        }
    }
}

/// A cache that was filled under one interventions is no use under another.
#[test]
fn a_cache_belongs_to_its_intervention() {
    let folder = golden("decoders/llama");
    let model = folder.load(Device::Cpu);
    let used = context(&model);
    let frozen = [Intervention::freeze(0, 0, 0..=1)];
    let interventions = Interventions::from(frozen);
    let plain = Request { continues: true, ..folder.text(1, 8) };
    let changed = Request { interventions, ..plain.clone() };
    run(&used, &plain);
    let after = output(&used, &changed);
    let fresh = output(&context(&model), &changed);
    assert_eq!(after.report.computed, 8);
    assert_eq!(after.result.as_ref().unwrap(), fresh.result.as_ref().unwrap());
}

/// A linear scaling by 2 is every position halved: a RoFormer at positions 0, 2, 4 … turns then as it did at 0, 1, 2 …
#[test]
fn a_rescaled_rope_turns_otherwise() {
    let folder = golden("decoders/llama");
    let mut architecture = folder.architecture();
    let frequencies = |architecture: &Architecture| architecture.ropes[0].frequencies(4).theta;
    let before = frequencies(&architecture);
    architecture
        .rescale(&Scaling::parse(&json::parse(r#"{"rope_type": "linear", "factor": 2.0}"#).unwrap()).unwrap())
        .unwrap();
    for (before, after) in before.iter().zip(frequencies(&architecture)) {
        assert!((before / 2.0 - after).abs() < 1e-15);
    }
}
