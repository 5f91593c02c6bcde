//! Explanations: every number recombines from its operands, and a walk from any number ends at the text and the file of weights.

use crate::support::{Folder, context, golden, gpu, output};
use pollster::block_on;
use proptest::prelude::*;
use ropescope::backend::NeverCancelled;
use ropescope::error::Error;
use ropescope::kernels::Format;
use ropescope::plan::{Index, Part, Site, TensorName};
use ropescope::runtime::{
    Attention, Attribution, Device, Explainer, Explanation, Intervention, Interventions, LoadOptions, Model,
    PredictionRows, Replacement, Request, SourceText, TermKind, Variant, tap_sites,
};
use safetensors::SafeTensors;

/// Every family, with groups of heads, normed heads, windows, parallel sublayers, padding, tables of positions, and heads of several steps.
pub const FOLDERS: [&str; 19] = [
    "masked_lm",
    "masked_lm_not_factorised",
    "causal_lm_rotary_value",
    "decoders/llama",
    "decoders/llama_biases",
    "decoders/qwen2",
    "decoders/qwen3",
    "decoders/mistral_window_padded_left",
    "decoders/gpt_neox",
    "decoders/gpt_neox_sequential",
    "decoders/gemma3",
    "decoders/rope_yarn",
    "readers/modernbert",
    "readers/esm",
    "pairs/marian",
    "pairs/bart",
    "pairs/pegasus",
    "sources/notebook",
    "sources/roformer_v2",
];

/// The first text of a folder's request.
pub fn one_text(folder: &Folder) -> Request {
    let request = folder.request_with_source();
    let first = |numbers: &Vec<u32>, length: usize| numbers[..length].to_vec();
    let of_text = |numbers: &Option<Vec<u32>>| numbers.as_ref().map(|numbers| first(numbers, request.length));
    let source = request.source.as_ref().map(|source| SourceText {
        ids: first(&source.ids, source.length),
        length: source.length,
        attention_mask: source.attention_mask.as_ref().map(|mask| first(mask, source.length)),
    });
    Request {
        ids: first(&request.ids, request.length),
        batch: 1,
        attention_mask: of_text(&request.attention_mask),
        token_type_ids: of_text(&request.token_type_ids),
        position_ids: of_text(&request.position_ids),
        rows: PredictionRows::All,
        source,
        ..request
    }
}

pub fn explain(explainer: &mut Explainer, site: Site, depth: usize) -> Result<Explanation, Error> {
    block_on(explainer.explain(site, depth, &NeverCancelled))
}

/// The tensors of a model whose numbers are explained.
fn tensors(model: &Model, explainer: &mut Explainer) -> Vec<Site> {
    let facts = model.facts();
    let all = TensorName::all().flat_map(|tensor| tap_sites(tensor, facts));
    let is_explained = |site: &Site| match explain(explainer, first_number(*site), 1) {
        Ok(_) => true,
        Err(Error::NoSuchTensor { .. } | Error::NotExplained { .. } | Error::NoContactHead) => false,
        Err(error) => panic!("{site}: {error}"),
    };
    all.filter(is_explained).collect()
}

fn first_number(tensor: Site) -> Site {
    tensor.with_index(index_of(tensor, [0; 3]))
}

fn index_of(tensor: Site, at: [usize; 3]) -> [Index; 3] {
    let axes = tensor.tensor.axes().len();
    std::array::from_fn(|axis| if axis < axes { Index::At(at[axis]) } else { Index::All })
}

/// The largest number that a formula adds up, or the number itself; of a softmax 1. Masks and counts are no terms.
fn largest_term(explained: &Explanation) -> f64 {
    let is_term = |operand: &&Explanation| !["mask", "width"].contains(&operand.name.as_str());
    let terms = explained.operands.iter().filter(is_term);
    let terms = terms.filter_map(|operand| operand.value.map(f64::from).or(operand.recomputed));
    let terms = terms.chain(explained.value.map(f64::from)).filter(|term| term.abs() < 1e30);
    let is_softmax = explained.formula.as_deref().is_some_and(|formula| formula.starts_with("exp("));
    if is_softmax { 1.0 } else { terms.fold(1e-3, |largest: f64, term| largest.max(term.abs())) }
}

