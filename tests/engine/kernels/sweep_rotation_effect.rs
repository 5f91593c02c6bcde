//! Scores without rotation, and what the rotation adds to them: against the products of what was rotated, on both
//! backends.

use crate::kernels::attended::Of;
use crate::support::{Adapter, Bench, assert_close, assert_twins, numbers};
use ropescope::ops::{MapKind, MapWindow, Maps, Rotary};
use ropescope::plan::{Heads, Input, Operand, Shape, Sizes, Value, View};
use ropescope::rope::{self, Frequencies};

/// A rope's magnitude, as attention_factor gives it.
const MAGNITUDE: f32 = 1.25;

/// Queries, keys and values before their rotation, of tokens of which the first `past` were run before.
#[derive(Debug, Clone, Copy)]
struct Text {
    batch: usize,
    past: usize,
    length: usize,
    of: Of,
    /// The tokens of the run count from the last one backwards.
    backwards: bool,
}

impl Text {
    fn keys(self) -> usize {
        self.past + self.length
    }

    /// (batch, keys, width)
    fn numbers(self) -> Vec<f32> {
        numbers((self.keys() + self.of.width()) as u64, self.batch * self.keys() * self.of.width())
    }

    /// The position id of each token of a sequence.
    fn position(self, token: usize) -> usize {
        if self.backwards && token >= self.past { self.keys() - 1 - (token - self.past) } else { token }
    }

    /// (keys, head_size / 2, 2) of cos and sin, times the magnitude.
    fn table(self) -> Vec<f32> {
        let table = rope::table(&Frequencies::from_base(self.of.head_size, 100.0), 3, self.keys());
        table.into_iter().map(|number| MAGNITUDE * number).collect()
    }

    /// Columns that turn: queries and keys.
    fn rotated_columns(self) -> usize {
        (self.of.heads + self.of.key_heads) * self.of.head_size
    }

    /// A token's row as the rotation leaves it.
    fn rotated(self, row: &[f32], token: usize) -> Vec<f32> {
        let table = self.table();
        let turns = &table[self.position(token) * self.of.head_size..][..self.of.head_size];
        let (turning, rest) = row.split_at(self.rotated_columns());
        let pairs = turning.chunks_exact(2).zip(turns.chunks_exact(2).cycle());
        let rotated = pairs
            .flat_map(|(pair, turn)| [pair[0] * turn[0] - pair[1] * turn[1], pair[1] * turn[0] + pair[0] * turn[1]]);
        rotated.chain(rest.iter().copied()).collect()
    }

    /// Maps of every head of the last sequence, of each kind.
    fn with_maps(self, kinds: &[MapKind]) -> (Bench, Vec<Value>) {
        let Self { batch, past, length, of, .. } = self;
        let (width, input, keys) = (of.width(), self.numbers(), self.keys());
        let cache_capacity = if past > 0 { keys + 2 } else { 0 };
        let mut bench = Bench::over(Sizes { past, cache_capacity, ..Sizes::new(batch, length, 0) });
        bench.rotary(of.head_size, &self.table());
        bench.inputs.set(
            Input::Positions,
            (0..batch).flat_map(|_| past..keys).map(|token| self.position(token) as u32).collect(),
        );
        bench.inputs.set(Input::KeyMask, vec![0.0_f32; batch * keys]);
        let texts = || input.chunks_exact(keys * width);
        let fresh: Vec<f32> = texts().flat_map(|text| &text[past * width..]).copied().collect();
        let projected = bench.value(Shape::tokens(width), &fresh);
        let rotary = Rotary { rope: 0, head_size: of.head_size, rotated_columns: self.rotated_columns() };
        let rotated = bench.plan.rotate(projected, of.head_size, Some(rotary), None);
        let mut operand: Operand = rotated.into();
        if past > 0 {
            let earlier = |text: &[f32]| -> Vec<f32> {
                let rows = text.chunks_exact(width).take(past).enumerate();
                let mut rows: Vec<f32> = rows.flat_map(|(token, row)| self.rotated(row, token)).collect();
                rows.resize(cache_capacity * width, 1e6);
                rows
            };
            let state = bench.state(width, &texts().flat_map(earlier).collect::<Vec<f32>>());
            bench.plan.append_to_cache(
                View { operand: rotated.into(), first: 0, stride: width, heads: 1, head_size: width },
                state,
            );
            operand = state.into();
        }
        let [query, key, value] = of.views(operand, 0);
        let [fresh_query, ..] = of.views(rotated.into(), 0);
        let statistics = bench.plan.value(Shape::tokens(2 * of.heads));
        let heads = Heads { table: Some(rotary.table()), ..of.over(query, key, statistics.into()) };
        bench.plan.attention(Heads { query: fresh_query, ..heads }, value);
        [rotated, statistics].into_iter().for_each(|value| bench.plan.output(value));
        for &kind in kinds {
            let window = MapWindow::full(heads.queries(bench.sizes), keys);
            bench.probe(of.heads * window.rows * keys, |offset| {
                Box::new(Maps { heads, kind, sequence: batch - 1, head_range: 0..of.heads, window, offset })
            });
        }
        (bench, Vec::new())
    }

