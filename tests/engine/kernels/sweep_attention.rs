//! Attention on the GPU against the CPU, over a past against the whole text, and maps against contexts.

use crate::kernels::attended::{Of, attend, probe_maps};
use crate::support::{
    Adapter, Bench, assert_close, assert_twins, assert_unsplit_twins, dequantised, key_mask, numbers,
};
use ropescope::kernels::Format;
use ropescope::plan::{Heads, Input, Operand, Shape, Sizes, Value, View};

/// The tokens that are padding.
#[derive(Debug, Clone, Copy)]
pub enum Padding {
    None,
    Right,
    Left,
    /// All of the first sequence, every third token of the others.
    Row,
}

impl Padding {
    /// (batch, length) of 1 and 0.
    pub fn mask(self, batch: usize, length: usize) -> Vec<u32> {
        let is_token = |sequence: usize, position: usize| match self {
            Padding::None => true,
            Padding::Right => position + sequence < length,
            Padding::Left => position >= (sequence + 1).min(length - 1),
            Padding::Row => sequence > 0 && position % 3 != 1,
        };
        let tokens = (0..batch).flat_map(|sequence| (0..length).map(move |position| (sequence, position)));
        tokens.map(|(sequence, position)| u32::from(is_token(sequence, position))).collect()
    }
}

pub const PADDINGS: [Padding; 4] = [Padding::None, Padding::Right, Padding::Left, Padding::Row];

/// A batch of texts whose queries, keys and values are given.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    pub batch: usize,
    pub length: usize,
    pub of: Of,
    pub padding: Padding,
}

impl Text {
    /// (batch, length, width), large enough that some rows are nearly one-hot. f16 has all of them, so that a cache of f16 changes none.
    fn numbers(self) -> Vec<f32> {
        let Self { batch, length, of, .. } = self;
        let seed = (batch * 1_000_000 + length * 1000 + of.width()) as u64;
        let numbers: Vec<f32> = numbers(seed, batch * length * of.width()).into_iter().map(|x| 3.0 * x).collect();
        dequantised(Format::F16, of.width(), &numbers)
    }

    /// Everything at once: head outputs, statistics; all maps are asked for.
    fn complete(self) -> (Bench, Vec<Value>) {
        let (mut bench, heads, values) = self.attended();
        probe_maps(&mut bench, heads);
        (bench, values)
    }

    /// Everything at once: head outputs, statistics, and what can be asked about.
    pub fn attended(self) -> (Bench, Heads, Vec<Value>) {
        let mut bench = Bench::roomy_or_tight(Sizes::new(self.batch, self.length, 0));
        bench.inputs.set(Input::KeyMask, key_mask(&self.padding.mask(self.batch, self.length)));
        let projected = bench.value(Shape::tokens(self.of.width()), &self.numbers());
        let (heads, values) = attend(&mut bench, projected, self.of);
        (bench, heads, values.to_vec())
    }

    /// Tokens `past` .. of each text, the others in a state: head outputs; all maps are asked for.
    fn continued(self, past: usize, cache_capacity: usize, statistics: Option<&[f32]>) -> (Bench, Vec<Value>) {
        self.continued_in(self.over(past, cache_capacity), statistics)
    }

    fn continued_in(self, bench: Bench, statistics: Option<&[f32]>) -> (Bench, Vec<Value>) {
        let (mut bench, heads, attended) = self.attended_in(bench, statistics);
        probe_maps(&mut bench, heads);
        (bench, vec![attended])
    }

    /// Tokens `past` .. of each text, the others in a state: head outputs, and what can be asked about. statistics: those of
    /// the whole text, where queries and statistics are kept in states, too.
    pub fn attended_over(
        self,
        past: usize,
        cache_capacity: usize,
        statistics: Option<&[f32]>,
    ) -> (Bench, Heads, Value) {
        self.attended_in(self.over(past, cache_capacity), statistics)
    }

    pub fn over(self, past: usize, cache_capacity: usize) -> Bench {
        Bench::roomy_or_tight(Sizes { past, cache_capacity, ..Sizes::new(self.batch, self.length - past, 0) })
    }

