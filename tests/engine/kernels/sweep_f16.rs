//! Kernels that use a GPU's 16-bit floats, against those that do not and against the CPU: products of f16 weights, and KV caches of f16.

use crate::kernels::attended::Of;
use crate::kernels::sweep_attention::{PADDINGS, Text};
use crate::kernels::sweep_projection::appended;
use crate::support::{Adapter, Bench, assert_close, assert_unsplit_twins, numbers, open_gpu_with_f16};
use ropescope::backend::gpu::GpuDevice;
use ropescope::kernels::{Activation, Format};
use ropescope::ops::{Append, Epilogue, LinearWeights, NormKind, NormWeights};
use ropescope::plan::{Capacity, Input, Kernel, Shape, Sizes, Value, View};
use std::rc::Rc;

/// An adapter that has 16-bit floats in shaders. A weight of more than `limit` bytes is split.
fn adapter(limit: u64) -> Adapter {
    Adapter { device: Rc::new(GpuDevice::new(open_gpu_with_f16().with_binding_limit(limit))) }
}

/// The kernels of a plan.
fn kernels((bench, values): (Bench, Vec<Value>)) -> Vec<Kernel> {
    bench.steps(&values).iter().map(|op| op.kernel()).collect()
}

fn has_condition(plan: (Bench, Vec<Value>), condition: &str) -> bool {
    kernels(plan).iter().any(|kernel| kernel.conditions.contains(&condition))
}

/// The numbers of a plan's first value on a GPU.
fn run((bench, values): (Bench, Vec<Value>), adapter: &Adapter) -> Vec<f32> {
    bench.run(&values, Some(adapter)).swap_remove(0)
}

#[test]
fn every_finite_f16_number_is_read_exactly() {
    let bits = (0..=u16::MAX).filter(|bits| bits & 0x7c00 != 0x7c00);
    let expected: Vec<f32> = bits
        .map(|bits| {
            let mut number = [0.0];
            Format::F16.dequantise(&[bits.into(), 0], &mut number);
            number[0]
        })
        .collect();
    assert_eq!(expected.len(), 63_488);
    let adapter = adapter(u64::MAX);
    for rows in [1, 7] {
        let build = || {
            let mut bench = Bench::tight(Sizes::new(1, rows, 0)).with_f16();
            let x = bench.value(Shape::tokens(1), &vec![1.0; rows]);
            let weight = bench.matrix_in(expected.len(), 1, &expected, Format::F16);
            let y = bench.plan.linear(x, &LinearWeights { weight, bias: None }, Epilogue::None);
            (bench, vec![y])
        };
        assert!(has_condition(build(), "f16_weights"));
        for (at, found) in run(build(), &adapter).iter().enumerate() {
            let expected = expected[at % expected.len()];
            assert!(*found == expected, "{found}, not {expected}");
        }
    }
}

/// A product of an f16 weight, after an RMS norm or not. epilogue: an activation, a gate or a residual in turn.
fn product(mut bench: Bench, [rows, inner, columns]: [usize; 3], epilogue: usize, normed: bool) -> (Bench, Vec<Value>) {
    let seed = (rows * 1_000_000 + inner * 1000 + columns) as u64;
    let x = bench.value(Shape::tokens(inner), &numbers(seed, rows * inner));
    let weight = bench.matrix_in(columns, inner, &numbers(seed + 1, columns * inner), Format::F16);
    let bias = Some(bench.vector(&numbers(seed + 2, columns)));
    let epilogue = match epilogue % 3 {
        0 => Epilogue::Activate(Activation::Gelu),
        1 if columns.is_multiple_of(2) => Epilogue::Gate(Activation::Silu),
        _ => Epilogue::Add(bench.value(Shape::tokens(columns), &numbers(seed + 3, rows * columns))),
    };
    let weights = LinearWeights { weight, bias };
    let y = if normed {
        let gain = Some(bench.vector(&numbers(seed + 4, inner)));
        let norm = NormWeights { kind: NormKind::Rms, gain, shift: None, epsilon: 1e-5 };
        bench.plan.linear(norm.of(x), &weights, epilogue)
    } else {
        bench.plan.linear(x, &weights, epilogue)
    };
    (bench, vec![y])
}

