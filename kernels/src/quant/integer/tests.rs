use super::*;
use crate::activation::Activation;
use crate::tests::sines;

/// A weight (columns, inner) of sines: the words, and the numbers that they stand for.
fn weight(format: QuantisedFormat, [columns, inner]: [usize; 2]) -> (Vec<u32>, Vec<f32>) {
    let row_words = format.row_words(inner);
    let mut words = vec![0; columns * row_words];
    let mut numbers = sines(columns * inner, 1);
    for (row, words) in numbers.chunks_exact_mut(inner).zip(words.chunks_exact_mut(row_words)) {
        assert!(format.quantise(row, words));
        format.dequantise(words, row);
    }
    (words, numbers)
}

/// The numbers of every `step`-th chunk from `first` on.
fn every(first: usize, step: usize) -> impl FnMut() -> usize {
    let mut chunks = (first..).step_by(step);
    move || chunks.next().unwrap()
}

const FORMATS: [QuantisedFormat; 2] = [QuantisedFormat::Int8, QuantisedFormat::Int4];
const SHAPES: [[usize; 3]; 7] =
    [[1, 33, 5], [2, 301, 300], [3, 64, 8], [5, 70, 43], [9, 1200, 261], [1, 1, 1], [19, 512, 16]];

#[test]
fn agrees_with_sums_of_the_integers_in_any_split_on_every_processor() {
    for (format, [rows, inner, columns]) in FORMATS.into_iter().flat_map(|format| SHAPES.map(|shape| (format, shape))) {
        let (words, weight) = weight(format, [columns, inner]);
        let x = sines(rows * inner, 2);
        let (bias, residual) = (sines(columns, 3), sines(rows * columns, 4));
        let epilogue =
            LinearEpilogue { bias: Some(&bias), activation: Some(Activation::Relu), residual: Some(&residual) };
        let blocks = BlockRows::new(&x, inner, format);
        let product = |processor, splits: usize| {
            let mut out = vec![7.0; rows * columns];
            let raw = epilogue.raw(columns, rows * columns);
            let job = IntegerGemmJob::new(&mut out, &blocks, (format, &words), [rows, inner, columns], raw);
            let mut scratch = vec![f32::NAN; job.scratch()];
            for first in 0..splits {
                // SAFETY: the vectors have the lengths of their shapes and outlive the job; this machine has the instructions.
                unsafe { job.run_on(processor, scratch.as_mut_ptr(), every(first, splits)) };
            }
            out
        };
        let rounded = round_to_blocks(&x, inner);
        for processor in Processor::every() {
            let found = product(processor, 1);
            let what = format!("{format:?} on {processor:?}, {rows} × {inner} × {columns}");
            assert_eq!(found, product(processor, 3), "{what}");
            for (at, found) in found.iter().enumerate() {
                let (row, column) = (at / columns, at % columns);
                let products =
                    || (0..inner).map(|k| f64::from(rounded[row * inner + k]) * f64::from(weight[column * inner + k]));
                let mut expected = products().sum::<f64>();
                // The epilogue of the tail is the caller's.
                if column < columns / PANEL * PANEL {
                    expected = (expected + f64::from(bias[column])).max(0.0) + f64::from(residual[at]);
                }
                let off = 2e-6 * products().map(f64::abs).sum::<f64>() + 1e-6;
                assert!((f64::from(*found) - expected).abs() <= off, "{what} at {at}: {found}, not {expected}");
            }
        }
    }
}

#[test]
fn is_off_from_the_product_of_the_numbers_by_no_more_than_the_steps_of_x() {
    for (format, [rows, inner, columns]) in FORMATS.into_iter().flat_map(|format| SHAPES.map(|shape| (format, shape))) {
        let (words, weight) = weight(format, [columns, inner]);
        let x = sines(rows * inner, 2);
        let mut out = vec![7.0; rows * columns];
        integer_gemm(&mut out, &x, (format, &words), [rows, inner, columns], &LinearEpilogue::default());
        for (at, found) in out.iter().enumerate() {
            let (x, w) = (&x[at / columns * inner..][..inner], &weight[at % columns * inner..][..inner]);
            let expected: f64 = x.iter().zip(w).map(|(x, w)| f64::from(*x) * f64::from(*w)).sum();
            // A number of x is off by at most half a step, 1/254 of its block's largest.
            let most = x.chunks(32).zip(w.chunks(32)).map(|(x, w)| {
                let largest = x.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
                f64::from(largest) / 254.0 * w.iter().map(|w| f64::from(w.abs())).sum::<f64>()
            });
            let most = most.sum::<f64>() * 1.001 + 1e-6;
            let off = (f64::from(*found) - expected).abs();
            assert!(
                off <= most,
                "{format:?}, {rows} × {inner} × {columns} at {at}: {found}, not {expected} within {most}"
            );
        }
    }
}

/// Every pair of an integer of x and one of a weight, with the others at their extremes: nothing overflows.
#[test]
fn products_of_all_integers_are_exact() {
    for (format, largest) in [(QuantisedFormat::Int8, 127), (QuantisedFormat::Int4, 7)] {
        for sign in [-1.0, 1.0] {
            let row = |others: f32, last: i32| [[others; 31].as_slice(), &[last as f32]].concat();
            let x: Vec<f32> = (-127..=127).flat_map(|last| row(sign * 127.0, last)).collect();
            let (rows, columns) = (255, 2 * largest as usize + 1);
            let mut words = vec![0; columns * format.row_words(32)];
            for (last, words) in (-largest..).zip(words.chunks_exact_mut(format.row_words(32))) {
                assert!(format.quantise(&row(largest as f32, last), words));
            }
            // All rows, and few at a time, which other code multiplies.
            for (processor, at_once) in Processor::every().into_iter().flat_map(|of| [(of, rows), (of, 5)]) {
                let mut out = vec![0.0; rows * columns];
                for (x, out) in x.chunks(at_once * 32).zip(out.chunks_mut(at_once * columns)) {
                    let (blocks, rows) = (BlockRows::new(x, 32, format), x.len() / 32);
                    let raw = LinearEpilogue::default().raw(columns, rows * columns);
                    let job = IntegerGemmJob::new(out, &blocks, (format, &words), [rows, 32, columns], raw);
                    let mut scratch = vec![f32::NAN; job.scratch()];
                    // SAFETY: the vectors have the lengths of their shapes and outlive the job; this machine has the instructions.
                    unsafe { job.run_on(processor, scratch.as_mut_ptr(), every(0, 1)) };
                }
                for (at, found) in out.iter().enumerate() {
                    let (x, w) = (at as i32 / columns as i32 - 127, (at % columns) as i32 - largest);
                    let expected = 31 * 127 * largest * sign as i32 + x * w;
                    assert_eq!(*found, expected as f32, "{format:?} on {processor:?}: {x} · {w}");
                }
            }
        }
    }
}
