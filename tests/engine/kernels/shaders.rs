//! Every file in shaders/ is part of a kernel, every kernel is valid WGSL for a device without optional features but those it enables, and
//! what a shader declares is what its op hands over.

use crate::support::Adapter;
use ropescope::draw::GridPainter;
use ropescope::kernels::Format;
use ropescope::model::{Architecture, Attention};
use ropescope::ops::{
    CopyRows, EmbeddingWeights, Epilogue, Feed, HeadStatistics, LinearWeights, MapKind, MapWindow, Maps, MeanMap,
    RowNorms,
};
use ropescope::plan::{
    Access, Capacity, Input, InterventionKinds, Kernel, Launch, NumberTensors, Op, ParameterType, Part, Plan,
    PlanBuilder, PlanOptions, Sizes, Taps, TensorName, Weight,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use wgpu::naga;

/// RoFormers of every head, activation and way to write them, and one decoder of each kind; sizes that four divides,
/// and others.
fn configs() -> Vec<Value> {
    let roformer = |architecture: &str, hidden: usize, activation: &str| {
        json!({
            "model_type": "roformer", "architectures": [architecture], "hidden_act": activation, "vocab_size": 99,
            "hidden_size": hidden, "embedding_size": 20, "intermediate_size": 37, "num_attention_heads": 1,
            "num_hidden_layers": 1, "max_position_embeddings": 64, "is_decoder": architecture == "RoFormerForCausalLM",
        })
    };
    let decoder = |model_type: &str, architecture: &str| {
        json!({
            "model_type": model_type, "architectures": [architecture], "vocab_size": 99, "hidden_size": 36,
            "intermediate_size": 50, "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 6,
            "num_hidden_layers": 1, "max_position_embeddings": 64,
        })
    };
    let heads = [
        "Model",
        "ForMaskedLM",
        "ForCausalLM",
        "ForSequenceClassification",
        "ForTokenClassification",
        "ForQuestionAnswering",
    ];
    let mut configs: Vec<Value> = heads.iter().map(|head| roformer(&format!("RoFormer{head}"), 36, "gelu")).collect();
    configs.extend(
        [(32, "gelu_new"), (18, "relu"), (36, "silu")]
            .map(|(hidden, activation)| roformer("RoFormerForMaskedLM", hidden, activation)),
    );
    for (class, attention) in [
        ("RoFormerForMaskedLM", "linear"),
        ("RoFormerForCausalLM", "linear"),
        ("RoFormerForCausalLM", "linear_rotate_first"),
    ] {
        let mut linear = roformer(class, 18, "gelu");
        linear["attention"] = json!(attention);
        configs.push(linear);
    }
    configs.push(decoder("llama", "LlamaForCausalLM"));
    configs.push(decoder("qwen3", "Qwen3ForCausalLM"));
    let mut neox = decoder("gpt_neox", "GPTNeoXForCausalLM");
    neox["num_key_value_heads"] = json!(6);
    configs.push(neox);
    configs.push(json!({
        "model_type": "bart", "architectures": ["BartForConditionalGeneration"], "vocab_size": 99, "d_model": 21,
        "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 3, "decoder_attention_heads": 3,
        "encoder_ffn_dim": 30, "decoder_ffn_dim": 30, "max_position_embeddings": 64,
    }));
    configs
}

/// Everything that a plan of a model can be for.
fn all_options(architecture: &Architecture) -> Vec<PlanOptions> {
    let facts = &architecture.facts;
    let predicts = facts.predicts_tokens();
    let turns = !facts.adds_positions;
    let source = if turns { 0 } else { 8 };
    let mut options = Vec::new();
    if facts.causal {
        // A written token: few rows, few queries; after a short text and a long one.
        for keys in [16, 512] {
            let capacity = Capacity { keys, source, ..Capacity::new(1, 1, 1) };
            options.push(PlanOptions { has_cache: true, splits_work: true, ..PlanOptions::new(capacity) });
        }
        // A cache of f16: a decode step, a prefill, and one with interventions between projection and cache.
        for (length, intervenes) in [(1, false), (8, false), (8, true)] {
            let capacity = Capacity { keys: 16, source, ..Capacity::new(1, length, 1) };
            let cached = PlanOptions { has_cache: true, splits_work: true, ..PlanOptions::new(capacity) };
            let interventions = InterventionKinds {
                scaled_queries: intervenes,
                max_distance: (intervenes && turns).then_some(3),
                ..cached.interventions
            };
            options.push(PlanOptions { f16_weights: true, f16_cache: true, interventions, ..cached });
        }
    }
    if source > 0 {
        let read = PlanOptions { part: Part::Encoder, keeps_heads: true, ..PlanOptions::new(Capacity::new(1, 8, 2)) };
        options.push(PlanOptions { capacity: Capacity { source, ..read.capacity }, ..read });
    }
    for taps in [
        Taps::none(),
        Taps::from_iter([TensorName::Query.at(0), TensorName::Key.at(0), TensorName::QueryRotated.at(0)]),
    ] {
        for (keeps_heads, cached) in [(false, false), (true, false), (false, true), (true, true)] {
            let heads = match predicts {
                true => &[(0, false, false), (5, false, true), (5, true, false)][..],
                false => &[(0, false, false)],
            };
            for &(top_k, has_penalty, scores_labels) in heads.iter().filter(|_| !cached || facts.causal) {
                let gathers_rows = top_k > 0;
                let capacity = Capacity { keys: if cached { 16 } else { 8 }, source, ..Capacity::new(1, 8, 2) };
                options.push(PlanOptions {
                    capacity,
                    part: Part::Decoder,
                    taps: taps.clone(),
                    keeps_heads,
                    has_cache: cached,
                    gathers_rows,
                    top_k,
                    has_penalty,
                    // Drawn with and without bans.
                    has_bans: has_penalty && keeps_heads,
                    draws: has_penalty,
                    scores_labels,
                    has_lens: top_k > 0 && !keeps_heads,
                    interventions: InterventionKinds {
                        pairs: cached && turns,
                        heads: cached,
                        rotated_values: cached && turns,
                        scaled_queries: cached,
                        max_distance: (cached && keeps_heads && turns).then_some(3),
                        numbers: NumberTensors::new(NumberTensors::all().filter(|_| cached), facts.layers, 1),
                    },
                    splits_work: true,
                    f16_weights: false,
                    f16_cache: false,
                });
            }
        }
    }
    options
}

/// A run that each of these plans holds.
fn sizes(options: &PlanOptions) -> Sizes {
    let Capacity { length, rows, source: source_capacity, .. } = options.capacity;
    let sizes = match options.has_cache {
        true => Sizes { past: 4, cache_capacity: 16, ..Sizes::new(1, length.min(3), rows.min(2)) },
        false => Sizes::new(1, 7, 2),
    };
    Sizes { source: source_capacity.saturating_sub(2), source_capacity, ..sizes }
}

/// Questions of each kind about the heads of a plan.
fn questions(plan: &Plan, sizes: Sizes) -> Vec<Box<dyn Op>> {
    let mut questions: Vec<Box<dyn Op>> = Vec::new();
    let parts = || Part::ALL.into_iter();
    let values = parts().flat_map(|part| plan.head_values(part));
    for (heads, values) in parts().flat_map(|part| plan.heads(part)).zip(values) {
        for kind in [MapKind::Weight, MapKind::Score, MapKind::Unrotated, MapKind::RotationEffect] {
            let window = MapWindow { queries: 1..3, keys: 0..3, rows: 2, columns: 5 };
            questions.push(Box::new(Maps {
                heads,
                kind,
                sequence: 0,
                head_range: 0..heads.query.heads,
                window,
                offset: 6,
            }));
        }
        let (queries, with_padding) = (1..heads.queries(sizes), heads.causal);
        questions.push(Box::new(HeadStatistics { heads, sequence: 0, queries, with_padding, tokens: 0, offset: 2 }));
        let (sequence, head_range, heads_of) = (0, 0..heads.query.heads, heads.query.heads);
        for output in [None, Some(values.output)] {
            let (rows, head_range, count) = (values.view, head_range.clone(), heads.keys(sizes));
            questions.push(Box::new(RowNorms {
                rows,
                heads: heads_of,
                output,
                sequence,
                head_range,
                count,
                offset: 1,
            }));
        }
        for factors in [None, Some(5)] {
            let (head_range, share, accumulates) = (head_range.clone(), 0.5, factors.is_some());
            questions.push(Box::new(MeanMap { heads, sequence, head_range, factors, share, accumulates, offset: 2 }));
        }
        questions.push(Box::new(CopyRows::to_results(heads.query.head(0), 1, heads.queries(sizes) - 1, 3)));
        questions.push(Box::new(CopyRows::to_results(heads.key.head(0), 0, heads.keys(sizes), 0)));
    }
    questions
}

/// Every op of every plan, and every question about it, with the sizes of a run.
fn ops() -> Vec<(Box<dyn Op>, Sizes)> {
    let mut ops: Vec<(Box<dyn Op>, Sizes)> = Vec::new();
    for config in configs() {
        let architecture = Architecture::read(&config.to_string(), None);
        let architecture = architecture.unwrap_or_else(|error| panic!("{config}: {error}"));
        for mut options in all_options(&architecture) {
            if architecture.facts.attention != Attention::Softmax {
                // Distances are clamped in the scores of a softmax.
                options.interventions.max_distance = None;
            }
            let recorded =
                architecture.record(&options).unwrap_or_else(|error| panic!("{config}, {options:?}: {error}"));
            let (plan, sizes) = (recorded.plan, sizes(&options));
            if options.has_cache && options.top_k > 0 {
                let (stride, place, to) = (2 * options.top_k, options.top_k, Input::Ids.into());
                let feed = Feed { results: recorded.result, stride, place, to };
                ops.push((Box::new(feed), sizes));
            }
            ops.extend(questions(&plan, sizes).into_iter().chain(plan.steps).map(|op| (op, sizes)));
        }
    }
    ops.extend(block_rotation().into_iter().map(|op| (op, Sizes::new(1, 7, 2))));
    // Row by row, in tiles of 16, of 32 and of 64, in slices.
    for (length, inner) in [(1, 18), (1, 20), (1, 1024), (7, 18), (7, 20), (32, 18), (64 * 128, 18), (32, 1538)] {
        for f16_weights in [false, true] {
            ops.extend(products(length, inner, f16_weights).into_iter().map(|op| (op, Sizes::new(1, length, 1))));
        }
    }
    ops
}

/// Products with weights of f32 and of int8, with `f16_weights` of f16, of fours of columns and of others, in a plan for a GPU.
fn products(length: usize, inner: usize, f16_weights: bool) -> Vec<Box<dyn Op>> {
    let weight = |index, rows, columns| Weight { index, rows, columns };
    let options = PlanOptions { splits_work: true, f16_weights, ..PlanOptions::new(Capacity::new(1, length, 1)) };
    let mut plan = PlanBuilder::new(options);
    let format = if f16_weights { Format::F16 } else { Format::Int8 };
    plan.set_formats([Format::F32, Format::F32, Format::F32, format, format].into());
    let embeddings = EmbeddingWeights { word: weight(0, 9, inner), added: None, norm: None, scale: 1.0 };
    let x = plan.embedding(&embeddings);
    for (index, columns) in [(1, 7), (2, 8), (3, 7), (4, 8)] {
        let y = plan.linear(x, &LinearWeights { weight: weight(index, columns, inner), bias: None }, Epilogue::None);
        plan.output(y);
    }
    plan.finish().unwrap().steps
}

/// The rotation by stored matrices, which no model has.
fn block_rotation() -> Vec<Box<dyn Op>> {
    let weight = |index, rows, columns| Weight { index, rows, columns };
    let mut plan = PlanBuilder::new(PlanOptions::new(Capacity::new(1, 8, 2)));
    let embeddings = EmbeddingWeights { word: weight(0, 9, 18), added: None, norm: None, scale: 1.0 };
    let x = plan.embedding(&embeddings);
    let y = plan.rotate_by_blocks(x, weight(1, 8 * 6, 6));
    plan.output(y);
    plan.finish().unwrap().steps
}

fn parse(source: &str) -> naga::Module {
    naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)))
}

