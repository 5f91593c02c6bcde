//! Questions about a finished run, on the GPU against the CPU and against the whole map: maps pooled to any
//! resolution, rows copied.

use crate::kernels::attended::{Of, attend};
use crate::support::{Adapter, Bench, assert_close, assert_twins, key_mask, numbers};
use ropescope::ops::{CopyRows, MapKind, MapWindow, Maps};
use ropescope::plan::{Heads, Input, Shape, Sizes, Value, View};
use std::ops::Range;

/// A finished run over two texts, of which the second one's last token is padding.
fn attended(length: usize, of: Of) -> (Bench, Heads) {
    let (batch, width) = (2, of.width());
    let mut bench = Bench::new(batch, length, 0);
    let mask: Vec<u32> =
        (0..batch * length).map(|token| u32::from(length == 1 || token + 1 < batch * length)).collect();
    bench.inputs.set(Input::KeyMask, key_mask(&mask));
    let projected = bench.value(Shape::tokens(width), &numbers((length + width) as u64, batch * length * width));
    let (heads, _) = attend(&mut bench, projected, of);
    (bench, heads)
}

fn probe(
    bench: &mut Bench,
    heads: Heads,
    kind: MapKind,
    sequence: usize,
    head_range: Range<usize>,
    window: &MapWindow,
) {
    let count = head_range.len() * window.rows * window.columns;
    let window = window.clone();
    bench.probe(count, |offset| Box::new(Maps { heads, kind, sequence, head_range, window, offset }));
}

/// The tokens that a pixel covers, by what `MapWindow` says of it.
fn covered(at: usize, pixels: usize, tokens: &Range<usize>) -> Range<usize> {
    let n = tokens.len() as f64;
    let edge = |at: usize| at as f64 * n / pixels as f64;
    let (first, end) = (edge(at).floor() as usize, edge(at + 1).ceil() as usize);
    tokens.start + first..tokens.start + end.max(first + 1)
}

/// Windows of a square map, shrunk, enlarged and as they are.
fn windows(length: usize) -> Vec<MapWindow> {
    let parts = [0..length, length / 3..length, 0..length.div_ceil(2), length - 1..length];
    let resolutions = [(1, 1), (3, 2), (7, 16), (33, 5)];
    let mut windows = vec![MapWindow::full(length, length)];
    for (index, queries) in parts.iter().enumerate() {
        for (rows, columns) in resolutions {
            let keys = parts[(index * 3 + 1) % parts.len()].clone();
            windows.push(MapWindow { queries: queries.clone(), keys, rows, columns });
        }
    }
    windows
}

#[test]
fn maps_of_every_resolution() {
    let adapter = Adapter::open();
    let of = Of { heads: 6, key_heads: 2, head_size: 5, causal: true, window: None };
    for (length, of) in
        [(1, of), (2, of), (7, of), (37, Of { window: Some(9), ..of }), (70, Of { causal: false, ..of }), (131, of)]
    {
        for kind in [MapKind::Weight, MapKind::Score] {
            for (index, window) in windows(length).iter().enumerate() {
                let (sequence, head_range) = (index % 2, index % 3..3 + index % 4);
                let build = || {
                    let (mut bench, heads) = attended(length, of);
                    // Behind another answer, which must not be touched.
                    probe(&mut bench, heads, MapKind::Score, 0, 0..1, &MapWindow::full(1, 1));
                    probe(&mut bench, heads, kind, sequence, head_range.clone(), window);
                    probe(&mut bench, heads, kind, sequence, head_range.clone(), &MapWindow::full(length, length));
                    (bench, Vec::new())
                };
                let what = format!("{kind:?} of heads {head_range:?}, length {length}, {window:?}");
                assert_twins(&what, &adapter, build);
                let answer = build().0.run(&[], None).swap_remove(0);
                let (pooled, complete) = answer[1..].split_at(head_range.len() * window.rows * window.columns);
                assert_pooled(&what, pooled, complete, length, window);
            }
        }
    }
}

/// Each pixel is the largest number of the whole map that it covers.
fn assert_pooled(what: &str, pooled: &[f32], complete: &[f32], length: usize, window: &MapWindow) {
    let mut expected = Vec::new();
    for map in complete.chunks_exact(length * length) {
        for y in 0..window.rows {
            for x in 0..window.columns {
                let keys = covered(x, window.columns, &window.keys);
                let rows = covered(y, window.rows, &window.queries);
                let numbers = rows.flat_map(|row| &map[row * length..][keys.clone()]);
                expected.push(numbers.fold(f32::MIN, |most, number| most.max(*number)));
            }
        }
    }
    assert_eq!(pooled, expected, "{what}");
}