    pub fn attended_in(self, mut bench: Bench, statistics: Option<&[f32]>) -> (Bench, Heads, Value) {
        let Self { batch, length, of, .. } = self;
        let Sizes { past, cache_capacity, .. } = bench.sizes;
        let width = of.width();
        bench.inputs.set(Input::KeyMask, key_mask(&self.padding.mask(batch, length)));
        let input = self.numbers();
        let fresh: Vec<f32> =
            input.chunks_exact(length * width).flat_map(|text| &text[past * width..]).copied().collect();
        let projected = bench.value(Shape::tokens(width), &fresh);
        // Rows after the past must be overwritten or never be read.
        let state_of = |numbers: &[f32], width: usize, first: usize| {
            let row = |sequence: usize, at: usize| match at < past {
                true => numbers[(sequence * length + at) * width + first..][..width - first].to_vec(),
                false => vec![1e6; width - first],
            };
            let places = (0..batch).flat_map(|sequence| (0..cache_capacity).map(move |at| (sequence, at)));
            places.flat_map(|(sequence, at)| row(sequence, at)).collect::<Vec<f32>>()
        };
        let gone = if statistics.is_some() { 0 } else { of.heads * of.head_size };
        let state = bench.cache(width - gone, &state_of(&input, width, gone));
        let remembered =
            View { operand: projected.into(), first: gone, stride: width, heads: 1, head_size: width - gone };
        bench.plan.append_to_cache(remembered, state);
        let [state_query, key, value] = of.views(state.into(), gone);
        let [query, ..] = of.views(projected.into(), 0);
        let statistics: Operand = match statistics {
            Some(numbers) => bench.state(2 * of.heads, &state_of(numbers, 2 * of.heads, 0)).into(),
            None => {
                let statistics = bench.plan.value(Shape::tokens(2 * of.heads));
                bench.plan.output(statistics);
                statistics.into()
            }
        };
        let heads = of.over(query, key, statistics);
        let attended = bench.plan.attention(heads, value);
        bench.plan.output(projected);
        let query = if gone == 0 { state_query } else { query };
        (bench, of.over(query, heads.key, statistics), attended)
    }
}

fn compare(adapter: &Adapter, text: Text) {
    assert_twins(&format!("{text:?}"), adapter, || text.complete());
}

#[test]
fn attention_of_every_head() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for heads in [1, 3, 5] {
        for head_size in [1, 2, 6, 18, 34, 64, 70, 96, 130, 164] {
            for (batch, length) in [(1, 1), (2, 3), (1, 33), (2, 37)] {
                cases += 1;
                let of = Of::new(heads, head_size, cases % 2 == 0);
                compare(&adapter, Text { batch, length, of, padding: PADDINGS[cases % PADDINGS.len()] });
            }
        }
    }
}

#[test]
fn attention_of_every_length() {
    let adapter = Adapter::open();
    for length in 1..=70 {
        for causal in [false, true] {
            let padding = PADDINGS[(length / 2) % PADDINGS.len()];
            compare(&adapter, Text { batch: 2, length, of: Of::new(1, 6, causal), padding });
        }
    }
}

#[test]
fn attention_under_every_mask() {
    let adapter = Adapter::open();
    for padding in PADDINGS {
        for causal in [false, true] {
            for length in [2, 9, 32, 65] {
                compare(&adapter, Text { batch: 3, length, of: Of::new(3, 10, causal), padding });
            }
        }
    }
}

/// Query heads that share key heads, and windows from one token to more than there are, back alone or on either side.
#[test]
fn attention_of_groups_in_windows() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for (heads, key_heads) in [(2, 1), (6, 2), (5, 1), (6, 3), (4, 4)] {
        for window in [None, Some(1), Some(2), Some(5), Some(31), Some(33), Some(400)] {
            for (batch, length) in [(2, 3), (1, 33), (2, 70)] {
                cases += 1;
                let padding = PADDINGS[cases % PADDINGS.len()];
                for causal in [true, false] {
                    let of = Of { heads, key_heads, head_size: [6, 18, 5][cases % 3], causal, window };
                    compare(&adapter, Text { batch, length, of, padding });
                }
            }
        }
    }
}

/// Each query head reads the key head of its group: the same as with that key head repeated.
#[test]
fn a_group_is_its_key_head_repeated() {
    let adapter = Adapter::open();
    let (batch, length, heads, key_heads, head_size) = (2, 35, 6, 2, 10);
    let grouped = Of { key_heads, ..Of::new(heads, head_size, true) };
    let repeated = Of::new(heads, head_size, true);
    let text = Text { batch, length, of: grouped, padding: Padding::Left };
    let row = |row: &[f32]| {
        let (queries, shared) = row.split_at(heads * head_size);
        let each = shared.chunks_exact(head_size).flat_map(|head| head.repeat(heads / key_heads));
        queries.iter().copied().chain(each).collect::<Vec<f32>>()
    };
    let numbers: Vec<f32> = text.numbers().chunks_exact(grouped.width()).flat_map(row).collect();
    for on in [None, Some(&adapter)] {
        let mut bench = Bench::new(batch, length, 0);
        bench.inputs.set(Input::KeyMask, key_mask(&text.padding.mask(batch, length)));
        let projected = bench.value(Shape::tokens(repeated.width()), &numbers);
        let (heads, values) = attend(&mut bench, projected, repeated);
        probe_maps(&mut bench, heads);
        let expected = bench.run(&values, on);
        let (bench, values) = text.complete();
        for (found, expected) in bench.run(&values, on).iter().zip(&expected) {
            assert_close("grouped and repeated", found, expected, 1e-6);
        }
    }
}

