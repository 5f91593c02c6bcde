//! What a run does with a GPU's 16-bit floats: products of f16 weights, and KV caches of f16.

use crate::support::{Folder, assert_close, golden, open_gpu, open_gpu_with_f16, output};
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::kernels::Format;
use ropescope::runtime::{
    BeamSearch, Context, ContextOptions, Continuation, Device, Generation, HeadId, Intervention, Interventions,
    LoadOptions, Model, PredictionRows, Request, SourceText,
};
use ropescope::sampling::{Rules, SamplingSettings, Search, Stopping};

/// The largest change of a logit by a cache of f16, as a share of the largest logit, or of 1 if that is larger.
const CACHE_TOLERANCE: f32 = 5e-3;

/// Whether the device has a pipeline of a shader with this name's beginning and this condition.
fn has_kernel(device: &Device, shader: &str, condition: &str) -> bool {
    let Device::Gpu(device) = device else { return false };
    let kernels = device.kernels();
    kernels.iter().any(|kernel| kernel.shader.starts_with(shader) && kernel.conditions.contains(&condition))
}

fn gpu() -> Device {
    open_gpu_with_f16().into()
}

fn f16_cache(model: &Model) -> Context {
    model.context(ContextOptions { f16_cache: true, ..ContextOptions::default() })
}

/// The logits after the first `length` tokens of each text.
fn last_logits(context: &Context, request: &Request, length: usize) -> Vec<f32> {
    let ids = request.ids.chunks_exact(request.length).flat_map(|row| &row[..length]).copied().collect();
    let rows = (1..=request.batch).map(|text| (text * length - 1) as u32).collect();
    let request = Request {
        continues: true,
        rows: PredictionRows::At(rows),
        beyond_length: true,
        interventions: request.interventions.clone(),
        ..Request::new(ids, request.batch, length)
    };
    output(context, &request).result.unwrap().data
}

/// Models of several shapes: one key head or several, sliding windows, normed heads, odd sizes.
fn decoders() -> Vec<Folder> {
    ["llama", "qwen3", "gemma3", "gpt_neox", "mistral_window"].map(|name| golden(&format!("decoders/{name}"))).into()
}

/// A text that grows: by a prefill, by single tokens, in a larger cache, and in a copy of it.
#[test]
fn a_cache_of_f16_gives_nearly_the_same_logits_in_half_the_memory() {
    for folder in decoders() {
        let device = gpu();
        let model = folder.load(device.clone());
        let request = folder.text(2, 90);
        let [plain, f16] = [model.context(ContextOptions::default()), f16_cache(&model)];
        let mut differ = false;
        for length in [5, 6, 7, 40, 41, 80, 81] {
            let [expected, found] = [&plain, &f16].map(|context| last_logits(context, &request, length));
            assert_close(&format!("{}, {length} tokens", folder.name), &found, &expected, CACHE_TOLERANCE);
            differ |= found != expected;
        }
        assert!(differ, "{}: a cache of f16 rounds", folder.name);
        assert!(has_kernel(&device, "", "f16_cache"), "{}", folder.name);
        let [plain_fork, f16_fork] = [&plain, &f16].map(|context| pollster::block_on(context.fork()).unwrap());
        let [expected, found] = [&plain_fork, &f16_fork].map(|context| last_logits(context, &request, 82));
        assert_close(&format!("{}, a copy", folder.name), &found, &expected, CACHE_TOLERANCE);
        let cache_bytes = |context: &Context| {
            let all = context.bytes();
            context.clear().unwrap();
            all - context.bytes()
        };
        assert_eq!(cache_bytes(&plain), 2 * cache_bytes(&f16), "{}", folder.name);
    }
}

#[test]
fn clamped_distances_read_a_cache_of_f16() {
    let folder = golden("decoders/llama");
    let device = gpu();
    let model = folder.load(device.clone());
    let interventions = Interventions::from([Intervention::clamp_distances(3)]);
    let request = Request { interventions, ..folder.text(1, 20) };
    let [plain, f16] = [model.context(ContextOptions::default()), f16_cache(&model)];
    for length in [9, 10, 20] {
        let [expected, found] = [&plain, &f16].map(|context| last_logits(context, &request, length));
        assert_close(&format!("{length} tokens"), &found, &expected, CACHE_TOLERANCE);
    }
    assert!(has_kernel(&device, "clamped_attention", "f16_cache"));
}

/// A request for one head's map has a cache of its own, of f32.
#[test]
fn a_request_for_a_map_between_others_has_a_cache_of_f32() {
    let folder = golden("decoders/llama");
    let model = folder.load(gpu());
    let [plain, f16] = [model.context(ContextOptions::default()), f16_cache(&model)];
    let request = folder.text(1, 12);
    let map = |context: &Context| {
        let request = Request { continues: true, selection: Some(HeadId::new(0, 1)), ..request.clone() };
        output(context, &request).head.unwrap().attention
    };
    for length in [5, 6] {
        let [expected, found] = [&plain, &f16].map(|context| last_logits(context, &request, length));
        assert_close(&format!("{length} tokens"), &found, &expected, CACHE_TOLERANCE);
    }
    assert_eq!(map(&f16), map(&plain));
    let [expected, found] = [&plain, &f16].map(|context| last_logits(context, &request, 12));
    assert_close("after the map", &found, &expected, CACHE_TOLERANCE);
}

