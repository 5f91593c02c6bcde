//! Dispatches and creations of runs, counted.

use crate::support::{Folder, demo_model, golden, gpu, run};
use ropescope::Error;
use ropescope::backend::gpu::{AdapterChoice, Gpu};
use ropescope::model::{Facts, Model, Purpose};
use ropescope::plan::{Capacity, HeadAblation, Kernel, Tap, Taps};
use ropescope::session::{Device, Fill, Intervention, Pairs, Replaced, Report, Request, Rows, Selection, Session};
use serde_json::json;

/// The fills of two tokens.
fn fills(request: Request) -> Request {
    let last = (request.batch * request.length - 1) as u32;
    Request { rows: Rows::At(vec![0, last]), top_k: 5, ..request }
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
        let mut session = folder.load(device.clone());
        let request = fills(folder.text(1, 5.min(facts.max_position_embeddings)));
        assert_eq!(run(&mut session, &request).report.dispatches, budget, "{name}");

        // Keeping attentions and hidden states adds nothing; unrotated projections add the rotation of their layer.
        let layers = 0..facts.layers;
        let taps = layers
            .clone()
            .flat_map(|layer| [Tap::Attentions(layer), Tap::HiddenStates(layer), Tap::QueryRotated(layer)]);
        let tapped = Request { taps: taps.collect(), ..request.clone() };
        assert_eq!(run(&mut session, &tapped).report.dispatches, budget, "{name}, tapped");
        let unrotated = Request { taps: layers.clone().map(Tap::Key).collect(), ..request.clone() };
        assert_eq!(run(&mut session, &unrotated).report.dispatches, budget + layers.len(), "{name}, unrotated");

        // The chosen head's map, its query rows and its key rows take one each.
        let selected = Request { selection: Some(Selection { layer: 0, head: 0 }), ..request.clone() };
        assert_eq!(run(&mut session, &selected).report.dispatches, budget + 3, "{name}, with a head");
        // Logits instead of fills, at every token: neither gather nor top-k.
        let logits = Request { rows: Rows::All, top_k: 0, ..request };
        assert_eq!(run(&mut session, &logits).report.dispatches, budget - 2, "{name}, all logits");
        factorised[usize::from(facts.embedding_size != facts.hidden_size)] = true;
    }
    assert_eq!(factorised, [true, true], "both kinds of embeddings were counted");
}

/// What a layer of each decoder takes; what is remembered takes one more. Beside the layers: embedding, gather,
/// logits and top-k, and what the family's head has before the logits. At last the norms that a layer's products make on the way where
/// one token is computed.
const DECODERS: [(&str, usize, usize, usize); 6] = [
    ("decoders/llama", 7, 5, 2),
    ("decoders/mistral_window", 7, 5, 2),
    ("decoders/qwen2", 7, 5, 2),
    ("decoders/qwen3", 8, 5, 2),
    ("decoders/gpt_neox", 7, 5, 0),
    ("decoders/roformer", 7, 6, 0),
];

#[test]
fn a_decoder_keeps_to_its_dispatches() {
    let device = gpu();
    for (name, layer, rest, _) in DECODERS {
        let folder = golden(name);
        let layers = folder.facts().layers;
        let mut session = folder.load(device.clone());
        let request = fills(folder.text(1, 9));
        assert_eq!(run(&mut session, &request).report.dispatches, layer * layers + rest, "{name}");
        let cached = Request { continues: true, ..request.clone() };
        assert_eq!(run(&mut session, &cached).report.dispatches, (layer + 1) * layers + rest, "{name}, cached");
        // A normed head is normed apart from its rotation where it is tapped between.
        let unrotated = Request { taps: (0..layers).map(Tap::Query).collect(), ..request };
        assert_eq!(run(&mut session, &unrotated).report.dispatches, (layer + 1) * layers + rest, "{name}, unrotated");
    }
}

