//! Packed projections on the GPU against the CPU: rotated, appended to a cache, with normed heads; and rotation alone.

use crate::kernels::attended::Of;
use crate::support::{Adapter, Bench, assert_close, assert_twins, assert_unsplit_twins, numbers};
use ropescope::ops::{Append, CopyRows, Epilogue, HeadNorms, LinearWeights, Rotary};
use ropescope::plan::{Input, Shape, Sizes, Value, View};
use ropescope::rope::{self, Frequencies};

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

/// A projection whose keys and values, with `all` also its queries, are appended to a cache, by itself or by a step after it; then attention
/// over the cache, and all rows of the first sequence there, also those behind the appended ones.
pub fn appended(mut bench: Bench, of: Of, inner: usize, [all, rotates, by_itself]: [bool; 3]) -> (Bench, Vec<Value>) {
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
    let state = bench.cache(row_width, &numbers(seed + 3, sizes.batch * sizes.cache_capacity * row_width));
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
    let count = sizes.cache_capacity;
    // Probes read caches of f32.
    if !state.is_f16 {
        bench.probe(count * row_width, |offset| Box::new(CopyRows::to_results(rows, 0, count, offset)));
    }
    (bench, vec![attended])
}

/// A projection that appends to the cache leaves there, and in y, what a copy after it leaves: of one row, in tiles, in slices. The queries of
/// heads of odd sizes end in the middle of four columns.
#[test]
fn projections_that_append_to_a_cache() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for (heads, key_heads, head_size) in [(1, 1, 2), (3, 3, 6), (6, 2, 10), (2, 1, 5), (4, 1, 16), (2, 2, 34)] {
        for (batch, past, length, cache_capacity) in
            [(1, 0, 1, 1), (1, 5, 1, 9), (3, 4, 1, 6), (2, 3, 2, 5), (2, 2, 7, 11), (1, 33, 20, 64), (2, 0, 37, 41)]
        {
            cases += 1;
            let of = Of { key_heads, ..Of::new(heads, head_size, true) };
            let sizes = Sizes { past, cache_capacity, ..Sizes::new(batch, length, 0) };
            let (all, rotates) = (cases % 2 == 0, cases % 3 != 0 && head_size % 2 == 0);
            let what = format!("{of:?}, {sizes:?}, all columns: {all}, rotated: {rotates}");
            let build = |inner: usize, by_itself: bool, splits: bool| {
                let bench = if cases / 2 % 2 == 0 { Bench::over(sizes) } else { Bench::tight(sizes) };
                appended(if splits { bench.spreading() } else { bench }, of, inner, [all, rotates, by_itself])
            };
            let in_slices = if sizes.tokens() <= 4 { 8200 } else { 3100 };
            for inner in [7 + head_size, in_slices] {
                assert_unsplit_twins(&what, &adapter, |on_gpu| build(inner, on_gpu, on_gpu));
                let (bench, values) = build(inner, true, true);
                let reduces = bench.steps(&values).iter().any(|op| op.name() == "gemm/reduce");
                assert_eq!(reduces, inner == in_slices, "{what}: slices of {inner}");
            }
            let [by_itself, by_copy] = [true, false].map(|by_itself| {
                let (bench, values) = build(7 + head_size, by_itself, false);
                bench.run(&values, None)
            });
            assert_eq!(by_itself, by_copy, "{what}");
        }
    }
}

/// A part of the weight appends its own columns.
#[test]
fn appending_projections_by_split_weights() {
    for (limit, head_size) in [(400, 6), (700, 10), (1100, 16)] {
        let adapter = Adapter::with_binding_limit(limit);
        for (all, rotates) in [(false, false), (false, true), (true, false), (true, true)] {
            let of = Of { key_heads: 1, ..Of::new(3, head_size, true) };
            let sizes = Sizes { past: 2, cache_capacity: 4, ..Sizes::new(1, 1, 0) };
            let what = format!("{of:?} in parts of {limit} bytes, all columns: {all}, rotated: {rotates}");
            assert_twins(&what, &adapter, || appended(Bench::tight(sizes), of, 5, [all, rotates, true]));
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
