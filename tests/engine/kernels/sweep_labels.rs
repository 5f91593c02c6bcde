//! −log p of labels, on the GPU against the CPU: every shape, and logits that are no numbers.

use crate::support::{Adapter, Bench, assert_close, numbers};
use ropescope::ops::{IGNORED, MAX_TOP_K};
use ropescope::plan::{Input, Shape, Value};

fn losses(logits: &[f32], labels: &[u32]) -> (Bench, Vec<Value>) {
    let vocabulary = logits.len() / labels.len();
    let mut bench = Bench::new(1, 1, labels.len());
    bench.inputs.set(Input::Labels, labels.to_vec());
    let logits = bench.value(Shape::rows(vocabulary), logits);
    let losses = bench.plan.label_loss(logits);
    (bench, vec![losses])
}

fn run(logits: &[f32], labels: &[u32], on: Option<&Adapter>) -> Vec<f32> {
    let (bench, values) = losses(logits, labels);
    bench.run(&values, on).swap_remove(0)
}

/// −log p of the label, in f64.
fn expected(row: &[f32], label: u32) -> f32 {
    if label == IGNORED {
        return 0.0;
    }
    let largest = row.iter().copied().fold(f32::MIN, f32::max);
    let total: f64 = row.iter().map(|logit| (f64::from(*logit) - f64::from(largest)).exp()).sum();
    (f64::from(largest) - f64::from(row[label as usize]) + total.ln()) as f32
}

#[test]
fn losses_of_every_shape() {
    let adapter = Adapter::open();
    for vocabulary in [1, 2, 3, 37, 64, 127, 128, 129, 300, 1003] {
        for rows in [1, 2, 5, 37] {
            for scale in [0.0, 5.0, 1e4, 1e30] {
                let drawn = numbers((rows * 10_000 + vocabulary) as u64, rows * vocabulary).into_iter();
                let logits: Vec<f32> = drawn.map(|x| scale * x).collect();
                let label = |row: usize| if row % 4 == 3 { IGNORED } else { ((row * 89 + 1) % vocabulary) as u32 };
                let labels: Vec<u32> = (0..rows).map(label).collect();
                for (on, tolerance) in [(None, 1e-5), (Some(&adapter), 1e-4)] {
                    let found = run(&logits, &labels, on);
                    let rows = logits.chunks_exact(vocabulary).zip(&labels);
                    for ((row, label), found) in rows.zip(found) {
                        let what = format!("label {label} of {vocabulary}, by {scale}");
                        assert_close(&what, &[found], &[expected(row, *label)], tolerance);
                    }
                }
            }
        }
    }
}

/// The losses of all labels are the logarithms that the fills of a row tell.
#[test]
fn losses_are_the_logarithms_of_fills() {
    let adapter = Adapter::open();
    for on in [None, Some(&adapter)] {
        for vocabulary in [1, 5, 37, MAX_TOP_K] {
            let row: Vec<f32> = numbers(vocabulary as u64, vocabulary).into_iter().map(|x| 9.0 * x).collect();
            let labels: Vec<u32> = (0..vocabulary as u32).collect();
            let losses = run(&row.repeat(vocabulary), &labels, on);
            let mut bench = Bench::new(1, 1, 1);
            let logits = bench.value(Shape::rows(vocabulary), &row);
            let top = bench.plan.top_k(logits, vocabulary, false);
            let top = bench.run(&[top], on).swap_remove(0);
            let (logarithms, ids) = top.split_at(vocabulary);
            let by_rank: Vec<f32> = ids.iter().map(|id| -losses[*id as usize]).collect();
            assert_close(&format!("{vocabulary} labels"), &by_rank, logarithms, 1e-5);
        }
    }
}

/// As in PyTorch: a NaN or ∞ makes its row's loss NaN, and a token with −∞ is impossible.
#[test]
fn logits_that_are_no_numbers() {
    const NAN: f32 = f32::NAN;
    const INF: f32 = f32::INFINITY;
    let adapter = Adapter::open();
    let cases = [
        ([NAN, 1.0, 2.0], 1, NAN),
        ([1.0, -NAN, 2.0], 1, NAN),
        ([INF, 1.0, 2.0], 1, NAN),
        ([INF, 1.0, 2.0], 0, NAN),
        ([-INF, -INF, -INF], 0, NAN),
        ([-INF, 3.0, 3.0], 0, INF),
        ([-INF, 3.0, 3.0], 1, std::f32::consts::LN_2),
        ([-INF, 3.0, -INF], 1, 0.0),
        ([-INF, f32::MIN, f32::MIN], 2, std::f32::consts::LN_2),
        ([NAN, 1.0, 2.0], IGNORED, 0.0),
        ([0.0, 1.0, 2.0], 3, NAN),
    ];
    let logits: Vec<f32> = cases.iter().flat_map(|(row, ..)| *row).collect();
    let labels: Vec<u32> = cases.iter().map(|(_, label, _)| *label).collect();
    for on in [None, Some(&adapter)] {
        for ((row, label, expected), found) in cases.iter().zip(run(&logits, &labels, on)) {
            let close = match expected.is_nan() {
                true => found.is_nan(),
                false => found == *expected || (found - expected).abs() < 1e-6,
            };
            assert!(close, "label {label} of {row:?}: {found}, expected {expected}");
        }
    }
}
