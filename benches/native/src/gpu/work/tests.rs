//! Against numbers counted by hand.

use super::*;
use ropescope::kernels::Activation;
use ropescope::ops::{AddedEmbedding, EmbeddingWeights, Epilogue, Feed, LinearWeights, NormKind, NormWeights, Rotary};
use ropescope::plan::{Axis, Capacity, Heads, Op, PlanBuilder, PlanOptions, View};
use std::rc::Rc;

fn weight(index: usize, rows: usize, columns: usize) -> Weight {
    Weight { index, rows, columns }
}

fn norm(kind: NormKind, gain: Option<Weight>, shift: Option<Weight>) -> NormWeights {
    NormWeights { kind, gain, shift, epsilon: 1e-6 }
}

/// A plan for two texts of five tokens and three prediction rows.
fn plan() -> PlanBuilder {
    PlanBuilder::new(PlanOptions::new(Capacity::new(2, 5, 3)))
}

const SIZES: Sizes = Sizes { batch: 2, length: 5, past: 0, cache_capacity: 0, rows: 3, source: 0, source_capacity: 0 };

/// Operations and bytes of every step.
fn of_steps(plan: PlanBuilder, sizes: Sizes) -> Vec<(&'static str, u64, u64)> {
    let plan = plan.finish().unwrap();
    let extents = Extents { shapes: &plan.shapes, formats: &plan.formats, sizes };
    let of = |op: &dyn Op| {
        let rows = op.split().map_or(0..0, |weight| 0..weight.rows);
        let work = extents.work(&Dispatch::new(op, rows.clone(), op.launch(rows, sizes))).unwrap();
        (op.name(), work.operations, work.bytes)
    };
    plan.steps.iter().map(|op| of(&**op)).collect()
}

fn embedded(plan: &mut PlanBuilder, width: usize) -> Value {
    let word = weight(0, 40, width);
    plan.embedding(&EmbeddingWeights { word, added: None, norm: None, scale: 1.0 })
}

#[test]
fn an_embedding_reads_rows_of_its_tokens() {
    let mut plan = plan();
    plan.set_formats(Rc::new([Format::F16]));
    let normed = norm(NormKind::Layer, Some(weight(2, 1, 8)), Some(weight(3, 1, 8)));
    let added = Some(AddedEmbedding::types(weight(1, 2, 8)));
    plan.embedding(&EmbeddingWeights { word: weight(0, 40, 8), added, norm: Some(normed), scale: 1.0 });
    // 10 tokens of 8: scaled, a type added, and seven of the norm. 10 ids and types, 10 rows of 16 bytes and 10 of 32, gain and shift, y.
    assert_eq!(of_steps(plan, SIZES), [("embedding", 80 * 9, 40 + 40 + 160 + 320 + 32 + 32 + 320)]);
}

#[test]
fn products_multiply_and_add_along_the_inner_axis() {
    let mut plan = plan();
    plan.set_formats(Rc::new([Format::F32, Format::F16]));
    let x = embedded(&mut plan, 8);
    let linear = LinearWeights { weight: weight(1, 12, 8), bias: Some(weight(2, 1, 12)) };
    plan.linear(x, &linear, Epilogue::Gate(Activation::Silu));
    let rotary = Rotary { rope: 0, head_size: 4, rotated_columns: 8 };
    plan.linear(x, &linear, Epilogue::Rotate(rotary));
    let steps = of_steps(plan, SIZES);
    // x of 10 rows, 12 rows of 16 bytes, the bias, and y.
    assert_eq!(steps[1], ("gemm", 2 * 10 * 8 * 12, 320 + 192 + 48 + 4 * 10 * 6));
    // The table's rows for 5 positions, and 10 position ids.
    assert_eq!(steps[2], ("gemm", 2 * 10 * 8 * 12, 320 + 192 + 48 + 4 * 10 * 12 + 4 * 5 * 4 + 40));
}

#[test]
fn parts_of_a_weight_are_counted_apart() {
    let mut plan = plan();
    let x = embedded(&mut plan, 8);
    plan.linear(x, &LinearWeights { weight: weight(1, 12, 8), bias: None }, Epilogue::None);
    let plan = plan.finish().unwrap();
    let extents = Extents { shapes: &plan.shapes, formats: &plan.formats, sizes: SIZES };
    let op = &*plan.steps[1];
    let part = |rows: std::ops::Range<usize>| extents.work(&Dispatch::new(op, rows.clone(), op.launch(rows, SIZES)));
    assert_eq!(part(0..8), Some(Work { operations: 2 * 10 * 8 * 8, bytes: 320 + 8 * 32 + 4 * 10 * 8 }));
    assert_eq!(part(8..12), Some(Work { operations: 2 * 10 * 8 * 4, bytes: 320 + 4 * 32 + 4 * 10 * 4 }));
}

#[test]
fn slices_of_a_product_are_joined() {
    let mut plan = PlanBuilder::new(PlanOptions { splits_work: true, ..PlanOptions::new(Capacity::new(1, 5, 1)) });
    let x = embedded(&mut plan, 3072);
    plan.linear(x, &LinearWeights { weight: weight(1, 12, 3072), bias: None }, Epilogue::None);
    let steps = of_steps(plan, Sizes::new(1, 5, 1));
    // Two slices of tiles of 16: sums of both are written, and read.
    assert_eq!(steps[1], ("gemm", 2 * 5 * 3072 * 12, 4 * (5 * 3072 + 12 * 3072 + 2 * 5 * 12)));
    assert_eq!(steps[2], ("gemm/reduce", 2 * 5 * 12, 4 * (2 * 5 * 12 + 5 * 12)));
}

