//! A plan keeps its first shape error, which names both shapes.

use ropescope::Error;
use ropescope::ops::{
    Activation, Attention, EmbeddingWeights, Epilogue, LayerNormWeights, LinearWeights, MAX_TOP_K, Rotary,
};
use ropescope::plan::{Capacity, Plan, Shape, Taps, Value, Weight};

fn weight(rows: usize, columns: usize) -> Weight {
    Weight { index: 0, rows, columns }
}

fn linear(columns: usize, inner: usize) -> LinearWeights {
    LinearWeights { weight: weight(columns, inner), bias: Some(weight(1, columns)) }
}

fn norm(gain: usize, shift: usize) -> LayerNormWeights {
    LayerNormWeights { gain: weight(1, gain), shift: weight(1, shift), epsilon: 1e-12 }
}

fn tokens(plan: &mut Plan, width: usize) -> Value {
    plan.value(Shape::Tokens { width })
}

fn rows(plan: &mut Plan, width: usize) -> Value {
    plan.value(Shape::Rows { width })
}

fn maps(plan: &mut Plan) -> Value {
    plan.value(Shape::Maps { heads: 2 })
}

fn rotary(head_size: usize, rotated_columns: usize) -> Rotary {
    Rotary { head_size, rotated_columns }
}

fn heads(heads: usize, head_size: usize) -> Attention {
    Attention { heads, head_size, causal: false }
}

fn embedding(plan: &mut Plan, token_type: Weight, norm: LayerNormWeights) {
    plan.embedding(&EmbeddingWeights { word: weight(97, 8), token_type, norm });
}

/// What is recorded, the op that refuses it, and what its message must name.
type Case = (fn(&mut Plan), &'static str, &'static [&'static str]);

#[rustfmt::skip]
const CASES: &[Case] = &[
    (|p| { let x = tokens(p, 7); p.linear(x, &linear(5, 8), Epilogue::None); }, "linear", &["(batch, length, 7)", "(5, 8)"]),
    (|p| { let x = maps(p); p.linear(x, &linear(5, 8), Epilogue::None); }, "linear", &["(batch, 2, length, length)", "(5, 8)"]),
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
    (|p| { let x = tokens(p, 9); p.rotate(x, rotary(3, 9)); }, "rotation", &["(batch, length, 9)", "9 rotated", "head size 3"]),
    (|p| { let x = tokens(p, 12); p.rotate(x, rotary(4, 16)); }, "rotation", &["(batch, length, 12)", "16 rotated"]),
    (|p| { let x = tokens(p, 12); p.rotate(x, rotary(0, 12)); }, "rotation", &["(batch, length, 12)", "head size 0"]),
    (|p| { let x = tokens(p, 8); p.layer_norm(x, &norm(7, 7)); }, "layer_norm", &["(batch, length, 8)", "(7)"]),
    (|p| { let x = rows(p, 8); p.layer_norm(x, &norm(8, 6)); }, "layer_norm", &["(rows, 8)", "(6)"]),
    (|p| { let x = maps(p); p.layer_norm(x, &norm(8, 8)); }, "layer_norm", &["(batch, 2, length, length)", "(8)"]),
    (|p| { let x = tokens(p, 35); p.attention(x, heads(2, 6)); }, "attention", &["(batch, length, 35)", "(batch, length, 36)"]),
    (|p| { let x = rows(p, 36); p.attention_with_maps(x, heads(2, 6)); }, "attention", &["(rows, 36)", "(batch, length, 36)"]),
    (|p| { let x = rows(p, 8); p.gather(x); }, "gather", &["(rows, 8)", "(batch, length, width)"]),
    (|p| {
        let (x, rows) = (tokens(p, 35), p.value(Shape::Head { head_size: 6 }));
        p.head_rows(0, x, heads(2, 6), rows);
    }, "head_rows", &["(batch, length, 35)", "(batch, length, 36)"]),
    (|p| {
        let (x, rows) = (tokens(p, 36), p.value(Shape::Head { head_size: 4 }));
        p.head_rows(0, x, heads(2, 6), rows);
    }, "head_rows", &["(2, length, 4)", "(2, length, 6)"]),
    (|p| embedding(p, weight(2, 8), norm(8, 8)), "embedding", &["8 wide", "2 rows of 8"]),
    (|p| embedding(p, weight(1, 17), norm(8, 8)), "embedding", &["8 wide", "rows of 17"]),
    (|p| embedding(p, weight(1, 16), norm(9, 9)), "embedding", &["8 wide", "norm is 9 wide"]),
    (|p| { let x = rows(p, 97); p.top_k(x, 0); }, "top_k", &["k is 0", "1 to 64"]),
    (|p| { let x = rows(p, 97); p.top_k(x, MAX_TOP_K + 1); }, "top_k", &["k is 65", "1 to 64"]),
    (|p| { let x = rows(p, 5); p.top_k(x, 6); }, "top_k", &["k is 6", "1 to 5"]),
    (|p| { let x = rows(p, 1 << 24); p.top_k(x, 6); }, "top_k", &["16777216"]),
    (|p| { let x = tokens(p, 97); p.top_k(x, 6); }, "top_k", &["(batch, length, 97)", "(rows, vocabulary)"]),
];

fn plan() -> Plan {
    Plan::new(Capacity { batch: 2, length: 5, rows: 3 }, Taps::none())
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

/// Ops go on recording after an error, so that models need not look; the first is the one that is told.
#[test]
fn the_first_error_is_kept() {
    let mut plan = plan();
    let x = tokens(&mut plan, 7);
    let y = plan.linear(x, &linear(5, 8), Epilogue::None);
    let y = plan.attention(y, heads(2, 6));
    plan.top_k(y, 0);
    let error = plan.finish().err().unwrap();
    assert!(matches!(&error, Error::ShapeMismatch { op: "linear", .. }), "{error}");
    assert_eq!(error.code(), "shape-mismatch");
}