/// Over a state that holds what came before: as over the whole text, whatever the state holds after it.
#[test]
fn attention_over_a_past() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for (heads, key_heads, head_size, window) in
        [(1, 1, 2, None), (3, 3, 10, None), (4, 2, 6, Some(3)), (6, 1, 18, None), (5, 5, 5, Some(40))]
    {
        for (batch, past, length, cache_capacity) in
            [(1, 1, 2, 2), (2, 3, 8, 9), (1, 33, 34, 64), (2, 37, 41, 41), (2, 5, 45, 50), (3, 64, 97, 100)]
        {
            cases += 1;
            let of = Of { heads, key_heads, head_size, causal: true, window };
            let text = Text { batch, length, of, padding: PADDINGS[cases % PADDINGS.len()] };
            let (bench, values) = text.complete();
            let complete = bench.run(&values, None);
            let rows = |numbers: &[f32], texts: usize, from: usize| {
                numbers
                    .chunks_exact(numbers.len() / texts)
                    .flat_map(|text| &text[text.len() * from / length..])
                    .copied()
                    .collect()
            };
            let expected: Vec<f32> = rows(&complete[0], batch, past);
            for stored in [None, Some(&complete[1][..])] {
                let what = format!("{text:?}, {past} of them in {cache_capacity}, all kept: {}", stored.is_some());
                assert_twins(&what, &adapter, || text.continued(past, cache_capacity, stored));
                let (bench, values) = text.continued(past, cache_capacity, stored);
                let found = bench.run(&values, None);
                assert_close(&what, &found[0], &expected, 1e-5);
                // Where queries are kept, those of the past can be asked for, too.
                let maps: Vec<f32> = rows(&complete[2], batch * heads, if stored.is_some() { 0 } else { past });
                assert_close(&format!("{what}: maps"), &found[1], &maps, 1e-5);
            }
        }
    }
}

/// Query heads that share a key head, of narrow heads and some that are wider than a workgroup, over one tile of 256 keys and several.
#[test]
fn few_queries_of_groups() {
    let adapter = Adapter::open();
    let mut cases = 0;
    for (heads, key_heads) in [(1, 1), (3, 3), (2, 1), (6, 2), (4, 1), (10, 2), (7, 1), (8, 1), (9, 1)] {
        for (head_size, past) in [(1, 5), (6, 300), (18, 12), (64, 511), (70, 256), (130, 9), (1030, 3)] {
            cases += 1;
            let (batch, length) = [(1, 1), (3, 1), (1, 3)][cases % 3];
            let window = if cases % 4 == 0 { Some(past / 2 + 1) } else { None };
            let of = Of { heads, key_heads, head_size, causal: true, window };
            let text = Text { batch, length: past + length, of, padding: PADDINGS[cases % PADDINGS.len()] };
            assert_twins(&format!("{text:?}, {past} of them"), &adapter, || text.continued(past, past + length, None));
        }
    }
}