fn assert_valid(name: &str, source: &str) {
    let uses_f16 = source.starts_with("enable f16;");
    let features =
        if uses_f16 { naga::valid::Capabilities::SHADER_FLOAT16 } else { naga::valid::Capabilities::empty() };
    let flags = naga::valid::ValidationFlags::all();
    if let Err(error) = naga::valid::Validator::new(flags, features).validate(&parse(source)) {
        panic!("{name}: {}", error.emit_to_string(source));
    }
}

/// Kernels of all these ops, each once.
fn kernels(ops: &[(Box<dyn Op>, Sizes)]) -> Vec<Kernel> {
    let mut kernels: Vec<Kernel> = Vec::new();
    for (op, _) in ops {
        let kernel = op.kernel();
        if !kernels.contains(&kernel) {
            kernels.push(kernel);
        }
    }
    kernels
}

/// The parsed shaders of all these ops, each parsed once, by their text.
fn modules(ops: &[(Box<dyn Op>, Sizes)]) -> BTreeMap<String, naga::Module> {
    let texts = kernels(ops).into_iter().map(|kernel| kernel.wgsl());
    texts.map(|wgsl| (wgsl.clone(), parse(&wgsl))).collect()
}

/// The grid painter's shader, which belongs to no op.
const PAINTER: &str = "head_grid/head_grid";