/// Row by row in units of four and of eight with 64 to 8 lanes, in tiles of 16, 32 and 64, and in slices.
#[test]
fn products_of_f16_weights_are_those_of_their_words() {
    let adapter = adapter(u64::MAX);
    let small = [1, 3, 4, 11, 33].into_iter().flat_map(|rows| {
        let inners = [1, 3, 4, 37, 66, 256, 260].into_iter();
        inners.flat_map(move |inner| [1, 2, 5, 34, 64].map(|columns| (rows, [rows, inner, columns])))
    });
    let large = [
        (1, [1, 2104, 33]),
        (1, [1, 2100, 9]),
        (4, [4, 552, 2060]),
        (4, [4, 304, 4100]),
        (4, [4, 144, 8200]),
        (1, [1, 8200, 5]),
        (2, [2, 12_289, 6]),
        (7, [7, 3100, 18]),
        (64 * 128, [65, 44, 68]),
    ];
    let mut large_units = 0;
    for (at, (room, sizes)) in small.chain(large).enumerate() {
        let what = format!("{sizes:?} in a plan for {room} rows");
        let normed = room <= 4 && at % 2 == 0;
        let bench = || Bench::within(Capacity::new(1, room, 0), Sizes::new(1, sizes[0], 0));
        let of_words = || product(bench().spreading(), sizes, at, normed);
        let of_floats = || product(bench().spreading().with_f16(), sizes, at, normed);
        assert_eq!([of_words(), of_floats()].map(|plan| has_condition(plan, "f16_weights")), [false, true], "{what}");
        assert_close(&what, &run(of_floats(), &adapter), &run(of_words(), &adapter), 1e-6);
        let on_cpu = || product(bench(), sizes, at, normed);
        assert_unsplit_twins(&what, &adapter, |on_gpu| if on_gpu { of_floats() } else { on_cpu() });
        let has_unit = |kernel: &Kernel| kernel.constants.contains(&("UNIT", 2.0));
        large_units += usize::from(kernels(of_floats()).iter().any(has_unit));
    }
    assert!(large_units >= 4, "only {large_units} in units of eight numbers");
}

#[test]
fn products_of_f16_weights_in_parts() {
    let adapter = adapter(1000);
    for sizes in [[1, 37, 66], [3, 64, 70], [17, 66, 34]] {
        let build = |on_gpu: bool| {
            let bench = Bench::tight(Sizes::new(1, sizes[0], 0));
            product(if on_gpu { bench.with_f16() } else { bench }, sizes, 2, false)
        };
        assert_unsplit_twins(&format!("{sizes:?} in parts"), &adapter, build);
    }
}

/// Attention over a cache of f16 numbers that f16 has: as over one of f32.
#[test]
fn attention_over_a_cache_of_f16() {
    let adapter = adapter(u64::MAX);
    let mut cases = 0;
    for (heads, key_heads, head_size, window) in [
        (1, 1, 2, None),
        (3, 3, 10, None),
        (4, 2, 6, Some(3)),
        (6, 1, 16, None),
        (2, 2, 96, Some(40)),
        (4, 1, 130, None),
    ] {
        for (batch, past, length, cache_capacity) in
            [(1, 5, 1, 9), (3, 4, 1, 6), (2, 3, 2, 5), (2, 2, 7, 11), (1, 33, 20, 64), (1, 700, 1, 711)]
        {
            cases += 1;
            let of = Of { key_heads, window, ..Of::new(heads, head_size, true) };
            let text = Text { batch, length: past + length, of, padding: PADDINGS[cases % PADDINGS.len()] };
            let what = format!("{text:?} over {past}");
            let build = |on_gpu: bool| {
                let bench = text.over(past, cache_capacity);
                let bench = if on_gpu { bench.spreading().with_f16() } else { bench };
                let (bench, _, attended) = text.attended_in(bench, None);
                (bench, vec![attended])
            };
            assert_unsplit_twins(&what, &adapter, build);
            assert!(has_condition(build(true), "f16_cache"), "{what}");
        }
    }
}

