//! Dispatches and creations of runs, counted.

use crate::support::{Folder, allocated, context, context_with_heads, demo_model, golden, gpu, open_gpu, output, run};
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::model::{Architecture, Facts};
use ropescope::plan::{Capacity, Kernel, Part, PlanOptions, Taps, TensorName};
use ropescope::runtime::{
    Device, Fill, HeadId, Intervention, Interventions, PredictionRows, Replacement, Request, RunReport,
};
use serde_json::json;

/// The fills of two tokens.
fn fills(request: Request) -> Request {
    let last = (request.batch * request.length - 1) as u32;
    Request { rows: PredictionRows::At(vec![0, last]), top_k: 5, ..request }
}

/// Dispatches of a masked-language-model run without taps.
fn budget(facts: &Facts) -> usize {
    7 * facts.layers + 6 + usize::from(facts.embedding_size != facts.hidden_size)
}

#[test]
fn a_run_keeps_to_its_dispatches() {
    let device = gpu();
    let folders = Folder::of_class("RoFormerForMaskedLM").into_iter().chain([demo_model()]);
    let mut factorised = [false; 2];
    for folder in folders {
        let facts = folder.facts();
        let (name, budget) = (&folder.name, budget(&facts));
        let context = context(&folder.load(device.clone()));
        let request = fills(folder.text(1, 5.min(facts.max_position_embeddings)));
        assert_eq!(output(&context, &request).report.dispatches, budget, "{name}");

        // Keeping attentions and hidden states adds nothing; unrotated projections add the rotation of their layer.
        let layers = 0..facts.layers;
        let taps = layers.clone().flat_map(|layer| {
            [TensorName::Attentions.at(layer), TensorName::HiddenStates.at(layer), TensorName::QueryRotated.at(layer)]
        });
        let tapped = Request { taps: taps.collect(), ..request.clone() };
        assert_eq!(output(&context, &tapped).report.dispatches, budget, "{name}, tapped");
        let unrotated =
            Request { taps: layers.clone().map(|layer| TensorName::Key.at(layer)).collect(), ..request.clone() };
        assert_eq!(output(&context, &unrotated).report.dispatches, budget + layers.len(), "{name}, unrotated");

        // The chosen head's map, its query rows and its key rows take one each.
        let selected = Request { selection: Some(HeadId::new(0, 0)), ..request.clone() };
        assert_eq!(output(&context, &selected).report.dispatches, budget + 3, "{name}, with a head");
        // Logits instead of fills, at every token: neither gather nor top-k.
        let logits = Request { rows: PredictionRows::All, top_k: 0, ..request };
        assert_eq!(output(&context, &logits).report.dispatches, budget - 2, "{name}, all logits");
        factorised[usize::from(facts.embedding_size != facts.hidden_size)] = true;
    }
    assert_eq!(factorised, [true, true], "both kinds of embeddings were counted");
}

/// Dispatches of a layer of each decoder without a cache; those of the rest: embedding, gather, logits, top-k, and what the
/// family's head has before the logits; the norms that a layer's products make on the way where one token is computed.
const DECODERS: [(&str, usize, usize, usize); 6] = [
    ("decoders/llama", 7, 5, 2),
    ("decoders/mistral_window", 7, 5, 2),
    ("decoders/qwen2", 7, 5, 2),
    ("decoders/qwen3", 8, 5, 2),
    ("decoders/gpt_neox", 7, 5, 0),
    ("decoders/roformer", 7, 6, 0),
];

/// Dispatches of a layer with a cache: its projection appends to the cache, unless heads are normed by a dispatch of their own first.
fn in_cache(layer: usize) -> usize {
    if layer == 7 { layer } else { layer + 1 }
}

