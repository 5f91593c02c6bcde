//! A plan keeps its first shape error, which names both shapes.

use crate::support::open_gpu;
use ropescope::Error;
use ropescope::backend::cpu::CpuPlan;
use ropescope::backend::gpu::{GpuDevice, GpuPlan};
use ropescope::kernels::{Activation, Format};
use ropescope::ops::{
    AddedEmbedding, Append, EmbeddingWeights, Epilogue, HeadNorms, LinearWeights, MAX_TOP_K, NormKind, NormWeights,
    Rotary,
};
use ropescope::plan::{
    Axis, Capacity, Extent, HeadValues, Heads, Input, Operand, PlanBuilder, PlanOptions, Shape, TapView, Taps,
    TensorName, Value, View, Weight,
};

fn weight(rows: usize, columns: usize) -> Weight {
    Weight { index: 0, rows, columns }
}

fn linear(columns: usize, inner: usize) -> LinearWeights {
    LinearWeights { weight: weight(columns, inner), bias: Some(weight(1, columns)) }
}

fn norm(gain: usize, shift: usize) -> NormWeights {
    let [gain, shift] = [gain, shift].map(|width| Some(weight(1, width)));
    NormWeights { kind: NormKind::Layer, gain, shift, epsilon: 1e-12 }
}

fn rms_norm(gain: usize) -> NormWeights {
    NormWeights { kind: NormKind::Rms, shift: None, ..norm(gain, gain) }
}

fn tokens(plan: &mut PlanBuilder, width: usize) -> Value {
    plan.value(Shape::tokens(width))
}

fn rows(plan: &mut PlanBuilder, width: usize) -> Value {
    plan.value(Shape::rows(width))
}

fn maps(plan: &mut PlanBuilder) -> Value {
    plan.value(Shape { rows: [Extent::Fixed(2), Extent::Of(Axis::Length), Extent::ONE], width: Extent::Of(Axis::Keys) })
}

fn rotary(head_size: usize, rotated_columns: usize) -> Rotary {
    Rotary { rope: 0, head_size, rotated_columns }
}

/// RMS norms of the given numbers of query heads and key heads.
fn head_norms(size: usize, query_heads: usize, key_heads: usize) -> HeadNorms {
    HeadNorms { query: weight(1, size), key: weight(1, size), query_heads, key_heads, epsilon: 1e-6 }
}

/// Attention over 2 query heads and `key_heads` of size 6 in rows `width` wide, values from column `value` on.
fn attend(plan: &mut PlanBuilder, of: Value, width: usize, key_heads: usize, value: usize) {
    let statistics = tokens(plan, 4);
    attend_with(plan, of, width, key_heads, value, statistics);
}

fn attend_with(plan: &mut PlanBuilder, of: Value, stride: usize, key_heads: usize, value: usize, statistics: Value) {
    let view = |first, heads| View { operand: of.into(), first, stride, heads, head_size: 6 };
    let statistics = statistics.into();
    let heads = Heads {
        query: view(0, 2),
        key: view(12, key_heads),
        statistics,
        causal: false,
        window: None,
        scale: 1.0,
        table: None,
        max_distance: None,
        linear: false,
    };
    plan.attention(heads, view(value, key_heads));
}

fn embedding(plan: &mut PlanBuilder, token_type: Option<Weight>, norm: Option<NormWeights>) {
    plan.embedding(&EmbeddingWeights {
        word: weight(97, 8),
        added: token_type.map(AddedEmbedding::types),
        norm,
        scale: 1.0,
    });
}

