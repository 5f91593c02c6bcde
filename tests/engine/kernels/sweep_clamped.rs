//! Attention over clamped distances, and maps of it: against the formula in f64 on both backends, and over odd shapes on
//! the GPU against the CPU.

use crate::kernels::attended::Of;
use crate::kernels::sweep_attention::{PADDINGS, Padding};
use crate::support::{Adapter, Bench, assert_close, key_mask, numbers};
use ropescope::ops::{HeadStatistics, MapKind, MapWindow, Maps};
use ropescope::plan::{Heads, Input, Shape, Sizes, Value};
use ropescope::rope::{self, Frequencies};

const BASE: f64 = 100.0;
const MAGNITUDE: f64 = 1.25;
const OFFSET: u64 = 3;

/// A text whose queries and keys are given without rotation.
#[derive(Debug, Clone, Copy)]
struct Text {
    batch: usize,
    length: usize,
    of: Of,
    reach: usize,
    padding: Padding,
    /// Position ids count from the last token.
    backwards: bool,
}

impl Text {
    fn position(self, token: usize) -> usize {
        if self.backwards { self.length - 1 - token } else { token }
    }

    /// (batch, length, width) of queries, keys and values.
    fn numbers(self) -> Vec<f32> {
        let count = self.batch * self.length * self.of.width();
        numbers((count + self.reach) as u64, count).into_iter().map(|x| 2.0 * x).collect()
    }

    /// The same with queries and keys turned.
    fn rotated(self) -> Vec<f32> {
        let (size, turning) = (self.of.head_size, (self.of.heads + self.of.key_heads) * self.of.head_size);
        let theta = Frequencies::from_base(size, BASE).theta;
        let mut input = self.numbers();
        for (token, row) in input.chunks_exact_mut(self.of.width()).enumerate() {
            let position = OFFSET as f64 + self.position(token % self.length) as f64;
            for (pair, numbers) in row[..turning].chunks_exact_mut(2).enumerate() {
                let (sin, cos) = (position * theta[pair % (size / 2)]).sin_cos();
                let [x, y] = [0, 1].map(|at| MAGNITUDE * f64::from(numbers[at]));
                numbers.copy_from_slice(&[(x * cos - y * sin) as f32, (y * cos + x * sin) as f32]);
            }
        }
        input
    }

    fn attended(self) -> (Bench, Heads, [Value; 2]) {
        let Self { batch, length, of, .. } = self;
        let mut bench = Bench::over(Sizes::new(batch, length, 0));
        bench.inputs.set(Input::KeyMask, key_mask(&self.padding.mask(batch, length)));
        let table = rope::table(&Frequencies::from_base(of.head_size, BASE), OFFSET, length);
        bench.rotary(of.head_size, &table.iter().map(|x| MAGNITUDE as f32 * x).collect::<Vec<f32>>());
        bench
            .inputs
            .set(Input::Positions, (0..batch * length).map(|token| self.position(token % length) as u32).collect());
        let projected = bench.value(Shape::tokens(of.width()), &self.rotated());
        let statistics = bench.plan.value(Shape::tokens(2 * of.heads));
        let [query, key, value] = of.views(projected.into(), 0);
        let table = Some(Input::Rotary { rope: 0, head_size: of.head_size });
        let heads = Heads { table, max_distance: Some(self.reach), ..of.over(query, key, statistics.into()) };
        let head_outputs = bench.plan.attention(heads, value);
        [projected, statistics].into_iter().for_each(|value| bench.plan.output(value));
        (bench, heads, [head_outputs, statistics])
    }

    /// (batch, heads, length, length) of scores, by the formula.
    fn scores(self) -> Vec<f64> {
        let Self { batch, length, of, .. } = self;
        let (input, theta) = (self.numbers(), Frequencies::from_base(of.head_size, BASE).theta);
        let row = |sequence: usize, token: usize, head: usize| {
            &input[(sequence * length + token) * of.width() + head * of.head_size..][..of.head_size]
        };
        let mut scores = Vec::new();
        for (sequence, head) in (0..batch).flat_map(|s| (0..of.heads).map(move |h| (s, h))) {
            let key_head = of.heads + head / (of.heads / of.key_heads);
            for (m, n) in (0..length).flat_map(|m| (0..length).map(move |n| (m, n))) {
                let reach = self.reach.min(length) as f64;
                let distance = (self.position(m) as f64 - self.position(n) as f64).clamp(-reach, reach);
                let pairs = row(sequence, m, head).chunks_exact(2).zip(row(sequence, n, key_head).chunks_exact(2));
                let products = pairs.zip(&theta).map(|((q, k), theta)| {
                    let [a, b, c, d] = [q[0], q[1], k[0], k[1]].map(f64::from);
                    let (sin, cos) = (distance * theta).sin_cos();
                    (a * c + b * d) * cos - (b * c - a * d) * sin
                });
                scores.push(products.sum::<f64>() * MAGNITUDE * MAGNITUDE / (of.head_size as f64).sqrt());
            }
        }
        scores
    }
}