#[test]
fn a_decoder_keeps_to_its_dispatches() {
    let device = gpu();
    for (name, layer, rest, _) in DECODERS {
        let folder = golden(name);
        let layers = folder.facts().layers;
        let context = context(&folder.load(device.clone()));
        let request = fills(folder.text(1, 9));
        assert_eq!(output(&context, &request).report.dispatches, layer * layers + rest, "{name}");
        let cached = Request { continues: true, ..request.clone() };
        assert_eq!(output(&context, &cached).report.dispatches, in_cache(layer) * layers + rest, "{name}, cached");
        // A normed head is normed apart from its rotation where it is tapped between.
        let unrotated = Request { taps: (0..layers).map(|layer| TensorName::Query.at(layer)).collect(), ..request };
        assert_eq!(output(&context, &unrotated).report.dispatches, (layer + 1) * layers + rest, "{name}, unrotated");
    }
}

/// Each intervention of a run takes a dispatch a layer (two where values rotate and rotate back), the lens the head's own dispatches for
/// every layer; a run without them is as before.
#[test]
fn interventions_and_the_lens_keep_to_their_dispatches() {
    let mean = Intervention::ablate_head(0, 1, Replacement::Mean);
    let frozen = Intervention::freeze(1, 0, 0..=0);
    let (log_n, rove, clamped) =
        (Intervention::log_n(3.0), Intervention::rotate_values(), Intervention::clamp_distances(2));
    let changes = [
        (0, Interventions::default()),
        (1, [mean].into()),
        (1, [frozen].into()),
        (1, [log_n].into()),
        (2, [rove].into()),
        (0, [clamped].into()),
        (4, [mean, log_n, rove, clamped].into()),
        (1, [Intervention::switch_off(1, Some(3))].into()),
        (5, [mean, log_n, rove, clamped, Intervention::switch_off(0, None)].into()),
    ];
    let device = gpu();
    // The head of RoFormer has three dispatches, that of decoders two with the final norm; gather and top-k are around it.
    for (name, base, head) in [("tiny_masked_lm", 7 * 2 + 6, 3), ("decoders/llama", 7 * 2 + 5, 2)] {
        let folder = golden(name);
        let context = context(&folder.load(device.clone()));
        for (added, intervention) in &changes {
            let request = Request { interventions: intervention.clone(), ..fills(folder.text(1, 9)) };
            assert_eq!(output(&context, &request).report.dispatches, base + 2 * added, "{name}, {intervention:?}");
            let again = output(&context, &request).report;
            assert_eq!((again.dispatches, again.created), (base + 2 * added, 0), "{name}, {intervention:?}, again");
        }
        let lens = Request { lens: true, ..fills(folder.text(1, 9)) };
        assert_eq!(output(&context, &lens).report.dispatches, base + 2 * (head + 2), "{name}, with the lens");
    }
}

/// A text that grows token by token: one token is computed, by as many dispatches each time, and nothing is made for
/// it.
#[test]
fn a_generated_token_creates_nothing() {
    let device = gpu();
    for (name, layer, rest, on_the_way) in DECODERS {
        let folder = golden(name);
        let layers = folder.facts().layers;
        let ids = folder.text(1, 60).ids;
        for selection in [None, Some(HeadId::new(layers - 1, 1))] {
            let context = context(&folder.load(device.clone()));
            let grow = |length: usize| -> RunReport {
                let rows = PredictionRows::At(vec![length as u32 - 1]);
                let request = Request::new(ids[..length].to_vec(), 1, length);
                let request = Request { continues: true, rows, top_k: 5, selection, ..request };
                output(&context, &request).report
            };
            let dispatches = in_cache(layer) * layers + rest + if selection.is_some() { 3 } else { 0 };
            let prompt = grow(7);
            assert_eq!((prompt.computed, prompt.dispatches), (7, dispatches), "{name}");
            let first = grow(8);
            let dispatches = dispatches - on_the_way * layers;
            for length in 9..=60 {
                let RunReport { computed, dispatches: found, created, bytes_allocated, .. } = grow(length);
                let what = format!("{name}, length {length}, selection {selection:?}");
                assert_eq!((computed, found, created), (1, dispatches, 0), "{what}: computed, dispatches, created");
                assert_eq!(bytes_allocated, first.bytes_allocated, "{what}");
            }
        }
    }
}

