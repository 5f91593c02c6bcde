//! Taps: the same on both backends, and in the relations that the equations give them.

use crate::support::{Folder, assert_close, context, golden, gpu, output};
use ropescope::backend::NeverCancelled;
use ropescope::plan::{Site, Taps, TensorName};
use ropescope::rope;
use ropescope::runtime::{Device, HeadId, Output, Request, named_taps};

/// Every named tap of a layer.
fn of_layer() -> Vec<TensorName> {
    named_taps().filter(|tensor| tensor.is_per_layer()).collect()
}

fn folders() -> [Folder; 13] {
    [
        "masked_lm",
        "masked_lm_rotary_value",
        "masked_lm_5_heads",
        "masked_lm_head_size_2",
        "causal_lm_padded",
        "decoders/llama",
        "decoders/gpt_neox",
        "decoders/qwen3",
        "decoders/rope_yarn",
        "decoders/mistral_window",
        "decoders/gemma3",
        "readers/modernbert",
        "readers/esm",
    ]
    .map(golden)
}

/// A run of a golden folder's inputs at an offset with these taps of every layer.
fn tapped(folder: &Folder, device: Device, position_offset: u64, taps: &[TensorName]) -> Output {
    let layers = 0..folder.facts().layers;
    let taps: Taps = layers.flat_map(|layer| taps.iter().map(move |tensor| tensor.at(layer))).collect();
    output(&context(&folder.load(device)), &Request { position_offset, taps, ..folder.request() })
}

#[test]
fn every_tap_agrees_between_cpu_and_gpu() {
    let device = gpu();
    for folder in folders() {
        let facts = folder.facts();
        let (cpu, gpu) =
            (tapped(&folder, Device::Cpu, 5, &of_layer()), tapped(&folder, device.clone(), 5, &of_layer()));
        assert_eq!(cpu.taps.len(), of_layer().len() * facts.layers, "{}", folder.name);
        let (cpu, gpu) = (cpu.named(&facts), gpu.named(&facts));
        assert_eq!(gpu.len(), cpu.len());
        let (request, heads) = (folder.request(), facts.heads);
        for (name, expected) in &cpu {
            let found = gpu[name];
            let shape = match name.as_str() {
                "logits" => vec![request.batch, request.length, facts.vocab_size],
                name if name.starts_with("hidden_states") => vec![request.batch, request.length, facts.hidden_size],
                name if name.starts_with("attentions") => vec![request.batch, heads, request.length, request.length],
                name if name.ends_with(".written") => vec![request.batch, heads, request.length],
                name if name.contains(".query") => vec![request.batch, heads, request.length, facts.head_size],
                _ => vec![request.batch, facts.key_heads, request.length, facts.head_size],
            };
            assert_eq!((&found.shape, &expected.shape), (&shape, &shape), "{}: {name}", folder.name);
            assert_close(&format!("{}: {name}", folder.name), &found.data, &expected.data, 1e-4);
        }
    }
}

/// The columns of each pair of a head, as Hugging Face orders them: side by side in a RoFormer, else half of what turns apart.
fn pairs(folder: &Folder) -> Vec<[usize; 2]> {
    let architecture = folder.architecture();
    let (head_size, paired) = (architecture.facts.head_size, architecture.ropes[0].paired_columns());
    match architecture.facts.architecture.starts_with("RoFormer") {
        true => (0..head_size / 2).map(|pair| [2 * pair, 2 * pair + 1]).collect(),
        false => (0..paired / 2).map(|pair| [pair, pair + paired / 2]).collect(),
    }
}

/// Rows (batch, heads, length, head_size), each turned to its position by the table: eq. 34 by hand.
fn rotate(folder: &Folder, layer: usize, rows: &[f32], length: usize, offset: u64) -> Vec<f32> {
    let (model, pairs) = (folder.load(Device::Cpu), pairs(folder));
    let head_size = model.facts().head_size;
    let table = rope::table(&model.frequencies(layer, offset + length as u64).unwrap(), offset, length);
    let positions = table.chunks_exact(head_size).cycle();
    let mut rotated = rows.to_vec();
    for (row, turns) in rotated.chunks_exact_mut(head_size).zip(positions) {
        for (&[first, second], turn) in pairs.iter().zip(turns.chunks_exact(2)) {
            let [x, y, cos, sin] = [row[first], row[second], turn[0], turn[1]].map(f64::from);
            (row[first], row[second]) = ((x * cos - y * sin) as f32, (y * cos + x * sin) as f32);
        }
    }
    rotated
}

#[test]
fn rotated_rows_are_the_unrotated_turned_to_their_positions() {
    let device = gpu();
    for folder in folders() {
        let length = folder.request().length;
        for (device, offset) in [(Device::Cpu, 0), (Device::Cpu, 100_000), (device.clone(), 7)] {
            let output = tapped(&folder, device.clone(), offset, &of_layer());
            // Without the unrotated tap, the product's epilogue rotates.
            let fused = tapped(&folder, device, offset, &[TensorName::QueryRotated, TensorName::KeyRotated]);
            for layer in 0..folder.facts().layers {
                for (unrotated, rotated) in [
                    (TensorName::Query.at(layer), TensorName::QueryRotated.at(layer)),
                    (TensorName::Key.at(layer), TensorName::KeyRotated.at(layer)),
                ] {
                    let what = format!("{}: {rotated} from {offset}", folder.name);
                    let by_hand = rotate(&folder, layer, &output.taps[&unrotated].data, length, offset);
                    assert_close(&what, &output.taps[&rotated].data, &by_hand, 1e-6);
                    let fused = &fused.taps[&rotated].data;
                    assert_close(&format!("{what}, fused"), fused, &by_hand, 1e-5);
                }
            }
        }
    }
}

