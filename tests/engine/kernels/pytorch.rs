//! Every case of tests/golden/kernels.safetensors: what PyTorch computed in f64 from f32 inputs.

use crate::kernels::attended::{Of, attend, probe_maps};
use crate::support::{Adapter, Bench, Expected, assert_close, key_mask};
use ropescope::kernels::Activation;
use ropescope::ops::{
    AddedEmbedding, EmbeddingWeights, Epilogue, IGNORED, LinearWeights, NormKind, NormWeights, Rotary,
};
use ropescope::plan::{Input, Shape, Value};
use ropescope::rope::{self, Frequencies};

/// A case of the file, and where its kernel runs.
struct Case<'a> {
    /// `<kernel>.<case>`
    name: &'a str,
    expected: &'a Expected,
    adapter: Option<&'a Adapter>,
    tolerance: f32,
}

impl Case<'_> {
    fn path(&self, tensor: &str) -> String {
        format!("{}.{tensor}", self.name)
    }

    fn floats(&self, tensor: &str) -> &[f32] {
        self.expected.floats(&self.path(tensor))
    }

    fn integers(&self, tensor: &str) -> &[u32] {
        self.expected.integers(&self.path(tensor))
    }

    fn shape<const AXES: usize>(&self, tensor: &str) -> [usize; AXES] {
        self.expected.shape(&self.path(tensor)).try_into().unwrap()
    }

    /// The part of the name after the kernel's.
    fn label(&self) -> &str {
        self.name.split_once('.').unwrap().1
    }

    /// Runs the bench and compares the value with the tensor.
    fn compare(&self, bench: Bench, value: Value, tensor: &str) {
        let found = bench.run(&[value], self.adapter);
        assert_close(&self.path(tensor), &found[0], self.floats(tensor), self.tolerance);
    }

    /// A LayerNorm's gain, shift and ε.
    fn norm(&self, bench: &mut Bench) -> NormWeights {
        let (gain, shift) = (Some(bench.vector(self.floats("gain"))), Some(bench.vector(self.floats("bias"))));
        NormWeights { kind: NormKind::Layer, gain, shift, epsilon: self.floats("eps")[0] }
    }

    fn linear(&self, bench: &mut Bench) -> LinearWeights {
        let [columns, inner] = self.shape("weight");
        let weight = bench.weight(columns, inner, self.floats("weight"));
        LinearWeights { weight, bias: Some(bench.vector(self.floats("bias"))) }
    }
}

