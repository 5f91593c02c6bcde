//! Numbers put in the tensors of a forward pass, neurons switched off among them, on both backends: against Hugging Face's classes with
//! hooks, and against the taps of the same run.

use crate::interventions::contexts;
use crate::support::{Expected, Folder, assert_close, context, context_with_heads, golden, gpu, output, run};
use ropescope::backend::NeverCancelled;
use ropescope::model::Facts;
use ropescope::plan::{Index, NumberTensors, Site, TensorName};
use ropescope::runtime::{
    Device, Intervention, Interventions, PredictionRows, Replacement, Request, SourceText, tap_sites,
};

fn interventions(text: &str) -> Interventions {
    Interventions::from(
        text.split(';').map(|text| text.parse::<Intervention>().unwrap_or_else(|error| panic!("{error}"))),
    )
}

/// The text of numbers.safetensors: two rows, or those of an encoder–decoder's expected.safetensors.
fn text(folder: &Folder, expected: &Expected) -> Request {
    if folder.facts().encoder.is_some() {
        return folder.request_with_source();
    }
    let name = |tensor: &str| format!("{}/{tensor}", folder.name);
    let ids = name("input_ids");
    let &[batch, length] = expected.shape(&ids) else { panic!("{ids} of no batch") };
    let mask = expected.integers(&name("attention_mask")).to_vec();
    let request = Request::new(expected.integers(&ids).to_vec(), batch, length);
    Request { attention_mask: Some(mask), ..request }
}

/// Every case of tests/golden/generate_numbers.py, whose names are the interventions.
#[test]
fn changed_models_give_hugging_faces_logits() {
    let expected = Expected::open("tests/golden/numbers.safetensors");
    for folder in ["tiny_masked_lm", "decoders/llama", "pairs/marian"].map(golden) {
        let prefix = format!("{}/", folder.name);
        let cases = expected.names().filter_map(|name| name.strip_prefix(&prefix)).filter(|name| name.contains('='));
        let cases: Vec<&str> = cases.collect();
        assert_eq!(cases.len(), 15, "{}", folder.name);
        let request = text(&folder, &expected);
        for (context, tolerance) in contexts(&folder) {
            for case in &cases {
                let name = format!("{prefix}{case}");
                let found = output(&context, &Request { interventions: interventions(case), ..request.clone() });
                let logits = expected.floats(&name);
                // Rows of padding differ: Hugging Face's classes give them other positions.
                let vocabulary = logits.len() / request.batch / request.length;
                let visible = |row: usize| request.attention_mask.as_ref().is_none_or(|mask| mask[row] == 1);
                let rows = |all: &[f32]| {
                    let rows = all.chunks_exact(vocabulary).enumerate().filter(|(row, _)| visible(*row));
                    rows.flat_map(|(_, row)| row.to_vec()).collect::<Vec<f32>>()
                };
                assert_close(&name, &rows(&found.result.unwrap().data), &rows(logits), tolerance);
            }
        }
    }
}

/// A folder of every family.
fn families() -> Vec<Folder> {
    let names = [
        "masked_lm",
        "masked_lm_not_factorised",
        "causal_lm_rotary_value",
        "decoders/llama",
        "decoders/qwen3",
        "decoders/gpt_neox",
        "decoders/gemma3",
        "readers/modernbert",
        "readers/esm",
        "pairs/marian",
        "pairs/bart",
        "pairs/pegasus",
        "sources/roformer_v2",
        "sources/linear",
    ];
    names.into_iter().map(golden).collect()
}

/// A site of one number of each tensor, in the last layer that has it.
fn one_number(tensor: TensorName, facts: &Facts) -> Site {
    let site = tensor.at(if tensor == TensorName::HiddenStates { facts.layers } else { facts.layers - 1 });
    let at = Index::At;
    if tensor.axes().len() == 3 { site.with_index([at(1), at(2), at(1)]) } else { site.with_index([at(2), at(5)]) }
}

