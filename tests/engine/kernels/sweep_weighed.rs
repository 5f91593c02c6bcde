//! Norms of rows, and weighted maps of many heads in one: on the GPU against the CPU, and against plain sums over all maps.

use crate::kernels::attended::{Of, probe_maps};
use crate::kernels::sweep_attention::{Padding, Text};
use crate::support::{Adapter, Bench, assert_close, assert_twins, dequantised, numbers};
use ropescope::kernels::Format;
use ropescope::ops::{MeanMap, RowNorms};
use ropescope::plan::{Heads, Shape, Sizes, View};
use std::ops::Range;

/// Rows of heads, as a value over tokens has them, asked for their norms.
#[derive(Debug, Clone)]
struct Case {
    length: usize,
    heads: usize,
    groups: usize,
    head_size: usize,
    /// Of the output projection; 0: there is none.
    hidden: usize,
    sequence: usize,
    head_range: Range<usize>,
    count: usize,
    /// Of the output projection.
    format: Format,
}

/// Columns before and after those of the heads.
const MARGINS: [usize; 2] = [3, 2];

impl Case {
    fn stride(&self) -> usize {
        MARGINS[0] + self.groups * self.head_size + MARGINS[1]
    }

    fn rows(&self) -> Vec<f32> {
        numbers(self.length as u64, 2 * self.length * self.stride())
    }

    fn weights(&self) -> Vec<f32> {
        numbers(self.hidden as u64 + 7, self.hidden * self.heads * self.head_size)
    }

    fn bench(&self) -> Bench {
        let mut bench = Bench::new(2, self.length, 0);
        let value = bench.value(Shape::tokens(self.stride()), &self.rows());
        bench.plan.output(value);
        let Self { heads, groups, head_size, hidden, .. } = *self;
        let rows = View { operand: value.into(), first: MARGINS[0], stride: self.stride(), heads: groups, head_size };
        let output = (hidden > 0)
            .then(|| (bench.matrix_in(hidden, heads * head_size, &self.weights(), self.format), self.format));
        let (sequence, head_range, count) = (self.sequence, self.head_range.clone(), self.count);
        // Behind another answer, which must not be touched.
        for (sequence, head_range, count) in [(0, 0..1, 1), (sequence, head_range, count)] {
            bench.probe(head_range.len() * count, |offset| {
                Box::new(RowNorms { rows, heads, output, sequence, head_range, count, offset })
            });
        }
        bench
    }

    fn by_hand(&self) -> Vec<f32> {
        let Self { length, heads, groups, head_size, hidden, .. } = *self;
        let (rows, weights) = (self.rows(), dequantised(self.format, heads * head_size, &self.weights()));
        let norm = |head: usize, row: usize| {
            let start = (self.sequence * length + row) * self.stride() + MARGINS[0] + head * groups / heads * head_size;
            let row = &rows[start..start + head_size];
            let squares = |row: &[f32]| row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
            let projected = |column: usize| {
                let weights = &weights[column * heads * head_size + head * head_size..][..head_size];
                row.iter().zip(weights).map(|(x, w)| f64::from(*x) * f64::from(*w)).sum::<f64>()
            };
            let total = if hidden == 0 { squares(row) } else { (0..hidden).map(|at| projected(at).powi(2)).sum() };
            total.sqrt() as f32
        };
        self.head_range.clone().flat_map(|head| (0..self.count).map(move |row| norm(head, row))).collect()
    }
}

#[test]
fn norms_of_rows() {
    let adapter = Adapter::open();
    let case = |length, [heads, groups, head_size]: [usize; 3], hidden, sequence, head_range, count| Case {
        length,
        heads,
        groups,
        head_size,
        hidden,
        sequence,
        head_range,
        count,
        format: Format::F32,
    };
    for case in [
        case(1, [1, 1, 1], 0, 0, 0..1, 1),
        case(1, [1, 1, 1], 1, 1, 0..1, 1),
        case(7, [6, 2, 5], 0, 1, 1..6, 7),
        case(7, [6, 2, 5], 37, 1, 0..6, 7),
        case(35, [3, 3, 18], 130, 0, 2..3, 33),
        case(70, [4, 1, 66], 63, 1, 1..3, 70),
    ] {
        for format in Format::ALL {
            let case = Case { format, ..case.clone() };
            let what = format!("{case:?}");
            assert_twins(&what, &adapter, || (case.bench(), Vec::new()));
            let answer = case.bench().run(&[], None).swap_remove(0);
            assert_close(&what, &answer[1..], &case.by_hand(), 1e-5);
        }
    }
}