/// A token after many others looks at slices of their keys, which takes a dispatch more a layer, and creates nothing, either. It is the
/// one that the CPU finds.
#[test]
fn a_token_after_a_long_text_takes_another_dispatch() {
    let folder = golden("tiny_causal_lm");
    let (layers, run_of_many) = (folder.facts().layers, budget(&folder.facts()));
    let ids = folder.text(1, 262).ids;
    let [on_gpu, on_cpu] = [gpu(), Device::Cpu].map(|device| {
        let on_gpu = matches!(device, Device::Gpu(_));
        let context = context(&folder.load(device));
        let grow = |length: usize| {
            let request = Request::new(ids[..length].to_vec(), 1, length);
            let rows = PredictionRows::At(vec![length as u32 - 1]);
            output(&context, &Request { continues: true, rows, top_k: 5, ..request })
        };
        // Room for 512: two slices.
        let first = grow(257).report;
        if on_gpu {
            assert_eq!((first.computed, first.dispatches), (257, run_of_many));
        }
        grow(258);
        (259..=262)
            .map(|length| {
                let output = grow(length);
                let RunReport { computed, dispatches, created, .. } = output.report;
                let expected = if on_gpu { run_of_many + layers } else { dispatches };
                assert_eq!((computed, dispatches, created), (1, expected, 0), "length {length}");
                output.top
            })
            .collect::<Vec<_>>()
    });
    for (length, (found, expected)) in (259..).zip(on_gpu.iter().zip(&on_cpu)) {
        let ids = |fills: &[Vec<Fill>]| fills.iter().flatten().map(|fill| fill.id).collect::<Vec<u32>>();
        assert_eq!(ids(found), ids(expected), "length {length}");
    }
}

/// Long sums of few rows take a dispatch more each, where they are planned for a GPU.
#[test]
fn long_sums_take_another_dispatch() {
    let config = |intermediate: usize| {
        json!({
            "model_type": "roformer", "architectures": ["RoFormerForMaskedLM"], "hidden_act": "gelu", "vocab_size": 99,
            "hidden_size": 36, "embedding_size": 36, "intermediate_size": intermediate, "num_attention_heads": 3,
            "num_hidden_layers": 2, "max_position_embeddings": 64 * 256,
        })
    };
    for (intermediate, length, spreads, added) in
        [(1535, 32, true, 0), (1536, 32, true, 2), (1536, 32, false, 0), (1536, 64 * 256, true, 0)]
    {
        let architecture = Architecture::read(&config(intermediate).to_string(), None).unwrap();
        let capacity = Capacity::new(1, length, 4);
        let options = PlanOptions { gathers_rows: true, top_k: 5, splits_work: spreads, ..PlanOptions::new(capacity) };
        let steps = architecture.record(&options).unwrap().plan.steps;
        assert_eq!(steps.len(), 7 * 2 + 6 + added, "{intermediate}, {length}, {spreads}");
        assert_eq!(steps.iter().filter(|op| op.name() == "gemm/reduce").count(), added);
    }
}

