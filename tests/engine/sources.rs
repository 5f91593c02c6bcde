//! RoFormers that no class of Hugging Face's computes, against plain PyTorch: tests/golden/generate_sources.py, on both backends.

use crate::support::{Expected, Folder, assert_close, context, golden, gpu, output, run};
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::model::{Attention, Variant};
use ropescope::ops::MapKind;
use ropescope::plan::{Capacity, PlanOptions, Taps, TensorName};
use ropescope::runtime::{ContextOptions, Device, HeadId, Intervention, Interventions, PredictionRows, Request};

fn folders() -> Vec<Folder> {
    let folders = Folder::sources();
    assert!(folders.len() >= 9, "only {} folders", folders.len());
    folders
}

fn compare_all(device: impl Fn() -> Device, tolerance: f32) {
    for folder in folders() {
        let expected = Expected::open(&folder.expected());
        let model = folder.load(device());
        let context = context(&model);
        let layers = model.facts().layers;
        let taps = Taps::from_iter(
            (0..=layers)
                .map(|layer| TensorName::HiddenStates.at(layer))
                .chain((0..layers).map(|layer| TensorName::Attentions.at(layer))),
        );
        let with_taps = output(&context, &Request { taps, ..folder.request() });
        for (name, found) in with_taps.named(model.facts()) {
            let what = format!("{}: {name}", folder.name);
            assert_eq!(found.shape, expected.shape(&name), "{what}");
            assert_close(&what, &found.data, expected.floats(&name), tolerance);
        }
        let plain = output(&context, &folder.request());
        for (name, found) in plain.named(model.facts()) {
            assert_close(&format!("{}: {name} alone", folder.name), &found.data, expected.floats(&name), tolerance);
        }
        for name in ["attention_mask", "input_ids"] {
            expected.integers(name);
        }
        let unread: Vec<_> = expected.unread().into_iter().filter(|name| *name != "token_type_ids").collect();
        assert!(unread.is_empty(), "{}: {unread:?} compared with nothing", folder.name);
    }
}

#[test]
fn cpu_agrees_with_pytorch() {
    compare_all(|| Device::Cpu, 1e-5);
}

#[test]
fn gpu_agrees_with_pytorch() {
    let gpu = gpu();
    compare_all(|| gpu.clone(), 1e-4);
}

/// The recurrent state of a causal model: a text token by token, in stretches, and cut back, whether its heads are kept or not.
#[test]
fn a_text_step_by_step_is_the_whole_text() {
    for device in [Device::Cpu, gpu()] {
        for name in ["linear_causal_padded", "linear_causal_length_130", "linear_rotate_first_causal"] {
            let folder = golden(&format!("sources/{name}"));
            let expected = Expected::open(&folder.expected());
            let (logits, complete) = (expected.floats("logits"), folder.request());
            let vocabulary = folder.facts().vocab_size;
            let last = |length: usize| -> Vec<f32> {
                let row =
                    |sequence: usize| &logits[(sequence * complete.length + length - 1) * vocabulary..][..vocabulary];
                (0..complete.batch).flat_map(row).copied().collect()
            };
            let step = |length: usize| {
                let prefix = |numbers: &[u32]| {
                    numbers.chunks(complete.length).flat_map(|row| &row[..length]).copied().collect::<Vec<u32>>()
                };
                let rows = (0..complete.batch).map(|sequence| (sequence * length + length - 1) as u32).collect();
                Request {
                    attention_mask: complete.attention_mask.as_deref().map(prefix),
                    token_type_ids: complete.token_type_ids.as_deref().map(prefix),
                    rows: PredictionRows::At(rows),
                    continues: true,
                    ..Request::new(prefix(&complete.ids), complete.batch, length)
                }
            };
            let model = folder.load(device.clone());
            for keep_heads in [false, true] {
                let context = model.context(ContextOptions { keep_heads, ..ContextOptions::default() });
                // One by one, then on by many at once, back to a shorter text, and over the borders of chunks and of the cache.
                let lengths = (1..=8).chain([complete.length, 5, 6, 7, complete.length / 2, complete.length]);
                for length in lengths.filter(|length| *length > 0) {
                    let output = output(&context, &step(length));
                    let what = format!("{name}, {length} tokens, heads kept: {keep_heads}");
                    assert_close(&what, &output.result.as_ref().unwrap().data, &last(length), 1e-4);
                }
            }
        }
    }
}