/// Runs of heads, with a factor for each key or without, summed into one map after `maps` numbers.
fn probe_mean(bench: &mut Bench, heads: Heads, runs: &[Range<usize>], rows: Option<View>) {
    let (queries, keys) = (heads.queries(bench.sizes), bench.sizes.keys());
    let count: usize = runs.iter().map(Range::len).sum();
    let map = bench.results;
    bench.results += queries * keys;
    for (at, head_range) in runs.iter().cloned().enumerate() {
        let mut factors = None;
        if let Some(rows) = rows {
            factors = Some(bench.results);
            let (heads, head_range) = (heads.query.heads, head_range.clone());
            bench.probe(head_range.len() * keys, |offset| {
                Box::new(RowNorms { rows, heads, output: None, sequence: 0, head_range, count: keys, offset })
            });
        }
        bench.reads.probe(MeanMap {
            heads,
            sequence: 0,
            head_range,
            factors,
            share: 1.0 / count as f32,
            accumulates: at > 0,
            offset: map,
        });
    }
}

#[test]
fn many_heads_in_one_map() {
    let adapter = Adapter::open();
    let of = |heads, key_heads, head_size, causal, window| Of { heads, key_heads, head_size, causal, window };
    for (length, of, padding) in [
        (1, of(1, 1, 2, false, None), Padding::None),
        (9, of(6, 2, 5, true, None), Padding::Right),
        (37, of(4, 4, 10, false, None), Padding::Row),
        (70, of(3, 1, 18, true, Some(9)), Padding::Left),
        (41, of(2, 2, 6, false, Some(5)), Padding::Right),
    ] {
        let text = Text { batch: 2, length, of, padding };
        let last = of.heads - 1;
        for ends in [&[(0, of.heads)][..], &[(last, of.heads)], &[(0, 1), (last, of.heads)]] {
            let runs: Vec<Range<usize>> = ends.iter().map(|&(first, end)| first..end).collect();
            for weighed in [false, true] {
                let build = || {
                    let (mut bench, heads, _) = text.attended();
                    probe_maps(&mut bench, heads);
                    let value = View { first: heads.key.first + heads.key.width(), ..heads.key };
                    probe_mean(&mut bench, heads, &runs, weighed.then_some(value));
                    (bench, Vec::new())
                };
                let what = format!("heads {runs:?} of {of:?}, length {length}, {padding:?}, weighed: {weighed}");
                assert_twins(&what, &adapter, build);
                let answer = build().0.run(&[], None).swap_remove(0);
                let (maps, rest) = answer.split_at(2 * of.heads * length * length);
                let (mean, norms) = rest.split_at(length * length);
                let heads_of_runs: Vec<usize> = runs.iter().cloned().flatten().collect();
                let expected: Vec<f32> = (0..length * length)
                    .map(|cell| {
                        let factor = |at: usize| if weighed { norms[at * length + cell % length] } else { 1.0 };
                        let of_head = |(at, head): (usize, &usize)| {
                            f64::from(maps[head * length * length + cell]) * f64::from(factor(at))
                        };
                        (heads_of_runs.iter().enumerate().map(of_head).sum::<f64>() / heads_of_runs.len() as f64) as f32
                    })
                    .collect();
                assert_close(&what, mean, &expected, 1e-5);
                assert!(!weighed || norms.iter().all(|norm| *norm > 0.0), "{what}: a factor is nothing");
            }
        }
    }
}

/// Over a cache the maps have a row for each query that is kept, and keys of earlier runs.
#[test]
fn many_heads_over_a_past() {
    let adapter = Adapter::open();
    let of = Of { heads: 4, key_heads: 2, head_size: 6, causal: true, window: None };
    let text = Text { batch: 2, length: 13, of, padding: Padding::None };
    let build = |past: usize| {
        let (mut bench, heads, _) = text.attended_over(past, 20, None);
        let sizes: Sizes = bench.sizes;
        let value = View { first: heads.key.first + heads.key.width(), ..heads.key };
        assert_eq!(heads.queries(sizes), 13 - past);
        probe_mean(&mut bench, heads, &[0..1, 2..4], Some(value));
        (bench, Vec::new())
    };
    for past in [0, 5, 12] {
        assert_twins(&format!("past {past}"), &adapter, || build(past));
        let [complete, rest] = [0, past].map(|past| build(past).0.run(&[], None).swap_remove(0));
        assert_close("the last queries", &rest[..(13 - past) * 13], &complete[past * 13..13 * 13], 1e-5);
    }
}
