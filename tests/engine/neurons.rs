//! Neurons: their numbers in a run against Hugging Face's modules, and the tokens that they read and write against sums in f64 over the
//! file of weights; on both backends.

use crate::support::{Expected, Folder, assert_close, context, golden, gpu, output};
use pollster::block_on;
use ropescope::backend::NeverCancelled;
use ropescope::kernels::Format;
use ropescope::plan::{Part, TensorName};
use ropescope::runtime::{Device, LoadOptions, MOST_TOKENS, Model, NeuronTokens, Neurons, Request, TokenNumber};
use safetensors::SafeTensors;

const LAYER: usize = 1;

/// A folder's weights around the neurons of layer 1 of a part: rows of the first projection or the gate, columns of the output
/// projection, word embeddings, and the output matrix where it is another one.
struct Case {
    folder: &'static str,
    part: Part,
    row: &'static str,
    column: &'static str,
    words: &'static str,
    scale: f64,
    projection: Option<&'static str>,
    output: Option<&'static str>,
    skips_head: bool,
}

const ENCODER: Case = Case {
    folder: "masked_lm",
    part: Part::Decoder,
    row: "roformer.encoder.layer.1.intermediate.dense.weight",
    column: "roformer.encoder.layer.1.output.dense.weight",
    words: "roformer.embeddings.word_embeddings.weight",
    scale: 1.0,
    projection: Some("roformer.embeddings_project.weight"),
    output: None,
    skips_head: true,
};
const GATED: Case = Case {
    folder: "decoders/llama",
    part: Part::Decoder,
    row: "model.layers.1.mlp.gate_proj.weight",
    column: "model.layers.1.mlp.down_proj.weight",
    words: "model.embed_tokens.weight",
    scale: 1.0,
    projection: None,
    output: Some("lm_head.weight"),
    skips_head: false,
};
const MARIAN: Case = Case {
    folder: "pairs/marian",
    part: Part::Decoder,
    row: "model.decoder.layers.1.fc1.weight",
    column: "model.decoder.layers.1.fc2.weight",
    words: "model.shared.weight",
    scale: 4.0,
    projection: None,
    output: Some("model.shared.weight"),
    skips_head: false,
};
const CASES: [Case; 5] = [
    ENCODER,
    GATED,
    MARIAN,
    Case {
        part: Part::Encoder,
        row: "model.encoder.layers.1.fc1.weight",
        column: "model.encoder.layers.1.fc2.weight",
        output: None,
        ..MARIAN
    },
    Case {
        folder: "decoders/gpt_neox",
        row: "gpt_neox.layers.1.mlp.dense_h_to_4h.weight",
        column: "gpt_neox.layers.1.mlp.dense_4h_to_h.weight",
        words: "gpt_neox.embed_in.weight",
        output: Some("embed_out.weight"),
        ..GATED
    },
];

