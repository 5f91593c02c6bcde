//! The kernels that give each row a workgroup, on the GPU against the CPU: embedding, norms, gather,
//! top-k, and the penalty.

use crate::support::{Adapter, Bench, assert_close, assert_twins, numbers};
use ropescope::ops::{AddedEmbedding, EmbeddingWeights, MAX_TOP_K, NormKind, NormWeights, ban_words, bans_of};
use ropescope::plan::{Input, Shape, Value};
use ropescope::sampling::penalise;

/// More rows than the workgroups of one dimension: the grid folds into two.
const FOLDED: usize = 32_768 + 5;

/// A norm with and without its gain and shift.
#[derive(Debug, Clone, Copy)]
struct Norm {
    kind: NormKind,
    gain: bool,
    shift: bool,
}

const NORMS: [Norm; 6] = [
    Norm { kind: NormKind::Layer, gain: true, shift: true },
    Norm { kind: NormKind::Rms, gain: true, shift: false },
    Norm { kind: NormKind::Layer, gain: true, shift: false },
    Norm { kind: NormKind::Rms, gain: false, shift: false },
    Norm { kind: NormKind::Layer, gain: false, shift: true },
    Norm { kind: NormKind::Rms, gain: true, shift: true },
];

impl Norm {
    fn weights(self, bench: &mut Bench, seed: u64, width: usize) -> NormWeights {
        let Self { kind, gain, shift } = self;
        let gain = gain.then(|| bench.vector(&numbers(seed, width)));
        let shift = shift.then(|| bench.vector(&numbers(seed + 1, width)));
        NormWeights { kind, gain, shift, epsilon: if kind == NormKind::Layer { 1e-12 } else { 1e-6 } }
    }
}

/// Some families scale the word embeddings.
fn scale(tokens: usize) -> f32 {
    if tokens == 9 { 1.0 } else { 1.0 + tokens as f32 / 8.0 }
}

/// types: 0 where there are none.
fn embedding(tokens: usize, vocabulary: usize, types: usize, width: usize, norm: Option<Norm>) -> (Bench, Vec<Value>) {
    let seed = (tokens * 10_000 + vocabulary * 100 + width) as u64;
    let mut bench = Bench::new(1, tokens, 0);
    bench.inputs.set(Input::Ids, (0..tokens).map(|token| ((token * 31 + 7) % vocabulary) as u32).collect());
    if types > 0 {
        bench.inputs.set(Input::TokenTypes, (0..tokens).map(|token| (token % types) as u32).collect());
    }
    let word = bench.weight(vocabulary, width, &numbers(seed + 2, vocabulary * width));
    let token_type = (types > 0).then(|| bench.weight(types, width, &numbers(seed + 3, types * width)));
    let norm = norm.map(|norm| norm.weights(&mut bench, seed, width));
    let y = bench.plan.embedding(&EmbeddingWeights {
        word,
        added: token_type.map(AddedEmbedding::types),
        norm,
        scale: scale(tokens),
    });
    (bench, vec![y])
}

#[test]
fn embeddings_of_every_shape() {
    let adapter = Adapter::open();
    for width in [3, 5, 7, 18, 31, 32, 33, 37, 64, 65, 130] {
        for (tokens, vocabulary, types) in [(1, 1, 1), (2, 5, 2), (7, 37, 16), (9, 11, 0), (33, 97, 2)] {
            for norm in [None].into_iter().chain(NORMS.map(Some)) {
                let what = format!("{tokens} tokens, {vocabulary} words and {types} types, {width} wide, {norm:?}");
                assert_twins(&what, &adapter, || embedding(tokens, vocabulary, types, width, norm));
            }
        }
    }
}

/// Every part writes the tokens whose words it holds, and no others.
#[test]
fn embeddings_by_split_words() {
    for (limit, vocabulary, width) in [(80, 37, 5), (300, 97, 18), (1030, 11, 64), (1000, 300, 37)] {
        let adapter = Adapter::with_binding_limit(limit);
        let what = format!("{vocabulary} words, {width} wide, in parts of {limit} bytes");
        for norm in [None, Some(NORMS[0])] {
            assert_twins(&what, &adapter, || embedding(41, vocabulary, 1, width, norm));
        }
    }
}

/// Without types and norm a token is its row of the table, times the scale.
#[test]
fn a_bare_embedding_is_a_row_of_the_table() {
    let adapter = Adapter::open();
    for on in [None, Some(&adapter)] {
        for tokens in [9, 12] {
            let (bench, values) = embedding(tokens, 11, 0, 37, None);
            let (ids, table) = (
                bench.inputs.indices(Input::Ids).to_vec(),
                numbers((tokens * 10_000 + 11 * 100 + 37 + 2) as u64, 11 * 37),
            );
            let rows = ids.iter().flat_map(|id| &table[*id as usize * 37..][..37]);
            let expected: Vec<f32> = rows.map(|x| x * scale(tokens)).collect();
            assert_eq!(bench.run(&values, on)[0], expected, "{tokens} tokens");
        }
    }
}