/// Softmax of masked rows, and what it makes of the values: (batch, length, heads, head_size).
fn attended(text: Text, scores: &[f64]) -> (Vec<f32>, Vec<f32>) {
    let Text { batch, length, of, .. } = text;
    let (input, mask) = (text.rotated(), text.padding.mask(batch, length));
    let (mut weights, mut contexts) = (Vec::new(), vec![0.0; batch * length * of.heads * of.head_size]);
    for (row, scores) in scores.chunks_exact(length).enumerate() {
        let (query, head, sequence) = (row % length, row / length % of.heads, row / length / of.heads);
        let near = |key: usize| of.window.is_none_or(|window| query.abs_diff(key) < window);
        let visible = |key: usize| mask[sequence * length + key] == 1 && near(key) && !(of.causal && key > query);
        let any = (0..length).any(visible);
        let weight = |key: usize| match any {
            true if visible(key) => scores[key].exp(),
            true => 0.0,
            false => 1.0,
        };
        let total: f64 = (0..length).map(weight).sum();
        weights.extend((0..length).map(|key| (weight(key) / total) as f32));
        let value_head = of.heads + of.key_heads + head / (of.heads / of.key_heads);
        for column in 0..of.head_size {
            let value = |key: usize| input[(sequence * length + key) * of.width() + value_head * of.head_size + column];
            let mixed: f64 = (0..length).map(|key| weight(key) / total * f64::from(value(key))).sum();
            contexts[((sequence * length + query) * of.heads + head) * of.head_size + column] = mixed as f32;
        }
    }
    (weights, contexts)
}

fn compare(text: Text, adapter: &Adapter) {
    let Text { batch, length, of, .. } = text;
    let scores = text.scores();
    let (weights, contexts) = attended(text, &scores);
    let maps =
        [(MapKind::Weight, weights), (MapKind::Score, scores.iter().map(|score| *score as f32).collect::<Vec<f32>>())];
    let mut answers = Vec::new();
    for (on, tolerance) in [(None, 1e-5), (Some(adapter), 1e-4)] {
        let (mut bench, heads, values) = text.attended();
        bench.write_results((0..length).map(|token| (token % 3) as f32).collect());
        for ((kind, numbers), sequence) in maps.iter().flat_map(|map| (0..batch).map(move |at| (map, at))) {
            let (window, head_range) = (MapWindow::full(length, length), 0..of.heads);
            bench.probe(numbers.len() / batch, |offset| {
                Box::new(Maps { heads, kind: *kind, sequence, head_range, window, offset })
            });
        }
        bench.probe(of.heads * HeadStatistics::EACH, |offset| {
            Box::new(HeadStatistics { heads, sequence: 0, queries: 0..length, with_padding: true, tokens: 0, offset })
        });
        let found = bench.run(&values, on);
        assert_close(&format!("{text:?}, contexts"), &found[0], &contexts, tolerance);
        let mut answer = &found[2][..];
        for (kind, expected) in &maps {
            let (numbers, rest) = answer.split_at(expected.len());
            assert_close(&format!("{text:?}, {kind:?}"), numbers, expected, tolerance);
            answer = rest;
        }
        answers.push((found[1].clone(), answer.to_vec()));
    }
    let [(rows, means), (rows_on_gpu, means_on_gpu)] = answers.as_slice() else { panic!("two backends") };
    assert_close(&format!("{text:?}, statistics"), rows_on_gpu, rows, 1e-4);
    assert_close(&format!("{text:?}, means"), means_on_gpu, means, 1e-4);
}

#[test]
fn distances_are_clamped_in_attention_and_maps() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for (heads, key_heads, head_size) in [(1, 1, 2), (3, 3, 6), (4, 2, 10), (6, 1, 18), (2, 2, 70)] {
        for (batch, length) in [(1, 1), (2, 3), (1, 37), (2, 66)] {
            for reach in [0, 1, 5, length + 3] {
                cases += 1;
                let of =
                    Of { heads, key_heads, head_size, causal: cases % 2 == 0, window: [None, Some(4)][cases / 2 % 2] };
                let padding = PADDINGS[cases % PADDINGS.len()];
                compare(Text { batch, length, of, reach, padding, backwards: cases % 3 == 0 }, &adapter);
            }
        }
    }
}