#[test]
fn only_the_first_run_creates() {
    let folder = golden("tiny_masked_lm");
    for device in [gpu(), Device::Cpu] {
        let on_gpu = matches!(device, Device::Gpu(_));
        let context = context(&folder.load(device));
        let with_head = |length, layer, head, offset| Request {
            selection: Some(HeadId::new(layer, head)),
            position_offset: offset,
            ..fills(folder.text(1, length))
        };
        let first = output(&context, &with_head(9, 0, 0, 0));
        assert_eq!(first.report.created > 0, on_gpu);
        // The text grows and shrinks within the capacity, the head and the offset change, a token is masked or not.
        for (length, layer, head, offset) in
            [(9, 1, 0, 0), (10, 0, 0, 0), (32, 1, 3, 0), (1, 1, 0, 17), (31, 0, 2, 100_000), (9, 1, 1, 0)]
        {
            let mut request = with_head(length, layer, head, offset);
            let mut last = None;
            for rows in [vec![0], vec![], vec![0; 4]] {
                request.rows = PredictionRows::At(rows);
                let (output, run) = run(&context, &request);
                let report = output.report;
                last = Some(run);
                assert_eq!(report.created, 0, "length {length}, layer {layer}, head {head}, offset {offset}");
                assert_eq!(report.bytes_allocated, first.report.bytes_allocated);
            }
            pollster::block_on(last.unwrap().head(HeadId::new(1, 2), &NeverCancelled)).unwrap();
        }
        let (_, last) = run(&context, &with_head(9, 1, 1, 0));
        let created = || context.model().created();
        let before = created();
        pollster::block_on(last.head(HeadId::new(1, 2), &NeverCancelled)).unwrap();
        assert_eq!(created(), before, "another head");
        // A grid may need a larger answer; the runs and heads after it need nothing.
        assert_eq!(last.grid(Part::Decoder, 20).unwrap().is_some(), on_gpu);
        let before = created();
        assert_eq!(last.grid(Part::Decoder, 20).unwrap().is_some(), on_gpu);
        for (layer, head) in [(0, 1), (1, 1)] {
            let (output, run) = run(&context, &with_head(9, layer, head, 0));
            assert_eq!(output.report.created, 0, "after a grid");
            pollster::block_on(run.head(HeadId::new(layer, 2), &NeverCancelled)).unwrap();
        }
        assert_eq!(created(), before, "after a grid");
    }
}

#[test]
fn a_growing_text_plans_anew_only_at_powers_of_two() {
    let folder = golden("tiny_masked_lm");
    let context = context(&folder.load(gpu()));
    let grew: Vec<usize> =
        (1..=140).filter(|length| output(&context, &fills(folder.text(1, *length))).report.created > 0).collect();
    assert_eq!(grew, [1, 33, 65, 129]);
    // It shrinks into the buffers that are there.
    assert_eq!(output(&context, &fills(folder.text(1, 2))).report.created, 0);
    // A text of the greatest length has no capacity beyond it.
    let longest = folder.facts().max_position_embeddings;
    assert!(output(&context, &fills(folder.text(1, longest - 1))).report.created > 0);
    assert_eq!(output(&context, &fills(folder.text(1, longest))).report.created, 0);
}

/// A text that grows token by token: its first run, its first step, and then wherever its cache is doubled.
#[test]
fn a_cached_text_plans_anew_only_at_powers_of_two() {
    let folder = golden("tiny_causal_lm");
    let ids = folder.text(1, 140).ids;
    for selection in [None, Some(HeadId::new(1, 0))] {
        let context = context(&folder.load(gpu()));
        let created = |length: usize| {
            let rows = PredictionRows::At(vec![length as u32 - 1]);
            let request = Request::new(ids[..length].to_vec(), 1, length);
            let report = output(&context, &Request { continues: true, rows, top_k: 5, selection, ..request }).report;
            assert_eq!(report.computed, 1, "length {length}");
            report.created
        };
        let grew: Vec<usize> = (1..=140).filter(|length| created(*length) > 0).collect();
        assert_eq!(grew, [1, 2, 65, 129]);
    }
}

/// A second plan makes buffers and bind groups, but no pipeline.
#[test]
fn pipelines_outlive_a_plan() {
    let folder = golden("tiny_masked_lm");
    let capacity = Capacity::new(1, 32, 4);
    let options = PlanOptions { taps: Taps::none(), gathers_rows: true, top_k: 5, ..PlanOptions::new(capacity) };
    let plan = folder.architecture().record(&options).unwrap().plan;
    let mut kernels: Vec<Kernel> = Vec::new();
    for op in &plan.steps {
        if !kernels.contains(&op.kernel()) {
            kernels.push(op.kernel());
        }
    }

    let context = context(&folder.load(gpu()));
    let first = output(&context, &fills(folder.text(1, 32))).report.created;
    let second = output(&context, &fills(folder.text(1, 33))).report.created;
    assert_eq!(first - second, kernels.len() as u64);
}

