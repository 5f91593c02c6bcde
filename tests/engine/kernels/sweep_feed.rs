//! The id that a step feeds to the next one: on the GPU and the CPU, to the bit.

use crate::support::{Adapter, Bench};
use ropescope::ops::Feed;
use ropescope::plan::{Operand, Shape};

#[test]
fn rows_of_every_number() {
    let adapter = Adapter::open();
    for rows in [1, 2, 63, 64, 65, 300] {
        for (stride, place) in [(1, 0), (2, 1), (4, 0), (10, 5), (128, 64)] {
            let id = |row: usize| if row % 7 == 3 { 16_777_215 } else { (row * 31 + place) as u32 % 1009 };
            let results: Vec<f32> = (0..rows * stride)
                .map(|at| if at % stride == place { id(at / stride) as f32 } else { -0.5 - at as f32 })
                .collect();
            for on in [None, Some(&adapter)] {
                let mut bench = Bench::new(1, 1, rows);
                let results = bench.value(Shape::rows(stride), &results);
                bench.probe(rows, |_| Box::new(Feed { results, stride, place, to: Operand::Results }));
                let found: Vec<u32> = bench.run(&[], on).swap_remove(0).into_iter().map(f32::to_bits).collect();
                assert_eq!(found, (0..rows).map(id).collect::<Vec<u32>>(), "{rows} rows of {stride}");
            }
        }
    }
}
