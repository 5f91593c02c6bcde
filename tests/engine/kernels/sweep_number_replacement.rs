//! Numbers put in rows: on the GPU against the CPU, and both against plain loops.

use crate::kernels::sweep_interventions::{HEADS, TEXTS};
use crate::support::{Adapter, Bench, numbers};
use ropescope::plan::{
    Index, InterventionKinds, NumberEntry, NumberTensors, PlanBuilder, PlanOptions, Shape, Sizes, TapView, TensorName,
    Value, View,
};

/// A bench whose plan puts numbers in these tensors of three layers.
fn bench(sizes: Sizes, tensors: NumberTensors) -> Bench {
    let mut bench = Bench::over(sizes);
    let interventions = InterventionKinds { numbers: tensors, ..InterventionKinds::default() };
    bench.plan = PlanBuilder::new(PlanOptions { interventions, ..bench.plan.options().clone() });
    bench
}

/// Entries of one number, of whole heads, rows and columns, and of other layers and tensors.
fn entries(tensor: TensorName, [heads, length, head_size]: [usize; 3]) -> Vec<NumberEntry> {
    let (at, all) = (Index::At, Index::All);
    let of = |tensor, layer, index, number| NumberEntry { tensor, layer, index, number };
    vec![
        of(tensor, 0, [all, all, all], 9.0),
        of(tensor, 1, [all, at(length / 2), all], -2.5),
        of(tensor, 1, [at(heads / 2), all, at(head_size / 2)], 0.0),
        of(TensorName::Embeddings, 1, [all, all, all], 7.0),
        of(tensor, 1, [at(heads - 1), at(length - 1), at(head_size - 1)], 1e-30),
        of(tensor, 1, [at(0), at(0), at(0)], 3.5),
        // Outside of everything: a plan checks nothing.
        of(tensor, 1, [at(heads), at(length), at(head_size)], 8.0),
        of(tensor, 2, [all, all, all], 9.0),
    ]
}

/// Where a head's column is in a row that has its first `halves` columns in adjacent pairs.
fn place(column: usize, halves: usize) -> usize {
    match column {
        column if column < halves / 2 => 2 * column,
        column if column < halves => 2 * (column - halves / 2) + 1,
        column => column,
    }
}

#[test]
fn numbers_are_put_where_entries_say() {
    let adapter = Adapter::open();
    for (index, (heads, head_size)) in HEADS.into_iter().enumerate() {
        for (batch, _, length) in TEXTS {
            for halves in [0, head_size / 4 * 2, head_size / 2 * 2] {
                let sizes = Sizes::new(batch, length, 0);
                let (first, stride) = (index, heads * head_size + 2 * index);
                let input = numbers((stride + length) as u64, batch * length * stride);
                let entries = entries(TensorName::Query, [heads, length, head_size]);
                let mut expected = input.clone();
                for (token, row) in expected.chunks_exact_mut(stride).enumerate() {
                    for (head, column) in (0..heads).flat_map(|head| (0..head_size).map(move |column| (head, column))) {
                        let covers = |entry: &&NumberEntry| {
                            let here = entry.index.iter().zip([head, token % length, column]);
                            let is_here =
                                here.into_iter().all(|(index, at)| [Index::All, Index::At(at)].contains(index));
                            is_here && entry.tensor == TensorName::Query && entry.layer == 1
                        };
                        if let Some(last) = entries.iter().rfind(covers) {
                            row[first + head * head_size + place(column, halves)] = last.number;
                        }
                    }
                }
                let tensors = NumberTensors::new([TensorName::Query], 3, entries.len());
                for on in [None, Some(&adapter)] {
                    let mut bench = bench(sizes, tensors);
                    bench.inputs.set(tensors.input(), tensors.words(&entries));
                    let x = bench.value(Shape::tokens(stride), &input);
                    let view = View { operand: x.into(), first, stride, heads, head_size };
                    let y = bench
                        .plan
                        .replace_numbers(TensorName::Query.at(1), TapView::Columns { value: x, view, halves });
                    assert_ne!(x, y);
                    let found = bench.run(&[x, y], on);
                    let what = format!("{heads} heads of {head_size}, {batch} texts of {length}, halves {halves}");
                    assert_eq!(found[0], input, "{what}: what was there stays");
                    assert_eq!(found[1], expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_tensor_of_one_head_takes_rows_and_columns() {
    let adapter = Adapter::open();
    let (batch, length, width) = (2, 37, 131);
    let input = numbers(7, batch * length * width);
    let tensors = NumberTensors::new([TensorName::FeedForward], 3, 2);
    let entry = |index, number| NumberEntry { tensor: TensorName::FeedForward, layer: 2, index, number };
    let entries =
        [entry([Index::All, Index::All, Index::At(130)], 0.0), entry([Index::All, Index::At(36), Index::At(64)], -1.0)];
    let mut expected = input.clone();
    expected.iter_mut().skip(130).step_by(width).for_each(|number| *number = 0.0);
    expected.chunks_exact_mut(length * width).for_each(|text| text[36 * width + 64] = -1.0);
    for on in [None, Some(&adapter)] {
        let mut bench = bench(Sizes::new(batch, length, 0), tensors);
        bench.inputs.set(tensors.input(), tensors.words(&entries));
        let x = bench.value(Shape::tokens(width), &input);
        let y = bench.plan.replace_and_tap(TensorName::FeedForward, 2, x);
        assert_eq!(bench.run(&[y], on).swap_remove(0), expected);
    }
}

#[test]
fn a_plan_without_the_tensor_has_no_op_for_it() {
    let mut bench = bench(Sizes::new(1, 2, 0), NumberTensors::new([TensorName::Value], 1, 1));
    let x = bench.value(Shape::tokens(3), &[0.0; 6]);
    assert_eq!(bench.plan.replace_and_tap(TensorName::FeedForward, 0, x), x);
}

#[test]
#[should_panic(expected = "number_replacement")]
fn views_beyond_the_rows_are_refused() {
    let tensors = NumberTensors::new([TensorName::Value], 1, 1);
    let mut bench = bench(Sizes::new(1, 2, 0), tensors);
    bench.inputs.set(tensors.input(), tensors.words(&[]));
    let x = bench.value(Shape::tokens(7), &[0.0; 14]);
    let view = View { operand: x.into(), first: 2, stride: 7, heads: 2, head_size: 3 };
    let y: Value = bench.plan.replace_numbers(TensorName::Value.at(0), TapView::Columns { value: x, view, halves: 0 });
    bench.run(&[y], None);
}