/// The shader that checks a GPU when it opens.
const F16_CHECK: &str = "f16_check/f16_check";

#[test]
fn every_kernel_is_valid() {
    for kernel in kernels(&ops()) {
        assert_valid(kernel.shader, &kernel.wgsl());
    }
    for shader in [PAINTER, F16_CHECK] {
        assert_valid(shader, &Kernel::new(shader).wgsl());
    }
}

/// Names that follow a directive in a file.
fn named<'a>(text: &'a str, directive: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.strip_prefix(directive)?.strip_prefix(' ')).collect()
}

#[test]
fn every_file_and_condition_is_part_of_a_kernel() {
    let kernels = kernels(&ops());
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for folder in std::fs::read_dir(&root).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.with_extension("").strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            files.insert(name, std::fs::read_to_string(path).unwrap());
        }
    }
    let mut used: BTreeSet<&str> = kernels.iter().map(|kernel| kernel.shader).collect();
    used.extend([PAINTER, F16_CHECK]);
    used.extend(files.values().flat_map(|text| named(text, "#import")));
    assert_eq!(used.into_iter().collect::<Vec<_>>(), files.keys().collect::<Vec<_>>(), "files used, files there");
    for (name, text) in &files {
        let [ifs, ends] =
            ["#if", "#endif"].map(|directive| text.lines().filter(|line| line.starts_with(directive)).count());
        assert_eq!(ifs, ends, "{name}: an #if without its #endif");
    }

    let conditions: BTreeSet<&str> = files.values().flat_map(|text| named(text, "#if")).collect();
    let set: BTreeSet<&str> = kernels.iter().flat_map(|kernel| kernel.conditions.iter().copied()).collect();
    assert_eq!(conditions, set, "conditions of shaders, those that ops set");
    for kernel in &kernels {
        for condition in &kernel.conditions {
            let mut without = kernel.clone();
            without.conditions.retain(|other| other != condition);
            assert_ne!(without.wgsl(), kernel.wgsl(), "{condition} changes nothing of {}", kernel.shader);
        }
    }
}

