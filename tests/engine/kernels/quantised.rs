//! Quantised weights: bit for bit those of NumPy. Kernels that read them: the GPU's against the CPU's, and both against PyTorch's products.

use crate::support::{
    Adapter, Bench, Expected, assert_close, assert_twins, assert_unsplit_twins, dequantised, numbers,
};
use ropescope::kernels::{Activation, Format};
use ropescope::ops::{EmbeddingWeights, Epilogue, LinearWeights};
use ropescope::plan::{Input, Shape, Sizes, Value};
use std::collections::BTreeSet;

const QUANTISED: [Format; 4] = [Format::F16, Format::BF16, Format::Int8, Format::Int4];

/// The most by which the CPU's product of a row of x with a row of an int8 or int4 weight is off: each number of x by half a step, which is
/// 1/127 of the largest of its block; and a sum in f32 by its rounding.
fn largest_error(x: &[f32], weight: &[f32]) -> f32 {
    let of_block = |(x, weight): (&[f32], &[f32])| {
        let step = x.iter().fold(0.0_f32, |largest, x| largest.max(x.abs())) / 127.0;
        0.501 * step * weight.iter().map(|number| number.abs()).sum::<f32>()
    };
    x.chunks(Format::BLOCK).zip(weight.chunks(Format::BLOCK)).map(of_block).sum::<f32>() + 1e-5
}

/// Every case on one backend.
fn compare_all(adapter: Option<&Adapter>, tolerance: f32) {
    let expected = Expected::open("tests/golden/quantised.safetensors");
    let cases: BTreeSet<&str> = expected.names().map(|name| name.split_once('.').unwrap().0).collect();
    assert!(cases.len() >= 8, "only {cases:?}");
    for case in cases {
        let name = |tensor: &str| format!("{case}.{tensor}");
        let &[columns, inner] = expected.shape(&name("weight")) else { panic!("{case}: a matrix") };
        let (x_numbers, weight) = (expected.floats(&name("x")), expected.floats(&name("weight")));
        let rows = x_numbers.len() / inner;
        for format in QUANTISED {
            let what = format!("{case}, {format:?}");
            let rounded = expected.floats(&name(format.name()));
            let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
            // NumPy rounds small negative numbers to −0, which integers do not have.
            let positive = |numbers: &[f32]| numbers.iter().map(|number| number + 0.0).collect::<Vec<_>>();
            assert_eq!(bits(&positive(&dequantised(format, inner, weight))), bits(&positive(rounded)), "{what}");
            let mut bench = Bench::new(1, rows, 0);
            let x = bench.value(Shape::tokens(inner), x_numbers);
            let weight = bench.matrix_in(columns, inner, weight, format);
            let y = bench.plan.linear(x, &LinearWeights { weight, bias: None }, Epilogue::None);
            let found = bench.run(&[y], adapter).swap_remove(0);
            let [exact, of_blocks] = ["y", "y_of_blocks"].map(|y| name(&format!("{}.{y}", format.name())));
            let rounds_x = matches!(format, Format::Int8 | Format::Int4);
            let of_blocks = rounds_x.then(|| expected.floats(&of_blocks));
            let exact = expected.floats(&exact);
            match of_blocks.filter(|_| adapter.is_none()) {
                None => assert_close(&what, &found, exact, tolerance),
                Some(of_blocks) => {
                    assert_close(&what, &found, of_blocks, tolerance);
                    for (at, (found, exact)) in found.iter().zip(exact).enumerate() {
                        let most = largest_error(
                            &x_numbers[at / columns * inner..][..inner],
                            &rounded[at % columns * inner..][..inner],
                        );
                        assert!((found - exact).abs() <= most, "{what} at {at}: {found}, not {exact} within {most}");
                    }
                }
            }
        }
    }
    assert!(expected.unread().is_empty(), "{:?} compared with nothing", expected.unread());
}

#[test]
fn the_cpu_reads_what_numpy_quantises() {
    compare_all(None, 1e-5);
}

#[test]
fn the_gpu_reads_what_numpy_quantises() {
    compare_all(Some(&Adapter::open()), 1e-4);
}

fn product(rows: usize, inner: usize, columns: usize, format: Format, epilogue: usize) -> (Bench, Vec<Value>) {
    product_in(Bench::roomy_or_tight(Sizes::new(1, rows, 0)), inner, columns, format, epilogue)
}

fn product_in(mut bench: Bench, inner: usize, columns: usize, format: Format, epilogue: usize) -> (Bench, Vec<Value>) {
    let rows = bench.sizes.tokens();
    let seed = (rows * 1_000_000 + inner * 1000 + columns) as u64;
    let x = bench.value(Shape::tokens(inner), &numbers(seed, rows * inner));
    let weight = bench.matrix_in(columns, inner, &numbers(seed + 1, columns * inner), format);
    let bias = Some(bench.vector(&numbers(seed + 2, columns)));
    let epilogue = match epilogue % 3 {
        0 => Epilogue::Activate(Activation::Gelu),
        1 if columns.is_multiple_of(2) => Epilogue::Gate(Activation::Silu),
        _ => Epilogue::Add(bench.value(Shape::tokens(columns), &numbers(seed + 3, rows * columns))),
    };
    let y = bench.plan.linear(x, &LinearWeights { weight, bias }, epilogue);
    (bench, vec![y])
}