/// Numbers that look random, each in 0 .. size.
fn index(seed: usize, size: usize) -> usize {
    let mixed = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) as usize % size
}

/// Compares numbers of every tensor with the run's taps, and with what their operands come to.
pub fn recombine(what: &str, model: &Model, request: &Request, tolerance: f64) {
    let mut explainer = Explainer::new(model, request).unwrap_or_else(|error| panic!("{what}: {error}"));
    let tensors = tensors(model, &mut explainer);
    assert!(tensors.len() > 20 * model.facts().layers, "{what}: {} tensors", tensors.len());
    let taps = output(&context(model), &Request { taps: tensors.iter().copied().collect(), ..request.clone() }).taps;
    for (seed, (tensor, numbers)) in taps.iter().enumerate() {
        let axes = &numbers.shape[1..];
        for turn in 0..6 {
            let size = |axis: usize| axes.get(axis).copied().unwrap_or(1);
            let mut at: [usize; 3] = std::array::from_fn(|axis| index(100 * seed + 10 * turn + axis, size(axis)));
            // Every query sees itself, and mostly the key before it.
            if turn < 2 && size(2) == size(1) {
                at[2] = at[1].saturating_sub(turn);
            }
            let site = tensor.with_index(index_of(*tensor, at));
            let explained = explain(&mut explainer, site, 1).unwrap_or_else(|error| panic!("{what}: {site}: {error}"));
            let offset = axes.iter().zip(at).fold(0, |offset, (size, at)| offset * size + at);
            let (tap, scale) = (f64::from(numbers.data[offset]), largest_term(&explained));
            let (value, recomputed) = (f64::from(explained.value.unwrap()), explained.recomputed.unwrap());
            assert!(
                value == tap || (value - tap).abs() <= 1e-4 * scale.max(0.1),
                "{what}: {site} is {value}, the tap {tap}"
            );
            let is_hidden = value < -1e38 && recomputed < -1e38;
            assert!(
                is_hidden || (value - recomputed).abs() <= tolerance * scale,
                "{what}: {site} is {value}, {recomputed} in f64, terms up to {scale}: {:?}",
                explained.formula
            );
            assert!(explained.formula.is_some() && !explained.operands.is_empty(), "{what}: {site}: {explained:#?}");
        }
    }
}

fn recombine_on(device: impl Fn() -> Device) {
    for folder in FOLDERS.map(golden) {
        recombine(&folder.name, &folder.load(device()), &one_text(&folder), 1e-5);
    }
}

#[test]
fn numbers_of_every_family_recombine_on_the_cpu() {
    recombine_on(|| Device::Cpu);
}

#[test]
fn numbers_of_every_family_recombine_on_the_gpu() {
    let device = gpu();
    recombine_on(|| device.clone());
}

/// The CPU rounds what it multiplies with int8 and int4 weights to 8 bits, the GPU multiplies f32.
#[test]
fn numbers_of_models_in_every_format_recombine() {
    for name in ["decoders/llama", "readers/modernbert"] {
        for (format, on_cpu) in [(Format::F16, 1e-5), (Format::BF16, 1e-5), (Format::Int8, 0.1), (Format::Int4, 0.1)] {
            for (device, tolerance) in [(Device::Cpu, on_cpu), (gpu(), 1e-5)] {
                let folder = golden(name);
                let options = LoadOptions { format: Some(format), ..LoadOptions::default() };
                let model = block_on(Model::load(&device, &folder.config_json(), &folder.file(), options)).unwrap();
                recombine(&format!("{name} as {format:?}"), &model, &one_text(&folder), tolerance);
            }
        }
    }
}

#[test]
fn numbers_of_linear_attention_recombine() {
    for name in ["masked_lm", "causal_lm"] {
        for attention in [Attention::Linear, Attention::LinearRotateFirst] {
            for device in [Device::Cpu, gpu()] {
                let folder = golden(name);
                let variant = Variant { attention: Some(attention), ..Variant::default() };
                let model = folder.load(device).variant(&variant).unwrap();
                recombine(&format!("{name}, {attention:?}"), &model, &one_text(&folder), 1e-5);
            }
        }
    }
}