type Comparison = fn(&Case<'_>);

/// The kernels of the file, and what compares each. RoFormer's own softmax is in attention, and erf in gelu.
const KERNELS: [(&str, Comparison); 12] = [
    ("embedding", embedding),
    ("layer_norm", layer_norm),
    ("linear", linear),
    ("rotation", rotation),
    ("attention", attention),
    ("softmax", softmax),
    ("top_k", top_k),
    ("label_loss", label_loss),
    ("gelu", |case| activation(case, Activation::Gelu)),
    ("relu", |case| activation(case, Activation::Relu)),
    ("silu", |case| activation(case, Activation::Silu)),
    ("erf", erf),
];

fn compare_all(adapter: Option<&Adapter>, tolerance: f32) {
    let expected = Expected::open("tests/golden/kernels.safetensors");
    let mut compared = 0;
    for (kernel, compare) in KERNELS {
        let of_kernel = |name: &&String| name.split('.').next() == Some(kernel);
        let mut names: Vec<&str> =
            expected.names().filter(of_kernel).map(|name| name.rsplit_once('.').unwrap().0).collect();
        names.sort_unstable();
        names.dedup();
        assert!(!names.is_empty(), "no case of {kernel}");
        for name in names {
            compare(&Case { name, expected: &expected, adapter, tolerance });
            compared += 1;
        }
    }
    assert!(compared >= 74, "only {compared} cases");
    assert_eq!(expected.unread(), Vec::<&String>::new(), "tensors that nothing was compared with");
}

#[test]
fn cpu_agrees_with_pytorch() {
    compare_all(None, 1e-5);
}

#[test]
fn gpu_agrees_with_pytorch() {
    compare_all(Some(&Adapter::open()), 1e-4);
}

fn embedding(case: &Case<'_>) {
    let [batch, length] = case.shape("ids");
    let [vocabulary, size] = case.shape("word_embeddings");
    let mut bench = Bench::new(batch, length, 0);
    bench.inputs.set(Input::Ids, case.integers("ids").to_vec());
    bench.inputs.set(Input::TokenTypes, case.integers("token_type_ids").to_vec());
    let word = bench.weight(vocabulary, size, case.floats("word_embeddings"));
    let [types, _] = case.shape("token_type_embeddings");
    let token_type = Some(bench.weight(types, size, case.floats("token_type_embeddings")));
    let norm = Some(case.norm(&mut bench));
    let y = bench.plan.embedding(&EmbeddingWeights {
        word,
        added: token_type.map(AddedEmbedding::types),
        norm,
        scale: 1.0,
    });
    case.compare(bench, y, "output");
}

fn layer_norm(case: &Case<'_>) {
    let [rows, width] = case.shape("input");
    let mut bench = Bench::new(1, rows, 0);
    let x = bench.value(Shape::tokens(width), case.floats("input"));
    let norm = case.norm(&mut bench);
    let y = bench.plan.norm(x, &norm);
    case.compare(bench, y, "output");
}

fn linear(case: &Case<'_>) {
    let [rows, inner] = case.shape("input");
    let [columns, _] = case.shape("weight");
    let mut bench = Bench::new(1, rows, 0);
    let x = bench.value(Shape::tokens(inner), case.floats("input"));
    let weights = case.linear(&mut bench);
    let epilogue = match case.label().split_once('_').map(|(epilogue, _)| epilogue) {
        None => Epilogue::None,
        Some("gelu") => Epilogue::Activate(Activation::Gelu),
        Some("relu") => Epilogue::Activate(Activation::Relu),
        Some("silu") => Epilogue::Activate(Activation::Silu),
        Some("residual") => Epilogue::Add(bench.value(Shape::tokens(columns), case.floats("residual"))),
        Some(other) => panic!("{}: no epilogue {other}", case.name),
    };
    let y = bench.plan.linear(x, &weights, epilogue);
    case.compare(bench, y, "output");
}

/// The product with its rotation, the rotation alone, and the table itself.
fn rotation(case: &Case<'_>) {
    let [batch, length, inner] = case.shape("input");
    let [_, _, width] = case.shape("output");
    let head_size = width / case.integers("heads")[0] as usize;
    let (base, offset) = (f64::from(case.floats("base")[0]), u64::from(case.integers("position_offset")[0]));
    let table = rope::table(&Frequencies::from_base(head_size, base), offset, length);
    // Both come from f64 and are rounded once: a unit in the last place at most.
    for (found, expected) in table.iter().zip(case.floats("table")) {
        assert!((found - expected).abs() <= f32::EPSILON / 2.0, "{}: {found}, expected {expected}", case.path("table"));
    }
    let rotary = Rotary { rope: 0, head_size, rotated_columns: width };
    let bench = || {
        let mut bench = Bench::new(batch, length, 0);
        bench.rotary(head_size, &table);
        bench
    };

    let mut fused = bench();
    let x = fused.value(Shape::tokens(inner), case.floats("input"));
    let weights = case.linear(&mut fused);
    let unrotated = fused.plan.linear(x, &weights, Epilogue::None);
    let rotated = fused.plan.linear(x, &weights, Epilogue::Rotate(rotary));
    let found = fused.run(&[unrotated, rotated], case.adapter);
    assert_close(&case.path("unrotated"), &found[0], case.floats("unrotated"), case.tolerance);
    assert_close(&case.path("output"), &found[1], case.floats("output"), case.tolerance);

    let mut alone = bench();
    let x = alone.value(Shape::tokens(width), case.floats("unrotated"));
    let y = alone.plan.rotate(x, head_size, Some(rotary), None);
    case.compare(alone, y, "output");
}

/// (batch, length, heads, head_size) each, side by side as the product makes them: (batch, length, 3, heads,
/// head_size).
fn packed(parts: [&[f32]; 3], width: usize) -> Vec<f32> {
    let [query, key, value] = parts.map(|part| part.chunks_exact(width));
    query.zip(key).zip(value).flat_map(|((query, key), value)| [query, key, value].concat()).collect()
}

/// The head outputs, and the maps that are made of what was kept.
fn attention(case: &Case<'_>) {
    let [batch, length, heads, head_size] = case.shape("query");
    let width = heads * head_size;
    let projected = packed(["query", "key", "value"].map(|name| case.floats(name)), width);
    let mut bench = Bench::new(batch, length, 0);
    bench.inputs.set(Input::KeyMask, key_mask(case.integers("attention_mask")));
    let projected = bench.value(Shape::tokens(3 * width), &projected);
    let of = Of::new(heads, head_size, case.integers("causal")[0] == 1);
    let (heads, values) = attend(&mut bench, projected, of);
    probe_maps(&mut bench, heads);
    let found = bench.run(&values, case.adapter);
    assert_close(&case.path("output"), &found[0], case.floats("output"), case.tolerance);
    assert_close(&case.path("probabilities"), &found[2], case.floats("probabilities"), case.tolerance);
}

/// Attention's softmax on given scores: a head of size 1 for each row, whose queries are 1 and whose keys are the
/// scores.
fn softmax(case: &Case<'_>) {
    let [heads, length] = case.shape("input");
    let (scores, expected) = (case.floats("input"), case.floats("output"));
    // (heads, length) as (length, heads).
    let keys: Vec<f32> = (0..length).flat_map(|key| (0..heads).map(move |head| scores[head * length + key])).collect();
    let values: Vec<f32> = (0..keys.len()).map(|index| (index as f32).cos()).collect();
    let mut bench = Bench::new(1, length, 0);
    bench.inputs.set(Input::KeyMask, vec![0.0_f32; length]);
    let projected = packed([&vec![1.0; keys.len()], &keys, &values], heads);
    let projected = bench.value(Shape::tokens(3 * heads), &projected);
    let (heads_of_text, attended) = attend(&mut bench, projected, Of::new(heads, 1, false));
    probe_maps(&mut bench, heads_of_text);
    let found = bench.run(&attended, case.adapter);
    for (row, probabilities) in found[2].chunks_exact(length).enumerate() {
        let head = row / length;
        let what = format!("{}, row {row}", case.path("output"));
        assert_close(&what, probabilities, &expected[head * length..][..length], case.tolerance);
    }
    let mixed: Vec<f32> = (0..heads)
        .map(|head| {
            let terms =
                (0..length).map(|key| f64::from(expected[head * length + key]) * f64::from(values[key * heads + head]));
            terms.sum::<f64>() as f32
        })
        .collect();
    assert_close(&format!("{}: values", case.name), &found[0], &mixed.repeat(length), case.tolerance);
}

fn top_k(case: &Case<'_>) {
    let [rows, width] = case.shape("input");
    let k = case.integers("k")[0] as usize;
    let mut bench = Bench::new(1, rows, rows);
    let logits = bench.value(Shape::rows(width), case.floats("input"));
    let top = bench.plan.top_k(logits, k, false);
    let found = bench.run(&[top], case.adapter).swap_remove(0);
    let (logarithms, ids): (Vec<&[f32]>, Vec<&[f32]>) = found.chunks_exact(2 * k).map(|row| row.split_at(k)).unzip();
    let logarithms = logarithms.concat();
    let probabilities: Vec<f32> = logarithms.iter().map(|logarithm| logarithm.exp()).collect();
    assert_close(&case.path("probabilities"), &probabilities, case.floats("probabilities"), case.tolerance);
    for (found, expected) in logarithms.iter().zip(case.floats("probabilities")) {
        // Further down f32 holds no probability.
        match *expected >= f32::MIN_POSITIVE {
            true => assert_close(&case.path("logarithms"), &[*found], &[expected.ln()], case.tolerance),
            false => assert!(*found < -87.0, "{}: {found}, expected ln {expected}", case.path("logarithms")),
        }
    }
    let ids: Vec<u32> = ids.concat().into_iter().map(|id| id as u32).collect();
    assert_eq!(ids, case.integers("ids"), "{}", case.path("ids"));
}

fn label_loss(case: &Case<'_>) {
    let [rows, width] = case.shape("input");
    let mut bench = Bench::new(1, rows, rows);
    let labels = case.integers("kept").iter().zip(case.integers("labels"));
    bench.inputs.set(
        Input::Labels,
        labels.map(|(is_labelled, label)| if *is_labelled == 0 { IGNORED } else { *label }).collect(),
    );
    let logits = bench.value(Shape::rows(width), case.floats("input"));
    let losses = bench.plan.label_loss(logits);
    let found = bench.run(&[losses], case.adapter).swap_remove(0);
    for (row, (found, expected)) in found.iter().zip(case.floats("losses")).enumerate() {
        assert_close(&format!("{}, row {row}", case.path("losses")), &[*found], &[*expected], case.tolerance);
    }
}

/// An activation on its own: after a product with 1.
fn activated(case: &Case<'_>, input: &[f32], activation: Activation) -> Vec<f32> {
    let mut bench = Bench::new(1, input.len(), 0);
    let x = bench.value(Shape::tokens(1), input);
    let weights = LinearWeights { weight: bench.weight(1, 1, &[1.0]), bias: None };
    let y = bench.plan.linear(x, &weights, Epilogue::Activate(activation));
    bench.run(&[y], case.adapter).swap_remove(0)
}

/// Each element within 1e-6 · max(1, |output|), on both backends.
fn activation(case: &Case<'_>, activation: Activation) {
    let input = case.floats("input");
    let found = activated(case, input, activation);
    assert_each_close(case, input, &found, case.floats("output").iter().map(|y| f64::from(*y)));
}

/// gelu(√2 x) = x (1 + erf x) / √2.
fn erf(case: &Case<'_>) {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let input: Vec<f32> =
        case.floats("input").iter().map(|x| (x.clamp(-1e38, 1e38)) * std::f32::consts::SQRT_2).collect();
    let found = activated(case, &input, Activation::Gelu);
    let erf = case.floats("output").iter().map(|y| f64::from(*y));
    assert_each_close(
        case,
        &input,
        &found,
        input.iter().zip(erf).map(|(x, erf)| f64::from(*x) * half * half * (1.0 + erf)),
    );
}

fn assert_each_close(case: &Case<'_>, input: &[f32], found: &[f32], expected: impl Iterator<Item = f64>) {
    for ((x, found), expected) in input.iter().zip(found).zip(expected) {
        let close = (f64::from(*found) - expected).abs() <= 1e-6 * expected.abs().max(1.0);
        assert!(close, "{} at {x}: {found}, expected {expected}", case.name);
    }
}
