//! What a run changes in a model: pairs stopped or cut, heads replaced, ropes rescaled; on both backends.

mod support;

use ropescope::backend::Unhurried;
use ropescope::ops::MapKind;
use ropescope::plan::{HeadAblation, Heads, Tap, Taps};
use ropescope::rope::Scaling;
use ropescope::session::{Device, Intervention, Output, Pairs, Replaced, Request, Rows, Selection, Session};
use ropescope::weights::json;
use support::{Expected, Folder, assert_close, golden, gpu, run};

/// A RoFormer, a Llama with grouped keys, and models with two ropes, windows, norms of heads, or embeddings that make up for masks.
fn folders() -> [Folder; 5] {
    ["tiny_masked_lm", "decoders/llama", "decoders/gemma3", "readers/modernbert", "readers/esm"].map(golden)
}

fn tapped(intervention: Intervention, request: Request) -> Request {
    let taps = [0, 1].into_iter().flat_map(|layer| {
        [Tap::Attentions(layer), Tap::Query(layer), Tap::Key(layer), Tap::QueryRotated(layer), Tap::KeyRotated(layer)]
    });
    Request {
        taps: taps.chain([Tap::HiddenStates(1), Tap::HiddenStates(0)]).collect::<Taps>(),
        intervention,
        ..request
    }
}

/// (heads, length, head_size) of a tap of the first sequence: one head.
fn rows(output: &Output, tap: Tap, head: usize) -> Vec<Vec<f32>> {
    let tensor = &output.tensors[&tap.to_string()];
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
        let seen = |n: usize| near(n) && !(causal && n > at);
        let weights: Vec<f64> =
            key.iter().enumerate().map(|(n, key)| if seen(n) { score(key).exp() } else { 0.0 }).collect();
        let total: f64 = weights.iter().sum();
        map.extend(weights.iter().map(|weight| (weight / total) as f32));
    }
    map
}

fn attention(output: &Output, layer: usize, head: usize) -> Vec<f32> {
    let tensor = &output.tensors[&Tap::Attentions(layer).to_string()];
    let count = tensor.shape[2] * tensor.shape[3];
    tensor.data[head * count..][..count].to_vec()
}

/// These heads replaced.
fn replaced(heads: impl IntoIterator<Item = (usize, usize)>, by: HeadAblation) -> Intervention {
    let replaced = heads.into_iter().map(|(layer, head)| Replaced { layer, head, by }).collect();
    Intervention { replaced, ..Intervention::default() }
}

fn zero(heads: impl IntoIterator<Item = (usize, usize)>) -> Intervention {
    replaced(heads, HeadAblation::Zero)
}

fn sessions(folder: &Folder) -> [(Session, f32); 2] {
    [(folder.load(Device::Cpu), 1e-5), (folder.load(gpu()), 1e-4)]
}