fn normed(rows: usize, width: usize, gathered: bool, norm: Norm) -> (Bench, Vec<Value>) {
    let seed = (rows * 1000 + width) as u64;
    let mut bench = Bench::new(1, if gathered { 1 } else { rows }, if gathered { rows } else { 0 });
    let shape = if gathered { Shape::rows(width) } else { Shape::tokens(width) };
    let x = bench.value(shape, &numbers(seed + 2, rows * width));
    let norm = norm.weights(&mut bench, seed, width);
    let y = bench.plan.norm(x, &norm);
    (bench, vec![y])
}

#[test]
fn norms_of_every_shape() {
    let adapter = Adapter::open();
    for rows in [1, 2, 3, 5, 33] {
        for width in [1, 3, 5, 7, 18, 31, 32, 33, 37, 63, 64, 65, 127, 128, 129, 515] {
            for norm in NORMS {
                for gathered in [false, true] {
                    let what = format!("{rows} rows, {width} wide, gathered {gathered}, {norm:?}");
                    assert_twins(&what, &adapter, || normed(rows, width, gathered, norm));
                }
            }
        }
    }
    for norm in [NORMS[0], NORMS[1]] {
        assert_twins("a folded grid", &adapter, || normed(FOLDED, 3, false, norm));
    }
}

/// A norm of what a layer adds is added to what enters it.
#[test]
fn a_residual_is_added_behind_the_norm() {
    let adapter = Adapter::open();
    for norm in NORMS {
        for (rows, width) in [(1, 1), (5, 37), (3, 128), (2, 515)] {
            let build = |onto: bool| {
                let mut bench = Bench::new(1, rows, 0);
                let (x, residual) = (numbers(7, rows * width), numbers(8, rows * width));
                let [x, residual] = [x, residual].map(|numbers| bench.value(Shape::tokens(width), &numbers));
                let weights = norm.weights(&mut bench, 9, width);
                let y = match onto {
                    true => bench.plan.norm_onto(x, &weights, residual),
                    false => bench.plan.norm(x, &weights),
                };
                (bench, vec![y])
            };
            let what = format!("{norm:?}, {rows} rows, {width} wide");
            assert_twins(&what, &adapter, || build(true));
            let [normed, found] = [false, true].map(|onto| {
                let (bench, values) = build(onto);
                bench.run(&values, None).swap_remove(0)
            });
            let residual = numbers(8, rows * width);
            let expected: Vec<f32> = normed.iter().zip(residual).map(|(normed, residual)| normed + residual).collect();
            assert_eq!(found, expected, "{what}");
        }
    }
}

/// An RMS norm by its definition, in f64.
#[test]
fn a_root_mean_square_is_divided_by() {
    let adapter = Adapter::open();
    let (rows, width) = (5, 37);
    let (x, gain) =
        (numbers((rows * 1000 + width + 2) as u64, rows * width), numbers((rows * 1000 + width) as u64, width));
    let row = |row: &[f32]| {
        let squares: f64 = row.iter().map(|x| f64::from(*x).powi(2)).sum();
        let scale = 1.0 / (squares / width as f64 + 1e-6).sqrt();
        row.iter().zip(&gain).map(|(x, gain)| (f64::from(*x) * scale * f64::from(*gain)) as f32).collect::<Vec<f32>>()
    };
    let expected: Vec<f32> = x.chunks_exact(width).flat_map(row).collect();
    for on in [None, Some(&adapter)] {
        let (bench, values) = normed(rows, width, false, NORMS[1]);
        assert_close("RMS norm", &bench.run(&values, on)[0], &expected, 1e-5);
    }
}

fn gather(tokens: usize, rows: usize, width: usize) -> (Bench, Vec<Value>) {
    let mut bench = Bench::new(1, tokens, rows);
    // Out of order, some of them twice.
    bench.inputs.set(Input::RowIndices, (0..rows).map(|row| ((row * 7 + 3) % tokens) as u32).collect());
    let x = bench.value(Shape::tokens(width), &numbers((tokens + rows) as u64, tokens * width));
    let y = bench.plan.gather(x);
    (bench, vec![y])
}

