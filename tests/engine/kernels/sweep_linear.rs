//! Linear attention: the numbers of equation 19, both backends over odd shapes, maps against contexts, and what heads' statistics
//! make of signed weights.

use crate::kernels::attended::{Of, probe_maps};
use crate::kernels::sweep_attention::{PADDINGS, Padding};
use crate::support::{Adapter, Bench, assert_close, assert_twins, key_mask, numbers};
use ropescope::ops::{HeadStatistics, LinearAttentionInputs, MeanMap, Rotary};
use ropescope::plan::{Heads, Input, Shape, Value};
use ropescope::rope::{self, BASE, Frequencies};

/// A batch of texts whose rows of queries, keys and values are given.
#[derive(Debug, Clone, Copy)]
struct Text {
    batch: usize,
    length: usize,
    of: Of,
    padding: Padding,
}

/// Where the rotation comes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Order {
    MapFirst,
    RotateFirst,
}

impl Text {
    fn rows(self) -> Vec<f32> {
        let seed = (self.batch * 1_000_000 + self.length * 1000 + self.of.width()) as u64;
        numbers(seed, self.batch * self.length * self.of.width()).into_iter().map(|x| 2.0 * x).collect()
    }

    /// Context and statistics; what heads are made of is kept for questions.
    fn attended(self, order: Order) -> (Bench, Heads, Vec<Value>) {
        attended(self, order, &self.rows())
    }
}

fn attended(text: Text, order: Order, rows: &[f32]) -> (Bench, Heads, Vec<Value>) {
    let Text { batch, length, of, padding } = text;
    let mut bench = Bench::new(batch, length, 0);
    bench.inputs.set(Input::KeyMask, key_mask(&padding.mask(batch, length)));
    bench.rotary(of.head_size, &rope::table(&Frequencies::from_base(of.head_size, BASE), 0, length));
    let projected = bench.value(Shape::tokens(of.width()), rows);
    let columns = (of.heads + of.key_heads) * of.head_size;
    let rotary = Rotary { rope: 0, head_size: of.head_size, rotated_columns: columns };
    let [rows, plain] = match order {
        Order::MapFirst => {
            let plain = bench.plan.feature_map(projected, columns);
            [bench.plan.rotate(plain, of.head_size, Some(rotary), None), plain]
        }
        Order::RotateFirst => {
            let rotated = bench.plan.rotate(projected, of.head_size, Some(rotary), None);
            [bench.plan.feature_map(rotated, columns); 2]
        }
    };
    let [query, key, value] = of.views(rows.into(), 0);
    let statistics = bench.plan.value(Shape::tokens(2 * of.heads));
    let table = (order == Order::MapFirst).then(|| rotary.table());
    let heads = Heads { scale: 1.0, linear: true, table, ..of.over(query, key, statistics.into()) };
    let head_outputs = bench.plan.linear_attention(heads, LinearAttentionInputs { rows, plain, query, key, value });
    bench.plan.output(rows);
    (bench, heads, vec![head_outputs, statistics])
}

/// Of four tokens of one head of four dimensions, written down when the equation was first run.
#[test]
fn equation_19_on_numbers_without_any_draw() {
    let row = |m: f64| {
        let of = move |number: fn(f64, f64) -> f64| (0..4).map(move |i| number(m, f64::from(i)) as f32);
        let rows: [fn(f64, f64) -> f64; 3] =
            [|m, i| (m + 1.0 + 0.5 * i).sin(), |m, i| (m + 0.3 * i).cos(), |m, i| m + 0.1 * i];
        rows.into_iter().flat_map(of)
    };
    let rows: Vec<f32> = (0..4).flat_map(|m| row(f64::from(m))).collect();
    let full = [
        [0.299506, 0.373285, 0.447065, 0.520844],
        [0.502821, 0.577051, 0.651281, 0.725511],
        [0.652829, 0.700193, 0.747557, 0.794922],
        [0.539867, 0.561199, 0.582530, 0.603862],
    ];
    let causal = [
        [0.0, 0.1, 0.2, 0.3],
        [0.393038, 0.476711, 0.560384, 0.644057],
        [0.539770, 0.586089, 0.632409, 0.678729],
        full[3],
    ];
    let adapter = Adapter::open();
    for on in [None, Some(&adapter)] {
        for (is_causal, contexts) in [(false, full), (true, causal)] {
            let text = Text { batch: 1, length: 4, of: Of::new(1, 4, is_causal), padding: Padding::None };
            let (mut bench, heads, values) = attended(text, Order::MapFirst, &rows);
            probe_maps(&mut bench, heads);
            let found = bench.run(&values, on);
            assert_close("contexts", &found[0], &contexts.concat(), 1e-5);
            if !is_causal {
                let denominators: Vec<f32> = found[1].chunks(2).map(|row| row[1]).collect();
                assert_close("denominators", &denominators, &[28.68241, 21.69625, 11.01939, 6.665937], 1e-5);
                let sums: Vec<f32> = found[2].chunks(4).map(|row| row.iter().sum()).collect();
                assert_close("weights", &sums, &[0.737793, 0.742300, 0.473641, 0.213315], 1e-5);
                let least = found[2].iter().copied().fold(f32::MAX, f32::min);
                assert_close("the least weight", &[least], &[-0.021388], 1e-5);
            }
        }
    }
}