/// The numbers of a tree with addresses.
fn addresses(explained: &Explanation) -> Vec<&Explanation> {
    let own = explained.at.iter().map(|_| explained);
    own.chain(explained.operands.iter().flat_map(addresses)).collect()
}

/// Numbers of the file are those at their addresses.
#[test]
fn weights_have_the_numbers_of_the_file() {
    let mut compared = std::collections::BTreeSet::new();
    for folder in FOLDERS.map(golden) {
        let file = folder.file();
        let file = SafeTensors::deserialize(&file).unwrap();
        let model = folder.load(Device::Cpu);
        let mut explainer = Explainer::new(&model, &one_text(&folder)).unwrap();
        for tensor in tensors(&model, &mut explainer) {
            let size = if tensor.tensor.axes().len() == 3 { [0, 1, 3] } else { [1, 3, 0] };
            let explained = explain(&mut explainer, tensor.with_index(index_of(tensor, size)), 1).unwrap();
            for number in addresses(&explained) {
                let (name, index) = number.at.as_ref().unwrap().trim_end_matches(']').split_once('[').unwrap();
                let Ok(view) = file.tensor(name) else { continue };
                let index: Vec<usize> = index.split(',').map(|index| index.parse().unwrap()).collect();
                assert_eq!(index.len(), view.shape().len(), "{name}");
                let at = index.iter().zip(view.shape()).fold(0, |at, (index, size)| at * size + index);
                let bytes = view.data()[4 * at..][..4].try_into().unwrap();
                let stored = f32::from_le_bytes(bytes);
                assert!((number.value.unwrap() - stored).abs() <= 1e-6, "{}: {name}{index:?}: {number:?}", folder.name);
                compared.insert((folder.name.clone(), name.to_string()));
            }
        }
    }
    // Of every folder most matrices, biases and norms.
    assert!(compared.len() > 25 * FOLDERS.len(), "{}", compared.len());
}

/// A walk from operand to operand ends at the text and at the file of weights. first: whether it takes the first operand with a site, else
/// the last.
fn walk(name: &str, first: bool) -> usize {
    let folder = golden(name);
    let model = folder.load(Device::Cpu);
    let mut explainer = Explainer::new(&model, &one_text(&folder)).unwrap();
    let mut at = TensorName::Probabilities.at(0).with_index([Index::At(0), Index::At(5)]);
    for step in 1..200 {
        let explained = explain(&mut explainer, at, 1).unwrap();
        let mut sites = addresses(&explained).into_iter().skip(1).filter_map(|number| number.at.as_ref()?.parse().ok());
        match if first { sites.next() } else { sites.next_back() } {
            Some(next) => at = next,
            None => {
                let ends: Vec<&str> = addresses(&explained).iter().filter_map(|number| number.at.as_deref()).collect();
                assert!(ends.iter().any(|end| end.contains("_ids[")), "{name}: {at} ends at {ends:?}");
                return step;
            }
        }
    }
    panic!("{name}: no end at {at}");
}

#[test]
fn every_number_leads_to_the_text() {
    for name in ["masked_lm", "decoders/llama", "decoders/gemma3", "readers/esm", "pairs/marian"] {
        let [short, long] = [true, false].map(|first| walk(name, first));
        assert!(short >= 5 && long > 10, "{name}: {short} and {long} steps");
    }
}