/// A shader's storage bindings in order, each with its name and whether it is written; the binding of its parameters, and their type.
fn bindings(name: &str, module: &naga::Module) -> (Vec<(u32, String, bool)>, u32, naga::Handle<naga::Type>) {
    let mut storage = Vec::new();
    let mut parameters = Vec::new();
    for (_, variable) in module.global_variables.iter() {
        let Some(binding) = &variable.binding else { continue };
        assert_eq!(binding.group, 0, "{name}");
        match variable.space {
            naga::AddressSpace::Storage { access } => {
                let written = access.contains(naga::StorageAccess::STORE);
                storage.push((binding.binding, variable.name.clone().unwrap_or_default(), written));
            }
            naga::AddressSpace::Uniform => parameters.push((binding.binding, variable.ty)),
            other => panic!("{name}: {other:?} is bound"),
        }
    }
    storage.sort_unstable();
    let [(binding, of)] = parameters[..] else { panic!("{name} has {} uniforms", parameters.len()) };
    (storage, binding, of)
}

/// Bindings lie in the order of the op's uses, have their names, are written where the op writes, and the parameters come last.
#[test]
fn bindings_are_what_ops_use() {
    let ops = ops();
    let modules = modules(&ops);
    for (op, _) in ops {
        let (name, uses) = (op.name(), op.uses());
        let (storage, parameters, _) = bindings(name, &modules[&op.kernel().wgsl()]);
        let expected: Vec<(u32, String, bool)> =
            uses.iter().zip(0..).map(|(used, at)| (at, used.name.into(), used.access != Access::Read)).collect();
        assert_eq!(storage, expected, "{name} declares its bindings otherwise than it uses them");
        assert_eq!(parameters as usize, uses.len(), "{name}: the binding of its parameters");
    }
}

