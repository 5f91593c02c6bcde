//! Dispatches and creations of runs, counted.

use crate::support::{Folder, demo_model, golden, gpu, run};
use ropescope::Error;
use ropescope::backend::gpu::{AdapterChoice, Gpu};
use ropescope::model::{Architecture, Config, Model, Purpose};
use ropescope::plan::{Capacity, Kernel, Tap, Taps};
use ropescope::session::{Device, Request, Rows, Selection, Session};

/// The fills of two tokens.
fn fills(request: Request) -> Request {
    let last = (request.batch * request.length - 1) as u32;
    Request { rows: Rows::At(vec![0, last]), top_k: 5, ..request }
}

/// Dispatches of a masked-language-model run without taps.
fn budget(config: &Config) -> usize {
    7 * config.num_hidden_layers + 6 + usize::from(config.embedding_size != config.hidden_size)
}

#[test]
fn a_run_keeps_to_its_dispatches() {
    let device = gpu();
    let folders = Folder::of_class("RoFormerForMaskedLM").into_iter().chain([demo_model()]);
    let mut factorised = [false; 2];
    for folder in folders {
        let config = folder.config();
        let (name, budget) = (&folder.name, budget(&config));
        let mut session = folder.load(device.clone());
        let request = fills(folder.text(1, 5.min(config.max_position_embeddings)));
        assert_eq!(run(&mut session, &request).report.dispatches, budget, "{name}");

        // Keeping attentions and hidden states adds nothing; unrotated projections add the rotation of their layer.
        let layers = 0..config.num_hidden_layers;
        let taps = layers
            .clone()
            .flat_map(|layer| [Tap::Attentions(layer), Tap::HiddenStates(layer), Tap::QueryRotated(layer)]);
        let tapped = Request { taps: taps.collect(), ..request.clone() };
        assert_eq!(run(&mut session, &tapped).report.dispatches, budget, "{name}, tapped");
        let unrotated = Request { taps: layers.clone().map(Tap::Key).collect(), ..request.clone() };
        assert_eq!(run(&mut session, &unrotated).report.dispatches, budget + layers.len(), "{name}, unrotated");

        // The rows of the chosen head take one.
        let selected = Request { selection: Some(Selection { layer: 0, head: 0 }), ..request.clone() };
        assert_eq!(run(&mut session, &selected).report.dispatches, budget + 1, "{name}, with a head");
        // Logits instead of fills, at every token: neither gather nor top-k.
        let logits = Request { rows: Rows::All, top_k: 0, ..request };
        assert_eq!(run(&mut session, &logits).report.dispatches, budget - 2, "{name}, all logits");
        factorised[usize::from(config.embedding_size != config.hidden_size)] = true;
    }
    assert_eq!(factorised, [true, true], "both kinds of embeddings were counted");
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
            [(9, 0, 0, 0), (10, 0, 0, 0), (32, 1, 3, 0), (1, 1, 0, 17), (31, 0, 2, 100_000), (9, 1, 1, 0)]
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
    let longest = folder.config().max_position_embeddings;
    assert!(run(&mut session, &fills(folder.text(1, longest - 1))).report.created > 0);
    assert_eq!(run(&mut session, &fills(folder.text(1, longest))).report.created, 0);
}

/// A second plan makes buffers and bind groups, but no pipeline.
#[test]
fn pipelines_outlive_a_plan() {
    let folder = golden("tiny_masked_lm");
    let capacity = Capacity { batch: 1, length: 32, rows: 4 };
    let purpose = Purpose { capacity, taps: Taps::none(), selects_heads: false, gathers: true, top_k: 5 };
    let plan = Model::declare(&folder.config(), Architecture::MaskedLM).record(&purpose).unwrap().plan;
    let mut kernels: Vec<Kernel> = Vec::new();
    for dispatch in plan.steps.iter().flat_map(|step| step.op.dispatches(1 << 27)) {
        if !kernels.contains(&dispatch.kernel) {
            kernels.push(dispatch.kernel);
        }
    }

    let mut session = folder.load(gpu());
    let first = run(&mut session, &fills(folder.text(1, 32))).report.created;
    let second = run(&mut session, &fills(folder.text(1, 33))).report.created;
    assert_eq!(first - second, kernels.len() as u64);
}

#[test]
fn a_row_larger_than_a_binding_is_refused() {
    let gpu = pollster::block_on(Gpu::open(AdapterChoice::Any)).expect("a Vulkan adapter; Mesa's llvmpipe will do");
    let folder = golden("masked_lm");
    let error = folder.try_load(Device::from(gpu.with_binding_limit(100))).err().unwrap();
    assert!(matches!(error, Error::RowTooLarge { limit: 100, .. }), "{error}");
}