/// Projections append f16 numbers: by themselves, in slices, and with a copy after them.
#[test]
fn projections_that_append_to_a_cache_of_f16() {
    let adapter = adapter(u64::MAX);
    let mut cases = 0;
    for (heads, key_heads, head_size) in [(1, 1, 2), (3, 3, 6), (6, 2, 10), (2, 1, 5), (4, 1, 16), (2, 2, 34)] {
        for (batch, past, length, cache_capacity) in
            [(1, 0, 1, 1), (1, 5, 1, 9), (3, 4, 1, 6), (2, 2, 7, 11), (1, 33, 20, 64)]
        {
            cases += 1;
            let of = Of { key_heads, ..Of::new(heads, head_size, true) };
            let sizes = Sizes { past, cache_capacity, ..Sizes::new(batch, length, 0) };
            let rotates = cases % 3 != 0 && head_size % 2 == 0;
            let in_slices = if sizes.tokens() <= 4 { 8200 } else { 3100 };
            for (inner, by_itself) in [(7 + head_size, true), (7 + head_size, false), (in_slices, true)] {
                let what = format!("{of:?}, {sizes:?}, {inner} numbers, by itself: {by_itself}, rotated: {rotates}");
                let bench = || Bench::tight(sizes).spreading();
                let build = |bench: Bench| appended(bench, of, inner, [false, rotates, by_itself]);
                let (f16, plain) = (|| build(bench().with_f16()), || build(bench()));
                assert!(has_condition(f16(), "f16_cache"), "{what}");
                // An output is off by the rounding of its values, and by that of the scores.
                assert_close(&what, &run(f16(), &adapter), &run(plain(), &adapter), 2e-3);
            }
        }
    }
}

/// Numbers beyond f16 are stored as its largest, by both ways into the cache.
#[test]
fn a_cache_of_f16_has_no_infinite_numbers() {
    let adapter = adapter(u64::MAX);
    for by_itself in [false, true] {
        let build = || {
            let sizes = Sizes { cache_capacity: 1, ..Sizes::new(1, 1, 0) };
            let mut bench = Bench::tight(sizes).with_f16();
            bench.inputs.set(Input::KeyMask, vec![0]);
            let x = bench.value(Shape::tokens(1), &[1.0]);
            let weight = bench.weight(6, 1, &[1.0, 0.0, 1e6, -1e6, 1e6, -1e6]);
            let (weights, to) = (LinearWeights { weight, bias: None }, bench.plan.cache_state(4));
            let view = |operand, first, stride| View { operand, first, stride, heads: 1, head_size: 2 };
            let query = if by_itself {
                let append = Append { rotary: None, to, first: 2, columns: 2 };
                view(bench.plan.linear(x, &weights, Epilogue::Append(append)).into(), 0, 2)
            } else {
                let rows = bench.plan.linear(x, &weights, Epilogue::None);
                bench.plan.append_to_cache(View { head_size: 4, ..view(rows.into(), 2, 6) }, to);
                view(rows.into(), 0, 6)
            };
            let statistics = bench.plan.value(Shape::tokens(2));
            let heads = Of::new(1, 2, true).over(query, view(to.into(), 0, 4), statistics.into());
            let attended = bench.plan.attention(heads, view(to.into(), 2, 4));
            (bench, vec![attended])
        };
        assert!(has_condition(build(), "f16_cache"));
        assert_eq!(run(build(), &adapter), [65_504.0, -65_504.0], "by itself: {by_itself}");
    }
}