/// The residual stream is its first value and the terms of all sublayers, in models that norm before them.
#[test]
fn the_residual_stream_is_the_sum_of_all_terms() {
    for (name, cross) in [
        ("decoders/llama", 0),
        ("decoders/gpt_neox", 0),
        ("decoders/gemma3", 0),
        ("readers/esm", 0),
        ("pairs/pegasus", 1),
    ] {
        let folder = golden(name);
        let model = folder.load(Device::Cpu);
        let mut explainer = Explainer::new(&model, &one_text(&folder)).unwrap();
        let layers = model.facts().layers;
        let explained =
            explain(&mut explainer, TensorName::Residual.at(0).with_index([Index::At(0), Index::At(3)]), 1).unwrap();
        let terms: Vec<&str> = explained.operands.iter().filter_map(|operand| operand.at.as_deref()).collect();
        assert_eq!(terms.len(), 1 + (2 + cross) * layers, "{name}: {terms:?}");
        assert!(terms[0].contains("hidden_states.0"), "{name}: {terms:?}");
        let sum: f64 = explained.operands.iter().filter_map(|operand| operand.value.map(f64::from)).sum();
        assert!((sum - explained.recomputed.unwrap()).abs() < 1e-9, "{name}");
    }
}

#[test]
fn deeper_explanations_explain_their_operands() {
    let folder = golden("masked_lm_length_33");
    let mut explainer = Explainer::new(&folder.load(Device::Cpu), &one_text(&folder)).unwrap();
    let site: Site = "attentions.0[0,2,1]".parse().unwrap();
    let explained = explain(&mut explainer, site, 3).unwrap();
    let masked = &explained.operands[0];
    assert_eq!((masked.name.as_str(), masked.at.as_deref()), ("score", Some("layer.0.score.masked[0,2,1]")));
    assert_eq!(masked.operands[0].at.as_deref(), Some("layer.0.score[0,2,1]"));
    assert_eq!(masked.operands[0].formula.as_deref(), Some("q · k · scale"));
    assert!(masked.operands[0].operands.iter().all(|operand| operand.operands.is_empty()));
    let sum = explained.operands.iter().find(|operand| operand.name == "sum").unwrap();
    assert_eq!(sum.operands.len(), 10);
    assert_eq!(sum.rest.unwrap().terms + 10, folder.request().length);
    let all: f64 = sum.operands.iter().filter_map(|term| term.recomputed).sum::<f64>() + sum.rest.unwrap().value;
    assert!((all - sum.recomputed.unwrap()).abs() < 1e-12);
}

/// A maximum names its largest key, however far below hidden ones are.
#[test]
fn a_maximum_lists_its_largest_first() {
    let folder = golden("decoders/llama_length_33");
    let mut explainer = Explainer::new(&folder.load(Device::Cpu), &one_text(&folder)).unwrap();
    let explained = explain(&mut explainer, "layer.0.score.max[0,2]".parse().unwrap(), 1).unwrap();
    assert_eq!(explained.operands[0].value, explained.value);
    assert!(explained.operands.is_sorted_by(|one, other| one.value >= other.value), "{explained:#?}");
}

#[test]
fn a_tree_of_too_many_numbers_is_refused() {
    let folder = golden("masked_lm");
    let mut explainer = Explainer::new(&folder.load(Device::Cpu), &one_text(&folder)).unwrap();
    let error = explain(&mut explainer, "logits[1,3]".parse().unwrap(), 12).unwrap_err();
    assert_eq!(error, Error::ExplanationTooLarge);
}

#[test]
fn other_requests_are_refused_in_words() {
    let folder = golden("masked_lm");
    let (model, request) = (folder.load(Device::Cpu), one_text(&folder));
    let refused = |request: &Request| Explainer::new(&model, request).err().unwrap().to_string();
    assert!(refused(&folder.text(2, 3)).contains("one text"));
    let interventions = Interventions::from([Intervention::ablate_head(0, 0, Replacement::Zero)]);
    assert!(refused(&Request { interventions, ..request.clone() }).contains("interventions"));
    let mut explainer = Explainer::new(&model, &request).unwrap();
    for (site, message) in [
        ("attentions.1", "one index for each axis, [head,query,key]"),
        ("layer.1.query[0,1,p0]", "one index for each axis"),
        ("attentions.1[0,2,1000]", "its key must be below"),
        ("attentions.9[0,2,1]", "layers"),
        ("logits[1000,3]", "its row must be below"),
        ("logits[1,100000]", "its id must be below"),
        ("layer.0.written[0,1]", "no explanation"),
        ("ffn.0.gate[1,1]", "this model computes no ffn.0.gate"),
        ("encoder.layer.0.query[0,1,1]", "encoder"),
    ] {
        let error = explain(&mut explainer, site.parse().unwrap(), 1).unwrap_err().to_string();
        assert!(error.contains(message), "{site}: {error}");
    }
}