/// The rows of a matrix of the file, in f64.
fn matrix(folder: &Folder, name: &str) -> Vec<Vec<f64>> {
    let file = folder.file();
    let tensors = SafeTensors::deserialize(&file).unwrap();
    let tensor = tensors.tensor(name).unwrap();
    let numbers = tensor.data().chunks_exact(4).map(|bytes| f64::from(f32::from_le_bytes(bytes.try_into().unwrap())));
    numbers.collect::<Vec<f64>>().chunks(tensor.shape()[1]).map(<[f64]>::to_vec).collect()
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The vector of each token in the residual stream.
fn words(folder: &Folder, case: &Case) -> Vec<Vec<f64>> {
    let projection = case.projection.map(|name| matrix(folder, name));
    let scaled =
        matrix(folder, case.words).into_iter().map(|row| row.iter().map(|number| number * case.scale).collect());
    let project = |row: Vec<f64>| match &projection {
        Some(projection) => projection.iter().map(|of| dot(of, &row)).collect(),
        None => row,
    };
    scaled.map(project).collect()
}

/// Compares a list with all numbers by id: each is the number of its id, and no id that is missing comes before.
fn assert_first(what: &str, found: &[TokenNumber], all: &[f64], key: impl Fn(f64) -> f64) {
    let largest = all.iter().fold(1e-3_f64, |largest, number| largest.max(number.abs()));
    let near = 1e-5 * largest;
    assert_eq!(found.len(), 7, "{what}");
    for token in found {
        let expected = all[token.id as usize];
        assert!((f64::from(token.number) - expected).abs() <= near, "{what}: {token:?}, {expected} in f64");
    }
    let is_listed = |id: usize| found.iter().any(|token| token.id as usize == id);
    let last = key(f64::from(found[6].number));
    for (id, number) in all.iter().enumerate().filter(|(id, _)| !is_listed(*id)) {
        assert!(key(*number) <= last + near, "{what}: {id} is missing");
    }
    assert!(found.is_sorted_by(|one, other| key(f64::from(one.number)) >= key(f64::from(other.number))), "{what}");
}

fn tokens(model: &Model, part: Part, neuron: usize, count: usize) -> NeuronTokens {
    block_on(model.neuron_tokens(part, LAYER, neuron, count, &NeverCancelled)).unwrap()
}

#[test]
fn tokens_are_those_of_sums_in_f64() {
    for case in &CASES {
        let folder = golden(case.folder);
        let vectors = words(&folder, case);
        let (rows, columns) = (matrix(&folder, case.row), matrix(&folder, case.column));
        let output = case.output.map(|name| matrix(&folder, name));
        for device in [Device::Cpu, gpu()] {
            let model = folder.load(device);
            for neuron in [0, 3, rows.len() - 1] {
                let what = format!("{}, {:?}, neuron {neuron}", case.folder, case.part);
                let found = tokens(&model, case.part, neuron, 7);
                assert_eq!(found.neuron, neuron);
                let reads: Vec<f64> = vectors.iter().map(|word| dot(word, &rows[neuron])).collect();
                assert_first(&what, &found.reads, &reads, |number| number);
                if case.part == Part::Encoder {
                    assert_eq!(found.writes, None, "{what}");
                    continue;
                }
                let column: Vec<f64> = columns.iter().map(|row| row[neuron]).collect();
                let matrix = output.as_ref().unwrap_or(&vectors);
                let logits: Vec<f64> = matrix.iter().map(|row| dot(row, &column)).collect();
                let writes = found.writes.unwrap();
                assert_eq!(writes.skips_head, case.skips_head, "{what}");
                assert_first(&what, &writes.likelier, &logits, |number| number);
                assert_first(&what, &writes.less_likely, &logits, |number| -number);
            }
        }
    }
}

/// Quantised weights are those that the model computes with.
#[test]
fn tokens_of_quantised_models_are_near() {
    let folder = golden("decoders/llama");
    let exact = tokens(&folder.load(Device::Cpu), Part::Decoder, 3, MOST_TOKENS);
    for device in [Device::Cpu, gpu()] {
        let options = LoadOptions { format: Some(Format::F16), ..LoadOptions::default() };
        let (config, file) = (folder.config_json(), folder.file());
        let model = block_on(Model::load(&device, &config, &file, options)).unwrap();
        let found = tokens(&model, Part::Decoder, 3, MOST_TOKENS);
        let numbers = |tokens: &[TokenNumber]| tokens.iter().map(|token| token.number).collect::<Vec<f32>>();
        assert_close("reads", &numbers(&found.reads), &numbers(&exact.reads), 1e-3);
        assert_eq!(found.reads.len(), MOST_TOKENS);
    }
}

#[test]
fn numbers_are_those_of_hugging_faces_modules() {
    for name in ["masked_lm", "decoders/llama", "pairs/marian", "readers/modernbert"] {
        let folder = golden(name);
        let expected = Expected::open(&folder.expected().replace("expected.safetensors", "terms.safetensors"));
        let in_pair = folder.facts().encoder.is_some();
        for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
            let model = folder.load(device);
            for part in [Part::Decoder, Part::Encoder].into_iter().filter(|part| folder.facts().has(*part)) {
                let taps = model.neuron_taps(part, LAYER).unwrap();
                let output = output(&context(&model), &Request { taps, ..folder.request_with_source() });
                let neurons = Neurons::of(&output, part, LAYER);
                let of = |tensor: TensorName| {
                    let name = tensor.at(LAYER).in_part(part).name(in_pair);
                    expected
                        .names()
                        .any(|other| *other == name)
                        .then(|| (expected.floats(&name), *expected.shape(&name).last().unwrap()))
                };
                let (values, width) = of(TensorName::FeedForward).unwrap();
                for row in [0, 3] {
                    let what = format!("{name}, {part:?}, row {row}");
                    let mut sorted: Vec<f32> =
                        values[row * width..][..width].iter().map(|number| number.abs()).collect();
                    sorted.sort_by(|one, other| other.total_cmp(one));
                    let found = neurons.strongest(row, 6).unwrap();
                    let strengths: Vec<f32> = found.iter().map(|neuron| neuron.value.abs()).collect();
                    assert_close(&what, &strengths, &sorted[..6], tolerance);
                    for numbers in found {
                        let number = |tensor| of(tensor).map(|(all, width)| all[row * width + numbers.neuron]);
                        assert_close(&what, &[numbers.value], &[number(TensorName::FeedForward).unwrap()], tolerance);
                        assert_close(
                            &what,
                            &[numbers.inner],
                            &[number(TensorName::FeedForwardInner).unwrap()],
                            tolerance,
                        );
                        assert_close(
                            &what,
                            &[numbers.activated],
                            &[number(TensorName::FeedForwardActivated).unwrap()],
                            tolerance,
                        );
                        assert_eq!(numbers.gate.is_some(), number(TensorName::FeedForwardGate).is_some(), "{what}");
                        if let (Some(found), Some(gate)) = (numbers.gate, number(TensorName::FeedForwardGate)) {
                            assert_close(&what, &[found], &[gate], tolerance);
                        }
                    }
                }
                let length = expected.shape(&TensorName::FeedForward.at(LAYER).in_part(part).name(in_pair))[1];
                let column: Vec<f32> = (0..length).map(|row| values[row * width + 5]).collect();
                assert_close(name, &neurons.values(5).unwrap(), &column, tolerance);
            }
        }
    }
}