/// What a run changes takes a dispatch a layer for each change (values turn and turn back), the lens the head's own for
/// every layer; a run without is what it was.
#[test]
fn changes_and_the_lens_keep_to_their_dispatches() {
    let replaced = vec![Replaced { layer: 0, head: 1, by: HeadAblation::Mean }];
    let stopped = vec![Pairs { layer: 1, head: 0, pairs: 0..=0 }];
    let none = Intervention::default;
    let changes = [
        (0, none()),
        (1, Intervention { replaced: replaced.clone(), ..none() }),
        (1, Intervention { stopped, ..none() }),
        (1, Intervention { log_n: Some(3.0), ..none() }),
        (2, Intervention { rotates_values: true, ..none() }),
        (0, Intervention { reach: Some(2), ..none() }),
        (4, Intervention { replaced, log_n: Some(3.0), rotates_values: true, reach: Some(2), ..none() }),
    ];
    let device = gpu();
    // The head of RoFormer has three dispatches, that of decoders two with the final norm; gather and top-k are around it.
    for (name, base, head) in [("tiny_masked_lm", 7 * 2 + 6, 3), ("decoders/llama", 7 * 2 + 5, 2)] {
        let folder = golden(name);
        let mut session = folder.load(device.clone());
        for (added, intervention) in &changes {
            let request = Request { intervention: intervention.clone(), ..fills(folder.text(1, 9)) };
            assert_eq!(run(&mut session, &request).report.dispatches, base + 2 * added, "{name}, {intervention:?}");
            let again = run(&mut session, &request).report;
            assert_eq!((again.dispatches, again.created), (base + 2 * added, 0), "{name}, {intervention:?}, again");
        }
        let lens = Request { lens: true, keeps_logits: true, ..fills(folder.text(1, 9)) };
        assert_eq!(run(&mut session, &lens).report.dispatches, base + 2 * (head + 2), "{name}, with the lens");
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
        let whole = folder.text(1, 60).ids;
        for selection in [None, Some(Selection { layer: layers - 1, head: 1 })] {
            let mut session = folder.load(device.clone());
            let mut grow = |length: usize| -> Report {
                let rows = Rows::At(vec![length as u32 - 1]);
                let request = Request::new(whole[..length].to_vec(), 1, length);
                let request = Request { continues: true, rows, top_k: 5, selection, ..request };
                run(&mut session, &request).report
            };
            let dispatches = (layer + 1) * layers + rest + if selection.is_some() { 3 } else { 0 };
            let begun = grow(7);
            assert_eq!((begun.computed, begun.dispatches), (7, dispatches), "{name}");
            let first = grow(8);
            let dispatches = dispatches - on_the_way * layers;
            for length in 9..=60 {
                let Report { computed, dispatches: found, created, bytes_held, .. } = grow(length);
                let what = format!("{name}, length {length}, selection {selection:?}");
                assert_eq!((computed, found, created), (1, dispatches, 0), "{what}: computed, dispatches, created");
                assert_eq!(bytes_held, first.bytes_held, "{what}");
            }
        }
    }
}

