//! Factors of the rows of tokens: on the GPU against the CPU, and both against plain sums.

use crate::kernels::sweep_interventions::{HEADS, TEXTS};
use crate::support::{Adapter, Bench, assert_close, numbers};
use ropescope::plan::{Input, Shape, Sizes, View};

#[test]
fn rows_are_scaled_by_their_token() {
    let adapter = Adapter::open();
    for (index, (heads, head_size)) in HEADS.into_iter().enumerate() {
        for (batch, past, length) in TEXTS {
            let sizes = Sizes { past, cache_capacity: past + length, ..Sizes::new(batch, length, 0) };
            let (first, width, stride) = (index, heads * head_size, heads * head_size + 3 * index);
            let input = numbers((stride + length) as u64, batch * length * stride);
            let scales: Vec<f32> = numbers(length as u64, batch * length).iter().map(|x| 1.5 + x).collect();
            let mut expected = input.clone();
            for (row, scale) in expected.chunks_exact_mut(stride).zip(&scales) {
                row[first..first + width].iter_mut().for_each(|x| *x *= scale);
            }
            for on in [None, Some(&adapter)] {
                let mut bench = Bench::over(sizes);
                bench.inputs.set(Input::QueryScales, scales.clone());
                let x = bench.value(Shape::tokens(stride), &input);
                bench
                    .plan
                    .scale_tokens(View { operand: x.into(), first, stride, heads, head_size }, Input::QueryScales);
                let found = bench.run(&[x], on).swap_remove(0);
                assert_close(
                    &format!("{heads} heads of {head_size}, {batch} texts of {length}"),
                    &found,
                    &expected,
                    1e-6,
                );
            }
        }
    }
}
