//! The product and its epilogues, and the rotation alone, on the GPU against the CPU.

use crate::kernels::attended::Of;
use crate::support::{Adapter, Bench, assert_close, assert_twins, assert_unsplit_twins, numbers};
use ropescope::backend::Cancellation;
use ropescope::kernels::{Activation, Format};
use ropescope::ops::{Append, CopyRows, Epilogue, HeadNorms, LinearWeights, NormKind, NormWeights, Rotary};
use ropescope::plan::{Capacity, Input, Shape, Sizes, Value, View};
use ropescope::rope::{self, Frequencies};
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

/// Few rows of a plan for a GPU are normed where they are multiplied; what comes of it is the norm, and then its product.
#[test]
fn products_of_normed_rows() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for rows in [1, 3, 4] {
        for inner in [1, 4, 18, 37, 260, 1027] {
            for columns in [1, 4, 18, 33] {
                cases += 1;
                let format = [Format::F32, Format::F16, Format::F32, Format::Int8][cases % 4];
                let build = |spreads: bool| {
                    let mut bench = Bench::tight(Sizes::new(1, rows, 0));
                    if spreads {
                        bench = bench.spreading();
                    }
                    let seed = (rows * 1000 + inner + columns) as u64;
                    let x = bench.value(Shape::tokens(inner), &numbers(seed, rows * inner));
                    let weight = bench.matrix_in(columns, inner, &numbers(seed + 1, columns * inner), format);
                    let gain = Some(bench.vector(&numbers(seed + 2, inner)));
                    let norm = NormWeights { kind: NormKind::Rms, gain, shift: None, epsilon: 1e-5 };
                    let y = bench.plan.linear(norm.of(x), &LinearWeights { weight, bias: None }, Epilogue::None);
                    (bench, vec![y])
                };
                let what = format!("{rows} × {inner} × {columns}, {format:?}");
                assert_twins(&what, &adapter, || build(true));
                let steps = [true, false].map(|spreads| {
                    let (mut bench, values) = build(spreads);
                    bench.plan.output(values[0]);
                    bench.plan.finish().unwrap().steps.len()
                });
                assert_eq!(steps, [2, 3], "{what}");
                let [unfused, fused] = [false, true].map(|spreads| {
                    let (bench, values) = build(spreads);
                    bench.run(&values, None).swap_remove(0)
                });
                assert_close(&what, &fused, &unfused, 1e-6);
            }
        }
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
            let (mut bench, values) = build(true);
            values.iter().for_each(|value| bench.plan.output(*value));
            let steps = bench.plan.finish().unwrap().steps;
            assert_eq!(steps.last().map(|op| op.name()), Some("gemm/reduce"), "{what}");
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
            let (mut bench, [y]) = build();
            bench.plan.output(y);
            let others = bench.plan.finish().unwrap().steps.len() - 1;
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

/// A packed projection of `heads`, its first two thirds or all of it rotated.
fn rotated(batch: usize, length: usize, heads: usize, head_size: usize, all: bool) -> (Bench, Vec<Value>) {
    let (hidden, inner) = (heads * head_size, 5 + head_size);
    let seed = (batch * 1_000_000 + length * 1000 + hidden) as u64;
    let mut bench = Bench::roomy_or_tight(Sizes::new(batch, length, 0));
    bench.rotary(head_size, &rope::table(&Frequencies::from_base(head_size, rope::BASE), 3 * seed, length));
    let x = bench.value(Shape::tokens(inner), &numbers(seed, batch * length * inner));
    let weight = bench.weight(3 * hidden, inner, &numbers(seed + 1, 3 * hidden * inner));
    let bias = Some(bench.vector(&numbers(seed + 2, 3 * hidden)));
    let rotary = Rotary { rope: 0, head_size, rotated_columns: if all { 3 * hidden } else { 2 * hidden } };
    let fused = bench.plan.linear(x, &LinearWeights { weight, bias }, Epilogue::Rotate(rotary));
    let unrotated = bench.plan.linear(x, &LinearWeights { weight, bias }, Epilogue::None);
    let alone = bench.plan.rotate(unrotated, head_size, Some(rotary), None);
    (bench, vec![fused, alone])
}

/// As the product's epilogue and alone; some head sizes begin a head in the middle of a block of four columns.
#[test]
fn rotations_of_every_shape() {
    let adapter = Adapter::open();
    for heads in [1, 2, 5] {
        for head_size in [2, 6, 18, 34, 64, 70] {
            for (batch, length) in [(1, 1), (3, 1), (2, 3), (1, 33), (3, 7)] {
                for all in [false, true] {
                    let what = format!("({batch}, {length}), {heads} heads of {head_size}, all rotated: {all}");
                    assert_twins(&what, &adapter, || rotated(batch, length, heads, head_size, all));
                }
            }
        }
    }
}

/// A projection whose keys and values, and with `first` 0 whose queries, are appended to a cache, by itself or by a step after it; then
/// attention over the cache, and the rows of the first sequence there.
fn appended(mut bench: Bench, of: Of, inner: usize, [all, rotates, by_itself]: [bool; 3]) -> (Bench, Vec<Value>) {
    let (sizes, width) = (bench.sizes, of.width());
    let seed = (sizes.past * 1_000_000 + sizes.length * 1000 + width) as u64;
    let queries = of.heads * of.head_size;
    let first = if all { 0 } else { queries };
    if rotates {
        bench.rotary(of.head_size, &rope::table(&Frequencies::from_base(of.head_size, rope::BASE), 0, sizes.keys()));
    }
    bench.inputs.set(Input::KeyMask, vec![0; sizes.batch * sizes.keys()]);
    let x = bench.value(Shape::tokens(inner), &numbers(seed, sizes.tokens() * inner));
    // Scores stay small, so that a softmax does not magnify what rounding makes of them.
    let scale = 1.0 / (inner as f32).sqrt();
    let weight_numbers: Vec<f32> = numbers(seed + 1, width * inner).iter().map(|number| number * scale).collect();
    let weight = bench.weight(width, inner, &weight_numbers);
    let weights = LinearWeights { weight, bias: Some(bench.vector(&numbers(seed + 2, width))) };
    let row_width = width - first;
    let state = bench.state(row_width, &numbers(seed + 3, sizes.batch * sizes.cache_capacity * row_width));
    let rotary = rotates.then_some(Rotary {
        rope: 0,
        head_size: of.head_size,
        rotated_columns: width - of.key_heads * of.head_size,
    });
    let [query, ..] = if by_itself {
        let append = Append { rotary, to: state, first, columns: queries };
        let y = bench.plan.linear(x, &weights, Epilogue::Append(append));
        of.views(y.into(), 0).map(|view| View { stride: queries, ..view })
    } else {
        let y = bench.plan.linear(x, &weights, rotary.map_or(Epilogue::None, Epilogue::Rotate));
        let rows = View { operand: y.into(), first, stride: width, heads: 1, head_size: row_width };
        bench.plan.append_to_cache(rows, state);
        of.views(y.into(), 0)
    };
    let [_, key, value] = of.views(state.into(), first);
    let statistics = bench.plan.value(Shape::tokens(2 * of.heads));
    let attended = bench.plan.attention(of.over(query, key, statistics.into()), value);
    let rows = View { operand: state.into(), first: 0, stride: row_width, heads: 1, head_size: row_width };
    let count = sizes.past + sizes.length;
    bench.probe(count * row_width, |offset| Box::new(CopyRows::to_results(rows, 0, count, offset)));
    (bench, vec![attended])
}

/// A projection that appends to the cache leaves there, and in y, what a copy after it leaves: of one row, in tiles, in slices.
#[test]
fn projections_that_append_to_a_cache() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for (heads, key_heads, head_size) in [(1, 1, 2), (3, 3, 6), (6, 2, 10), (4, 1, 16), (2, 2, 34)] {
        for (batch, past, length, cache_capacity) in
            [(1, 0, 1, 1), (1, 5, 1, 9), (3, 4, 1, 6), (2, 3, 2, 5), (2, 2, 7, 11), (1, 33, 20, 64), (2, 0, 37, 41)]
        {
            cases += 1;
            let of = Of { key_heads, ..Of::new(heads, head_size, true) };
            let sizes = Sizes { past, cache_capacity, ..Sizes::new(batch, length, 0) };
            let (all, rotates) = (cases % 2 == 0, cases % 3 != 0);
            let what = format!("{of:?}, {sizes:?}, all columns: {all}, rotated: {rotates}");
            let build = |inner: usize, by_itself: bool, splits: bool| {
                let bench = if cases % 4 == 0 { Bench::over(sizes) } else { Bench::tight(sizes) };
                appended(if splits { bench.spreading() } else { bench }, of, inner, [all, rotates, by_itself])
            };
            for inner in [7 + head_size, if length == 1 { 8200 } else { 3100 }] {
                assert_unsplit_twins(&what, &adapter, |on_gpu| build(inner, on_gpu, on_gpu));
            }
            let [by_itself, by_copy] = [true, false].map(|by_itself| {
                let (bench, values) = build(7 + head_size, by_itself, false);
                bench.run(&values, None)
            });
            assert_eq!(by_itself, by_copy, "{what}");
        }
    }
}