#[test]
fn gathers_of_every_shape() {
    let adapter = Adapter::open();
    for tokens in [1, 2, 7, 33] {
        for rows in [1, 2, 5, 37, 64, 65] {
            for width in [1, 2, 3, 18, 63, 64, 65, 130] {
                let what = format!("{rows} rows of {tokens} tokens, {width} wide");
                assert_twins(&what, &adapter, || gather(tokens, rows, width));
            }
        }
    }
    assert_twins("a folded grid", &adapter, || gather(11, FOLDED, 2));
}

/// How alike the logits of a case are.
#[derive(Debug, Clone, Copy)]
enum Logits {
    Different,
    /// In steps of a half: many ties.
    Ties,
    Equal,
    /// Further apart than e^x reaches.
    Far,
}

fn top_k(rows: usize, vocabulary: usize, k: usize, logits: Logits) -> (Bench, Vec<Value>) {
    let mut bench = Bench::new(1, 1, rows);
    let drawn = numbers((rows * 10_000 + vocabulary) as u64, rows * vocabulary).into_iter();
    let numbers: Vec<f32> = match logits {
        Logits::Different => drawn.map(|x| 5.0 * x).collect(),
        Logits::Ties => drawn.map(|x| (4.0 * x).round() / 2.0).collect(),
        Logits::Equal => drawn.map(|_| -2.5).collect(),
        Logits::Far => drawn.map(|x| 1e30 * x).collect(),
    };
    let logits = bench.value(Shape::rows(vocabulary), &numbers);
    let top = bench.plan.top_k(logits, k, false);
    (bench, vec![top])
}

/// Fills of both backends: ids the same, and each logarithm alike by itself, since far ones are large.
fn compare_top_k(adapter: &Adapter, rows: usize, vocabulary: usize, k: usize, logits: Logits) {
    let what = format!("{k} of {rows} × {vocabulary}, {logits:?}");
    assert_twins(&what, adapter, || top_k(rows, vocabulary, k, logits));
    let fills = |on| {
        let (bench, values) = top_k(rows, vocabulary, k, logits);
        bench.run(&values, on).swap_remove(0)
    };
    for (found, expected) in fills(Some(adapter)).chunks_exact(2 * k).zip(fills(None).chunks_exact(2 * k)) {
        assert_eq!(found[k..], expected[k..], "{what}: ids");
        for (found, expected) in found[..k].iter().zip(expected) {
            assert_close(&what, &[*found], &[*expected], 1e-4);
        }
    }
}

#[test]
fn top_k_of_every_shape() {
    let adapter = Adapter::open();
    for vocabulary in [1, 2, 3, 5, 37, 64, 65, 127, 128, 129, 300, 1003] {
        for k in [1, 2, 5, 31, 63, 64] {
            if k <= MAX_TOP_K.min(vocabulary) {
                for (rows, logits) in [(1, Logits::Different), (3, Logits::Ties), (2, Logits::Equal), (2, Logits::Far)]
                {
                    compare_top_k(&adapter, rows, vocabulary, k, logits);
                }
            }
        }
    }
    compare_top_k(&adapter, FOLDED, 3, 2, Logits::Ties);
}

/// Rows of more than 16,384 logits in slices of about 4,096: one and the same, ties between slices, far ones, and −∞ or NaN that
/// fill slices.
#[test]
fn top_k_of_wide_rows() {
    let adapter = Adapter::open();
    for (rows, vocabulary, k, logits) in [
        (1, 16_384, 5, Logits::Different),
        (1, 16_385, 64, Logits::Different),
        (2, 20_011, 64, Logits::Ties),
        (2, 18_000, 7, Logits::Equal),
        (3, 33_333, 1, Logits::Far),
    ] {
        compare_top_k(&adapter, rows, vocabulary, k, logits);
    }
    let (vocabulary, k) = (17_000, 5);
    let mut numbers: Vec<f32> = numbers(3, vocabulary).into_iter().map(|x| 5.0 * x).collect();
    numbers[..5_000].fill(f32::NEG_INFINITY);
    let fills = |numbers: &[f32], on| {
        let mut bench = Bench::new(1, 1, 1);
        let logits = bench.value(Shape::rows(vocabulary), numbers);
        let top = bench.plan.top_k(logits, k, false);
        bench.run(&[top], on).swap_remove(0)
    };
    let [without, broken] = [None, Some(f32::NAN)].map(|broken| {
        numbers[6_000..9_000].iter_mut().for_each(|x| *x = broken.unwrap_or(*x));
        let [found, expected] = [Some(&adapter), None].map(|on| fills(&numbers, on));
        assert_eq!(found[k..], expected[k..], "ids");
        (found, expected)
    });
    assert_close("with slices of −∞", &without.0, &without.1, 1e-4);
    assert!(without.1[..k].iter().all(|logarithm| logarithm.is_finite()));
    assert!([broken.0, broken.1].iter().all(|top| top[..k].iter().all(|logarithm| logarithm.is_nan())));
}

