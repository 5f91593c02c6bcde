//! What interventions do to rows of heads: on the GPU against the CPU, and both against plain sums.

use crate::support::{Adapter, Bench, assert_close, key_mask, numbers};
use crate::sweep_attention::PADDINGS;
use ropescope::ops::HeadTable;
use ropescope::plan::{HeadFate, Input, Shape, Sizes};

/// Batches of texts, of which the first `past` tokens were run before.
const TEXTS: [(usize, usize, usize); 7] =
    [(1, 0, 1), (2, 0, 2), (3, 0, 7), (2, 5, 1), (2, 3, 37), (1, 0, 70), (1, 2, 131)];

/// Heads of a layer and their size.
const HEADS: [(usize, usize); 5] = [(1, 1), (3, 2), (5, 7), (2, 64), (3, 70)];

#[test]
fn heads_are_replaced_by_zero_or_their_mean() {
    let adapter = Adapter::open();
    for (index, (heads, head_size)) in HEADS.into_iter().enumerate() {
        for (batch, past, length) in TEXTS {
            let sizes = Sizes { past, context: past + length, ..Sizes::new(batch, length, 0) };
            let width = heads * head_size;
            let told = numbers((width + length) as u64, batch * length * width);
            let kept = PADDINGS[(index + length) % PADDINGS.len()].mask(batch, past + length);
            // Of the second of three layers; the others' heads have other fates.
            let fate = |head: usize| (head + index + length) % 3;
            let fates: Vec<u32> = (0..3 * heads).map(|head| fate(head) as u32).collect();
            let mut expected = told.clone();
            for (sequence, head) in (0..batch).flat_map(|sequence| (0..heads).map(move |head| (sequence, head))) {
                let at = |row: usize, column: usize| (sequence * length + row) * width + head * head_size + column;
                let rows = || (0..length).filter(|row| kept[sequence * (past + length) + past + row] == 1);
                for column in (0..head_size).filter(|_| fate(heads + head) > 0) {
                    let sum: f64 = rows().map(|row| f64::from(told[at(row, column)])).sum();
                    let mean = (sum / rows().count().max(1) as f64) as f32;
                    let by = if fate(heads + head) == HeadFate::Mean as usize { mean } else { 0.0 };
                    (0..length).for_each(|row| expected[at(row, column)] = by);
                }
            }
            for (on, tolerance) in [(None, 1e-6), (Some(&adapter), 1e-5)] {
                let mut bench = Bench::over(sizes);
                bench.inputs.key_mask = key_mask(&kept);
                bench.inputs.head_fates = fates.clone();
                let context = bench.value(Shape::tokens(width), &told);
                let input = Input::HeadFates { heads: 3 * heads };
                bench.plan.replace_heads(context, HeadTable { input, first: heads, heads });
                let found = bench.run(&[context], on).swap_remove(0);
                let what = format!("{heads} heads of {head_size}, {batch} texts of {past} + {length}");
                assert_close(&what, &found, &expected, tolerance);
            }
        }
    }
}

#[test]
#[should_panic(expected = "head_fates")]
fn heads_that_do_not_divide_a_row_are_refused() {
    let mut bench = Bench::new(1, 2, 0);
    let context = bench.value(Shape::tokens(7), &[0.0; 14]);
    let input = Input::HeadFates { heads: 2 };
    bench.plan.replace_heads(context, HeadTable { input, first: 0, heads: 2 });
    bench.run(&[context], None);
}