/// A part of the weight begins at an even row, so that no pair is torn.
#[test]
fn rotations_by_split_weights() {
    for (limit, heads, head_size) in [(180, 1, 6), (400, 3, 10), (500, 2, 18), (1100, 5, 18), (2048, 3, 34)] {
        let adapter = Adapter::with_binding_limit(limit);
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

/// A packed projection whose query and key heads are normed: normed only, and normed and turned by a rope of
/// `turning` pairs.
fn normed(length: usize, heads: usize, key_heads: usize, head_size: usize, turning: usize) -> (Bench, Vec<Value>) {
    let (batch, width) = (2, (heads + 2 * key_heads) * head_size);
    let seed = (length * 1_000_000 + head_size * 100 + turning) as u64;
    let mut bench = Bench::new(batch, length, 0);
    let mut frequencies = Frequencies::from_base(head_size, rope::BASE);
    frequencies.theta[turning..].fill(0.0);
    (frequencies.rotary_pairs, frequencies.magnitude) = (turning, 1.25);
    bench.rotary(head_size, &rope::table(&frequencies, seed, length));
    let x = bench.value(Shape::tokens(width), &numbers(seed, batch * length * width));
    let (query, key) = (bench.vector(&numbers(seed + 1, head_size)), bench.vector(&numbers(seed + 2, head_size)));
    let norms = Some(HeadNorms { query, key, query_heads: heads, key_heads, epsilon: 1e-6 });
    let rotary = Rotary { rope: 0, head_size, rotated_columns: (heads + key_heads) * head_size };
    let still = bench.plan.rotate(x, head_size, None, norms);
    let rotated = bench.plan.rotate(x, head_size, Some(rotary), norms);
    (bench, vec![x, still, rotated])
}

#[test]
fn normed_heads_of_every_shape() {
    let adapter = Adapter::open();
    for (heads, key_heads) in [(1, 1), (3, 1), (6, 2)] {
        for head_size in [2, 6, 18, 34, 64, 70, 130] {
            for turning in [0, 1, head_size / 4, head_size / 2] {
                for length in [1, 7] {
                    let what = format!(
                        "length {length}, {heads} + 2 · {key_heads} heads of {head_size}, {turning} pairs turn"
                    );
                    assert_twins(&what, &adapter, || normed(length, heads, key_heads, head_size, turning));
                }
            }
        }
    }
}

/// Values are neither normed nor turned, and pairs outside the rope are as if nothing turned.
#[test]
fn only_pairs_of_the_rope_turn() {
    let adapter = Adapter::open();
    let (heads, key_heads, head_size, turning) = (3, 1, 10, 2);
    for on in [None, Some(&adapter)] {
        let (bench, values) = normed(5, heads, key_heads, head_size, turning);
        let found = bench.run(&values, on);
        let [x, still, rotated] = &found[..] else { panic!("three values") };
        let mut differ = 0;
        for (at, ((x, still), rotated)) in x.iter().zip(still).zip(rotated).enumerate() {
            let (head, dimension) = (at / head_size % (heads + 2 * key_heads), at % head_size);
            if head >= heads + key_heads {
                assert_eq!((still, rotated), (x, x), "number {at} is of a value");
            } else if dimension >= 2 * turning {
                assert_eq!(rotated, still, "number {at} does not turn");
            } else {
                differ += usize::from(rotated != still);
            }
        }
        assert_eq!(differ, 2 * 5 * (heads + key_heads) * 2 * turning, "all others turn");
    }
}

/// The root mean square of each normed head is 1 before its gain.
#[test]
fn heads_are_normed_by_themselves() {
    let (heads, key_heads, head_size) = (3, 2, 6);
    let (bench, values) = normed(4, heads, key_heads, head_size, 0);
    let seed = (4 * 1_000_000 + head_size * 100) as u64;
    let gains = [numbers(seed + 1, head_size), numbers(seed + 2, head_size)];
    let found = bench.run(&values, None);
    for (at, head) in found[1].chunks_exact(head_size).enumerate() {
        let which = at % (heads + 2 * key_heads);
        if which < heads + key_heads {
            let gain = &gains[usize::from(which >= heads)];
            let squares: f32 = head.iter().zip(gain).map(|(x, gain)| (x / gain).powi(2)).sum();
            assert!((squares / head_size as f32 - 1.0).abs() < 1e-4, "head {at}: {squares}");
        }
    }
}