/// A tap shows the number where it was put, and elsewhere what it was, up to the tensors that follow from it.
#[test]
fn taps_show_the_number_in_its_place() {
    for folder in families() {
        let facts = folder.facts();
        let request = folder.request_with_source();
        for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
            let context = context_with_heads(&folder.load(device));
            for tensor in NumberTensors::all() {
                let site = one_number(tensor, &facts);
                let tap = site.with_index([Index::All; 3]);
                let tapped = Request { taps: [tap].into_iter().collect(), ..request.clone() };
                let changed = Request { interventions: [Intervention::put(site, -1.5)].into(), ..tapped.clone() };
                let (before, after) = (output(&context, &tapped), output(&context, &changed));
                let what = format!("{}: {site}", folder.name);
                let mut expected = before.taps[&tap].clone();
                let mut strides = expected.shape[1..].to_vec();
                strides.push(1);
                let text: usize = strides.iter().product();
                let offset = site
                    .positions()
                    .iter()
                    .zip(1..strides.len())
                    .fold(0, |offset, (at, axis)| offset + at * strides[axis..].iter().product::<usize>());
                for text in expected.data.chunks_exact_mut(text) {
                    assert_ne!(text[offset], -1.5, "{what}");
                    text[offset] = -1.5;
                }
                assert_close(&what, &after.taps[&tap].data, &expected.data, tolerance);
                // The plan of a run without taps fuses more.
                let alone = output(&context, &Request { taps: Default::default(), ..changed }).result.unwrap().data;
                let together = after.result.unwrap().data;
                assert_close(&format!("{what}, without taps"), &alone, &together, tolerance);
                if facts.layers > 1 || tensor != TensorName::Key {
                    assert_ne!(together, before.result.unwrap().data, "{what}: nothing changed");
                }
            }
        }
    }
}

/// Without its neurons a network adds the bias of its output projection, or nothing.
#[test]
fn a_network_without_neurons_adds_one_vector() {
    for folder in families() {
        let layer = folder.facts().layers - 1;
        let term = TensorName::FeedForwardOutput.at(layer);
        let off = Interventions::from([Intervention::switch_off(layer, None)]);
        let request = folder.request_with_source();
        let request = Request { taps: [term].into_iter().collect(), interventions: off, ..request };
        for (context, _) in contexts(&folder) {
            let found = &output(&context, &request).taps[&term];
            let width = *found.shape.last().unwrap();
            let (first, others) = found.data.split_at(width);
            assert!(others.chunks_exact(width).all(|row| row == first), "{}: rows differ", folder.name);
            let has_bias = ["masked_lm", "causal_lm", "gpt_neox", "esm", "pairs", "linear"]
                .iter()
                .any(|part| folder.name.contains(part));
            assert_eq!(first.iter().any(|number| *number != 0.0), has_bias, "{}: {first:?}", folder.name);
        }
    }
}

/// A row in the cache, and a row that the continuation computes: both give what a run from the first token gives. Another number is another
/// run.
#[test]
fn a_continued_text_keeps_its_numbers() {
    const SHARED: usize = 5;
    let folder = golden("decoders/llama");
    for change in
        ["ffn.0[2,7]=zero", "ffn.0[6,7]=3", "layer.0.value[0,2,1]=3", "layer.0.key[1,6,1]=3", "hidden_states.1[*,3]=1"]
    {
        let rows = PredictionRows::At(vec![7]);
        let text = Request { interventions: interventions(change), rows, continues: true, ..folder.text(1, 8) };
        let fresh = output(&context(&folder.load(Device::Cpu)), &text).result.unwrap();
        let mut start = text.clone();
        start.ids[SHARED] += 1;
        for (context, tolerance) in contexts(&folder) {
            run(&context, &start);
            let continued = output(&context, &text);
            assert_eq!(continued.report.computed, 8 - SHARED, "{change}");
            assert_close(change, &continued.result.unwrap().data, &fresh.data, tolerance);
            let without = Request { interventions: Interventions::default(), ..text.clone() };
            assert_eq!(output(&context, &without).report.computed, 8, "{change}: an unchanged run has other numbers");
        }
    }
}

