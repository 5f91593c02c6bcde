//! Every folder of tests/golden against Hugging Face's own numbers, on both backends.

use crate::support::{Expected, Folder, assert_close, context, gpu, open_gpu, output};
use ropescope::backend::NeverCancelled;
use ropescope::plan::{Part, Site, Taps, TensorName};
use ropescope::runtime::{Continuation, Device, Generation, Output, Request, SourceText};
use ropescope::sampling::SamplingSettings;

/// Runs a folder's inputs with all taps that its expected file has.
fn output_with_taps(folder: &Folder, device: Device) -> Output {
    let model = folder.load(device);
    let context = context(&model);
    let layers = model.facts().layers;
    let hidden_states = (0..=layers).map(|layer| TensorName::HiddenStates.at(layer));
    let mut taps = Taps::from_iter(hidden_states.chain((0..layers).map(|layer| TensorName::Attentions.at(layer))));
    if model.facts().has_contact_head {
        taps.insert(TensorName::Contacts.in_every_layer());
    }
    let request = Request { taps, ..folder.request() };
    let with_taps = output(&context, &request);
    // The path that stores no probabilities gives the same result.
    let plain = output(&context, &Request { taps: Taps::none(), ..request });
    assert!(plain.taps.is_empty());
    let with_all = with_taps.named(model.facts());
    for (name, tensor) in plain.named(model.facts()) {
        let what = format!("{}: {name} without taps", folder.name);
        assert_close(&what, &tensor.data, &with_all[&name].data, 1e-5);
    }
    with_taps
}

fn compare_all(folders: Vec<Folder>, device: impl Fn() -> Device, tolerance: f32) {
    for folder in folders {
        let output = output_with_taps(&folder, device());
        let expected = Expected::open(&folder.expected());
        for (name, found) in output.named(&folder.facts()) {
            let what = format!("{}: {name}", folder.name);
            assert_eq!(found.shape, expected.shape(&name), "{what}");
            assert_close(&what, &found.data, expected.floats(&name), tolerance);
        }
        let inputs = ["attention_mask", "greedy", "input_ids", "token_type_ids"];
        let unread: Vec<&String> =
            expected.unread().into_iter().filter(|name| !inputs.contains(&name.as_str())).collect();
        assert!(unread.is_empty(), "{}: {unread:?} compared with nothing", folder.name);
    }
}

fn roformers() -> Vec<Folder> {
    let folders = Folder::all_roformers();
    assert!(folders.len() >= 20, "only {} golden folders", folders.len());
    folders
}

fn decoders() -> Vec<Folder> {
    let folders = Folder::all_within("decoders");
    assert!(folders.len() >= 30, "only {} decoders", folders.len());
    folders
}

fn readers() -> Vec<Folder> {
    let folders = Folder::all_within("readers");
    assert!(folders.len() >= 30, "only {} readers", folders.len());
    folders
}

/// The likeliest tokens one by one, over the cache, are those that Hugging Face writes without one.
fn assert_generation(device: impl Fn() -> Device) {
    for folder in decoders() {
        let expected = Expected::open(&folder.expected());
        let (greedy, Request { ids, batch, attention_mask, length, .. }) = (expected.shape("greedy"), folder.request());
        let most = greedy[1] - length;
        let sampling = SamplingSettings { temperature: 0.0, ..SamplingSettings::default() };
        let continuation = Continuation { sampling, candidates: 64, most, ends: Vec::new(), beyond_length: true };
        let mut generation = Generation::new(&ids, batch, attention_mask.as_deref(), continuation).unwrap();
        let context = context(&folder.load(device()));
        while !generation.ended() {
            pollster::block_on(context.generate(&mut generation, &NeverCancelled)).unwrap();
        }
        assert_eq!((generation.written(), most), (24, 24), "{}", folder.name);
        assert_eq!(generation.ids().collect::<Vec<_>>().concat(), expected.integers("greedy"), "{}", folder.name);
    }
}

#[test]
fn cpu_generates_as_hugging_face() {
    assert_generation(|| Device::Cpu);
}

#[test]
fn gpu_generates_as_hugging_face() {
    let gpu = gpu();
    assert_generation(|| gpu.clone());
}