/// The terms of every family add up to the logit, on the way back through norms after attention, activations and padding.
fn attribute_on(device: impl Fn() -> Device) {
    for folder in FOLDERS.map(golden) {
        let model = folder.load(device());
        let facts = model.facts().clone();
        let mut explainer = Explainer::new(&model, &one_text(&folder)).unwrap();
        for (row, id) in [(0, 5), (2, 7)].map(|(row, id)| (row.min(one_text(&folder).length - 1), id)) {
            let found = block_on(explainer.attribute(row, id, &NeverCancelled));
            let Attribution { logit, terms } = found.unwrap_or_else(|error| panic!("{}: {error}", folder.name));
            let sum: f64 = terms.iter().map(|term| term.value).sum();
            let largest = terms.iter().fold(1.0_f64, |largest, term| largest.max(term.value.abs()));
            assert!((sum - f64::from(logit)).abs() <= 1e-4 * largest, "{}: {sum} of {logit}", folder.name);
            let count = |kind: TermKind| terms.iter().filter(|term| term.of == kind).count();
            let cross = if facts.encoder.is_some() { facts.layers * facts.heads } else { 0 };
            let counts = [TermKind::Embedding, TermKind::Head, TermKind::CrossHead, TermKind::FeedForward].map(count);
            assert_eq!(counts, [1, facts.layers * facts.heads, cross, facts.layers], "{}", folder.name);
            assert_eq!(terms.iter().find(|term| term.of == TermKind::Embedding).unwrap().layer, None);
            let heads: Vec<_> =
                terms.iter().filter(|term| term.of == TermKind::Head).map(|term| (term.layer, term.head)).collect();
            assert!(heads.is_sorted() && terms[0].of != TermKind::FeedForward, "{}: {heads:?}", folder.name);
            assert!(terms.iter().all(|term| !term.at.is_empty()), "{}: {terms:?}", folder.name);
        }
    }
}

#[test]
fn the_terms_of_a_logit_add_up_on_the_cpu() {
    attribute_on(|| Device::Cpu);
}

#[test]
fn the_terms_of_a_logit_add_up_on_the_gpu() {
    let device = gpu();
    attribute_on(|| device.clone());
}

#[test]
fn a_logit_out_of_range_is_refused() {
    let folder = golden("decoders/llama");
    let mut explainer = Explainer::new(&folder.load(Device::Cpu), &one_text(&folder)).unwrap();
    for (row, id, message) in [(1000, 0, "its row must be below"), (0, 100_000, "its id must be below")] {
        let error = block_on(explainer.attribute(row, id, &NeverCancelled)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let folder = golden("readers/modernbert_sequence");
    let mut explainer = Explainer::new(&folder.load(Device::Cpu), &one_text(&folder)).unwrap();
    let error = block_on(explainer.attribute(0, 0, &NeverCancelled)).unwrap_err().to_string();
    assert!(error.contains("computes no logits"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whatever the address, there is an explanation or an error.
    #[test]
    fn any_address_gets_an_answer(tensor in 0..60_usize, layer in 0..4_usize, part in 0..3_usize, index in any::<[u8; 3]>(), far in any::<bool>()) {
        let folder = golden("pairs/marian");
        let mut explainer = Explainer::new(&folder.load(Device::Cpu), &one_text(&folder)).unwrap();
        let Some(tensor) = TensorName::all().nth(tensor) else { return Ok(()) };
        let tensor = tensor.at(layer).in_part(Part::ALL[part]);
        let index = index.map(|at| if far { usize::from(at) << 48 } else { usize::from(at % 6) });
        match explain(&mut explainer, tensor.with_index(index_of(tensor, index)), 2) {
            Ok(explained) => prop_assert!(explained.value.is_some() && explained.recomputed.is_some_and(f64::is_finite)),
            Err(error) => prop_assert!(!matches!(error, Error::Internal { .. }) && error.to_string().len() > 20, "{error}"),
        }
    }
}