/// Scores know no mask: padding and tokens ahead have theirs, too.
#[test]
fn scores_are_products_without_a_mask() {
    let adapter = Adapter::open();
    let of = Of { heads: 4, key_heads: 2, head_size: 6, causal: true, window: Some(2) };
    let length = 9;
    let projected = numbers((length + of.width()) as u64, 2 * length * of.width());
    let row = |sequence: usize, token: usize, first: usize| {
        &projected[(sequence * length + token) * of.width() + first * of.head_size..][..of.head_size]
    };
    for on in [None, Some(&adapter)] {
        let (mut bench, heads) = attended(length, of);
        probe(&mut bench, heads, MapKind::Score, 1, 0..4, &MapWindow::full(length, length));
        let found = bench.run(&[], on).swap_remove(0);
        let mut expected = Vec::new();
        for (head, query) in (0..4).flat_map(|head| (0..length).map(move |query| (head, query))) {
            for key in 0..length {
                let pairs = row(1, query, head).iter().zip(row(1, key, 4 + head / 2));
                let product: f64 = pairs.map(|(q, k)| f64::from(*q) * f64::from(*k)).sum();
                expected.push((product / 6f64.sqrt()) as f32);
            }
        }
        assert_close("scores", &found, &expected, 1e-5);
    }
}

/// A window of one token attends to itself alone: pooled, the diagonal is all there is, however long the text.
#[test]
fn a_pooled_map_keeps_its_diagonal() {
    let adapter = Adapter::open();
    let of = Of { window: Some(1), ..Of::new(2, 4, true) };
    for on in [None, Some(&adapter)] {
        for (length, side) in [(64, 16), (512, 8), (300, 300)] {
            let (mut bench, heads) = attended(length, of);
            let window = MapWindow { rows: side, columns: side, ..MapWindow::full(length, length) };
            probe(&mut bench, heads, MapKind::Weight, 0, 0..2, &window);
            let diagonal = (0..side * side).map(|at| f32::from(u8::from(at % (side + 1) == 0)));
            let expected: Vec<f32> = diagonal.collect::<Vec<f32>>().repeat(2);
            assert_close(&format!("{length} tokens on {side} pixels"), &bench.run(&[], on)[0], &expected, 1e-6);
        }
    }
}

/// Columns first .. first + width of rows that are `stride` wide.
fn view(of: Value, first: usize, width: usize, stride: usize) -> View {
    View { operand: of.into(), first, stride, heads: 1, head_size: width }
}

#[test]
fn rows_are_copied_into_an_answer() {
    let adapter = Adapter::open();
    for (length, stride, first, width) in [(1, 1, 0, 1), (7, 5, 2, 3), (37, 130, 64, 66), (70, 18, 0, 18)] {
        for (row, rows) in [(0, length), (length - 1, 1), (length / 2, length - length / 2)] {
            let input = numbers((length * stride) as u64, 2 * length * stride);
            let build = || {
                let mut bench = Bench::new(2, length, 0);
                let x = bench.value(Shape::tokens(stride), &input);
                bench.plan.output(x);
                for (row, rows) in [(0, 1), (row, rows)] {
                    bench.probe(rows * width, |offset| {
                        Box::new(CopyRows::to_results(view(x, first, width, stride), row, rows, offset))
                    });
                }
                (bench, Vec::new())
            };
            let what = format!("rows {row}.. of {length}, columns {first}.. of {stride}");
            assert_twins(&what, &adapter, build);
            let copied = input.chunks_exact(stride).skip(row).take(rows).flat_map(|row| &row[first..first + width]);
            let expected: Vec<f32> = input[first..first + width].iter().chain(copied).copied().collect();
            assert_eq!(build().0.run(&[], None)[0], expected, "{what}");
        }
    }
}

/// Columns of the run's rows go after those of earlier runs, for each sequence; what is there already stays.
#[test]
fn rows_are_remembered_after_the_past() {
    let adapter = Adapter::open();
    for (batch, past, length, cache_capacity) in [(1, 0, 1, 1), (1, 3, 5, 8), (2, 7, 1, 70), (3, 31, 33, 65)] {
        for (stride, first, width) in [(1, 0, 1), (18, 6, 12), (70, 0, 70)] {
            let sizes = Sizes { past, cache_capacity, ..Sizes::new(batch, length, 0) };
            let (fresh, stored) = (numbers(1, batch * length * stride), numbers(2, batch * cache_capacity * width));
            let mut expected = Vec::new();
            for at in past..past + length {
                expected.extend(&fresh[(at - past) * stride + first..][..width]);
            }
            let expected: Vec<f32> =
                [&stored[..past * width], &expected[..], &stored[(past + length) * width..cache_capacity * width]]
                    .concat();
            for on in [None, Some(&adapter)] {
                let mut bench = Bench::over(sizes);
                let x = bench.value(Shape::tokens(stride), &fresh);
                let state = bench.state(width, &stored);
                bench.plan.append_to_cache(view(x, first, width, stride), state);
                let complete = View { operand: state.into(), first: 0, stride: width, heads: 1, head_size: width };
                bench.probe(cache_capacity * width, |offset| {
                    Box::new(CopyRows::to_results(complete, 0, cache_capacity, offset))
                });
                let found = bench.run(&[], on).swap_remove(0);
                assert_eq!(
                    found, expected,
                    "({batch}, {length}) after {past} of {cache_capacity}, {width} of {stride}"
                );
            }
        }
    }
}
