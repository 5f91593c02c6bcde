//! The kernels that give each row a workgroup, on the GPU against the CPU: embedding, LayerNorm, gather, head rows, top-k.

use crate::support::{Adapter, Bench, assert_twins, numbers};
use ropescope::ops::{Attention, EmbeddingWeights, LayerNormWeights, MAX_TOP_K};
use ropescope::plan::{Shape, Value};

/// More rows than the workgroups of one dimension: the grid folds into two.
const FOLDED: usize = 32_768 + 5;

fn norm(bench: &mut Bench, seed: u64, width: usize) -> LayerNormWeights {
    let (gain, shift) = (bench.vector(&numbers(seed, width)), bench.vector(&numbers(seed + 1, width)));
    LayerNormWeights { gain, shift, epsilon: 1e-12 }
}

fn embedding(tokens: usize, vocabulary: usize, types: usize, width: usize) -> (Bench, Vec<Value>) {
    let seed = (tokens * 10_000 + vocabulary * 100 + width) as u64;
    let mut bench = Bench::new(1, tokens, 0);
    bench.inputs.ids = (0..tokens).map(|token| ((token * 31 + 7) % vocabulary) as u32).collect();
    bench.inputs.token_types = (0..tokens).map(|token| (token % types) as u32).collect();
    let word = bench.weight(vocabulary, width, &numbers(seed + 2, vocabulary * width));
    let token_type = bench.vector(&numbers(seed + 3, types * width));
    let norm = norm(&mut bench, seed, width);
    let y = bench.plan.embedding(&EmbeddingWeights { word, token_type, norm });
    (bench, vec![y])
}

#[test]
fn embeddings_of_every_shape() {
    let adapter = Adapter::open();
    for width in [3, 5, 7, 18, 31, 32, 33, 37, 64, 65, 130] {
        for (tokens, vocabulary, types) in [(1, 1, 1), (2, 5, 2), (7, 37, 16), (33, 97, 2)] {
            let what = format!("{tokens} tokens, {vocabulary} words and {types} types, {width} wide");
            assert_twins(&what, &adapter, || embedding(tokens, vocabulary, types, width));
        }
    }
}

/// Every part writes the tokens whose words it holds, and no others.
#[test]
fn embeddings_by_split_words() {
    for (limit, vocabulary, width) in [(64, 37, 5), (144, 97, 18), (260, 11, 64), (1000, 300, 37)] {
        let adapter = Adapter::open().with_binding_limit(limit);
        let what = format!("{vocabulary} words, {width} wide, in parts of {limit} bytes");
        assert_twins(&what, &adapter, || embedding(41, vocabulary, 1, width));
    }
}

fn layer_norm(rows: usize, width: usize, gathered: bool) -> (Bench, Vec<Value>) {
    let seed = (rows * 1000 + width) as u64;
    let mut bench = Bench::new(1, if gathered { 1 } else { rows }, if gathered { rows } else { 0 });
    let shape = if gathered { Shape::Rows { width } } else { Shape::Tokens { width } };
    let x = bench.value(shape, &numbers(seed + 2, rows * width));
    let norm = norm(&mut bench, seed, width);
    let y = bench.plan.layer_norm(x, &norm);
    (bench, vec![y])
}

#[test]
fn layer_norms_of_every_shape() {
    let adapter = Adapter::open();
    for rows in [1, 2, 3, 5, 33] {
        for width in [1, 3, 5, 7, 18, 31, 32, 33, 37, 63, 64, 65, 127, 128, 129, 515] {
            for gathered in [false, true] {
                let what = format!("{rows} rows, {width} wide, gathered {gathered}");
                assert_twins(&what, &adapter, || layer_norm(rows, width, gathered));
            }
        }
    }
    assert_twins("a folded grid", &adapter, || layer_norm(FOLDED, 3, false));
}

fn gather(tokens: usize, rows: usize, width: usize) -> (Bench, Vec<Value>) {
    let mut bench = Bench::new(1, tokens, rows);
    // Out of order, some of them twice.
    bench.inputs.row_indices = (0..rows).map(|row| ((row * 7 + 3) % tokens) as u32).collect();
    let x = bench.value(Shape::Tokens { width }, &numbers((tokens + rows) as u64, tokens * width));
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

/// Rows of one head, in a plan of three layers of which the middle one is chosen.
fn head_rows(batch: usize, length: usize, heads: usize, head_size: usize, head: usize) -> (Bench, Vec<Value>) {
    let width = 3 * heads * head_size;
    let mut bench = Bench::new(batch, length, 0);
    (bench.sizes.layer, bench.sizes.head) = (1, head);
    let rows = bench.plan.value(Shape::Head { head_size });
    for layer in 0..3 {
        let projected = bench.value(Shape::Tokens { width }, &numbers(layer as u64, batch * length * width));
        bench.plan.output(projected);
        bench.plan.head_rows(layer, projected, Attention { heads, head_size, causal: false }, rows);
    }
    (bench, vec![rows])
}

#[test]
fn rows_of_every_head() {
    let adapter = Adapter::open();
    for heads in [1, 3, 5] {
        for head_size in [2, 6, 18, 34, 64, 70] {
            for (batch, length) in [(1, 1), (2, 3), (1, 33)] {
                for head in [0, heads - 1] {
                    let what = format!("({batch}, {length}), head {head} of {heads} of {head_size}");
                    assert_twins(&what, &adapter, || head_rows(batch, length, heads, head_size, head));
                }
            }
        }
    }
    assert_twins("a folded grid", &adapter, || head_rows(1, FOLDED / 2 + 1, 1, 2, 0));
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
    let logits = bench.value(Shape::Rows { width: vocabulary }, &numbers);
    let top = bench.plan.top_k(logits, k);
    (bench, vec![top])
}

/// Fills of both backends: probabilities alike, ids the same.
fn compare_top_k(adapter: &Adapter, rows: usize, vocabulary: usize, k: usize, logits: Logits) {
    let what = format!("{k} of {rows} × {vocabulary}, {logits:?}");
    assert_twins(&what, adapter, || top_k(rows, vocabulary, k, logits));
    let ids = |on| {
        let (bench, values) = top_k(rows, vocabulary, k, logits);
        let found = bench.run(&values, on).swap_remove(0);
        found.chunks_exact(2 * k).flat_map(|row| row[k..].to_vec()).collect::<Vec<f32>>()
    };
    assert_eq!(ids(Some(adapter)), ids(None), "{what}: ids");
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
