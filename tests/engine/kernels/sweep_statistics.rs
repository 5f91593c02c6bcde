//! Statistics of heads over a text: on the GPU against the CPU, and against complete maps, over every kind of head and padding.

use crate::kernels::attended::{Of, probe_maps};
use crate::kernels::sweep_attention::{PADDINGS, Padding, Text};
use crate::support::{Adapter, Bench, assert_close, assert_twins};
use ropescope::ops::HeadStatistics;
use ropescope::plan::Heads;
use std::ops::Range;

/// The queries of one sequence that statistics are about.
#[derive(Debug, Clone)]
struct Selection {
    sequence: usize,
    queries: Range<usize>,
    with_padding: bool,
}

/// Tokens of a text: few different ones, the first and some others special.
fn tokens(keys: usize) -> Vec<f32> {
    (0..keys).map(|key| if key % 9 == 0 && keys > 2 { -1.0 } else { (key * key % 5) as f32 }).collect()
}

impl Selection {
    fn of(&self, bench: &mut Bench, heads: Heads) {
        let Selection { sequence, queries, with_padding } = self.clone();
        bench.probe(heads.query.heads * HeadStatistics::EACH, |offset| {
            Box::new(HeadStatistics { heads, sequence, queries, with_padding, tokens: 0, offset })
        });
    }

    /// The same from maps (batch, heads, queries, keys), whose first query is at `first` of the text. mask: (batch,
    /// keys).
    fn by_hand(&self, maps: &[f32], mask: &[u32], [heads, queries, keys, first]: [usize; 4]) -> Vec<f32> {
        let mut means = Vec::new();
        let tokens = tokens(keys);
        for head in 0..heads {
            let map = &maps[(self.sequence * heads + head) * queries * keys..][..queries * keys];
            let counts = |query: &usize| {
                let position = first + query;
                tokens[position] >= 0.0 && (self.with_padding || mask[self.sequence * keys + position] == 1)
            };
            let rows: Vec<usize> = self.queries.clone().filter(counts).collect();
            let mean = |of: &dyn Fn(usize, usize, f64) -> f64| {
                let cells = rows.iter().flat_map(|query| (0..keys).map(move |key| (*query, key)));
                let sum: f64 =
                    cells.map(|(query, key)| of(first + query, key, f64::from(map[query * keys + key]))).sum();
                (sum / rows.len().max(1) as f64) as f32
            };
            let at = |place: &dyn Fn(usize, usize) -> bool| {
                mean(&|query, key, weight| if place(query, key) { weight } else { 0.0 })
            };
            means.extend([
                mean(&|_, _, weight| if weight > 0.0 { -weight * weight.ln() } else { 0.0 }),
                mean(&|query, key, weight| weight * (query as f64 - key as f64).abs()),
                at(&|query, key| key + 1 == query),
                at(&|query, key| key == query),
                at(&|query, key| key == query + 1),
                at(&|_, key| key == 0),
                mean(&|query, key, _| match key {
                    0 => f64::from(map[(query - first) * keys..][..keys].iter().copied().fold(0.0, f32::max)),
                    _ => 0.0,
                }),
                at(&|query, key| key != query && tokens[key] == tokens[query]),
                at(&|_, key| tokens[key] < 0.0),
                at(&|query, key| (1..=query).contains(&key) && tokens[key - 1] == tokens[query]),
            ]);
        }
        means
    }
}

/// Each number by itself: a large distance must not hide the weights.
fn assert_each(what: &str, found: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_close(&format!("{what}, number {at}"), &[*found], &[*expected], tolerance);
    }
}

/// The heads of the sweep: grouped or not, odd sizes, windows.
fn heads(causal: bool) -> [Of; 5] {
    let of = |heads, key_heads, head_size, window| Of { heads, key_heads, head_size, causal, window };
    [of(1, 1, 2, None), of(3, 3, 10, None), of(4, 2, 6, Some(3)), of(6, 1, 18, None), of(5, 5, 5, Some(40))]
}

