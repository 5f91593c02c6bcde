//! Attention of a selected head: its map is the softmax of the scores that its query and key rows have.

use crate::support::{Folder, assert_close, context, demo_model, golden, gpu, output, run};
use ropescope::backend::NeverCancelled;
use ropescope::plan::{Taps, TensorName};
use ropescope::rope::score_parts;
use ropescope::runtime::{Context, Device, HeadId, HeadMaps, Request};

/// A selected head of a run.
fn head(context: &Context, request: &Request, layer: usize, head: usize) -> HeadMaps {
    output(context, &Request { selection: Some(HeadId::new(layer, head)), ..request.clone() }).head.unwrap()
}

/// The keys that a query of Mistral sees, itself among them; all where it has no window.
fn window(folder: &Folder) -> usize {
    let config: serde_json::Value = serde_json::from_str(&folder.config_json()).unwrap();
    let window = config["sliding_window"].as_u64().filter(|_| config["model_type"] == "mistral");
    window.map_or(usize::MAX, |window| window as usize)
}

/// Checks every score of every head of a text.
fn check_scores(folder: &Folder, device: Device, length: usize, offset: u64, tolerance: f32) {
    let (facts, window) = (folder.facts(), window(folder));
    let (head_size, scale) = (facts.head_size, facts.scale);
    let rope = folder.architecture().ropes[0].frequencies(offset + length as u64);
    let context = context(&folder.load(device));
    let request = Request { position_offset: offset, ..folder.text(1, length) };
    for layer in 0..facts.layers {
        for number in 0..facts.heads {
            let HeadMaps { attention, query, key } = head(&context, &request, layer, number);
            let what = format!("{}, layer {layer}, head {number}, from {offset}", folder.name);
            for (m, query) in query.chunks_exact(head_size).enumerate() {
                let visible = if facts.causal { m + 1 } else { length };
                let mut scores = Vec::new();
                for (n, key) in key.chunks_exact(head_size).take(visible).enumerate() {
                    if n.saturating_add(window) <= m {
                        scores.push(f64::NEG_INFINITY);
                        continue;
                    }
                    let score = score_parts(query, key, m as u64 + offset, n as u64 + offset, &rope, scale, length);
                    let product: f64 = query.iter().zip(key).map(|(q, k)| f64::from(*q) * f64::from(*k)).sum();
                    let expected = product * scale;
                    assert!((score.parts.iter().sum::<f64>() - expected).abs() <= 1e-4, "{what}: parts of ({m}, {n})");
                    assert!((score.score - expected).abs() <= 1e-4, "{what}: score of ({m}, {n})");
                    let at_its_distance = score.sweep[length + m - n];
                    assert!((at_its_distance - expected).abs() <= 1e-4, "{what}: sweep of ({m}, {n})");
                    scores.push(score.score);
                }
                let largest = scores.iter().copied().fold(f64::MIN, f64::max);
                let total: f64 = scores.iter().map(|score| (score - largest).exp()).sum();
                let mut weights: Vec<f32> =
                    scores.iter().map(|score| ((score - largest).exp() / total) as f32).collect();
                weights.resize(length, 0.0);
                let row = &attention[m * length..][..length];
                assert_close(&format!("{what}: row {m}"), row, &weights, tolerance);
            }
        }
    }
}

#[test]
fn the_parts_of_a_score_make_the_models_own_weight() {
    for name in ["masked_lm", "masked_lm_rotary_value", "masked_lm_5_heads", "masked_lm_head_size_2", "causal_lm"] {
        check_scores(&golden(name), Device::Cpu, 9, 0, 1e-5);
        check_scores(&golden(name), Device::Cpu, 9, 100_000, 1e-5);
    }
    check_scores(&golden("tiny_masked_lm"), Device::Cpu, 40, 3, 1e-5);
    check_scores(&demo_model(), Device::Cpu, 12, 0, 1e-5);
}

/// Key heads that several query heads share, pairs of half a head apart, parts of a head that do not turn, stretched ropes,
/// normed heads and windows.
#[test]
fn the_parts_of_a_score_make_a_decoders_own_weight() {
    for name in [
        "llama",
        "llama_6_heads_1_key_head",
        "gpt_neox",
        "qwen2",
        "qwen3",
        "mistral_window",
        "rope_yarn",
        "rope_proportional",
        "rope_dynamic_across",
        "rope_longrope_across",
    ] {
        let folder = golden(&format!("decoders/{name}"));
        check_scores(&folder, Device::Cpu, 9, 0, 1e-5);
        check_scores(&folder, Device::Cpu, 40, 1000, 1e-5);
        check_scores(&folder, gpu(), 9, 11, 1e-4);
    }
}