/// Names, offsets and types of the members of a type in WGSL are those of the type in Rust, and so is its size.
fn assert_same(name: &str, module: &naga::Module, wgsl: naga::Handle<naga::Type>, rust: ParameterType) {
    match (&module.types[wgsl].inner, rust) {
        (naga::TypeInner::Scalar(naga::Scalar::U32), ParameterType::U32) => {}
        (naga::TypeInner::Scalar(naga::Scalar::F32), ParameterType::F32) => {}
        (naga::TypeInner::Struct { members, span }, ParameterType::Struct { members: expected, size }) => {
            let declared: Vec<(&str, usize)> = members
                .iter()
                .map(|member| (member.name.as_deref().unwrap_or_default(), member.offset as usize))
                .collect();
            let expected_members: Vec<(&str, usize)> =
                expected.iter().map(|member| (member.name, member.offset)).collect();
            assert_eq!(declared, expected_members, "{name}: members of the WGSL struct, of the Rust struct");
            assert_eq!(*span as usize, size, "{name}: size in bytes");
            for (member, expected) in members.iter().zip(expected) {
                assert_same(&format!("{name}.{}", expected.name), module, member.ty, expected.parameter_type);
            }
        }
        (inner, rust) => panic!("{name} is {inner:?} in WGSL, {rust:?} in Rust"),
    }
}

#[test]
fn parameters_have_one_layout_in_rust_and_wgsl() {
    let mut checked = BTreeSet::new();
    let ops = ops();
    let modules = modules(&ops);
    for (op, sizes) in ops {
        let (name, kernel) = (op.name(), op.kernel());
        let module = &modules[&kernel.wgsl()];
        let (_, _, parameters) = bindings(kernel.shader, module);
        let rows = op.split().map_or(0..0, |weight| 0..weight.rows);
        let launch = op.launch(rows, sizes);
        assert_same(kernel.shader, module, parameters, launch.parameter_type);
        assert!(launch.parameters.len() <= Launch::PARAMETERS, "{name}: {} words", launch.parameters.len());
        assert!(launch.workgroups.iter().all(|count| *count > 0), "{name} has nothing to do");
        checked.insert(kernel.shader);
    }
    let painter = parse(&Kernel::new(PAINTER).wgsl());
    let (_, _, parameters) = bindings(PAINTER, &painter);
    assert_same(PAINTER, &painter, parameters, GridPainter::PARAMETERS);
    // All files but the painter's and those that others import.
    assert_eq!(checked.len(), 29, "{checked:?}");
}

#[test]
fn every_pipeline_is_built() {
    let adapter = Adapter::open();
    let ops = ops();
    let before = adapter.device.gpu.created();
    for (op, _) in &ops {
        adapter.device.pipeline(&**op);
    }
    let (kernels, created) = (kernels(&ops), adapter.device.gpu.created() - before);
    GridPainter::new(&adapter.device.gpu, wgpu::TextureFormat::Rgba8Unorm, 1, 1);
    // Polls the device, so that what it has against a shader is known.
    adapter.device.gpu.device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
    adapter.device.gpu.check_alive().unwrap();
    assert_eq!(created, kernels.len() as u64);
    assert!(kernels.len() >= 25, "only {} pipelines", kernels.len());
}
