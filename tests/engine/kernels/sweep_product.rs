//! The product and its epilogues on the GPU against the CPU.

use crate::support::{Adapter, Bench, assert_close, assert_twins, assert_unsplit_twins, numbers};
use ropescope::backend::Cancellation;
use ropescope::kernels::{Activation, Format};
use ropescope::ops::{Epilogue, LinearWeights, NormKind, NormWeights};
use ropescope::plan::{Capacity, Shape, Sizes, Value};
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;

/// The epilogue of a product in a case.
#[derive(Debug, Clone, Copy)]
enum Follows {
    Nothing,
    Activation(Activation),
    Residual,
    /// Of twice as many columns.
    Gate(Activation),
}

const ACTIVATIONS: [Activation; 4] = [Activation::Gelu, Activation::GeluTanh, Activation::Relu, Activation::Silu];

const FOLLOWS: [Follows; 7] = [
    Follows::Nothing,
    Follows::Activation(Activation::Gelu),
    Follows::Residual,
    Follows::Activation(Activation::Relu),
    Follows::Activation(Activation::Silu),
    Follows::Gate(Activation::Silu),
    Follows::Activation(Activation::GeluTanh),
];

/// A product over tokens with made-up numbers. columns: of what comes out.
fn product(rows: usize, inner: usize, columns: usize, biased: bool, follows: Follows) -> (Bench, Vec<Value>) {
    product_in(Bench::new(1, rows, 0), inner, columns, biased, follows)
}

fn product_in(mut bench: Bench, inner: usize, columns: usize, biased: bool, follows: Follows) -> (Bench, Vec<Value>) {
    let rows = bench.sizes.tokens();
    let seed = (rows * 1_000_000 + inner * 1000 + columns) as u64;
    let columns = if matches!(follows, Follows::Gate(_)) { 2 * columns } else { columns };
    let x = bench.value(Shape::tokens(inner), &numbers(seed, rows * inner));
    let weight = bench.weight(columns, inner, &numbers(seed + 1, columns * inner));
    let bias = biased.then(|| bench.vector(&numbers(seed + 2, columns)));
    let epilogue = match follows {
        Follows::Nothing => Epilogue::None,
        Follows::Activation(activation) => Epilogue::Activate(activation),
        Follows::Gate(activation) => Epilogue::Gate(activation),
        Follows::Residual => Epilogue::Add(bench.value(Shape::tokens(columns), &numbers(seed + 3, rows * columns))),
    };
    let y = bench.plan.linear(x, &LinearWeights { weight, bias }, epilogue);
    (bench, vec![y])
}

/// Products of all these sizes, each in a bench for its rows, some with a bias, followed by one thing after the other.
fn products(rows: &[usize], inners: &[usize], columns: &[usize], bench: impl Fn(usize) -> Bench) {
    let adapter = Adapter::open();
    let mut cases = 0;
    for &rows in rows {
        for &inner in inners {
            for &columns in columns {
                cases += 1;
                let (biased, follows) = (cases % 3 != 0, FOLLOWS[cases % FOLLOWS.len()]);
                let what = format!("{rows} × {inner} × {columns}, bias {biased}, then {follows:?}");
                assert_twins(&what, &adapter, || product_in(bench(rows), inner, columns, biased, follows));
            }
        }
    }
}

/// Tiles are 16 × 16, 32 of the inner axis deep, where the plan has room for 16 rows, else 32 × 32, 16 deep; an inner size that four
/// divides is read by fours, and so many columns are written by fours where no gate makes pairs of them.
#[test]
fn products_of_every_shape() {
    let inners = [1, 2, 3, 4, 7, 18, 32, 36, 37, 64, 65, 260];
    let columns = [1, 2, 3, 4, 5, 18, 31, 32, 33, 36, 37, 64, 65];
    products(&[1, 2, 3, 5, 7, 18, 31, 32, 33, 37, 64, 65], &inners, &columns, |rows| Bench::new(1, rows, 0));
}

/// A plan for few rows makes them one by one: up to 64 invocations share the inner axis of four columns.
#[test]
fn products_of_few_rows() {
    let inners = [1, 3, 4, 37, 252, 256, 260, 1027];
    products(&[1, 2, 3, 4], &inners, &[1, 2, 3, 4, 5, 18, 33, 64], |rows| Bench::tight(Sizes::new(1, rows, 0)));
}

/// A plan for up to 16 rows has tiles of 16, whose blocks are shared by four.
#[test]
fn products_in_small_tiles() {
    let inners = [1, 4, 30, 32, 37, 68, 260];
    products(&[5, 6, 11, 16], &inners, &[1, 5, 15, 16, 17, 20, 34, 36], |rows| Bench::tight(Sizes::new(1, rows, 0)));
}