#[test]
fn neurons_out_of_range_are_refused() {
    let folder = golden("decoders/llama");
    let model = folder.load(Device::Cpu);
    let refused = |part, layer, neuron| {
        block_on(model.neuron_tokens(part, layer, neuron, 5, &NeverCancelled)).unwrap_err().to_string()
    };
    assert!(refused(Part::Decoder, 9, 0).contains("the model has 2 layers"));
    assert!(refused(Part::Decoder, 0, 50).contains("its neuron must be below 50"));
    assert!(refused(Part::Encoder, 0, 0).contains("encoder"));
    assert!(model.neuron_taps(Part::Decoder, 2).is_err());
    let request = Request { taps: model.neuron_taps(Part::Decoder, 0).unwrap(), ..folder.text(1, 4) };
    let output = output(&context(&model), &request);
    let neurons = Neurons::of(&output, Part::Decoder, 0);
    assert!(neurons.strongest(4, 3).unwrap_err().to_string().contains("the text has 4 tokens"));
    assert!(neurons.values(50).unwrap_err().to_string().contains("its neuron must be below 50"));
    assert!(Neurons::of(&output, Part::Decoder, 1).strongest(0, 3).is_err());
}

/// A model without logits over the vocabulary writes no tokens.
#[test]
fn a_classifiers_neurons_write_no_tokens() {
    let found = tokens(&golden("tiny_token_classification").load(Device::Cpu), Part::Decoder, 0, 3);
    assert!(found.writes.is_none() && found.reads.len() == 3);
}