/// The state of a text has heads · d · (d + 1) numbers a layer, however long the text is, and a step computes one token.
#[test]
fn a_text_costs_the_same_at_every_length() {
    let folder = golden("sources/linear_causal");
    let facts = folder.facts();
    let options = |length| PlanOptions {
        has_cache: true,
        ..PlanOptions::new(Capacity { keys: length, ..Capacity::new(1, 1, 1) })
    };
    for length in [1, 64, 4096] {
        let states = folder.architecture().record(&options(length)).unwrap().plan.states;
        let each = facts.heads * facts.head_size * (facts.head_size + 1);
        let expected = vec![(true, each); facts.layers];
        assert_eq!(states.iter().map(|state| (state.is_recurrent(), state.width)).collect::<Vec<_>>(), expected);
    }
    let context = context(&folder.load(Device::Cpu));
    let ids = folder.request().ids;
    for length in 1..=ids.len() {
        let rows = PredictionRows::At(vec![length as u32 - 1]);
        let request = Request { continues: true, rows, ..Request::new(ids[..length].to_vec(), 1, length) };
        assert_eq!(output(&context, &request).report.computed, 1);
    }
}

/// Any RoFormer runs by linear attention, and what has nothing to do with it is refused.
#[test]
fn another_attention_is_a_variant_of_a_roformer() {
    for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
        let trained = golden("sources/linear");
        let expected = Expected::open(&trained.expected());
        let model = trained.load(device);
        let with_attention = |attention| {
            let variant = Variant { attention: Some(attention), ..Variant::default() };
            context(&model.variant(&variant).unwrap())
        };
        let by_softmax = with_attention(Attention::Softmax);
        let softmax = output(&by_softmax, &trained.request()).result.unwrap();
        let difference = softmax.data.iter().zip(expected.floats("logits")).map(|(one, other)| (one - other).abs());
        assert!(difference.fold(0.0, f32::max) > 0.1, "softmax gives what linear attention does");
        let by_linear = with_attention(Attention::Linear);
        let linear = output(&by_linear, &trained.request()).result.unwrap();
        assert_close("linear", &linear.data, expected.floats("logits"), tolerance);

        let scaled = Interventions::from([Intervention::log_n(3.0)]);
        let clamped = Interventions::from([Intervention::clamp_distances(3)]);
        for interventions in [scaled, clamped] {
            let request = Request { interventions, ..trained.request() };
            let refused = pollster::block_on(by_linear.run(&request, &NeverCancelled)).err();
            assert_eq!(refused, Some(Error::NoSoftmax));
        }
        let head = HeadId::new(0, 0);
        let rotating_first = with_attention(Attention::LinearRotateFirst);
        let (_, run) = run(&rotating_first, &Request { selection: Some(head), ..trained.request() });
        let unrotated = pollster::block_on(run.map(head, MapKind::Unrotated, 64, &NeverCancelled));
        assert_eq!(unrotated.err(), Some(Error::RotationBeforeFeatureMap));
    }
    let llama = golden("decoders/llama");
    let variant = Variant { attention: Some(Attention::Linear), ..Variant::default() };
    let refused = variant.read(&llama.config_json(), None).err().unwrap().to_string();
    assert!(refused.contains("RoFormer alone") && refused.contains("LlamaForCausalLM"), "{refused}");
    let unknown = trained_config("cosine");
    let refused = Variant::default().read(&unknown, None).err().unwrap().to_string();
    assert!(refused.contains("attention") && refused.contains("linear_rotate_first"), "{refused}");
}

fn trained_config(attention: &str) -> String {
    golden("sources/linear").config_json().replace("\"linear\"", &format!("\"{attention}\""))
}