#[test]
fn statistics_are_means_over_maps() {
    let adapter = Adapter::open();
    for (index, of) in [heads(true), heads(false)].concat().into_iter().enumerate() {
        for (batch, length) in [(1, 1), (2, 2), (3, 7), (2, 37), (1, 70), (1, 131)] {
            let padding = PADDINGS[(index + length) % PADDINGS.len()];
            let text = Text { batch, length, of, padding };
            for queries in [0..length, length / 3..length, length - 1..length] {
                let with_padding = (index + queries.start) % 2 == 1;
                let selection = Selection { sequence: batch - 1, queries, with_padding };
                let build = || {
                    let (mut bench, heads, _) = text.attended();
                    bench.write_results(tokens(length));
                    probe_maps(&mut bench, heads);
                    selection.of(&mut bench, heads);
                    (bench, Vec::new())
                };
                let what = format!("{text:?}, {selection:?}");
                assert_twins(&what, &adapter, build);
                for (on, tolerance) in [(None, 1e-5), (Some(&adapter), 1e-4)] {
                    let answer = build().0.run(&[], on).swap_remove(0);
                    let (maps, found) = answer.split_at(batch * of.heads * length * length);
                    let mask = padding.mask(batch, length);
                    let expected = selection.by_hand(maps, &mask, [of.heads, length, length, 0]);
                    assert_each(&what, found, &expected, tolerance);
                }
            }
        }
    }
}

/// Over a state that holds what came before, whether queries are kept there or are those of the run alone.
#[test]
fn statistics_over_a_past() {
    let adapter = Adapter::open();
    for (index, of) in heads(true).into_iter().enumerate() {
        for (batch, past, length, cache_capacity) in [(1, 1, 2, 2), (2, 3, 8, 9), (1, 33, 34, 64), (2, 37, 41, 41)] {
            let padding = PADDINGS[(index + length) % PADDINGS.len()];
            let text = Text { batch, length, of, padding };
            let (bench, _, values) = text.attended();
            let statistics = bench.run(&values, None).swap_remove(1);
            for stored in [None, Some(&statistics[..])] {
                let first = if stored.is_some() { 0 } else { past };
                let selection =
                    Selection { sequence: batch - 1, queries: 0..length - first, with_padding: index % 2 == 1 };
                let build = || {
                    let (mut bench, heads, _) = text.attended_over(past, cache_capacity, stored);
                    bench.write_results(tokens(length));
                    probe_maps(&mut bench, heads);
                    selection.of(&mut bench, heads);
                    (bench, Vec::new())
                };
                let what = format!("{text:?}, {past} of them in {cache_capacity}, {selection:?}");
                assert_twins(&what, &adapter, build);
                for (on, tolerance) in [(None, 1e-5), (Some(&adapter), 1e-4)] {
                    let answer = build().0.run(&[], on).swap_remove(0);
                    let (maps, found) = answer.split_at(batch * of.heads * (length - first) * length);
                    let mask = padding.mask(batch, length);
                    let expected = selection.by_hand(maps, &mask, [of.heads, length - first, length, first]);
                    assert_each(&what, found, &expected, tolerance);
                }
            }
        }
    }
}

/// Texts whose queries take many rounds of a shader's loops.
#[test]
fn statistics_of_long_texts() {
    let adapter = Adapter::open();
    for (length, head_size) in [(700, 64), (1024, 18)] {
        let text = Text { batch: 1, length, of: Of::new(1, head_size, true), padding: Padding::None };
        assert_twins(&format!("{length} tokens"), &adapter, || {
            let (mut bench, heads, _) = text.attended();
            bench.write_results(tokens(length));
            Selection { sequence: 0, queries: 0..length, with_padding: false }.of(&mut bench, heads);
            (bench, Vec::new())
        });
    }
}

/// A window of one token attends to itself alone; where all is padding, nothing counts.
#[test]
fn heads_that_are_known() {
    let adapter = Adapter::open();
    let of = Of { window: Some(1), ..Of::new(2, 4, true) };
    for on in [None, Some(&adapter)] {
        for (padding, sequence, expected) in [
            (Padding::None, 1, [0.0, 0.0, 0.0, 1.0, 0.0, 0.125, 1.0, 0.0, 0.0, 0.875]),
            (Padding::Row, 0, [0.0; HeadStatistics::EACH]),
        ] {
            let (mut bench, heads, _) = Text { batch: 2, length: 8, of, padding }.attended();
            bench.write_results(vec![3.0; 8]);
            Selection { sequence, queries: 0..8, with_padding: false }.of(&mut bench, heads);
            assert_each("one token", &bench.run(&[], on)[0], &expected.repeat(2), 1e-6);
        }
    }
}
