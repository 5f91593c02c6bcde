//! Every folder of tests/golden against Hugging Face's own numbers, on both backends.

mod support;

use ropescope::backend::gpu::{AdapterChoice, Gpu};
use ropescope::plan::{Tap, Taps};
use ropescope::session::{Device, Output, Request};
use support::{Expected, Folder, assert_close, gpu, run};

/// Runs a folder's inputs with all taps that its expected file has.
fn tapped(folder: &Folder, device: Device) -> Output {
    let layers = folder.config().num_hidden_layers;
    let hidden_states = (0..=layers).map(Tap::HiddenStates);
    let taps = Taps::from_iter(hidden_states.chain((0..layers).map(Tap::Attentions)));
    let request = Request { taps, ..folder.request() };
    let mut session = folder.load(device);
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

fn compare_all(device: impl Fn() -> Device, tolerance: f32) {
    let folders = Folder::all();
    assert!(folders.len() >= 20, "only {} golden folders", folders.len());
    for folder in folders {
        let output = tapped(&folder, device());
        let expected = Expected::open(&folder.expected());
        for (name, found) in &output.tensors {
            let what = format!("{}: {name}", folder.name);
            assert_eq!(found.shape, expected.shape(name), "{what}");
            assert_close(&what, &found.data, expected.floats(name), tolerance);
        }
        let inputs = ["attention_mask", "input_ids", "token_type_ids"];
        assert_eq!(expected.unread(), inputs, "{}: tensors that nothing was compared with", folder.name);
    }
}

#[test]
fn cpu_agrees_with_hugging_face() {
    compare_all(|| Device::Cpu, 1e-5);
}

#[test]
fn gpu_agrees_with_hugging_face() {
    let gpu = gpu();
    println!("on {}", gpu.describe());
    assert!(matches!(gpu, Device::Gpu(_)));
    compare_all(|| gpu.clone(), 1e-4);
}

/// Weights of every size split into parts, as a large vocabulary is on an adapter with small bindings.
#[test]
fn gpu_agrees_when_weights_are_split() {
    let gpu = pollster::block_on(Gpu::open(AdapterChoice::Any)).expect("a Vulkan adapter; Mesa's llvmpipe will do");
    let device = Device::from(gpu.with_binding_limit(4096));
    compare_all(|| device.clone(), 1e-4);
}