#[test]
fn stopped_heads_score_by_content_alone() {
    for folder in folders() {
        let facts = folder.facts();
        let pairs = 0..=facts.head_size / 2 - 1;
        let stopped = vec![Pairs { layer: 0, head: 1, pairs }];
        let request = tapped(Intervention { stopped, ..Intervention::default() }, folder.text(1, 7));
        let group = facts.heads / facts.key_heads;
        let heads = folder.heads()[0];
        for (mut session, tolerance) in sessions(&folder) {
            let output = run(&mut session, &request);
            // Every query head of the group, since their keys are one.
            for head in (0..facts.heads).filter(|head| head / group == 1 / group) {
                let (query, key) = (rows(&output, Tap::Query(0), head), rows(&output, Tap::Key(0), head / group));
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
            let (query, key) =
                (rows(&output, Tap::QueryRotated(0), last), rows(&output, Tap::KeyRotated(0), last / group));
            assert_close("another head", &attention(&output, 0, last), &map(&query, &key, heads), tolerance);
            assert_ne!(rows(&output, Tap::Query(0), last), query, "{}", folder.name);
        }
    }
}

#[test]
fn cut_pairs_have_no_part_in_their_head() {
    for folder in folders() {
        let facts = folder.facts();
        let pair = 1;
        let cut = vec![Pairs { layer: 1, head: 0, pairs: pair..=pair }];
        let request = tapped(Intervention { cut, ..Intervention::default() }, folder.text(1, 7));
        for (mut session, tolerance) in sessions(&folder) {
            let output = run(&mut session, &request);
            let query = rows(&output, Tap::QueryRotated(1), 0);
            let key = rows(&output, Tap::KeyRotated(1), 0);
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
fn without_heads_no_token_hears_of_another() {
    for folder in folders() {
        let facts = folder.facts();
        let heads = (0..facts.layers).flat_map(|layer| (0..facts.heads).map(move |head| (layer, head)));
        let off = zero(heads);
        let request = Request { intervention: off, ..folder.text(1, 6) };
        let mut other = request.clone();
        other.ids[0] = (other.ids[0] + 1) % facts.vocab_size as u32;
        for (mut session, _) in sessions(&folder) {
            let tokens = |output: Output| output.tensors["logits"].data[facts.vocab_size..].to_vec();
            let (one, two) = (tokens(run(&mut session, &request)), tokens(run(&mut session, &other)));
            assert_eq!(one, two, "{}: the first token is heard of", folder.name);
            let whole = Request { intervention: Intervention::default(), ..request.clone() };
            assert_ne!(one, tokens(run(&mut session, &whole)), "{}: nothing was switched off", folder.name);
        }
    }
}

#[test]
fn one_head_off_is_not_another() {
    let folder = golden("tiny_masked_lm");
    for (mut session, _) in sessions(&folder) {
        let mut logits = |heads: Vec<(usize, usize)>| {
            let intervention = zero(heads);
            run(&mut session, &Request { intervention, ..folder.text(1, 6) }).tensors["logits"].data.clone()
        };
        let all = [vec![], vec![(0, 1)], vec![(1, 1)], vec![(0, 0)]].map(&mut logits);
        for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            assert_ne!(all[one], all[other]);
        }
    }
}

#[test]
fn interventions_out_of_range_are_refused() {
    let folder = golden("tiny_masked_lm");
    let facts = folder.facts();
    let mut session = folder.load(Device::Cpu);
    let pairs = |layer, head, last| vec![Pairs { layer, head, pairs: 0..=last }];
    for intervention in [
        zero([(facts.layers, 0)]),
        zero([(0, facts.heads)]),
        Intervention { log_n: Some(1.0), ..Intervention::default() },
        Intervention { log_n: Some(f64::NAN), ..Intervention::default() },
        Intervention { log_n: Some(f64::INFINITY), ..Intervention::default() },
        Intervention { stopped: pairs(0, 0, facts.head_size / 2), ..Intervention::default() },
        Intervention { stopped: pairs(0, 0, 0), reach: Some(3), ..Intervention::default() },
        Intervention { cut: pairs(facts.layers, 0, 0), ..Intervention::default() },
    ] {
        let request = Request { intervention, ..folder.text(1, 3) };
        assert!(pollster::block_on(session.run(&request)).is_err(), "{:?}", request.intervention);
    }
}

/// The changes of tests/golden/generate_interventions.py.
fn changes() -> Vec<(&'static str, Intervention)> {
    let mixed = [zero([(0, 0)]).replaced, replaced([(0, 1)], HeadAblation::Mean).replaced].concat();
    vec![
        ("zero", zero([(0, 1), (1, 0)])),
        ("mean", replaced([(0, 0), (1, 1)], HeadAblation::Mean)),
        ("mean_and_zero", Intervention { replaced: mixed, ..Intervention::default() }),
        ("rove", Intervention { rotates_values: true, ..Intervention::default() }),
        ("log_n", Intervention { log_n: Some(3.0), ..Intervention::default() }),
        ("rerope", Intervention { reach: Some(2), ..Intervention::default() }),
        (
            "all",
            Intervention {
                rotates_values: true,
                log_n: Some(4.0),
                reach: Some(3),
                ..replaced([(1, 0)], HeadAblation::Mean)
            },
        ),
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
            keeps_heads: true,
            ..Request::new(expected.integers(&of("input_ids")).to_vec(), batch, length)
        };
        for (mut session, tolerance) in sessions(&folder) {
            for (name, intervention) in changes() {
                let what = of(name);
                // Over a cache, too, which holds the same text unchanged.
                for continues in [false, true].into_iter().filter(|continues| folder.facts().causal || !continues) {
                    if continues {
                        run(&mut session, &Request { continues, ..text.clone() });
                    }
                    let changed = Request { intervention: intervention.clone(), continues, ..text.clone() };
                    let output = run(&mut session, &changed);
                    let told = expected.floats(&format!("{what}.logits"));
                    assert_close(&what, &output.tensors["logits"].data, told, tolerance);
                    for (kind, maps) in [(MapKind::Weight, "weights"), (MapKind::Score, "scores")] {
                        let maps = expected.floats(&format!("{what}.{maps}")).chunks_exact(length * length);
                        for (head, expected) in maps.enumerate() {
                            let selection = Selection { layer: folder.facts().layers - 1, head };
                            let map = pollster::block_on(session.map(selection, kind, usize::MAX, &Unhurried)).unwrap();
                            assert_close(&format!("{what}, {kind:?} of head {head}"), &map.data, expected, tolerance);
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
    let rove = Intervention { rotates_values: true, ..Intervention::default() };
    let change = |folder: &Folder, intervention: &Intervention| {
        sessions(folder).map(|(mut session, tolerance)| {
            let [here, there] = [0, 1000].map(|position_offset| {
                let request = Request { position_offset, intervention: intervention.clone(), ..folder.text(2, 11) };
                run(&mut session, &request).tensors.remove("logits").unwrap().data
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
    for (change, _) in change(&golden("masked_lm_rotary_value"), &Intervention::default()) {
        assert!(change > 1e-2, "rotary_value changes by {change} alone");
    }
}

/// RoFormer's `rotary_value` has turned the values already: turned back, they are RoVE's.
#[test]
fn rotary_value_turned_back_is_rove() {
    let folder = golden("masked_lm_rotary_value");
    let rove = Intervention { rotates_values: true, ..Intervention::default() };
    let request = Request { intervention: rove, ..folder.text(1, 9) };
    let plain = folder.config_json().replace("\"rotary_value\": true", "\"rotary_value\": false");
    assert_ne!(plain, folder.config_json());
    for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
        let mut without = pollster::block_on(Session::load(&plain, &folder.file(), &device)).unwrap();
        let expected = run(&mut without, &request).tensors.remove("logits").unwrap();
        let found = run(&mut folder.load(device), &request).tensors.remove("logits").unwrap();
        assert_close("logits", &found.data, &expected.data, tolerance);
    }
}

/// Scaled by position ids and the offset, in a text that goes on as in a whole one; below n nothing is scaled.
#[test]
fn scores_are_scaled_by_the_position_of_the_query() {
    let folder = golden("decoders/llama");
    let with = |log_n: Option<f64>| Intervention { log_n, ..Intervention::default() };
    for (mut session, tolerance) in sessions(&folder) {
        let text = Request { keeps_heads: true, ..folder.text(1, 9) };
        let ask = |session: &mut Session, request: &Request| {
            run(session, request);
            pollster::block_on(session.map(Selection { layer: 0, head: 1 }, MapKind::Score, usize::MAX, &Unhurried))
                .unwrap()
                .data
        };
        let plain = ask(&mut session, &text);
        let below = ask(&mut session, &Request { intervention: with(Some(9.0)), ..text.clone() });
        assert_eq!(below, plain);
        let ids = vec![8, 7, 6, 5, 4, 3, 2, 1, 0];
        let turned = Request { position_ids: Some(ids.clone()), position_offset: 20, ..text.clone() };
        let plain = ask(&mut session, &turned);
        let scaled = ask(&mut session, &Request { intervention: with(Some(25.0)), ..turned });
        let scale = |id: u32| (f64::from(id + 21).ln() / 25f64.ln()).max(1.0) as f32;
        let expected = plain.chunks(9).zip(&ids).flat_map(|(row, id)| row.iter().map(move |score| score * scale(*id)));
        assert_close("scaled scores", &scaled, &expected.collect::<Vec<f32>>(), tolerance);

        let changed = Request { intervention: with(Some(2.0)), ..text.clone() };
        let whole = ask(&mut session, &changed);
        let part = Request { ids: text.ids[..4].to_vec(), length: 4, continues: true, ..changed.clone() };
        ask(&mut session, &part);
        let rows = Rows::At(vec![8]);
        let gone_on = ask(&mut session, &Request { continues: true, rows, ..changed });
        assert_close("a text that goes on", &gone_on, &whole, tolerance);
    }
}

/// A reach that no pair passes changes nothing; wherever a text begins, and whatever its cache holds, maps of one reach are alike.
#[test]
fn distances_are_clamped_to_the_reach() {
    for folder in folders() {
        for (mut session, tolerance) in sessions(&folder) {
            let text = Request { keeps_heads: true, ..folder.text(1, 9) };
            let ask = |session: &mut Session, reach: Option<usize>, request: &Request| {
                let intervention = Intervention { reach, ..Intervention::default() };
                let output = run(session, &Request { intervention, ..request.clone() });
                let mut told = output.tensors["logits"].data.clone();
                for kind in [MapKind::Weight, MapKind::Score, MapKind::Unrotated] {
                    told.extend(
                        pollster::block_on(session.map(Selection { layer: 1, head: 1 }, kind, usize::MAX, &Unhurried))
                            .unwrap()
                            .data,
                    );
                }
                told.extend(pollster::block_on(session.statistics(&vec![0.0; request.length])).unwrap().data);
                told
            };
            let plain = ask(&mut session, None, &text);
            for far in [8, usize::MAX] {
                assert_close(&folder.name, &ask(&mut session, Some(far), &text), &plain, tolerance);
            }
            let clamped = ask(&mut session, Some(3), &text);
            let change = clamped.iter().zip(&plain).fold(0.0f32, |most, (one, other)| most.max((one - other).abs()));
            assert!(change > 1e-2, "{}: {change}", folder.name);
            let moved = ask(&mut session, Some(3), &Request { position_offset: 1000, ..text.clone() });
            assert_close(&format!("{}, moved", folder.name), &moved, &clamped, 10.0 * tolerance);
            if folder.facts().causal {
                let begun = Request { ids: text.ids[..5].to_vec(), length: 5, continues: true, ..text.clone() };
                ask(&mut session, Some(3), &begun);
                let gone_on = ask(&mut session, Some(3), &Request { continues: true, ..text.clone() });
                assert_close(&format!("{}, gone on", folder.name), &gone_on, &clamped, tolerance);
            }
        }
    }
}

/// At distance 0 alone nothing turns: every score is the unrotated one.
#[test]
fn without_a_reach_no_score_turns() {
    for folder in folders() {
        for (mut session, tolerance) in sessions(&folder) {
            let intervention = Intervention { reach: Some(0), ..Intervention::default() };
            run(&mut session, &Request { intervention, keeps_heads: true, ..folder.text(1, 7) });
            let [score, unrotated] = [MapKind::Score, MapKind::Unrotated].map(|kind| {
                pollster::block_on(session.map(Selection { layer: 0, head: 1 }, kind, usize::MAX, &Unhurried))
                    .unwrap()
                    .data
            });
            assert_close(&folder.name, &score, &unrotated, tolerance);
        }
    }
}

/// A mean is over all tokens, so that a text that goes on is run anew.
#[test]
fn a_mean_is_over_the_whole_text() {
    let folder = golden("decoders/llama");
    for (mut session, tolerance) in sessions(&folder) {
        let rows = Rows::At(vec![7]);
        let mean = Request { intervention: replaced([(0, 1)], HeadAblation::Mean), rows, ..folder.text(1, 8) };
        let whole = run(&mut session, &mean).tensors["logits"].clone();
        let begun =
            Request { ids: mean.ids[..5].to_vec(), length: 5, rows: Rows::All, continues: true, ..mean.clone() };
        run(&mut session, &begun);
        for _ in 0..2 {
            let output = run(&mut session, &Request { continues: true, ..mean.clone() });
            assert_eq!(output.report.computed, 8);
            assert_close("the mean of a text that goes on", &output.tensors["logits"].data, &whole.data, tolerance);
        }
    }
}

/// A cache that was filled under one intervention is no use under another.
#[test]
fn a_cache_belongs_to_its_intervention() {
    let folder = golden("decoders/llama");
    let mut session = folder.load(Device::Cpu);
    let stopped = vec![Pairs { layer: 0, head: 0, pairs: 0..=1 }];
    let intervention = Intervention { stopped, ..Intervention::default() };
    let plain = Request { continues: true, ..folder.text(1, 8) };
    let changed = Request { intervention, ..plain.clone() };
    run(&mut session, &plain);
    let after = run(&mut session, &changed);
    let fresh = run(&mut folder.load(Device::Cpu), &changed);
    assert_eq!(after.report.computed, 8);
    assert_eq!(after.tensors["logits"], fresh.tensors["logits"]);
}

/// A linear scaling by 2 is every position halved: a RoFormer at positions 0, 2, 4 … turns then as it did at 0, 1, 2 …
#[test]
fn a_rescaled_rope_turns_otherwise() {
    let folder = golden("decoders/llama");
    let mut model = folder.model();
    let frequencies = |model: &ropescope::model::Model| model.ropes[0].frequencies(4).theta;
    let before = frequencies(&model);
    model
        .rescale(&Scaling::parse(&json::parse(r#"{"rope_type": "linear", "factor": 2.0}"#).unwrap()).unwrap())
        .unwrap();
    for (before, after) in before.iter().zip(frequencies(&model)) {
        assert!((before / 2.0 - after).abs() < 1e-15);
    }
}