/// Steps in flight read and write the same cache.
#[test]
fn generation_with_a_cache_of_f16_takes_the_best_tokens_of_its_runs() {
    let folder = golden("decoders/llama");
    let device = gpu();
    let model = folder.load(device.clone());
    let sampling = SamplingSettings { temperature: 0.0, ..SamplingSettings::default() };
    let continuation = Continuation { sampling, candidates: 0, most: 12, ends: Vec::new(), beyond_length: false };
    let prompt = folder.text(1, 5);
    let mut generation = Generation::new(&prompt.ids, 1, None, continuation).unwrap();
    let context = f16_cache(&model);
    while !generation.ended() {
        pollster::block_on(context.generate(&mut generation, &NeverCancelled)).unwrap();
    }
    let ids = generation.ids().next().unwrap().to_vec();
    assert!(ids.len() == 17 && has_kernel(&device, "attention/few_queries", "f16_cache"));
    let by_runs = f16_cache(&model);
    for length in 5..17 {
        let request = Request::new(ids.clone(), 1, ids.len());
        let logits = last_logits(&by_runs, &request, length);
        let best = (0..logits.len()).max_by(|a, b| logits[*a].total_cmp(&logits[*b])).unwrap();
        assert_eq!(ids[length], best as u32, "token {length}");
    }
}

/// Beams change places in the cache.
#[test]
fn a_beam_search_finds_the_same_texts_with_a_cache_of_f16() {
    let folder = golden("pairs/marian");
    let device = gpu();
    let model = folder.load(device.clone());
    let find = |f16_cache: bool| {
        let rules = Rules { ends: vec![1], max_length: 12, ..Rules::default() };
        let search = Search { width: 3, length_penalty: 1.0, stopping: Stopping::Never, rules };
        let search = BeamSearch::new(&model, SourceText::one(vec![9, 4, 1]), &[0], search).unwrap();
        let mut search = search.with_options(ContextOptions { f16_cache, ..ContextOptions::default() });
        while !search.ended() {
            pollster::block_on(search.step(&NeverCancelled)).unwrap();
        }
        search.ids().map(<[u32]>::to_vec).collect::<Vec<_>>()
    };
    let expected = find(false);
    assert!(!has_kernel(&device, "", "f16_cache"));
    assert_eq!(find(true), expected);
    assert!(has_kernel(&device, "", "f16_cache"));
}

#[test]
fn a_context_that_keeps_heads_has_a_cache_of_f32() {
    let folder = golden("decoders/llama");
    let device = gpu();
    let model = folder.load(device.clone());
    let [plain, f16] = [false, true]
        .map(|f16_cache| model.context(ContextOptions { keep_heads: true, f16_cache, ..ContextOptions::default() }));
    let request = folder.text(1, 9);
    let [expected, found] = [&plain, &f16].map(|context| last_logits(context, &request, 9));
    assert_eq!(found, expected);
    assert_eq!(f16.bytes(), plain.bytes());
    assert!(!has_kernel(&device, "", "f16_cache"));
}

/// Only a text that continues has a cache.
#[test]
fn a_device_without_16_bit_floats_refuses_a_cache_of_f16() {
    let folder = golden("decoders/llama");
    for device in [Device::Cpu, open_gpu().into()] {
        let name = if matches!(device, Device::Cpu) { "the CPU".into() } else { device.describe() };
        let context = f16_cache(&folder.load(device));
        let request = folder.text(1, 9);
        output(&context, &request);
        let error = pollster::block_on(context.run(&Request { continues: true, ..request }, &NeverCancelled));
        assert_eq!(error.err(), Some(Error::NoF16 { device: name }));
    }
}

/// As products do on hardware.
#[test]
fn models_of_f16_weights_compute_the_same_with_16_bit_floats() {
    for name in ["tiny_masked_lm", "decoders/llama", "decoders/qwen3", "readers/modernbert"] {
        let folder = golden(name);
        let options = || LoadOptions { format: Some(Format::F16), ..LoadOptions::default() };
        let run = |device: &Device| {
            let (config, file) = (folder.config_json(), folder.file());
            let model = pollster::block_on(Model::load(device, &config, &file, options())).unwrap();
            output(&model.context(ContextOptions::default()), &folder.request()).result.unwrap().data
        };
        let [words, floats] = [open_gpu(), open_gpu_with_f16().with_f16_weights()].map(Device::from);
        assert_close(name, &run(&floats), &run(&words), 1e-5);
        assert!(has_kernel(&floats, "gemm/", "f16_weights") && !has_kernel(&words, "gemm/", "f16_weights"), "{name}");
    }
}
