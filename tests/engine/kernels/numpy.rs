//! Every case of tests/golden/questions.safetensors that the engine can be asked: what NumPy answered in f64 from f32
//! queries and keys.

use crate::support::{Adapter, Bench, Expected, assert_close, key_mask};
use ropescope::ops::{HeadStatistics, MapKind, MapWindow, Maps};
use ropescope::plan::{Heads, Input, Shape, View};
use std::collections::BTreeSet;

/// An array of the file that no probe of the engine computes.
const NO_PROBE: &str = "pooled_masked_scores";

/// Where NumPy's file has what the engine tells of a head: entropy, distance, weights on the previous, same, next and
/// first token, and the others.
const PLACES: [usize; HeadStatistics::EACH] = [5, 4, 0, 1, 2, 3, 6, 7, 8, 9];

fn compare_all(adapter: Option<&Adapter>, tolerance: f32) {
    let expected = Expected::open("tests/golden/questions.safetensors");
    let cases: BTreeSet<&str> = expected.names().map(|name| name.split_once('.').unwrap().0).collect();
    assert!(cases.len() >= 16, "only {cases:?}");
    for case in cases {
        compare(case, &expected, adapter, tolerance);
    }
    let has_probe = |name: &&String| name.split_once('.').unwrap().1 != NO_PROBE;
    let unread: Vec<&String> = expected.unread().into_iter().filter(has_probe).collect();
    assert!(unread.is_empty(), "{unread:?} compared with nothing");
}

#[test]
fn cpu_answers_as_numpy() {
    compare_all(None, 1e-5);
}

#[test]
fn gpu_answers_as_numpy() {
    compare_all(Some(&Adapter::open()), 1e-4);
}

fn compare(case: &str, expected: &Expected, adapter: Option<&Adapter>, tolerance: f32) {
    let path = |tensor: &str| format!("{case}.{tensor}");
    let floats = |tensor: &str| expected.floats(&path(tensor));
    let integers = |tensor: &str| {
        let numbers = expected.integers(&path(tensor)).iter();
        numbers.map(|number| *number as usize).collect::<Vec<usize>>()
    };
    let [count, key_heads, causal, window] = ["heads", "key_heads", "causal", "window"].map(|name| integers(name)[0]);
    let &[length, width] = expected.shape(&path("query")) else { panic!("{case}: queries") };
    let head_size = width / count;

    let mut bench = Bench::new(1, length, 0);
    bench.inputs.set(Input::KeyMask, key_mask(expected.integers(&path("attention_mask"))));
    let query = bench.value(Shape::tokens(width), floats("query"));
    let key = bench.value(Shape::tokens(key_heads * head_size), floats("key"));
    let statistics = bench.plan.value(Shape::tokens(2 * count));
    let view = |of, heads| View { operand: of, first: 0, stride: heads * head_size, heads, head_size };
    let heads = Heads {
        query: view(query.into(), count),
        key: view(key.into(), key_heads),
        statistics: statistics.into(),
        causal: causal == 1,
        window: Some(window).filter(|window| *window > 0),
        scale: (1.0 / (head_size as f64).sqrt()) as f32,
        table: None,
        max_distance: None,
        linear: false,
    };
    // Keys serve as values, too.
    let head_outputs = bench.plan.attention(heads, heads.key);
    [query, key].into_iter().for_each(|value| bench.plan.output(value));

    let (part, resolution) = (integers("part"), integers("resolution"));
    let pooled = MapWindow {
        queries: part[0]..part[0] + part[1],
        keys: part[2]..part[2] + part[3],
        rows: resolution[0],
        columns: resolution[1],
    };
    bench.write_results(floats("tokens").to_vec());
    let tried = [
        ("weights", MapKind::Weight, MapWindow::full(length, length)),
        ("pooled_weights", MapKind::Weight, pooled.clone()),
        ("pooled_scores", MapKind::Score, pooled),
    ];
    for (name, kind, window) in tried.clone() {
        bench.probe(floats(name).len(), |offset| {
            Box::new(Maps { heads, kind, sequence: 0, head_range: 0..count, window, offset })
        });
    }
    let of_heads = [("statistics", false), ("statistics_of_all", true)];
    for (_, with_padding) in of_heads {
        bench.probe(count * HeadStatistics::EACH, |offset| {
            Box::new(HeadStatistics { heads, sequence: 0, queries: 0..length, with_padding, tokens: 0, offset })
        });
    }
    let found = bench.run(&[head_outputs, statistics], adapter);

    let mut answer = &found[2][..];
    for (name, ..) in tried {
        let (numbers, rest) = answer.split_at(floats(name).len());
        assert_close(&path(name), numbers, floats(name), tolerance);
        answer = rest;
    }
    for ((name, _), numbers) in of_heads.iter().zip(answer.chunks_exact(count * HeadStatistics::EACH)) {
        let ordered = floats(name).chunks_exact(HeadStatistics::EACH).flat_map(|head| PLACES.map(|place| head[place]));
        // Each by itself: a large distance must not hide the weights.
        for (at, (found, expected)) in numbers.iter().zip(ordered).enumerate() {
            assert_close(&format!("{}[{at}]", path(name)), &[*found], &[expected], tolerance);
        }
    }
    // (length, heads, 2) as (2, heads, length).
    let statistic = |which: usize| {
        let at = |head: usize, row: usize| found[1][2 * (row * count + head) + which];
        (0..count).flat_map(|head| (0..length).map(move |row| at(head, row))).collect::<Vec<f32>>()
    };
    assert_close(&path("maximum"), &statistic(0), floats("maximum"), tolerance);
    assert_close(&path("sum"), &statistic(1), floats("sum"), tolerance);
    let mixed = mix(floats("weights"), floats("key"), [length, count, key_heads, head_size]);
    assert_close(&format!("{case}: weights times keys"), &found[0], &mixed, tolerance);
}

/// weights (heads, length, length) times values (length, key_heads · head_size), in f64: (length, heads · head_size).
fn mix(weights: &[f32], values: &[f32], [length, heads, key_heads, head_size]: [usize; 4]) -> Vec<f32> {
    let number = |row: usize, head: usize, at: usize| {
        let value = |key: usize| values[(key * key_heads + head * key_heads / heads) * head_size + at];
        let weight = |key: usize| weights[(head * length + row) * length + key];
        (0..length).map(|key| f64::from(weight(key)) * f64::from(value(key))).sum::<f64>() as f32
    };
    let places = (0..length).flat_map(|row| (0..heads).map(move |head| (row, head)));
    places.flat_map(|(row, head)| (0..head_size).map(move |at| number(row, head, at))).collect()
}