/// The models that come with the page, on a sentence: tests/golden/generate_shipped.py.
fn compare_shipped(device: impl Fn() -> Device, tolerance: f32) {
    let folders = Folder::all_shipped();
    assert!(!folders.is_empty(), "models/ holds none");
    for folder in folders {
        let expected = Expected::open(&format!("tests/golden/shipped/{}.safetensors", folder.name));
        let facts = folder.facts();
        let layers = facts.layers;
        let last = [TensorName::HiddenStates.at(layers), TensorName::Attentions.at(layers - 1)];
        let of_parts = Part::ALL.into_iter().flat_map(|part| last.map(|site| site.in_part(part)));
        let has_site =
            |site: &Site| facts.has(site.part) && (site.part != Part::Cross || site.tensor == TensorName::Attentions);
        let taps: Taps = of_parts.filter(has_site).collect();
        let ids = expected.integers("input_ids").to_vec();
        let request = match facts.encoder {
            // The text is that after the source.
            Some(_) => {
                let written = expected.integers("decoder_input_ids").to_vec();
                let length = written.len();
                Request { source: Some(SourceText::one(ids)), ..Request::new(written, 1, length) }
            }
            None => {
                let length = ids.len();
                Request::new(ids, 1, length)
            }
        };
        let Output { result, taps, .. } = output(&context(&folder.load(device())), &Request { taps, ..request });
        let logits = result.unwrap();
        let rows = expected.integers("rows").iter().map(|&row| row as usize * facts.vocab_size);
        let found: Vec<f32> = rows.flat_map(|start| &logits.data[start..start + facts.vocab_size]).copied().collect();
        assert_close(&format!("{}: logits", folder.name), &found, expected.floats("logits"), tolerance);
        for (site, found) in &taps {
            let name = site.name(facts.encoder.is_some());
            let what = format!("{}: {name}", folder.name);
            assert_eq!(found.shape, expected.shape(&name), "{what}");
            assert_close(&what, &found.data, expected.floats(&name), tolerance);
        }
        assert!(expected.unread().is_empty(), "{}: {:?} compared with nothing", folder.name, expected.unread());
    }
}

#[test]
fn cpu_agrees_on_the_models_that_are_shipped() {
    compare_shipped(|| Device::Cpu, 1e-5);
}

#[test]
fn gpu_agrees_on_the_models_that_are_shipped() {
    let gpu = gpu();
    compare_shipped(|| gpu.clone(), 1e-4);
}

#[test]
fn cpu_agrees_with_hugging_face() {
    compare_all(roformers(), || Device::Cpu, 1e-5);
}

#[test]
fn cpu_agrees_with_hugging_faces_decoders() {
    compare_all(decoders(), || Device::Cpu, 1e-5);
}

/// Where softmax is very sharp, f32 rounding alone goes beyond 1e-5: there the references are in f64, and Hugging Face's own f32 says
/// how far from them is near.
#[test]
fn cpu_is_as_near_to_f64_as_hugging_faces_f32_is() {
    let folders = Folder::sharp();
    assert!(folders.len() >= 3, "only {} sharp models", folders.len());
    for folder in folders {
        let model = folder.load(Device::Cpu);
        let context = context(&model);
        let layers = model.facts().layers;
        let hidden_states = (0..=layers).map(|layer| TensorName::HiddenStates.at(layer));
        let taps = Taps::from_iter(hidden_states.chain((0..layers).map(|layer| TensorName::Attentions.at(layer))));
        let output = output(&context, &Request { taps, ..folder.request() });
        let expected = Expected::open(&folder.expected());
        let mut beyond = 0;
        for (name, found) in output.named(model.facts()) {
            let reference = expected.floats(&name);
            assert_eq!(found.shape, expected.shape(&name), "{}: {name}", folder.name);
            let usual = 1e-5 * reference.iter().fold(1.0f32, |largest, value| largest.max(value.abs()));
            let theirs = expected.floats(&format!("f32_distance.{name}"))[0];
            beyond += usize::from(theirs > usual);
            let distances = found.data.iter().zip(reference).map(|(found, reference)| (found - reference).abs());
            let farthest = distances.max_by(f32::total_cmp).unwrap();
            let allowed = usual.max(4.0 * theirs);
            // Written so that NaN fails.
            assert!(farthest <= allowed, "{}: {name} is {farthest} off, Hugging Face's f32 {theirs}", folder.name);
        }
        assert!(beyond > 0, "{} is not sharp", folder.name);
        let inputs = ["attention_mask", "input_ids"];
        let unread: Vec<_> = expected.unread().into_iter().filter(|name| !inputs.contains(&name.as_str())).collect();
        assert!(unread.is_empty(), "{}: {unread:?} compared with nothing", folder.name);
    }
}

#[test]
fn cpu_agrees_with_hugging_faces_readers() {
    compare_all(readers(), || Device::Cpu, 1e-5);
}

#[test]
fn gpu_agrees_with_hugging_faces_readers() {
    let gpu = gpu();
    compare_all(readers(), || gpu.clone(), 1e-4);
}

#[test]
fn gpu_agrees_with_hugging_faces_decoders() {
    let gpu = gpu();
    compare_all(decoders(), || gpu.clone(), 1e-4);
}

#[test]
fn gpu_agrees_with_hugging_face() {
    let gpu = gpu();
    println!("on {}", gpu.describe());
    assert!(matches!(gpu, Device::Gpu(_)));
    compare_all(roformers(), || gpu.clone(), 1e-4);
}

/// Weights of every size split into parts, as a large vocabulary is on an adapter with small bindings.
#[test]
fn gpu_agrees_when_weights_are_split() {
    let device = Device::from(open_gpu().with_binding_limit(4096));
    compare_all(Folder::all(), || device.clone(), 1e-4);
}
