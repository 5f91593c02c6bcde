//! The product and its epilogues, and the rotation alone, on the GPU against the CPU.

use crate::support::{Adapter, Bench, assert_close, assert_twins, numbers};
use ropescope::ops::{Activation, Epilogue, LinearWeights, Rotary};
use ropescope::plan::{Shape, Value};
use ropescope::rope::{self, Frequencies};

/// What follows a product in a case.
#[derive(Debug, Clone, Copy)]
enum Follows {
    Nothing,
    Activation(Activation),
    Residual,
}

const FOLLOWS: [Follows; 5] = [
    Follows::Nothing,
    Follows::Activation(Activation::Gelu),
    Follows::Residual,
    Follows::Activation(Activation::Relu),
    Follows::Activation(Activation::Silu),
];

/// A product over tokens with made-up numbers.
fn product(rows: usize, inner: usize, columns: usize, biased: bool, follows: Follows) -> (Bench, Vec<Value>) {
    let seed = (rows * 1_000_000 + inner * 1000 + columns) as u64;
    let mut bench = Bench::new(1, rows, 0);
    let x = bench.value(Shape::Tokens { width: inner }, &numbers(seed, rows * inner));
    let weight = bench.weight(columns, inner, &numbers(seed + 1, columns * inner));
    let bias = biased.then(|| bench.vector(&numbers(seed + 2, columns)));
    let epilogue = match follows {
        Follows::Nothing => Epilogue::None,
        Follows::Activation(activation) => Epilogue::Activate(activation),
        Follows::Residual => {
            Epilogue::Add(bench.value(Shape::Tokens { width: columns }, &numbers(seed + 3, rows * columns)))
        }
    };
    let y = bench.plan.linear(x, &LinearWeights { weight, bias }, epilogue);
    (bench, vec![y])
}

/// Tiles are 32 × 32, steps 32 of the inner axis; an inner size that four divides takes the vec4 entry point.
#[test]
fn products_of_every_shape() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for rows in [1, 2, 3, 5, 7, 18, 31, 32, 33, 37, 64, 65] {
        for inner in [1, 2, 3, 4, 7, 18, 32, 36, 37, 64, 65, 260] {
            for columns in [1, 2, 3, 5, 18, 31, 32, 33, 37, 64, 65] {
                cases += 1;
                let (biased, follows) = (cases % 3 != 0, FOLLOWS[cases % FOLLOWS.len()]);
                let what = format!("{rows} × {inner} × {columns}, bias {biased}, then {follows:?}");
                assert_twins(&what, &adapter, || product(rows, inner, columns, biased, follows));
            }
        }
    }
}

/// Rows of a weight in parts of 2, 4, 6 … rows, and a last part that is not full.
#[test]
fn products_by_split_weights() {
    for (limit, rows, inner, columns) in
        [(64, 3, 4, 15), (200, 5, 18, 37), (256, 33, 32, 64), (300, 1, 37, 5), (1024, 7, 37, 97), (4096, 34, 64, 65)]
    {
        let adapter = Adapter::open().with_binding_limit(limit);
        for follows in FOLLOWS {
            let what = format!("{rows} × {inner} × {columns} in parts of {limit} bytes, then {follows:?}");
            assert_twins(&what, &adapter, || product(rows, inner, columns, true, follows));
        }
    }
}

/// A packed projection of `heads`, its first two thirds or all of it rotated.
fn rotated(batch: usize, length: usize, heads: usize, head_size: usize, all: bool) -> (Bench, Vec<Value>) {
    let (hidden, inner) = (heads * head_size, 5 + head_size);
    let seed = (batch * 1_000_000 + length * 1000 + hidden) as u64;
    let mut bench = Bench::new(batch, length, 0);
    bench.rotary(head_size, &rope::table(&Frequencies::of_base(head_size, rope::BASE), 3 * seed, length));
    let x = bench.value(Shape::Tokens { width: inner }, &numbers(seed, batch * length * inner));
    let weight = bench.weight(3 * hidden, inner, &numbers(seed + 1, 3 * hidden * inner));
    let bias = Some(bench.vector(&numbers(seed + 2, 3 * hidden)));
    let rotary = Rotary { head_size, rotated_columns: if all { 3 * hidden } else { 2 * hidden } };
    let fused = bench.plan.linear(x, &LinearWeights { weight, bias }, Epilogue::Rotate(rotary));
    let unrotated = bench.plan.linear(x, &LinearWeights { weight, bias }, Epilogue::None);
    let alone = bench.plan.rotate(unrotated, rotary);
    (bench, vec![fused, alone])
}

/// As the product's epilogue and alone; some head sizes begin a head in the middle of a block of four columns.
#[test]
fn rotations_of_every_shape() {
    let adapter = Adapter::open();
    for heads in [1, 3, 5] {
        for head_size in [2, 6, 18, 34, 64, 70] {
            for (batch, length) in [(1, 1), (2, 3), (1, 33), (3, 7)] {
                for all in [false, true] {
                    let what = format!("({batch}, {length}), {heads} heads of {head_size}, all rotated: {all}");
                    assert_twins(&what, &adapter, || rotated(batch, length, heads, head_size, all));
                }
            }
        }
    }
}

/// A part of the weight begins at an even row, so that no pair is torn.
#[test]
fn rotations_by_split_weights() {
    for (limit, heads, head_size) in [(128, 1, 6), (400, 3, 10), (1100, 5, 18), (2048, 3, 34)] {
        let adapter = Adapter::open().with_binding_limit(limit);
        for all in [false, true] {
            let what = format!("{heads} heads of {head_size} in parts of {limit} bytes, all rotated: {all}");
            assert_twins(&what, &adapter, || rotated(2, 5, heads, head_size, all));
        }
    }
}

/// Both ways to rotate compute the same.
#[test]
fn rotation_fused_and_alone_agree() {
    let adapter = Adapter::open();
    for on in [None, Some(&adapter)] {
        let (bench, values) = rotated(2, 9, 3, 18, false);
        let found = bench.run(&values, on);
        assert_close("fused and alone", &found[0], &found[1], 1e-6);
    }
}