/// Other entries, rows and numbers of the same tensors need no other plan.
#[test]
fn other_numbers_of_a_tensor_create_nothing() {
    let folder = golden("tiny_masked_lm");
    let context = context(&folder.load(gpu()));
    let changed = |text: &str| {
        let request = Request { interventions: interventions(text), ..folder.text(1, 6) };
        output(&context, &request).report
    };
    let plain = output(&context, &folder.text(1, 6)).report;
    let first = changed("ffn.0[2,7]=zero");
    assert!(first.created > 0);
    // One dispatch behind each layer's network.
    assert_eq!(first.dispatches, plain.dispatches + folder.facts().layers);
    for text in ["ffn.0[2,7]=zero", "ffn.1[*,3]=2;ffn.0[1,*]=zero", "ffn.*=zero"] {
        let report = changed(text);
        assert_eq!((report.created, report.dispatches), (0, first.dispatches), "{text}");
    }
    assert_eq!(output(&context, &folder.text(1, 6)).report.dispatches, plain.dispatches);
}

#[test]
fn numbers_elsewhere_are_refused_by_name() {
    for (name, text, message) in [
        ("tiny_masked_lm", "ffn.0.inner[0,0]=1", "does not take this replacement"),
        ("tiny_masked_lm", "layer.0.query.rotated[0,0,0]=1", "does not take this replacement"),
        ("tiny_masked_lm", "encoder.ffn.0[0,0]=zero", "does not take this replacement"),
        ("tiny_masked_lm", "ffn.0[3,0]=zero", "the text has 3 tokens"),
        ("tiny_masked_lm", "ffn.0[0,9999]=zero", "its neuron must be below"),
        ("pairs/marian", "layer.0.head[0,*,*]=zero", "queries and keys rotate"),
        ("pairs/marian", "layer.*.score=clamp:3", "queries and keys rotate"),
    ] {
        let folder = golden(name);
        let source = folder.facts().encoder.is_some().then(|| SourceText::one(vec![1, 2]));
        let request = Request { interventions: interventions(text), source, ..folder.text(1, 3) };
        let context = context(&folder.load(Device::Cpu));
        let error = pollster::block_on(context.run(&request, &NeverCancelled)).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|error| error.contains(message)), "{name}, {text}: {error:?}");
    }
}

/// A head's mean and a number in its output: the number stays.
#[test]
fn a_number_is_put_after_a_head_is_ablated() {
    let folder = golden("tiny_masked_lm");
    let tap = TensorName::Head.at(0);
    let site = tap.with_index([Index::At(1), Index::At(2), Index::At(0)]);
    let changes = [Intervention::put(site, 0.5), Intervention::ablate_head(0, 1, Replacement::Zero)];
    let request = Request { interventions: changes.into(), taps: [tap].into_iter().collect(), ..folder.text(1, 6) };
    for (context, _) in contexts(&folder) {
        let found = &output(&context, &request).taps[&tap];
        let size = found.shape[3];
        let head = &found.data[6 * size..][..6 * size];
        assert_eq!(head.iter().filter(|number| **number != 0.0).count(), 1);
        assert_eq!(head[2 * size], 0.5);
    }
}

/// Encoders have tensors of these names, too, which a run does not change.
#[test]
fn the_encoder_stays_as_it_is() {
    let folder = golden("pairs/marian");
    let encoder =
        |tensor| tap_sites(tensor, &folder.facts()).filter(|site| site.part.name() == "encoder").collect::<Vec<_>>();
    let taps = encoder(TensorName::FeedForward).into_iter().chain(encoder(TensorName::HiddenStates));
    let request = Request { taps: taps.collect(), ..folder.request_with_source() };
    let off = Request { interventions: interventions("ffn.*=zero;hidden_states.0[*,0]=1"), ..request.clone() };
    for (context, _) in contexts(&folder) {
        assert_eq!(output(&context, &off).taps, output(&context, &request).taps);
    }
}
