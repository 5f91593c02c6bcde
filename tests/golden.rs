//! Every folder of tests/golden against Hugging Face's own numbers, on both backends.

mod support;

use ropescope::backend::Unhurried;
use ropescope::backend::gpu::{AdapterChoice, Gpu};
use ropescope::plan::{Tap, Taps};
use ropescope::sampling::Settings;
use ropescope::session::{Continuation, Device, Generation, Output, Request, SourceText};
use support::{Expected, Folder, assert_close, gpu, run};

/// Runs a folder's inputs with all taps that its expected file has.
fn tapped(folder: &Folder, device: Device) -> Output {
    let mut session = folder.load(device);
    let layers = session.facts().layers;
    let hidden_states = (0..=layers).map(Tap::HiddenStates);
    let mut taps = Taps::from_iter(hidden_states.chain((0..layers).map(Tap::Attentions)));
    if session.facts().tells_contacts {
        taps.insert(Tap::Contacts);
    }
    let request = Request { taps, ..folder.request() };
    let tapped = run(&mut session, &request);
    // The path that stores no probabilities gives the same result.
    let plain = run(&mut session, &Request { taps: Taps::none(), ..request });
    assert_eq!(plain.tensors.len(), 1);
    for (name, tensor) in &plain.tensors {
        let what = format!("{}: {name} without taps", folder.name);
        assert_close(&what, &tensor.data, &tapped.tensors[name].data, 1e-5);
    }
    tapped
}

fn compare_all(folders: Vec<Folder>, device: impl Fn() -> Device, tolerance: f32) {
    for folder in folders {
        let output = tapped(&folder, device());
        let expected = Expected::open(&folder.expected());
        for (name, found) in &output.tensors {
            let what = format!("{}: {name}", folder.name);
            assert_eq!(found.shape, expected.shape(name), "{what}");
            assert_close(&what, &found.data, expected.floats(name), tolerance);
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
fn write_on_as_hugging_face(device: impl Fn() -> Device) {
    for folder in decoders() {
        let expected = Expected::open(&folder.expected());
        let (greedy, Request { ids, batch, attention_mask, length, .. }) = (expected.shape("greedy"), folder.request());
        let most = greedy[1] - length;
        let sampling = Settings { temperature: 0.0, ..Settings::default() };
        let continuation = Continuation { sampling, most, ends: Vec::new(), beyond_length: true, keeps_heads: false };
        let mut generation = Generation::new(&ids, batch, attention_mask.as_deref(), continuation).unwrap();
        let mut session = folder.load(device());
        while !generation.ended() {
            pollster::block_on(session.write_on(&mut generation, &Unhurried)).unwrap();
        }
        assert_eq!((generation.written(), most), (24, 24), "{}", folder.name);
        assert_eq!(generation.ids().collect::<Vec<_>>().concat(), expected.integers("greedy"), "{}", folder.name);
    }
}

#[test]
fn cpu_writes_on_as_hugging_face() {
    write_on_as_hugging_face(|| Device::Cpu);
}

#[test]
fn gpu_writes_on_as_hugging_face() {
    let gpu = gpu();
    write_on_as_hugging_face(|| gpu.clone());
}

/// The models that come with the page, on a sentence: tests/golden/generate_shipped.py.
fn compare_shipped(device: impl Fn() -> Device, tolerance: f32) {
    let folders = Folder::all_shipped();
    assert!(!folders.is_empty(), "models/ holds none");
    for folder in folders {
        let expected = Expected::open(&format!("tests/golden/shipped/{}.safetensors", folder.name));
        let facts = folder.facts();
        let layers = facts.layers;
        let taps = Taps::from_iter([Tap::HiddenStates(layers), Tap::Attentions(layers - 1)]);
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
        let mut tensors = run(&mut folder.load(device()), &Request { taps, ..request }).tensors;
        let logits = tensors.remove("logits").unwrap();
        let rows = expected.integers("rows").iter().map(|&row| row as usize * facts.vocab_size);
        let asked: Vec<f32> = rows.flat_map(|start| &logits.data[start..start + facts.vocab_size]).copied().collect();
        assert_close(&format!("{}: logits", folder.name), &asked, expected.floats("logits"), tolerance);
        for (name, found) in &tensors {
            let what = format!("{}: {name}", folder.name);
            assert_eq!(found.shape, expected.shape(name), "{what}");
            assert_close(&what, &found.data, expected.floats(name), tolerance);
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
        let mut session = folder.load(Device::Cpu);
        let layers = session.facts().layers;
        let hidden_states = (0..=layers).map(Tap::HiddenStates);
        let taps = Taps::from_iter(hidden_states.chain((0..layers).map(Tap::Attentions)));
        let output = run(&mut session, &Request { taps, ..folder.request() });
        let expected = Expected::open(&folder.expected());
        let mut beyond = 0;
        for (name, found) in &output.tensors {
            let reference = expected.floats(name);
            assert_eq!(found.shape, expected.shape(name), "{}: {name}", folder.name);
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
    let gpu = pollster::block_on(Gpu::open(AdapterChoice::Any)).expect("a Vulkan adapter; Mesa's llvmpipe will do");
    let device = Device::from(gpu.with_binding_limit(4096));
    compare_all(Folder::all(), || device.clone(), 1e-4);
}