/// A plan for many rows has tiles of 64, 8 of the inner axis deep, whatever a run fills of it.
#[test]
fn products_in_large_tiles() {
    products(&[1, 31, 33, 64, 97], &[1, 7, 8, 12, 37], &[1, 29, 33, 64, 65, 68, 92, 101], |rows| {
        Bench::within(Capacity::new(1, 64 * 128, 0), Sizes::new(1, rows, 0))
    });
}

/// A product that norms its few rows itself equals a norm and then a product. In all formats; the last shapes are those of which
/// `products_of_wide_quantised_weights` asserts large units and 64, 32, 16 and 8 lanes, but for fours of numbers.
#[test]
fn products_of_normed_rows() {
    let adapter = Adapter::open();
    let small = [1, 3, 4].into_iter().flat_map(|rows| {
        let inners = [1, 4, 18, 37, 260, 1027].into_iter();
        inners.flat_map(move |inner| [1, 4, 18, 33].map(|columns| (rows, inner, columns)))
    });
    let small = small.enumerate().map(|(at, shape)| (shape, [Format::F32, Format::F16, Format::Int8][at % 7 % 3]));
    let large = [(1, 2104, 33), (4, 552, 2060), (4, 304, 4100), (4, 144, 8200)];
    let formats = [Format::F16, Format::BF16, Format::Int8, Format::Int4];
    let large = large.into_iter().flat_map(|shape| formats.map(|format| (shape, format)));
    for ((rows, inner, columns), format) in small.chain(large) {
        let seed = (rows * 1000 + inner + columns) as u64;
        let weight_numbers = numbers(seed + 1, columns * inner);
        let build = |spreads: bool| {
            let mut bench = Bench::tight(Sizes::new(1, rows, 0));
            if spreads {
                bench = bench.spreading();
            }
            let x = bench.value(Shape::tokens(inner), &numbers(seed, rows * inner));
            let weight = bench.matrix_in(columns, inner, &weight_numbers, format);
            let gain = Some(bench.vector(&numbers(seed + 2, inner)));
            let norm = NormWeights { kind: NormKind::Rms, gain, shift: None, epsilon: 1e-5 };
            let y = bench.plan.linear(norm.of(x), &LinearWeights { weight, bias: None }, Epilogue::None);
            (bench, vec![y])
        };
        let what = format!("{rows} × {inner} × {columns}, {format:?}");
        assert_twins(&what, &adapter, || build(true));
        let steps = [true, false].map(|spreads| {
            let (bench, values) = build(spreads);
            bench.steps(&values).len()
        });
        assert_eq!(steps, [2, 3], "{what}");
        let [unfused, fused] = [false, true].map(|spreads| {
            let (bench, values) = build(spreads);
            bench.run(&values, None).swap_remove(0)
        });
        assert_close(&what, &fused, &unfused, 1e-6);
    }
}

/// Long sums of few workgroups are cut into slices, which a second dispatch joins: of rows, of small tiles, of others and, where the plan
/// has room for many rows, of large ones. The last slice may have nothing.
#[test]
fn products_in_slices() {
    let adapter = Adapter::open();
    for (rows, room, inner, columns) in [
        (1, 1, 8192, 5),
        (3, 3, 12_289, 6),
        (7, 7, 3075, 18),
        (16, 16, 3076, 33),
        (11, 11, 3076, 20),
        (17, 17, 1537, 34),
        (33, 33, 1540, 37),
        (35, 35, 1543, 36),
        (20, 20, 6200, 3),
        (65, 64 * 128, 1540, 30),
    ] {
        for (at, follows) in FOLLOWS.into_iter().enumerate() {
            let what = format!("{rows} × {inner} × {columns}, then {follows:?}");
            let build = |splits: bool| {
                let bench = Bench::within(Capacity::new(1, room, 0), Sizes::new(1, rows, 0));
                let bench = if splits { bench.spreading() } else { bench };
                product_in(bench, inner, columns, at % 2 == 0, follows)
            };
            assert_unsplit_twins(&what, &adapter, build);
            let (bench, values) = build(true);
            assert_eq!(bench.steps(&values).last().unwrap().name(), "gemm/reduce", "{what}");
        }
    }
}

/// Counts its pauses, which come after as much work as the page's.
#[derive(Default)]
struct Counted(Cell<usize>);

impl Cancellation for Counted {
    fn work(&self) -> usize {
        1 << 25
    }

    fn is_due(&self) -> bool {
        self.0.set(self.0.get() + 1);
        false
    }

    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>> {
        Box::pin(std::future::ready(true))
    }
}