/// A token behind many others looks at slices of their keys, which takes a dispatch more a layer, and creates nothing, either. It is the
/// one that the CPU finds.
#[test]
fn a_token_behind_a_long_text_takes_another_dispatch() {
    let folder = golden("tiny_causal_lm");
    let (layers, run_of_many) = (folder.facts().layers, budget(&folder.facts()) + folder.facts().layers);
    let whole = folder.text(1, 262).ids;
    let [on_gpu, on_cpu] = [gpu(), Device::Cpu].map(|device| {
        let on_gpu = matches!(device, Device::Gpu(_));
        let mut session = folder.load(device);
        let mut grow = |length: usize| {
            let request = Request::new(whole[..length].to_vec(), 1, length);
            let rows = Rows::At(vec![length as u32 - 1]);
            run(&mut session, &Request { continues: true, rows, top_k: 5, ..request })
        };
        // Room for 512: two slices.
        let begun = grow(257).report;
        if on_gpu {
            assert_eq!((begun.computed, begun.dispatches), (257, run_of_many));
        }
        grow(258);
        (259..=262)
            .map(|length| {
                let output = grow(length);
                let Report { computed, dispatches, created, .. } = output.report;
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
        let model = Model::read(&config(intermediate).to_string(), None).unwrap();
        let capacity = Capacity::new(1, length, 4);
        let purpose = Purpose { gathers: true, top_k: 5, spreads, ..Purpose::new(capacity) };
        let steps = model.record(&purpose).unwrap().plan.steps;
        assert_eq!(steps.len(), 7 * 2 + 6 + added, "{intermediate}, {length}, {spreads}");
        assert_eq!(steps.iter().filter(|op| op.name() == "gemm_reduce").count(), added);
    }
}

#[test]
fn only_the_first_run_creates() {
    let folder = golden("tiny_masked_lm");
    for mut session in [folder.load(gpu()), folder.load(Device::Cpu)] {
        let on_gpu = session.gpu().is_some();
        let chosen = |length, layer, head, offset| Request {
            selection: Some(Selection { layer, head }),
            position_offset: offset,
            ..fills(folder.text(1, length))
        };
        let first = run(&mut session, &chosen(9, 0, 0, 0));
        assert_eq!(first.report.created > 0, on_gpu);
        // The text grows and shrinks within the capacity, the head and the offset change, a token is masked or not.
        for (length, layer, head, offset) in
            [(9, 1, 0, 0), (10, 0, 0, 0), (32, 1, 3, 0), (1, 1, 0, 17), (31, 0, 2, 100_000), (9, 1, 1, 0)]
        {
            let mut request = chosen(length, layer, head, offset);
            for rows in [vec![0], vec![], vec![0; 4]] {
                request.rows = Rows::At(rows);
                let report = run(&mut session, &request).report;
                assert_eq!(report.created, 0, "length {length}, layer {layer}, head {head}, offset {offset}");
                assert_eq!(report.bytes_held, first.report.bytes_held);
            }
            pollster::block_on(session.head(Selection { layer: 1, head: 2 })).unwrap();
        }
        let created = |session: &Session| session.gpu().map(Gpu::created);
        let before = created(&session);
        pollster::block_on(session.head(Selection { layer: 1, head: 2 })).unwrap();
        assert_eq!(created(&session), before, "another head");
        // A picture may need a larger answer; the runs and heads after it need nothing.
        assert_eq!(session.picture(20).unwrap().is_some(), on_gpu);
        let before = created(&session);
        assert_eq!(session.picture(20).unwrap().is_some(), on_gpu);
        for (layer, head) in [(0, 1), (1, 1)] {
            assert_eq!(run(&mut session, &chosen(9, layer, head, 0)).report.created, 0, "after a picture");
            pollster::block_on(session.head(Selection { layer, head: 2 })).unwrap();
        }
        assert_eq!(created(&session), before, "after a picture");
    }
}

#[test]
fn a_growing_text_plans_anew_only_at_powers_of_two() {
    let folder = golden("tiny_masked_lm");
    let mut session = folder.load(gpu());
    let grew: Vec<usize> =
        (1..=140).filter(|length| run(&mut session, &fills(folder.text(1, *length))).report.created > 0).collect();
    assert_eq!(grew, [1, 33, 65, 129]);
    // It shrinks into the buffers that are there.
    assert_eq!(run(&mut session, &fills(folder.text(1, 2))).report.created, 0);
    // A text of the greatest length has no capacity beyond it.
    let longest = folder.facts().max_position_embeddings;
    assert!(run(&mut session, &fills(folder.text(1, longest - 1))).report.created > 0);
    assert_eq!(run(&mut session, &fills(folder.text(1, longest))).report.created, 0);
}

/// A text that is written token by token: its first run, its first step, and then wherever its cache is doubled.
#[test]
fn a_written_text_plans_anew_only_at_powers_of_two() {
    let folder = golden("tiny_causal_lm");
    let whole = folder.text(1, 140).ids;
    for selection in [None, Some(Selection { layer: 1, head: 0 })] {
        let mut session = folder.load(gpu());
        let mut created = |length: usize| {
            let rows = Rows::At(vec![length as u32 - 1]);
            let request = Request::new(whole[..length].to_vec(), 1, length);
            let report = run(&mut session, &Request { continues: true, rows, top_k: 5, selection, ..request }).report;
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
    let purpose = Purpose { taps: Taps::none(), gathers: true, top_k: 5, ..Purpose::new(capacity) };
    let plan = folder.model().record(&purpose).unwrap().plan;
    let mut kernels: Vec<Kernel> = Vec::new();
    for op in &plan.steps {
        if !kernels.contains(&op.kernel()) {
            kernels.push(op.kernel());
        }
    }

    let mut session = folder.load(gpu());
    let first = run(&mut session, &fills(folder.text(1, 32))).report.created;
    let second = run(&mut session, &fills(folder.text(1, 33))).report.created;
    assert_eq!(first - second, kernels.len() as u64);
}

/// What a page's first run waits for longest on a software adapter: one product of few rows and one of tiles, whatever follows them.
#[test]
fn a_first_visit_makes_three_large_pipelines() {
    let purpose = Purpose { gathers: true, top_k: 5, keeps_heads: true, ..Purpose::new(Capacity::new(1, 32, 4)) };
    let plan = demo_model().model().record(&Purpose { spreads: true, ..purpose }).unwrap().plan;
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

/// Bytes that live on a device, whoever holds them.
fn allocated(device: &Device) -> u64 {
    let Device::Gpu(device) = device else { return 0 };
    let device = device.gpu.device();
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    device.generate_allocator_report().expect("Vulkan's allocations are counted").total_allocated_bytes
}

/// A session that is dropped gives back its weights, plans and caches.
#[test]
fn fifty_loads_hold_what_one_holds() {
    for device in [gpu(), Device::Cpu] {
        let visit = |name: &str| {
            let folder = golden(name);
            let mut session = folder.load(device.clone());
            let request = fills(folder.text(1, 40));
            run(&mut session, &request);
            if session.facts().causal {
                let request = Request { continues: true, selection: Some(Selection { layer: 0, head: 0 }), ..request };
                run(&mut session, &request);
                let branch = pollster::block_on(session.branch()).unwrap();
                session.resume(branch);
                run(&mut session, &request);
            }
            session.bytes_held()
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

/// A plan that is replaced gives its buffers back: after texts of 200 lengths a session holds what one of the longest
/// needs.
#[test]
fn two_hundred_lengths_hold_what_the_longest_needs() {
    let folder = golden("tiny_masked_lm");
    for device in [gpu(), Device::Cpu] {
        let mut fresh = folder.load(device.clone());
        let expected = run(&mut fresh, &fills(folder.text(1, 200))).report.bytes_held;
        drop(fresh);
        let mut session = folder.load(device.clone());
        let mut lengths = |lengths: &mut dyn Iterator<Item = usize>| {
            for length in lengths {
                let held = run(&mut session, &fills(folder.text(1, length))).report.bytes_held;
                assert!(held <= expected, "length {length}: {held} bytes, the longest needs {expected}");
            }
            assert_eq!(session.bytes_held(), expected);
            allocated(&device)
        };
        let once = lengths(&mut (1..=200));
        let twice = lengths(&mut (1..=200).rev().chain(1..=200));
        assert!(twice <= once, "{twice} bytes live, {once} before");
    }
}

#[test]
fn a_row_larger_than_a_binding_is_refused() {
    let gpu = pollster::block_on(Gpu::open(AdapterChoice::Any)).expect("a Vulkan adapter; Mesa's llvmpipe will do");
    let folder = golden("masked_lm");
    let error = folder.try_load(Device::from(gpu.with_binding_limit(100))).err().unwrap();
    assert!(matches!(error, Error::RowTooLarge { limit: 100, .. }), "{error}");
}