/// Banned ids come last, in rows of one slice and of several, and all stay in the sum, even one that is far above all others.
#[test]
fn banned_tokens_rank_last() {
    let adapter = Adapter::open();
    for (vocabulary, k, step) in
        [(1, 1, 1), (5, 5, 2), (33, 7, 3), (1003, 64, 2), (17_000, 5, 2), (20_011, 64, 1), (20_011, 64, 7)]
    {
        for far in [0.0, 300.0] {
            let rows = 2;
            let mut logits: Vec<f32> = numbers(7, rows * vocabulary).into_iter().map(|x| 5.0 * x).collect();
            logits[vocabulary - 1] += far;
            // The last one is banned; with a step of 1 nearly all are.
            let is_banned = |id: usize| (vocabulary - 1 - id).is_multiple_of(step) && id != 3;
            let list: Vec<u32> = (0..vocabulary).filter(|id| is_banned(*id)).map(|id| id as u32).collect();
            for on in [None, Some(&adapter)] {
                let mut bench = Bench::new(1, 1, rows);
                bench.inputs.set(bans_of(vocabulary), ban_words(&vec![list.clone(); rows], vocabulary));
                let row = bench.value(Shape::rows(vocabulary), &logits);
                let top = bench.plan.top_k(row, k, true);
                let found = bench.run(&[top], on).swap_remove(0);
                for (row, found) in logits.chunks_exact(vocabulary).zip(found.chunks_exact(2 * k)) {
                    let largest = f64::from(row.iter().copied().fold(f32::MIN, f32::max));
                    let sum: f64 = row.iter().map(|x| (f64::from(*x) - largest).exp()).sum();
                    let mut allowed: Vec<usize> = (0..vocabulary).filter(|id| !is_banned(*id)).collect();
                    allowed.sort_by(|id, other| row[*other].total_cmp(&row[*id]).then(id.cmp(other)));
                    for (at, (logarithm, id)) in found[..k].iter().zip(&found[k..]).enumerate() {
                        let what = format!("{k} of {vocabulary}, every {step}., {far} above, entry {at}");
                        match allowed.get(at) {
                            None => assert!(*logarithm <= f32::MIN, "{what}: {logarithm}"),
                            Some(expected) => {
                                assert_eq!(*id as usize, *expected, "{what}");
                                let expected = f64::from(row[*expected]) - largest - sum.ln();
                                assert_close(&what, &[*logarithm], &[expected as f32], 1e-5);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Logits, and for each row ids that it has seen: other numbers of them in each.
fn penalty(rows: usize, vocabulary: usize, keys: usize, penalty: f32) -> (Bench, Value, Vec<Vec<u32>>) {
    let mut bench = Bench::new(1, keys, rows);
    let earlier = |row: usize| -> Vec<u32> {
        let mut ids: Vec<u32> =
            (0..(row * 3 + 1) % (keys + 1)).map(|at| ((at * 7 + row) % vocabulary) as u32).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    let earlier: Vec<Vec<u32>> = (0..rows).map(earlier).collect();
    let mut penalised = Vec::new();
    for ids in &earlier {
        // Numbers after the ids belong to no id of the text.
        let rest = vec![vocabulary as u32 - 1; keys - ids.len()];
        penalised.extend([vec![ids.len() as u32], ids.clone(), rest].concat());
    }
    bench.inputs.set(Input::PenalisedIds, penalised);
    bench.inputs.set(Input::Penalty, vec![penalty]);
    let logits = bench.value(Shape::rows(vocabulary), &numbers((rows * vocabulary) as u64, rows * vocabulary));
    bench.plan.penalise(logits);
    (bench, logits, earlier)
}

/// On both backends what the sampler's own penalty makes of the same logits.
#[test]
fn penalties_of_every_shape() {
    let adapter = Adapter::open();
    for rows in [1, 2, 5, 37] {
        for (vocabulary, keys) in [(1, 1), (5, 3), (37, 18), (131, 64), (64, 131)] {
            for factor in [1.0, 1.3, 0.5] {
                for on in [None, Some(&adapter)] {
                    let (bench, logits, earlier) = penalty(rows, vocabulary, keys, factor);
                    let mut expected = numbers((rows * vocabulary) as u64, rows * vocabulary);
                    for (row, earlier) in expected.chunks_exact_mut(vocabulary).zip(&earlier) {
                        penalise(row, earlier, f64::from(factor));
                    }
                    let what = format!("{rows} rows of {vocabulary}, {keys} tokens, by {factor}");
                    assert_close(&what, &bench.run(&[logits], on)[0], &expected, 1e-6);
                }
            }
        }
    }
}
