//! Both attention kernels on the GPU against the CPU, and against each other.

use crate::support::{Adapter, Bench, assert_close, assert_twins, key_mask, numbers};
use ropescope::ops::Attention;
use ropescope::plan::{Shape, Value};

/// Which tokens are padding.
#[derive(Debug, Clone, Copy)]
enum Padding {
    None,
    Right,
    Left,
    /// All of the first sequence, every third token of the others.
    Row,
}

impl Padding {
    /// (batch, length) of 1 and 0.
    fn mask(self, batch: usize, length: usize) -> Vec<u32> {
        let kept = |sequence: usize, position: usize| match self {
            Padding::None => true,
            Padding::Right => position + sequence < length,
            Padding::Left => position >= (sequence + 1).min(length - 1),
            Padding::Row => sequence > 0 && position % 3 != 1,
        };
        let tokens = (0..batch).flat_map(|sequence| (0..length).map(move |position| (sequence, position)));
        tokens.map(|(sequence, position)| u32::from(kept(sequence, position))).collect()
    }
}

/// Context without maps, context with maps, maps.
fn attention(batch: usize, length: usize, attention: Attention, padding: Padding) -> (Bench, [Value; 3]) {
    let width = 3 * attention.heads * attention.head_size;
    let seed = (batch * 1_000_000 + length * 1000 + width) as u64;
    let mut bench = Bench::new(batch, length, 0);
    bench.inputs.key_mask = key_mask(&padding.mask(batch, length));
    // Large enough that some rows are nearly one-hot.
    let projected: Vec<f32> = numbers(seed, batch * length * width).into_iter().map(|x| 3.0 * x).collect();
    let projected = bench.value(Shape::Tokens { width }, &projected);
    let plain = bench.plan.attention(projected, attention);
    let (context, maps) = bench.plan.attention_with_maps(projected, attention);
    (bench, [plain, context, maps])
}

fn compare(adapter: &Adapter, batch: usize, length: usize, of: Attention, padding: Padding) {
    let what = format!("({batch}, {length}), {of:?}, padding {padding:?}");
    assert_twins(&what, adapter, || {
        let (bench, values) = attention(batch, length, of, padding);
        (bench, values.to_vec())
    });
}

const PADDINGS: [Padding; 4] = [Padding::None, Padding::Right, Padding::Left, Padding::Row];

#[test]
fn attention_of_every_head() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for heads in [1, 3, 5] {
        for head_size in [1, 2, 6, 18, 34, 64, 70] {
            for (batch, length) in [(1, 1), (2, 3), (1, 33), (2, 37)] {
                cases += 1;
                let of = Attention { heads, head_size, causal: cases % 2 == 0 };
                compare(&adapter, batch, length, of, PADDINGS[cases % PADDINGS.len()]);
            }
        }
    }
}

#[test]
fn attention_of_every_length() {
    let adapter = Adapter::open();
    for length in 1..=70 {
        for causal in [false, true] {
            let of = Attention { heads: 1, head_size: 6, causal };
            compare(&adapter, 2, length, of, PADDINGS[(length / 2) % PADDINGS.len()]);
        }
    }
}

#[test]
fn attention_under_every_mask() {
    let adapter = Adapter::open();
    for padding in PADDINGS {
        for causal in [false, true] {
            for length in [2, 9, 32, 65] {
                compare(&adapter, 3, length, Attention { heads: 3, head_size: 10, causal }, padding);
            }
        }
    }
}

/// The path that stores no probabilities computes what the other computes, on each backend.
#[test]
fn maps_change_nothing() {
    let adapter = Adapter::open();
    for on in [None, Some(&adapter)] {
        for (length, causal) in [(1, false), (40, true), (67, false)] {
            let (bench, values) = attention(2, length, Attention { heads: 3, head_size: 18, causal }, Padding::Row);
            let found = bench.run(&values, on);
            assert_close(&format!("length {length}"), &found[0], &found[1], 1e-5);
        }
    }
}

/// Where every key of a row is padding, its weights are uniform over all keys, those ahead of it included.
#[test]
fn a_fully_masked_row_is_uniform() {
    let adapter = Adapter::open();
    for on in [None, Some(&adapter)] {
        for (length, causal) in [(1, true), (7, false), (35, true)] {
            let (bench, values) = attention(1, length, Attention { heads: 2, head_size: 6, causal }, Padding::Row);
            let maps = bench.run(&values, on).swap_remove(2);
            let uniform = vec![1.0 / length as f32; 2 * length * length];
            assert_close(&format!("length {length}, causal {causal}"), &maps, &uniform, 1e-6);
        }
    }
}