#[test]
fn the_parts_of_a_score_make_the_models_own_weight_on_the_gpu() {
    for name in ["masked_lm_rotary_value", "causal_lm"] {
        check_scores(&golden(name), gpu(), 9, 11, 1e-4);
    }
}

/// Another head of a run, read without running the model, is what a run with that head gives.
#[test]
fn another_head_of_a_run_is_that_of_a_new_run() {
    let folder = golden("tiny_masked_lm");
    let facts = folder.facts();
    for device in [Device::Cpu, gpu()] {
        let model = folder.load(device);
        let (used, new) = (context(&model), context(&model));
        for length in [9, 33, 7] {
            let request = folder.text(1, length);
            let (_, first) = run(&used, &Request { selection: Some(HeadId::new(1, 2)), ..request.clone() });
            // Upwards and downwards: what was read before leaves nothing behind.
            let all = (0..facts.layers).flat_map(|layer| (0..4).map(move |number| (layer, number)));
            let all: Vec<(usize, usize)> = all.collect();
            for &(layer, number) in all.iter().chain(all.iter().rev()) {
                let found = pollster::block_on(first.head(HeadId::new(layer, number), &NeverCancelled)).unwrap();
                assert_eq!(found, head(&new, &request, layer, number), "length {length}, {layer}, {number}");
            }
        }
    }
}

/// The map and the rows of a selected head are those of the taps.
#[test]
fn a_selected_head_is_that_of_the_taps() {
    let folder = golden("masked_lm_5_heads");
    let (heads, head_size) = (folder.facts().heads, folder.facts().head_size);
    for device in [Device::Cpu, gpu()] {
        let context = context(&folder.load(device));
        let request = folder.request();
        let taps = Taps::from_iter([
            TensorName::Attentions.at(0),
            TensorName::QueryRotated.at(0),
            TensorName::KeyRotated.at(0),
        ]);
        let tapped = output(&context, &Request { taps, ..request.clone() });
        let length = request.length;
        for number in 0..heads {
            let HeadMaps { attention, query, key } = head(&context, &request, 0, number);
            for (found, tap, size) in [
                (attention, TensorName::Attentions.at(0), length * length),
                (query, TensorName::QueryRotated.at(0), length * head_size),
                (key, TensorName::KeyRotated.at(0), length * head_size),
            ] {
                // Of the first sequence.
                let expected = &tapped.taps[&tap].data[number * size..][..size];
                assert_close(&format!("{tap} of head {number}"), &found, expected, 1e-6);
            }
        }
    }
}

/// A row whose keys are all padding is uniform over all of them, and every row sums to 1.
#[test]
fn a_fully_masked_row_is_uniform() {
    for (name, device) in
        [("masked_lm", Device::Cpu), ("causal_lm", Device::Cpu), ("masked_lm", gpu()), ("causal_lm", gpu())]
    {
        let folder = golden(name);
        let context = context(&folder.load(device));
        let text = folder.text(2, 7);
        let attention_mask: Vec<u32> = [[0; 7], [1, 1, 0, 1, 1, 0, 0]].concat();
        let layers = folder.facts().layers;
        let taps = (0..layers).map(|layer| TensorName::Attentions.at(layer)).collect();
        let output = output(&context, &Request { taps, attention_mask: Some(attention_mask.clone()), ..text });
        for layer in 0..layers {
            let maps = &output.taps[&TensorName::Attentions.at(layer)].data;
            let (masked, other) = maps.split_at(maps.len() / 2);
            assert_close(&format!("{name}, layer {layer}"), masked, &vec![1.0 / 7.0; masked.len()], 1e-6);
            for row in other.chunks_exact(7) {
                assert!((row.iter().sum::<f32>() - 1.0).abs() <= 1e-5, "{name}, layer {layer}: {row:?}");
                for (key, weight) in row.iter().enumerate() {
                    assert!(attention_mask[7 + key] == 1 || *weight == 0.0, "{name}, layer {layer}: padding is seen");
                }
            }
        }
    }
}