/// The last row times a large vocabulary gives way to messages in between, and gives the same; one that something else follows, or a
/// small one, does not.
#[test]
fn a_row_of_a_large_vocabulary_is_made_in_parts() {
    for (rows, inner, columns, follows, expected) in [
        (1, 1030, 16_300, Epilogue::None, 3),
        (1, 1030, 8_000, Epilogue::None, 1),
        (2, 1030, 16_300, Epilogue::None, 1),
        (1, 1030, 16_300, Epilogue::Activate(Activation::Relu), 1),
    ] {
        for format in [Format::F32, Format::Int8] {
            let what = format!("{rows} × {inner} × {columns}, {format:?}, {follows:?}");
            let weights = numbers(2, columns * inner);
            let build = || {
                let mut bench = Bench::tight(Sizes::new(1, rows, 0));
                let x = bench.value(Shape::tokens(inner), &numbers(1, rows * inner));
                let weight = bench.matrix_in(columns, inner, &weights, format);
                let bias = Some(bench.vector(&numbers(3, columns)));
                let y = bench.plan.linear(x, &LinearWeights { weight, bias }, follows);
                (bench, [y])
            };
            let (bench, values) = build();
            let others = bench.steps(&values).len() - 1;
            let (bench, values) = build();
            let complete = bench.run(&values, None);
            let (bench, values) = build();
            let cancel = Counted::default();
            assert_close(&what, &bench.run_with(&values, None, &cancel)[0], &complete[0], 1e-6);
            assert_eq!(cancel.0.get(), others + expected, "{what}");
        }
    }
}

/// Rows of a weight in parts of 4, 8 … rows, and a last part that is not full.
#[test]
fn products_by_split_weights() {
    for (limit, rows, inner, columns) in [
        (64, 3, 4, 15),
        (300, 5, 18, 37),
        (520, 33, 32, 64),
        (600, 1, 37, 5),
        (700, 35, 36, 100),
        (1024, 7, 37, 97),
        (4096, 34, 64, 65),
    ] {
        let adapter = Adapter::with_binding_limit(limit);
        for follows in FOLLOWS {
            // A gate's weight and bias have twice as many.
            let columns = if matches!(follows, Follows::Gate(_)) { usize::div_ceil(columns, 2) } else { columns };
            let what = format!("{rows} × {inner} × {columns} in parts of {limit} bytes, then {follows:?}");
            assert_twins(&what, &adapter, || product(rows, inner, columns, true, follows));
            let tight = || Bench::tight(Sizes::new(1, rows.min(4), 0));
            assert_twins(&format!("{what}, tight"), &adapter, || product_in(tight(), inner, columns, true, follows));
        }
    }
}

/// Pairs of columns by every activation; a tile of 32 columns holds 16 of them.
#[test]
fn gates_of_every_shape() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for rows in [1, 2, 3, 18, 33, 65] {
        for inner in [1, 3, 4, 18, 37, 64] {
            for pairs in [1, 2, 3, 5, 15, 16, 17, 18, 31, 33, 37] {
                cases += 1;
                let (biased, activation) = (cases % 3 != 0, ACTIVATIONS[cases % ACTIVATIONS.len()]);
                let what = format!("{rows} × {inner} × {pairs} pairs, bias {biased}, by {activation:?}");
                assert_twins(&what, &adapter, || product(rows, inner, pairs, biased, Follows::Gate(activation)));
            }
        }
    }
}

/// A gated product has the numbers of two products.
#[test]
fn a_gate_is_two_products() {
    let adapter = Adapter::open();
    for on in [None, Some(&adapter)] {
        for (rows, inner, pairs) in [(3, 5, 7), (35, 36, 33)] {
            for activation in ACTIVATIONS {
                let (numbers_of_weight, numbers_of_bias) = (numbers(5, 2 * pairs * inner), numbers(6, 2 * pairs));
                let mut bench = Bench::new(1, rows, 0);
                let x = bench.value(Shape::tokens(inner), &numbers(4, rows * inner));
                let mut of_rows = |first: usize, step: usize| {
                    let weight_rows = numbers_of_weight.chunks_exact(inner).skip(first).step_by(step);
                    let weight: Vec<f32> = weight_rows.flatten().copied().collect();
                    let bias: Vec<f32> = numbers_of_bias.iter().skip(first).step_by(step).copied().collect();
                    let weight = bench.weight(bias.len(), inner, &weight);
                    LinearWeights { weight, bias: Some(bench.vector(&bias)) }
                };
                let (both, gate, up) = (of_rows(0, 1), of_rows(0, 2), of_rows(1, 2));
                let gated = bench.plan.linear(x, &both, Epilogue::Gate(activation));
                let gate = bench.plan.linear(x, &gate, Epilogue::Activate(activation));
                let up = bench.plan.linear(x, &up, Epilogue::None);
                let found = bench.run(&[gated, gate, up], on);
                let expected: Vec<f32> = found[1].iter().zip(&found[2]).map(|(gate, up)| gate * up).collect();
                assert_close(&format!("{pairs} pairs by {activation:?}"), &found[0], &expected, 1e-6);
            }
        }
    }
}