/// A rotation turns each pair and keeps its length, but for the rope's magnitude.
#[test]
fn rotation_keeps_norms() {
    for folder in folders() {
        let (pairs, head_size) = (pairs(&folder), folder.facts().head_size);
        let magnitude = folder.architecture().ropes[0].frequencies(1).magnitude as f32;
        for offset in [0, 3, 100_000] {
            let output = tapped(&folder, Device::Cpu, offset, &of_layer());
            for layer in 0..folder.facts().layers {
                for (unrotated, rotated) in [
                    (TensorName::Query.at(layer), TensorName::QueryRotated.at(layer)),
                    (TensorName::Key.at(layer), TensorName::KeyRotated.at(layer)),
                ] {
                    let norms = |tap: Site, magnitude: f32| {
                        let rows = output.taps[&tap].data.chunks_exact(head_size);
                        let norms = |row: &[f32]| {
                            let norm = |&[first, second]: &[usize; 2]| magnitude * row[first].hypot(row[second]);
                            pairs.iter().map(norm).collect::<Vec<f32>>()
                        };
                        rows.flat_map(norms).collect::<Vec<f32>>()
                    };
                    let what = format!("{}: pairs of {rotated} from {offset}", folder.name);
                    assert_close(&what, &norms(rotated, 1.0), &norms(unrotated, magnitude), 1e-6);
                }
            }
        }
    }
}

/// The size of the file of all taps is computed to the byte from sizes alone, and the file holds every tensor.
#[test]
fn the_file_of_all_taps_has_the_computed_size() {
    let names = ["tiny_model", "tiny_sequence_classification", "tiny_token_classification", "tiny_question_answering"];
    for folder in folders().into_iter().chain(names.map(golden)) {
        let facts = folder.facts();
        let request = folder.request();
        let computed = request.bytes_of_everything(&facts);
        let output = output(&context(&folder.load(Device::Cpu)), &request.of_everything(&facts).unwrap());
        let found: usize = output.named(&facts).values().map(|tensor| 4 * tensor.data.len()).sum();
        // A classifier of whole texts has one row a text; each token is counted for it.
        let spare = match facts.output {
            ropescope::model::HeadKind::Sequence => {
                4 * facts.num_labels * output.taps[&TensorName::HiddenStates.at(0)].shape[..2].iter().product::<usize>()
                    - 4 * output.result.as_ref().unwrap().data.len()
            }
            _ => 0,
        };
        assert_eq!(computed, (found + spare) as u64, "{}", folder.name);
        let file = output.file(&facts);
        let read = safetensors::SafeTensors::deserialize(&file).unwrap();
        assert_eq!(read.names().len(), 8 * facts.layers + 2, "{}", folder.name);
        for (name, tensor) in output.named(&facts) {
            let view = read.tensor(&name).unwrap();
            assert_eq!(view.shape(), tensor.shape, "{}: {name}", folder.name);
            let bytes: Vec<u8> = tensor.data.iter().flat_map(|number| number.to_le_bytes()).collect();
            assert_eq!(view.data(), bytes, "{}: {name}", folder.name);
        }
    }
}

/// The encoder's hidden states are counted once more, as a result.
#[test]
fn the_file_of_an_encoder_decoder_has_the_computed_size() {
    for folder in ["pairs/marian", "pairs/bart"].map(golden) {
        let (facts, request) = (folder.facts(), folder.request_with_source());
        let computed = request.bytes_of_everything(&facts);
        let source = request.source.clone().unwrap();
        let output = output(&context(&folder.load(Device::Cpu)), &request.of_everything(&facts).unwrap());
        let found: usize = output.named(&facts).values().map(|tensor| 4 * tensor.data.len()).sum();
        let encoded = 4 * source.ids.len() * facts.encoder.as_ref().unwrap().hidden_size;
        assert_eq!(computed, (found + encoded) as u64, "{}", folder.name);
        assert!(output.named(&facts).contains_key("cross.layer.1.value"), "{}", folder.name);
    }
}

/// Results that are too large to be read are refused by their sizes: nothing is made and nothing runs.
#[test]
fn results_that_are_too_large_are_refused_before_the_run() {
    let folder = golden("decoders/llama");
    let context = context(&folder.load(Device::Cpu));
    let text = |length: usize| Request { beyond_length: true, ..folder.text(1, length) };
    assert_eq!(context.bytes(), 0);
    for request in [
        Request { taps: Taps::from_iter([TensorName::HiddenStates.at(0), TensorName::Attentions.at(1)]), ..text(4097) },
        Request { selection: Some(HeadId::new(0, 0)), ..text(4097) },
    ] {
        let refused = pollster::block_on(context.run(&request, &NeverCancelled)).err().unwrap();
        assert_eq!(refused.code(), "too-many-maps", "{refused}");
        assert_eq!(context.bytes(), 0, "something was made for a run that is refused");
    }
    let facts = folder.facts();
    let fits = |length: &usize| text(*length).of_everything(&facts).is_ok();
    let longest = (1..5000).take_while(fits).last().unwrap();
    let refused = text(longest + 1).of_everything(&facts).unwrap_err();
    assert_eq!(refused.code(), "file-too-large");
    assert!(refused.to_string().contains("take 129 MB, more than the 128 MB"), "{refused}");
}