/// Ops to record, the op that refuses them, and the words of its message.
type Case = (fn(&mut PlanBuilder), &'static str, &'static [&'static str]);

#[rustfmt::skip]
const CASES: &[Case] = &[
    (|p| { let x = tokens(p, 7); p.linear(x, &linear(5, 8), Epilogue::None); }, "linear", &["(batch, length, 7)", "(5, 8)"]),
    (|p| { let x = maps(p); p.linear(x, &linear(5, 8), Epilogue::None); }, "linear", &["(2, length, keys)", "(5, 8)"]),
    (|p| {
        let x = tokens(p, 8);
        let weights = LinearWeights { bias: Some(weight(1, 6)), ..linear(5, 8) };
        p.linear(x, &weights, Epilogue::Activate(Activation::Gelu));
    }, "linear", &["(5, 8)", "(6)"]),
    (|p| {
        let (x, residual) = (tokens(p, 8), tokens(p, 6));
        p.linear(x, &linear(5, 8), Epilogue::Add(residual));
    }, "linear", &["(batch, length, 5)", "(batch, length, 6)"]),
    (|p| {
        let (x, residual) = (tokens(p, 8), rows(p, 5));
        p.linear(x, &linear(5, 8), Epilogue::Add(residual));
    }, "linear", &["(batch, length, 5)", "(rows, 5)"]),
    (|p| { let x = tokens(p, 8); p.linear(x, &linear(18, 8), Epilogue::Rotate(rotary(4, 18))); },
        "rotation", &["(batch, length, 18)", "18 rotated", "head size 4"]),
    (|p| { let x = rows(p, 8); p.linear(x, &linear(12, 8), Epilogue::Rotate(rotary(4, 8))); },
        "rotation", &["(rows, 12)", "8 rotated", "head size 4"]),
    (|p| { let x = tokens(p, 9); p.rotate(x, 3, Some(rotary(3, 9)), None); },
        "rotation", &["(batch, length, 9)", "9 rotated", "head size 3"]),
    (|p| { let x = tokens(p, 12); p.rotate(x, 4, Some(rotary(4, 16)), None); }, "rotation", &["(batch, length, 12)", "16 rotated"]),
    (|p| { let x = tokens(p, 12); p.rotate(x, 4, Some(rotary(0, 12)), None); }, "rotation", &["(batch, length, 12)", "head size 0"]),
    (|p| { let x = tokens(p, 10); p.rotate(x, 4, None, None); }, "rotation", &["(batch, length, 10)", "of 4"]),
    (|p| { let x = tokens(p, 12); p.rotate(x, 0, None, None); }, "rotation", &["(batch, length, 12)", "of 0"]),
    (|p| { let x = tokens(p, 12); p.rotate(x, 4, None, Some(head_norms(6, 1, 1))); }, "rotation", &["(batch, length, 12)", "of 4"]),
    (|p| { let x = tokens(p, 12); p.rotate(x, 4, None, Some(head_norms(4, 3, 1))); }, "rotation", &["(batch, length, 12)", "of 4"]),
    (|p| { let x = tokens(p, 8); p.linear(x, &linear(5, 8), Epilogue::Gate(Activation::Silu)); }, "linear", &["5 columns", "pairs"]),
    (|p| { let x = tokens(p, 8); p.norm(x, &norm(7, 7)); }, "norm", &["(batch, length, 8)", "(7)"]),
    (|p| { let x = rows(p, 8); p.norm(x, &norm(8, 6)); }, "norm", &["(rows, 8)", "(6)"]),
    (|p| { let x = rows(p, 8); p.norm(x, &rms_norm(9)); }, "norm", &["(rows, 8)", "(9)", "(none)"]),
    (|p| { let x = maps(p); p.norm(x, &norm(8, 8)); }, "norm", &["(2, length, keys)", "(8)"]),
    (|p| { let x = tokens(p, 35); attend(p, x, 36, 2, 24); }, "attention", &["query is", "column 0 of 36"]),
    (|p| { let x = tokens(p, 35); attend(p, x, 35, 2, 24); }, "attention", &["value 2 heads", "column 24 of 35"]),
    (|p| { let x = rows(p, 36); attend(p, x, 36, 2, 24); }, "attention", &["column 0 of 36"]),
    (|p| { let x = tokens(p, 48); attend(p, x, 48, 3, 30); }, "attention", &["key 3 heads"]),
    (|p| { let x = tokens(p, 48); attend(p, x, 48, 0, 30); }, "attention", &["key 0 heads"]),
    (|p| {
        let (x, statistics) = (tokens(p, 36), tokens(p, 3));
        attend_with(p, x, 36, 2, 24, statistics);
    }, "attention", &["statistics are (batch, length, 3)"]),
    (|p| { let x = rows(p, 8); p.gather(x); }, "gather", &["(rows, 8)", "(batch, length, width)"]),
    (|p| {
        let (x, state) = (tokens(p, 12), p.state(Axis::Keys, 10));
        p.append_to_cache(View::full(x, 12), state);
    }, "copy_rows", &["12 columns", "state of 10"]),
    (|p| embedding(p, Some(weight(2, 17)), Some(norm(8, 8))), "embedding", &["8 wide"]),
    (|p| embedding(p, None, Some(rms_norm(9))), "embedding", &["8 wide"]),
    (|p| {
        let (x, to) = (tokens(p, 8), p.state(Axis::Keys, 10));
        p.linear(x, &linear(18, 8), Epilogue::Append(Append { rotary: None, to, first: 6, columns: 6 }));
    }, "linear", &["columns from 6 on of 18", "state of 10"]),
    (|p| embedding(p, None, Some(norm(8, 9))), "embedding", &["8 wide"]),
    (|p| { let x = tokens(p, 97); p.penalise(x); }, "penalty", &["(batch, length, 97)", "(rows, vocabulary)"]),
    (|p| { let x = maps(p); p.penalise(x); }, "penalty", &["(2, length, keys)", "(rows, vocabulary)"]),
    (|p| { let x = rows(p, 97); p.top_k(x, 0, false); }, "top_k", &["k is 0", "1 to 64"]),
    (|p| { let x = rows(p, 97); p.top_k(x, MAX_TOP_K + 1, false); }, "top_k", &["k is 65", "1 to 64"]),
    (|p| { let x = rows(p, 5); p.top_k(x, 6, false); }, "top_k", &["k is 6", "1 to 5"]),
    (|p| { let x = rows(p, 1 << 24); p.top_k(x, 6, false); }, "top_k", &["16777216"]),
    (|p| { let x = rows(p, 1 << 24); p.sample(x, false); }, "sample", &["16777216"]),
    (|p| { let x = tokens(p, 97); p.sample(x, true); }, "sample", &["(batch, length, 97)", "(rows, vocabulary)"]),
    (|p| { let x = tokens(p, 97); p.top_k(x, 6, false); }, "top_k", &["(batch, length, 97)", "(rows, vocabulary)"]),
];

fn plan() -> PlanBuilder {
    PlanBuilder::new(PlanOptions::new(Capacity::new(2, 5, 3)))
}

#[test]
fn errors_name_both_shapes() {
    for (index, (record, op, named)) in CASES.iter().enumerate() {
        let mut plan = plan();
        record(&mut plan);
        let error = plan.finish().err().unwrap_or_else(|| panic!("case {index} of {op} was taken"));
        let Error::ShapeMismatch { op: found, message } = &error else { panic!("case {index} of {op}: {error}") };
        assert_eq!(found, op, "case {index}: {message}");
        for part in *named {
            assert!(message.contains(part), "case {index} of {op}: {message:?} does not name {part}");
        }
    }
}

/// Recording continues after an error, so that models need not check for one; the first error is reported.
#[test]
fn the_first_error_is_kept() {
    let mut plan = plan();
    let x = tokens(&mut plan, 7);
    let y = plan.linear(x, &linear(5, 8), Epilogue::None);
    attend(&mut plan, y, 36, 2, 24);
    plan.top_k(y, 0, false);
    let error = plan.finish().err().unwrap();
    assert!(matches!(&error, Error::ShapeMismatch { op: "linear", .. }), "{error}");
    assert_eq!(error.code(), "shape-mismatch");
}

/// The op that a plan is refused for, and what is said of it.
fn refusal(plan: PlanBuilder) -> (&'static str, String) {
    match plan.finish().err() {
        Some(Error::ShapeMismatch { op, message }) => (op, message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_value_is_written_before_it_is_read() {
    // Never written.
    let mut plan = plan();
    let x = tokens(&mut plan, 8);
    let y = plan.norm(x, &norm(8, 8));
    plan.output(y);
    let (op, message) = refusal(plan);
    assert_eq!(op, "norm");
    assert!(message.contains("reads a value"), "{message}");

    // Changed, but never written.
    let mut plan = self::plan();
    let logits = rows(&mut plan, 97);
    plan.penalise(logits);
    assert_eq!(refusal(plan).0, "penalty");

    // Written after it is read.
    let mut plan = self::plan();
    let word = plan.embedding(&EmbeddingWeights { word: weight(97, 8), added: None, norm: None, scale: 1.0 });
    let late = tokens(&mut plan, 8);
    let sum = plan.linear(word, &linear(8, 8), Epilogue::Add(late));
    plan.append_to_cache(
        View::full(sum, 8),
        ropescope::plan::State { index: 0, width: 8, axis: ropescope::plan::Axis::Keys, is_f16: false },
    );
    plan.output(sum);
    let (op, message) = refusal(plan);
    assert_eq!(op, "gemm");
    assert!(message.contains("reads a value"), "{message}");
}

#[test]
fn what_is_kept_is_written() {
    let first_error = |keep: fn(&mut PlanBuilder, Value)| {
        let mut plan = PlanBuilder::new(PlanOptions {
            taps: Taps::from_iter([TensorName::HiddenStates.at(0)]),
            keeps_heads: true,
            ..PlanOptions::new(Capacity::new(2, 5, 3))
        });
        let written = plan.embedding(&EmbeddingWeights { word: weight(97, 12), added: None, norm: None, scale: 1.0 });
        let value = tokens(&mut plan, 12);
        plan.output(written);
        keep(&mut plan, value);
        refusal(plan)
    };
    let ways: [fn(&mut PlanBuilder, Value); 3] = [
        |plan, value| plan.output(value),
        |plan, value| plan.tap(TensorName::HiddenStates, 0, TapView::Value(value)),
        |plan, value| {
            let query = View { operand: value.into(), first: 0, stride: 12, heads: 1, head_size: 6 };
            let statistics = Operand::Nothing;
            let heads = Heads {
                query,
                key: query,
                statistics,
                causal: true,
                window: None,
                scale: 1.0,
                table: None,
                max_distance: None,
                linear: false,
            };
            plan.add_heads(
                ropescope::plan::Part::Decoder,
                heads,
                HeadValues { view: query, output: (weight(12, 6), Format::F32), has_inverse_rotation: false },
            );
        },
    ];
    for way in ways {
        let (op, message) = first_error(way);
        assert_eq!(op, "plan");
        assert!(message.contains("keeps a value"), "{message}");
    }
}

/// Sizes are counted in 64 bits, and what no machine holds is refused with the bytes that it would take.
#[test]
fn what_no_machine_holds_is_refused() {
    let huge = || {
        let capacity = Capacity::new(1 << 10, 1 << 30, 1);
        let mut plan = PlanBuilder::new(PlanOptions::new(capacity));
        let words = EmbeddingWeights { word: weight(97, 1 << 20), added: None, norm: None, scale: 1.0 };
        let y = plan.embedding(&words);
        plan.output(y);
        plan.finish().unwrap()
    };
    assert_eq!(huge().slots.sizes, [1 << 60]);
    assert_eq!(huge().inputs, [Input::Ids]);
    let refused = CpuPlan::new(huge(), 0).err();
    assert!(matches!(refused, Some(Error::MemoryRefused { needed, .. }) if needed == 1 << 62), "{refused:?}");
    let device = GpuDevice::new(open_gpu());
    let refused = pollster::block_on(GpuPlan::new(&device, huge(), 1, 0)).err();
    assert!(matches!(refused, Some(Error::OutOfMemory { needed, .. }) if needed == 1 << 62), "{refused:?}");
    assert_eq!(device.gpu.created(), 0, "nothing is created");
}