    /// query · key · scale of every head of the last sequence, (heads, keys, keys): rotated or not, times the
    /// magnitude.
    fn products(self, rotated: bool) -> Vec<f32> {
        let Of { heads, key_heads, head_size, .. } = self.of;
        let input = self.numbers();
        let text = input.chunks_exact(self.of.width()).skip((self.batch - 1) * self.keys());
        let rows: Vec<Vec<f32>> = text
            .enumerate()
            .map(|(token, row)| match rotated {
                true => self.rotated(row, token),
                false => row.iter().map(|number| MAGNITUDE * number).collect(),
            })
            .collect();
        let mut products = Vec::new();
        for head in 0..heads {
            let key_head = heads + head * key_heads / heads;
            for query in &rows {
                let query = &query[head * head_size..][..head_size];
                for key in &rows {
                    let pairs = query.iter().zip(&key[key_head * head_size..][..head_size]);
                    let product: f64 = pairs.map(|(q, k)| f64::from(*q) * f64::from(*k)).sum();
                    products.push((product / (head_size as f64).sqrt()) as f32);
                }
            }
        }
        products
    }
}

#[test]
fn turned_back_scores_are_products_of_unrotated_rows() {
    let adapter = Adapter::open();
    let of = |heads, key_heads, head_size| Of { heads, key_heads, head_size, causal: true, window: Some(3) };
    for (index, of) in [of(1, 1, 2), of(4, 2, 6), of(3, 3, 10), of(6, 1, 18)].into_iter().enumerate() {
        for (batch, past, length) in [(1, 0, 1), (2, 0, 7), (1, 0, 37), (2, 5, 4), (1, 33, 1), (2, 3, 34)] {
            let text = Text { batch, past, length, of, backwards: (index + length) % 2 == 0 };
            let what = format!("{text:?}");
            assert_twins(&what, &adapter, || text.with_maps(&[MapKind::Unrotated, MapKind::RotationEffect]));
            let (plain, rotated) = (text.products(false), text.products(true));
            let effect: Vec<f32> = rotated.iter().zip(&plain).map(|(rotated, plain)| rotated - plain).collect();
            let expected = [rotated, plain, effect].concat();
            for (on, tolerance) in [(None, 1e-5), (Some(&adapter), 1e-4)] {
                let (bench, values) = text.with_maps(&[MapKind::Score, MapKind::Unrotated, MapKind::RotationEffect]);
                assert_close(&what, &bench.run(&values, on)[0], &expected, tolerance);
            }
        }
    }
}

/// Heads that nothing turns: their scores are unrotated already.
#[test]
fn heads_without_a_table_have_nothing_to_turn_back() {
    let adapter = Adapter::open();
    let text = crate::kernels::sweep_attention::Text {
        batch: 1,
        length: 7,
        of: Of::new(3, 5, false),
        padding: crate::kernels::sweep_attention::Padding::None,
    };
    for on in [None, Some(&adapter)] {
        let (mut bench, heads, _) = text.attended();
        for kind in [MapKind::Score, MapKind::Unrotated, MapKind::RotationEffect] {
            let window = MapWindow::full(7, 7);
            bench.probe(3 * 49, |offset| Box::new(Maps { heads, kind, sequence: 0, head_range: 0..3, window, offset }));
        }
        let answer = bench.run(&[], on).swap_remove(0);
        let (score, rest) = answer.split_at(3 * 49);
        assert!(score.iter().any(|score| *score != 0.0));
        assert_eq!(rest, [score, &[0.0; 3 * 49]].concat());
    }
}