/// Two heads of 4 over packed rows of 24: queries, keys, values.
fn attention(causal: bool, window: Option<usize>) -> (&'static str, u64, u64) {
    let mut plan = plan();
    let x = embedded(&mut plan, 24);
    let view = |first: usize| View { operand: x.into(), first, stride: 24, heads: 2, head_size: 4 };
    let statistics = plan.value(Shape::tokens(4)).into();
    let heads = Heads {
        query: view(0),
        key: view(8),
        statistics,
        causal,
        window,
        scale: 0.5,
        table: None,
        max_distance: None,
        linear: false,
    };
    plan.attention(heads, view(16));
    of_steps(plan, SIZES)[1]
}

#[test]
fn attention_takes_the_keys_that_are_seen() {
    // Queries, keys and values, the mask, context, statistics.
    let bytes = 4 * (3 * 10 * 8 + 10 + 10 * 8 + 10 * 4);
    // 2 texts, 2 heads, 4 numbers of a query and a key, then of a weight and a value.
    let of_pair = 2 * 2 * 4 * 4;
    assert_eq!(attention(false, None), ("attention", of_pair * 25, bytes));
    assert_eq!(attention(true, None), ("attention", of_pair * 15, bytes));
    assert_eq!(attention(false, Some(2)), ("attention", of_pair * (2 + 3 + 3 + 3 + 2), bytes));
    assert_eq!(attention(true, Some(2)), ("attention", of_pair * (1 + 4 * 2), bytes));
}

#[test]
fn a_step_over_a_cache_reads_all_of_it_and_writes_one_row() {
    // One more token behind six of a text that may have 512, a key head for two query heads; room for slices of the keys.
    let capacity = Capacity { keys: 512, ..Capacity::new(1, 1, 1) };
    let mut plan = PlanBuilder::new(PlanOptions { has_cache: true, splits_work: true, ..PlanOptions::new(capacity) });
    let x = embedded(&mut plan, 16);
    let cached = plan.state(Axis::Keys, 8);
    let view = |of: Operand, first, stride, heads| View { operand: of, first, stride, heads, head_size: 4 };
    plan.append_to_cache(view(x.into(), 8, 16, 2), cached);
    let statistics = plan.value(Shape::tokens(4)).into();
    let heads = Heads {
        query: view(x.into(), 0, 16, 2),
        key: view(cached.into(), 0, 8, 1),
        statistics,
        causal: true,
        window: None,
        scale: 0.5,
        table: None,
        max_distance: None,
        linear: false,
    };
    plan.attention(heads, view(cached.into(), 4, 8, 1));
    let sizes = Sizes { past: 6, cache_capacity: 512, ..Sizes::new(1, 1, 1) };
    let steps = of_steps(plan, sizes);
    assert_eq!(steps[1], ("copy_rows", 0, 2 * 4 * 8));
    // Two slices: queries, 7 keys and values of a head, the mask, two head outputs and two pairs of statistics a head.
    assert_eq!(steps[2], ("attention/few_queries", 4 * 4 * 2 * 7, 4 * (8 + 2 * 7 * 4 + 7 + 2 * 8 + 2 * 4)));
    assert_eq!(steps[3], ("attention/reduce", 2 * 2 * 8, 4 * (2 * 8 + 2 * 4 + 8 + 4)));
}

#[test]
fn norms_rotations_and_rows_are_counted_by_number() {
    let mut plan = plan();
    let x = embedded(&mut plan, 8);
    let y = plan.norm(x, &norm(NormKind::Rms, Some(weight(1, 1, 8)), None));
    plan.norm_onto(x, &norm(NormKind::Layer, Some(weight(1, 1, 8)), Some(weight(2, 1, 8))), y);
    plan.rotate(x, 4, Some(Rotary { rope: 0, head_size: 4, rotated_columns: 4 }), None);
    let rows = plan.gather(x);
    let top = plan.top_k(rows, 2, false);
    let steps = of_steps(plan, SIZES);
    assert_eq!(steps[1], ("norm", 80 * 4, 320 + 32 + 320));
    assert_eq!(steps[2], ("norm", 80 * 8, 3 * 320 + 2 * 32));
    // One of two heads turns: four products and two sums a pair.
    assert_eq!(steps[3], ("rotation", 10 * 4 * 3, 320 + 4 * 5 * 4 + 40 + 320));
    assert_eq!(steps[4], ("gather", 0, 2 * 3 * 32 + 12));
    assert_eq!(steps[5], ("top_k", 2 * 24, 3 * 32 + 4 * 3 * 4));
    let feed = Feed { results: top, stride: 4, place: 2, to: Input::Ids.into() };
    let shapes =
        [Shape::tokens(8), Shape::tokens(8), Shape::tokens(8), Shape::tokens(8), Shape::rows(8), Shape::rows(4)];
    let extents = Extents { shapes: &shapes, formats: &[], sizes: Sizes::new(3, 1, 3) };
    let fed = extents.work(&Dispatch::new(&feed, 0..0, feed.launch(0..0, extents.sizes)));
    assert_eq!(fed, Some(Work { operations: 0, bytes: 48 + 12 }));
}

#[test]
fn an_op_that_is_not_known_has_none() {
    let mut plan = plan();
    let x = embedded(&mut plan, 8);
    let plan = {
        plan.output(x);
        plan.finish().unwrap()
    };
    let op = &*plan.steps[0];
    let dispatch = Dispatch { op: "unheard of", ..Dispatch::new(op, 0..40, op.launch(0..40, SIZES)) };
    let extents = Extents { shapes: &plan.shapes, formats: &plan.formats, sizes: SIZES };
    assert_eq!(extents.work(&dispatch), None);
}