#[test]
fn products_of_quantised_weights() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for rows in [1, 3, 4, 33, 65] {
        for inner in [1, 3, 4, 31, 32, 37, 66, 250, 256, 260] {
            for columns in [1, 2, 5, 32, 34, 65] {
                cases += 1;
                let format = QUANTISED[cases % QUANTISED.len()];
                let what = format!("{rows} × {inner} × {columns}, {format:?}");
                assert_twins(&what, &adapter, || product(rows, inner, columns, format, cases / QUANTISED.len()));
            }
        }
    }
}

/// Wide rows are read in large units, and so are many columns: 64, 32, 16 and 8 lanes share a column. Rows have a multiple of four words, or not.
#[test]
fn products_of_wide_quantised_weights() {
    let adapter = Adapter::open();
    for (rows, inner, columns, lanes) in [
        (1, 2100, 9, 64),
        (3, 2048, 65, 64),
        (1, 1210, 33, 64),
        (4, 550, 2060, 32),
        (4, 512, 2060, 32),
        (4, 300, 4100, 16),
        (4, 304, 4100, 16),
        (4, 140, 8200, 8),
    ] {
        for format in QUANTISED {
            let what = format!("{rows} × {inner} × {columns}, {format:?}");
            let build = || product_in(Bench::tight(Sizes::new(1, rows, 0)), inner, columns, format, 2);
            assert_twins(&what, &adapter, build);
            let (bench, values) = build();
            let steps = bench.steps(&values);
            let product = steps.last().unwrap();
            // f16 and bf16 are read by four words, so that a row needs a multiple of four.
            let has_large_units =
                matches!(format, Format::Int8 | Format::Int4) || format.row_words(inner).is_multiple_of(4);
            assert_eq!(product.kernel().conditions.contains(&"unit_of_words"), has_large_units, "{what}");
            let expected = if has_large_units { lanes } else { 64 };
            let launch = product.launch(0..columns, Sizes::new(1, rows, 0));
            assert_eq!(launch.parameter("lanes"), Some(expected), "{what}");
        }
    }
}

/// Slices of the inner axis begin at blocks.
#[test]
fn products_of_quantised_weights_in_slices() {
    let adapter = Adapter::open();
    for (rows, inner, columns) in [(1, 8200, 5), (2, 12_289, 6), (7, 3100, 18)] {
        for format in QUANTISED {
            let what = format!("{rows} × {inner} × {columns}, {format:?}");
            let build = |splits: bool| {
                let bench = Bench::tight(Sizes::new(1, rows, 0));
                product_in(if splits { bench.spreading() } else { bench }, inner, columns, format, 0)
            };
            assert_unsplit_twins(&what, &adapter, build);
            let (bench, values) = build(true);
            assert_eq!(bench.steps(&values).last().unwrap().name(), "gemm/reduce", "{what}");
        }
    }
}

/// A small limit on bindings splits a weight into parts, which start at multiples of four rows.
#[test]
fn quantised_weights_in_parts() {
    for (limit, rows, inner, columns) in [(150, 3, 4, 15), (330, 5, 37, 38), (330, 18, 37, 40), (1100, 7, 130, 97)] {
        let adapter = Adapter::with_binding_limit(limit);
        for format in QUANTISED {
            let what = format!("{rows} × {inner} × {columns} in parts of {limit} bytes, {format:?}");
            assert_twins(&what, &adapter, || product(rows, inner, columns, format, 0));
        }
    }
}

#[test]
fn rows_of_quantised_word_embeddings() {
    for (limit, words, width) in [(1 << 20, 5, 1), (1 << 20, 9, 37), (600, 40, 70), (1 << 20, 3, 128)] {
        let adapter = Adapter::with_binding_limit(limit);
        for format in QUANTISED {
            let table = numbers(width as u64, words * width);
            let build = || {
                let mut bench = Bench::new(2, 7, 0);
                bench.inputs.set(Input::Ids, (0..14).map(|at| (at * 5 % words) as u32).collect());
                let word = bench.matrix_in(words, width, &table, format);
                let embeddings = EmbeddingWeights { word, added: None, norm: None, scale: 1.5 };
                let y = bench.plan.embedding(&embeddings);
                (bench, vec![y])
            };
            let what = format!("{words} words of {width}, {format:?}");
            assert_twins(&what, &adapter, build);
            let (bench, values) = build();
            let rows = dequantised(format, width, &table);
            let expected: Vec<f32> = (0..14)
                .flat_map(|at| rows[at * 5 % words * width..][..width].iter().map(|x| x * 1.5).collect::<Vec<_>>())
                .collect();
            assert_eq!(bench.run(&values, None)[0], expected, "{what}");
        }
    }
}
