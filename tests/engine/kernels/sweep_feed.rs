//! The id that greedy decoding feeds to its next step: on the GPU against the CPU, to the bit.

use crate::support::{Adapter, Bench};
use ropescope::ops::{Feed, greedy};
use ropescope::plan::{Operand, Shape};

/// The ids that come of rows of logarithms with their ids, (rows, 2k).
fn fed(top: &[f32], k: usize, on: Option<&Adapter>) -> Vec<u32> {
    let rows = top.len() / (2 * k);
    let mut bench = Bench::new(1, 1, rows);
    let top = bench.value(Shape::rows(2 * k), top);
    bench.probe(rows, |_| Box::new(Feed { top, k, to: Operand::Results }));
    bench.run(&[], on).swap_remove(0).into_iter().map(f32::to_bits).collect()
}

#[test]
fn the_best_is_fed_and_of_equal_ones_the_lowest() {
    let adapter = Adapter::open();
    let nan = f32::NAN;
    for (top, k, expected) in [
        (vec![-0.5, 7.0], 1, vec![7]),
        (vec![-1.0, -2.0, -3.0, 9.0, 4.0, 1.0], 3, vec![9]),
        (vec![-1.0, -1.0, -3.0, 9.0, 4.0, 1.0], 3, vec![4]),
        (vec![-1.0, -1.0, -1.0, 4.0, 9.0, 1.0, 0.0, -1.0, 0.0, 16_777_215.0, 0.0, 5.0], 3, vec![1, 16_777_215]),
        (vec![f32::MIN, f32::MIN, 3.0, 2.0, nan, nan, 6.0, 5.0], 2, vec![2, 6]),
    ] {
        for on in [None, Some(&adapter)] {
            assert_eq!(fed(&top, k, on), expected, "{top:?}");
        }
    }
}

#[test]
fn rows_of_every_number() {
    let adapter = Adapter::open();
    for rows in [1, 2, 63, 64, 65, 300] {
        for k in [1, 2, 5, 64] {
            let row = |row: usize| {
                let equal = row % k + 1;
                let logarithm = move |at: usize| if at < equal { -1.0 } else { -2.0 - at as f32 };
                (0..k).map(logarithm).chain((0..k).map(move |at| ((row * 31 + at * 17) % 1009) as f32))
            };
            let top: Vec<f32> = (0..rows).flat_map(row).collect();
            let best = |row: &[f32]| {
                let (logarithms, ids) = row.split_at(k);
                greedy(logarithms.iter().copied().zip(ids.iter().map(|id| *id as u32))).unwrap()
            };
            let expected: Vec<u32> = top.chunks_exact(2 * k).map(best).collect();
            for on in [None, Some(&adapter)] {
                assert_eq!(fed(&top, k, on), expected, "{rows} rows of {k}");
            }
        }
    }
}
