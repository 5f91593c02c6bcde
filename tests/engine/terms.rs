//! What sublayers compute, as taps: norms, the feed-forward network, and terms of the residual stream, against Hugging Face's modules.

use crate::support::{Expected, Folder, assert_close, context, golden, gpu, output};
use ropescope::backend::NeverCancelled;
use ropescope::error::Error;
use ropescope::plan::{Site, Taps};
use ropescope::runtime::{ContextOptions, Device, Output, Request};

/// The folders with a terms.safetensors, which `tests/golden/generate_terms.py` writes.
const FOLDERS: [&str; 10] = [
    "masked_lm",
    "decoders/llama",
    "decoders/qwen3",
    "decoders/gpt_neox",
    "decoders/gpt_neox_sequential",
    "decoders/gemma3",
    "readers/modernbert",
    "readers/esm",
    "pairs/marian",
    "pairs/pegasus",
];

fn site(name: &str) -> Site {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn tapped(folder: &Folder, device: Device, taps: impl Iterator<Item = Site>) -> Output {
    output(&context(&folder.load(device)), &Request { taps: taps.collect(), ..folder.request_with_source() })
}

fn compare_all(device: impl Fn() -> Device, tolerance: f32) {
    for folder in FOLDERS.map(golden) {
        let expected = Expected::open(&folder.expected().replace("expected.safetensors", "terms.safetensors"));
        let plain = tapped(&folder, device(), std::iter::empty());
        let together = tapped(&folder, device(), expected.names().map(|name| site(name)));
        assert_eq!(together.taps.len(), expected.names().count(), "{}", folder.name);
        for (tap, found) in &together.taps {
            let name = tap.name(folder.facts().encoder.is_some());
            let what = format!("{}: {name}", folder.name);
            assert_eq!(found.shape, expected.shape(&name), "{what}");
            assert_close(&what, &found.data, expected.floats(&name), tolerance);
            // Without the others an epilogue may be fused.
            let alone = tapped(&folder, device(), [*tap].into_iter());
            assert_close(&format!("{what}, alone"), &alone.taps[tap].data, &found.data, 1e-5);
            assert_close(
                &format!("{what}: result"),
                &alone.result.unwrap().data,
                &plain.result.as_ref().unwrap().data,
                1e-5,
            );
        }
    }
}

#[test]
fn on_the_cpu() {
    compare_all(|| Device::Cpu, 1e-5);
}

#[test]
fn on_the_gpu() {
    let device = gpu();
    compare_all(|| device.clone(), 1e-4);
}

/// A plan for few rows on a GPU norms where it multiplies, but for tapped norms. A text that goes on from a cache has taps of every row.
#[test]
fn of_few_rows_and_with_a_cache() {
    let device = gpu();
    for name in ["decoders/llama", "decoders/gemma3", "decoders/gpt_neox"] {
        let folder = golden(name);
        let expected = Expected::open(&folder.expected().replace("expected.safetensors", "terms.safetensors"));
        let taps: Taps = expected.names().map(|name| site(name)).collect();
        let request = Request { taps, continues: true, ..folder.text(1, 3) };
        let reference = output(&context(&folder.load(Device::Cpu)), &Request { continues: false, ..request.clone() });
        for device in [Device::Cpu, device.clone()] {
            let model = folder.load(device);
            let context = model.context(ContextOptions { exact: true, ..ContextOptions::default() });
            let shorter = Request { continues: true, ..folder.text(1, 2) };
            output(&context, &shorter);
            let found = output(&context, &request);
            for (tap, expected) in &reference.taps {
                assert_close(&format!("{name}: {tap}"), &found.taps[tap].data, &expected.data, 1e-4);
            }
        }
    }
}

/// A model without a gate, a third norm of a layer, a final norm or a source says so, and its context goes on.
#[test]
fn what_a_model_lacks_is_an_error() {
    for (folder, name) in [
        ("masked_lm", "ffn.0.gate"),
        ("masked_lm", "norm"),
        ("masked_lm", "residual"),
        ("decoders/llama", "layer.1.norm.2"),
        ("pairs/marian", "decoder.norm"),
        ("pairs/marian", "encoder.ffn.1.gate"),
    ] {
        let folder = golden(folder);
        let request = Request { taps: Taps::from_iter([site(name)]), ..folder.request_with_source() };
        let context = context(&folder.load(Device::Cpu));
        let Err(error) = pollster::block_on(context.run(&request, &NeverCancelled)) else { panic!("{name} is there") };
        assert!(matches!(&error, Error::NoSuchTensor { site } if site == name), "{name}: {error}");
        output(&context, &Request { taps: Taps::none(), ..request });
    }
    let request = Request { taps: Taps::from_iter([site("cross.layer.0.attention")]), ..golden("masked_lm").request() };
    let context = context(&golden("masked_lm").load(Device::Cpu));
    assert!(pollster::block_on(context.run(&request, &NeverCancelled)).is_err(), "no source, no cross-attention");
}
