//! Every file in shaders/ is part of a kernel, and every kernel is valid WGSL for a device without optional features.

use crate::support::Adapter;
use ropescope::backend::gpu::Pipelines;
use ropescope::draw::GridPainter;
use ropescope::model::{Architecture, Config, Model, Purpose};
use ropescope::plan::{Capacity, Finished, Kernel, Tap, Taps};
use serde_json::json;
use wgpu::naga;

/// Plans that between them use every kernel: with taps and without, sizes that divide by four and others.
fn plans() -> Vec<Finished> {
    let mut plans = Vec::new();
    for (hidden, activation) in [(32, "gelu"), (18, "relu"), (36, "silu")] {
        let config = json!({
            "model_type": "roformer", "architectures": ["RoFormerForMaskedLM"], "hidden_act": activation, "vocab_size": 99,
            "hidden_size": hidden, "embedding_size": 20, "intermediate_size": 37, "num_attention_heads": 1,
            "num_hidden_layers": 1, "max_position_embeddings": 64,
        });
        let model = Model::declare(&Config::parse(&config.to_string()).unwrap(), Architecture::MaskedLM);
        for taps in [Taps::none(), Taps::from_iter([Tap::Attentions(0), Tap::Query(0)])] {
            let capacity = Capacity { batch: 1, length: 8, rows: 2 };
            let purpose = Purpose { capacity, selects_heads: !taps.is_empty(), taps, gathers: true, top_k: 5 };
            plans.push(model.record(&purpose).unwrap().plan);
        }
    }
    plans
}

fn kernels() -> Vec<Kernel> {
    let plans = plans();
    let steps = plans.iter().flat_map(|plan| &plan.steps);
    steps.flat_map(|step| step.op.dispatches(1 << 27)).map(|dispatch| dispatch.kernel).collect()
}

fn assert_valid(name: &str, source: &str) {
    let module =
        naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    let (flags, none) = (naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
    if let Err(error) = naga::valid::Validator::new(flags, none).validate(&module) {
        panic!("{name}: {}", error.emit_to_string(source));
    }
}

#[test]
fn every_file_is_valid_and_part_of_a_kernel() {
    let kernels = kernels();
    for kernel in &kernels {
        assert_valid(kernel.name, kernel.source);
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let source = std::fs::read_to_string(&path).unwrap();
        if source.contains("@fragment") {
            // A painter's shader: no plan has it.
            assert_valid(&path.display().to_string(), &source);
            assert_eq!(path.file_stem().unwrap(), "paint_maps", "a shader that GridPainter does not use");
        } else {
            let used = kernels.iter().any(|kernel| kernel.source.contains(&source));
            assert!(used, "no kernel uses {}", path.display());
        }
        files += 1;
    }
    assert!(files >= 13, "only {files} shaders");
}

#[test]
fn every_pipeline_is_built() {
    let adapter = Adapter::open();
    let mut pipelines = Pipelines::default();
    for plan in plans() {
        pipelines.prepare(&adapter.gpu, &plan);
    }
    GridPainter::new(&adapter.gpu, wgpu::TextureFormat::Rgba8Unorm, 1);
    // Polls the device, so that what it has against a shader is known.
    adapter.gpu.device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
    adapter.gpu.alive().unwrap();
    for kernel in kernels() {
        assert!(pipelines.get(&kernel).is_some(), "{} {} was not built", kernel.name, kernel.entry);
    }
    assert!(pipelines.count() >= 16, "only {} pipelines", pipelines.count());
}