#[test]
fn linear_attention_on_both_backends() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for (heads, key_heads, head_size) in [(1, 1, 2), (3, 3, 10), (4, 2, 6), (6, 1, 18), (2, 2, 66)] {
        for (batch, length) in [(1, 1), (2, 7), (1, 64), (2, 65), (1, 131)] {
            for (causal, order) in [(false, Order::MapFirst), (true, Order::MapFirst), (true, Order::RotateFirst)] {
                cases += 1;
                let of = Of { heads, key_heads, head_size, causal, window: None };
                let text = Text { batch, length, of, padding: PADDINGS[cases % PADDINGS.len()] };
                let build = || {
                    let (mut bench, heads, values) = text.attended(order);
                    if length < 64 {
                        probe_maps(&mut bench, heads);
                    }
                    (bench, values)
                };
                assert_twins(&format!("{text:?}, {order:?}"), &adapter, build);
            }
        }
    }
}

/// Maps that are made after the run are what the run attended with: times the values they are the head outputs. Some are negative, and
/// those of what is not seen are 0.
#[test]
fn signed_maps_are_what_was_attended_with() {
    let adapter = Adapter::open();
    for on in [None, Some(&adapter)] {
        for (length, causal, padding) in
            [(1, true, Padding::None), (7, true, Padding::Left), (70, true, Padding::Right), (33, false, Padding::Row)]
        {
            let of = Of { key_heads: 1, ..Of::new(3, 18, causal) };
            let text = Text { batch: 2, length, of, padding };
            let (mut bench, heads, values) = text.attended(Order::MapFirst);
            probe_maps(&mut bench, heads);
            let found = bench.run(&values, on);
            let (rows, mask) = (text.rows(), padding.mask(2, length));
            let value = |sequence: usize, key: usize, at: usize| {
                rows[(sequence * length + key + 1) * of.width() - of.head_size + at]
            };
            let mut mixed = Vec::new();
            for (sequence, row) in (0..2).flat_map(|sequence| (0..length).map(move |row| (sequence, row))) {
                for head in 0..3 {
                    let weights = &found[2][((sequence * 3 + head) * length + row) * length..][..length];
                    for (key, weight) in weights.iter().enumerate() {
                        let visible = mask[sequence * length + key] == 1 && (!causal || key <= row);
                        assert!(visible || *weight == 0.0, "{text:?}: query {row} gives key {key} {weight}");
                    }
                    for at in 0..of.head_size {
                        let terms = weights.iter().enumerate();
                        let terms = terms.map(|(key, weight)| f64::from(*weight) * f64::from(value(sequence, key, at)));
                        mixed.push(terms.sum::<f64>() as f32);
                    }
                }
            }
            assert!(length < 30 || found[2].iter().any(|weight| *weight < 0.0), "{text:?}: no weight is negative");
            assert_close(&format!("{text:?}"), &found[0], &mixed, 2e-5);
        }
    }
}

/// Signed weights count by their share of a row's magnitudes; a mean over heads keeps their signs.
#[test]
fn statistics_and_means_of_signed_weights() {
    let adapter = Adapter::open();
    let length = 37;
    for causal in [false, true] {
        let text = Text { batch: 1, length, of: Of::new(2, 10, causal), padding: Padding::Right };
        let tokens: Vec<f32> = (0..length).map(|at| if at % 9 == 0 { -1.0 } else { (at % 5) as f32 }).collect();
        let build = || {
            let (mut bench, heads, values) = text.attended(Order::MapFirst);
            bench.write_results(tokens.clone());
            bench.probe(2 * HeadStatistics::EACH, |offset| {
                let queries = 0..length;
                Box::new(HeadStatistics { heads, sequence: 0, queries, with_padding: false, tokens: 0, offset })
            });
            bench.probe(length * length, |offset| {
                let (head_range, share) = (0..2, 0.5);
                Box::new(MeanMap { heads, sequence: 0, head_range, factors: None, share, accumulates: false, offset })
            });
            probe_maps(&mut bench, heads);
            (bench, values)
        };
        assert_twins(&format!("causal {causal}"), &adapter, build);
        let (bench, values) = build();
        let answer = bench.run(&values, None).swap_remove(2);
        let (statistics, rest) = answer.split_at(2 * HeadStatistics::EACH);
        let (mean, maps) = rest.split_at(length * length);
        let (first, second) = maps.split_at(length * length);
        let expected: Vec<f32> = first.iter().zip(second).map(|(one, other)| (one + other) / 2.0).collect();
        assert_close("the mean of both heads", mean, &expected, 1e-6);
        for (head, (map, found)) in [first, second].into_iter().zip(statistics.chunks(HeadStatistics::EACH)).enumerate()
        {
            let counts = |query: &usize| tokens[*query] >= 0.0 && text.padding.mask(1, length)[*query] == 1;
            let queries: Vec<usize> = (0..length).filter(counts).collect();
            let mean = |of: &dyn Fn(usize, &[f64]) -> f64| {
                let rows = queries.iter().map(|query| {
                    let row = &map[query * length..][..length];
                    let total: f64 = row.iter().map(|weight| f64::from(weight.abs())).sum();
                    of(*query, &row.iter().map(|weight| f64::from(weight.abs()) / total).collect::<Vec<_>>())
                });
                (rows.sum::<f64>() / queries.len() as f64) as f32
            };
            let entropy =
                mean(&|_, row| row.iter().filter(|share| **share > 0.0).map(|share| -share * share.ln()).sum());
            let distance =
                mean(&|query, row| row.iter().enumerate().map(|(key, share)| share * query.abs_diff(key) as f64).sum());
            let largest = mean(&|_, row| row.iter().copied().fold(0.0, f64::max));
            let expected = [entropy, distance, largest];
            assert_close(&format!("head {head}"), &[found[0], found[1], found[6]], &expected, 1e-5);
        }
    }
}