/// On a software adapter the compilation of large pipelines takes most of a page's first run: one product of few rows and one of tiles,
/// whatever follows them.
#[test]
fn a_first_visit_makes_three_large_pipelines() {
    let options =
        PlanOptions { gathers_rows: true, top_k: 5, keeps_heads: true, ..PlanOptions::new(Capacity::new(1, 32, 4)) };
    let plan = demo_model().architecture().record(&PlanOptions { splits_work: true, ..options }).unwrap().plan;
    let mut kernels: Vec<Kernel> = Vec::new();
    for kernel in plan.steps.iter().map(|op| op.kernel()) {
        if ["gemm/", "attention/"].iter().any(|folder| kernel.shader.starts_with(folder)) && !kernels.contains(&kernel)
        {
            kernels.push(kernel);
        }
    }
    let mut names: Vec<_> = kernels.iter().map(|kernel| kernel.shader).collect();
    names.sort_unstable();
    assert_eq!(names, ["attention/attention", "gemm/gemm", "gemm/gemv"]);
}

/// A model and its contexts free weights, plans and caches when they are dropped.
#[test]
fn fifty_loads_hold_what_one_holds() {
    for device in [gpu(), Device::Cpu] {
        let visit = |name: &str| {
            let folder = golden(name);
            let model = folder.load(device.clone());
            let (context, other) = (context(&model), context_with_heads(&model));
            let request = fills(folder.text(1, 40));
            output(&context, &request);
            let (_, run) = run(&other, &request);
            let mut bytes = model.bytes() + context.bytes() + other.bytes();
            if model.facts().causal {
                let request = Request { continues: true, selection: Some(HeadId::new(0, 0)), ..request };
                output(&context, &request);
                let fork = pollster::block_on(context.fork()).unwrap();
                output(&fork, &request);
                bytes += context.bytes() + fork.bytes();
            }
            drop(other);
            assert!(!run.is_fresh(), "a run outlives its context");
            bytes
        };
        let names = ["tiny_causal_lm", "decoders/llama", "tiny_masked_lm"];
        let first = names.map(visit);
        let before = allocated(&device);
        for turn in 3..50 {
            let at = turn % names.len();
            assert_eq!(visit(names[at]), first[at], "load {turn}");
            assert!(allocated(&device) <= before, "load {turn}: {} bytes live, {before} before", allocated(&device));
        }
    }
}

/// A plan that is replaced frees its buffers: after texts of 200 lengths a context holds what one of the longest
/// needs.
#[test]
fn two_hundred_lengths_hold_what_the_longest_needs() {
    let folder = golden("tiny_masked_lm");
    for device in [gpu(), Device::Cpu] {
        let model = folder.load(device.clone());
        let expected = output(&context(&model), &fills(folder.text(1, 200))).report.bytes_allocated;
        let context = context(&model);
        let lengths = |lengths: &mut dyn Iterator<Item = usize>| {
            for length in lengths {
                let bytes = output(&context, &fills(folder.text(1, length))).report.bytes_allocated;
                assert!(bytes <= expected, "length {length}: {bytes} bytes, the longest needs {expected}");
            }
            assert_eq!(model.bytes() + context.bytes(), expected);
            allocated(&device)
        };
        let once = lengths(&mut (1..=200));
        let twice = lengths(&mut (1..=200).rev());
        assert!(twice <= once, "{twice} bytes live, {once} before");
    }
}

#[test]
fn a_row_larger_than_a_binding_is_refused() {
    let folder = golden("masked_lm");
    let error = folder.try_load(Device::from(open_gpu().with_binding_limit(100))).err().unwrap();
    assert!(matches!(error, Error::RowTooLarge { limit: 100, .. }), "{error}");
}