/// A few queries over many keys, which are cut into slices: as over the whole text. Some slices hold nothing that is seen, or nothing.
#[test]
fn few_queries_over_slices_of_keys() {
    let adapter = Adapter::open();
    let cases = [
        (1, 516, 517, 600, 2),
        (1, 700, 703, 703, 2),
        (3, 1029, 1030, 1100, 4),
        (1, 40, 41, 4100, 16),
        (1, 530, 533, 1030, 4),
        (1, 601, 602, 800, 3),
        (1, 9, 10, 4100, 16),
    ];
    for (case, (batch, past, length, cache_capacity, slices)) in cases.into_iter().enumerate() {
        for (at, padding) in PADDINGS.into_iter().enumerate() {
            let window = if at % 2 == 0 { None } else { Some(cache_capacity * 2 / 3) };
            let (heads, head_size) = [(2, 6), (3, 18), (1, 64), (2, 5), (2, 34), (2, 64), (2, 5)][case];
            let of = Of { heads, key_heads: 1, head_size, causal: true, window };
            let text = Text { batch, length, of, padding };
            let (mut bench, _, attended) = text.attended_in(text.over(past, cache_capacity).spreading(), None);
            bench.plan.output(attended);
            let plan = bench.plan.finish().unwrap();
            let join = plan.steps.last().unwrap();
            assert_eq!(join.name(), "attention/reduce", "{text:?}");
            let contexts = plan.shapes[join.uses()[0].value().unwrap().index()];
            assert_eq!(contexts.fixed_width(), Some(slices * heads * head_size), "{text:?}");
            assert_unsplit_twins(&format!("{text:?}"), &adapter, |splits| {
                let bench = text.over(past, cache_capacity);
                text.continued_in(if splits { bench.spreading() } else { bench }, None)
            });
            let (bench, _, values) = text.attended();
            let complete = bench.run(&values[..1], None).swap_remove(0);
            let expected: Vec<f32> = complete
                .chunks_exact(complete.len() / batch)
                .flat_map(|text| &text[text.len() * past / length..])
                .copied()
                .collect();
            let (bench, values) = text.continued(past, cache_capacity, None);
            assert_close(&format!("{text:?}, {past} of them"), &bench.run(&values, None)[0], &expected, 1e-5);
        }
    }
}

/// Maps that are made after the run are what the run attended with: times the values they are the head outputs.
#[test]
fn maps_are_what_was_attended_with() {
    let adapter = Adapter::open();
    for on in [None, Some(&adapter)] {
        for (length, causal, window) in
            [(1, false, None), (40, true, None), (67, false, None), (67, true, Some(7)), (67, false, Some(7))]
        {
            let of = Of { window, key_heads: 1, ..Of::new(3, 18, causal) };
            let text = Text { batch: 2, length, of, padding: Padding::Row };
            let (bench, values) = text.complete();
            let found = bench.run(&values, on);
            let projected = text.numbers();
            let value = |sequence: usize, key: usize, at: usize| {
                projected[(sequence * length + key + 1) * of.width() - of.head_size + at]
            };
            let mut mixed = Vec::new();
            for (sequence, row) in (0..2).flat_map(|sequence| (0..length).map(move |row| (sequence, row))) {
                for (head, at) in (0..3).flat_map(|head| (0..of.head_size).map(move |at| (head, at))) {
                    let weights = &found[2][((sequence * 3 + head) * length + row) * length..][..length];
                    let terms = weights.iter().enumerate();
                    let terms = terms.map(|(key, weight)| f64::from(*weight) * f64::from(value(sequence, key, at)));
                    mixed.push(terms.sum::<f64>() as f32);
                }
            }
            assert_close(&format!("length {length}, causal {causal}"), &found[0], &mixed, 1e-5);
        }
    }
}

/// A window on either side holds the keys that are nearer than it, and no others.
#[test]
fn a_window_on_either_side_holds_what_is_near() {
    let adapter = Adapter::open();
    for on in [None, Some(&adapter)] {
        for window in [1, 2, 5, 33, 40] {
            let length = 37;
            let of = Of { window: Some(window), ..Of::new(2, 6, false) };
            let (bench, values) = Text { batch: 1, length, of, padding: Padding::None }.complete();
            let maps = bench.run(&values, on).swap_remove(2);
            for (cell, weight) in maps.iter().enumerate() {
                let (query, key) = (cell / length % length, cell % length);
                let near = query.abs_diff(key) < window;
                assert_eq!(*weight > 0.0, near, "window {window}: query {query} gives key {key} {weight}");
            }
        }
    }
}

/// Where every key of a row is padding, its weights are uniform over all keys, those ahead of it included.
#[test]
fn a_fully_masked_row_is_uniform() {
    let adapter = Adapter::open();
    for on in [None, Some(&adapter)] {
        for (length, causal, window) in
            [(1, true, None), (7, false, None), (35, true, None), (35, true, Some(4)), (35, false, Some(4))]
        {
            let of = Of { window, ..Of::new(2, 6, causal) };
            let (bench, values) = Text { batch: 1, length, of, padding: Padding::Row }.complete();
            let found = bench.run(&values, on);
            let uniform = vec![1.0 / length as f32; 2 * length * length];
            let what = format!("length {length}, causal {causal}");
            assert_close(&what, &found[2], &uniform, 1e-6);
            assert_close(&what, &found[1], &[f32::MIN, length as f32].repeat(2 * length), 1e-6);
        }
    }
}
