//! Interventions in rows of heads: on the GPU against the CPU, and both against plain sums.

use crate::kernels::sweep_attention::PADDINGS;
use crate::support::{Adapter, Bench, assert_close, key_mask, numbers};
use ropescope::ops::{HeadAblations, InPlaceRotation, Rotary};
use ropescope::plan::{HeadAblation, Input, Shape, Sizes, View};
use ropescope::rope::{self, Frequencies};

/// Batches of texts, of which the first `past` tokens were run before.
pub const TEXTS: [(usize, usize, usize); 7] =
    [(1, 0, 1), (2, 0, 2), (3, 0, 7), (2, 5, 1), (2, 3, 37), (1, 0, 70), (1, 2, 131)];

/// Heads of a layer and their size.
pub const HEADS: [(usize, usize); 5] = [(1, 1), (3, 2), (5, 7), (2, 64), (3, 70)];

#[test]
fn heads_are_replaced_by_zero_or_their_mean() {
    let adapter = Adapter::open();
    for (index, (heads, head_size)) in HEADS.into_iter().enumerate() {
        for (batch, past, length) in TEXTS {
            let sizes = Sizes { past, cache_capacity: past + length, ..Sizes::new(batch, length, 0) };
            let width = heads * head_size;
            let input = numbers((width + length) as u64, batch * length * width);
            let mask = PADDINGS[(index + length) % PADDINGS.len()].mask(batch, past + length);
            // Modes of three layers; the heads under test are the second layer's. Some heads have one mode in all rows.
            let mode = |head: usize, row: usize| (head + index + [length, row][head % 2]) % 3;
            let modes = (0..3 * heads).flat_map(|head| (0..length).map(move |row| mode(head, row) as u32));
            let modes: Vec<u32> = modes.collect();
            let mut expected = input.clone();
            for (sequence, head) in (0..batch).flat_map(|sequence| (0..heads).map(move |head| (sequence, head))) {
                let at = |row: usize, column: usize| (sequence * length + row) * width + head * head_size + column;
                let rows = || (0..length).filter(|row| mask[sequence * (past + length) + past + row] == 1);
                for column in 0..head_size {
                    let sum: f64 = rows().map(|row| f64::from(input[at(row, column)])).sum();
                    let mean = (sum / rows().count().max(1) as f64) as f32;
                    for row in (0..length).filter(|row| mode(heads + head, *row) > 0) {
                        let is_mean = mode(heads + head, row) == HeadAblation::Mean as usize;
                        expected[at(row, column)] = if is_mean { mean } else { 0.0 };
                    }
                }
            }
            for (on, tolerance) in [(None, 1e-6), (Some(&adapter), 1e-5)] {
                let mut bench = Bench::over(sizes);
                bench.inputs.set(Input::KeyMask, key_mask(&mask));
                let head_outputs = bench.value(Shape::tokens(width), &input);
                let ablations = Input::HeadAblations { heads: 3 * heads };
                bench.inputs.set(ablations, modes.clone());
                bench.plan.ablate_heads(head_outputs, HeadAblations { input: ablations, first: heads, heads });
                let found = bench.run(&[head_outputs], on).swap_remove(0);
                let what = format!("{heads} heads of {head_size}, {batch} texts of {past} + {length}");
                assert_close(&what, &found, &expected, tolerance);
            }
        }
    }
}

#[test]
#[should_panic(expected = "head_ablation")]
fn heads_that_do_not_divide_a_row_are_refused() {
    let mut bench = Bench::new(1, 2, 0);
    let head_outputs = bench.value(Shape::tokens(7), &[0.0; 14]);
    let input = Input::HeadAblations { heads: 2 };
    bench.plan.ablate_heads(head_outputs, HeadAblations { input, first: 0, heads: 2 });
    bench.run(&[head_outputs], None);
}

/// A rope's magnitude, which is none of a value's.
const MAGNITUDE: f32 = 1.5;

#[test]
fn heads_turn_by_their_position_and_back() {
    let adapter = Adapter::open();
    for (index, (heads, head_size)) in [(1, 2), (3, 6), (5, 10), (2, 64), (3, 70)].into_iter().enumerate() {
        for (batch, past, length) in TEXTS {
            for halves in [0, head_size / 4 * 2, head_size] {
                let sizes = Sizes { past, cache_capacity: past + length, ..Sizes::new(batch, length, 0) };
                let (first, stride) = (index, heads * head_size + 2 * index);
                let input = numbers((stride + length) as u64, batch * length * stride);
                let frequencies = Frequencies::from_base(head_size, 50.0);
                let table = rope::table(&frequencies, 0, past + length);
                let back = (index + halves) % 4 == 2;
                let mut expected = input.clone();
                let pairs = if halves == 0 { head_size / 2 } else { halves / 2 };
                for (token, row) in expected.chunks_exact_mut(stride).enumerate() {
                    for head in row[first..first + heads * head_size].chunks_exact_mut(head_size) {
                        for pair in 0..pairs {
                            let angle = (past + token % length) as f64 * frequencies.theta[pair];
                            let (sin, cos) = if back { -angle } else { angle }.sin_cos();
                            let [at, other] = if halves == 0 { [2 * pair, 2 * pair + 1] } else { [pair, pair + pairs] };
                            let [x, y] = [at, other].map(|at| f64::from(head[at]));
                            head[at] = (x * cos - y * sin) as f32;
                            head[other] = (y * cos + x * sin) as f32;
                        }
                    }
                }
                for (on, tolerance) in [(None, 1e-6), (Some(&adapter), 1e-5)] {
                    let mut bench = Bench::over(sizes);
                    bench.rotary(head_size, &table.iter().map(|x| MAGNITUDE * x).collect::<Vec<f32>>());
                    let x = bench.value(Shape::tokens(stride), &input);
                    let rotary = Rotary { rope: 0, head_size, rotated_columns: 0 };
                    let view = View { operand: x.into(), first, stride, heads, head_size };
                    bench.plan.rotate_in_place(view, InPlaceRotation { rotary, halves, inverse: back });
                    let found = bench.run(&[x], on).swap_remove(0);
                    let what = format!("{heads} heads of {head_size}, halves {halves}, {batch} texts of {length}");
                    assert_close(&what, &found, &expected, tolerance);
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "in_place_rotation")]
fn heads_of_another_size_than_the_table_are_refused() {
    let mut bench = Bench::new(1, 2, 0);
    bench.rotary(4, &[0.0; 8]);
    let x = bench.value(Shape::tokens(6), &[0.0; 12]);
    let rotary = Rotary { rope: 0, head_size: 4, rotated_columns: 0 };
    let view = View { operand: x.into(), first: 0, stride: 6, heads: 1, head_size: 6 };
    bench.plan.rotate_in_place(view, InPlaceRotation { rotary, halves: 0, inverse: false });
    bench.run(&[x], None);
}
