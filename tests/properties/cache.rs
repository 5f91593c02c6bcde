//! A text that goes on: whatever the cache holds from before, a run gives what a run without a cache gives.

use crate::pace::StopAt;
use crate::support::{Folder, assert_close, golden, gpu, run};
use proptest::collection::vec;
use proptest::test_runner::{Config, TestRunner};
use ropescope::plan::{Tap, Taps};
use ropescope::session::{Device, Output, Penalty, Request, Rows, Selection, Session};
use std::cell::RefCell;

/// Tokens of the texts: past the border of every rope that turns by the length, 32.
const LENGTH: usize = 45;

/// Golden folders of models whose texts can go on.
fn decoders() -> Vec<Folder> {
    let causal = |folder: &Folder| {
        let facts = folder.facts();
        facts.causal && facts.predicts_tokens()
    };
    let folders: Vec<Folder> = Folder::all().into_iter().filter(causal).collect();
    assert!(folders.len() >= 60, "only {} decoders", folders.len());
    folders
}

/// The first `length` tokens of each text of a request.
fn prefix(request: &Request, length: usize) -> Request {
    let cut = |numbers: &Vec<u32>| -> Vec<u32> {
        numbers.chunks_exact(request.length).flat_map(|row| &row[..length]).copied().collect()
    };
    Request {
        ids: cut(&request.ids),
        length,
        attention_mask: request.attention_mask.as_ref().map(cut),
        token_type_ids: request.token_type_ids.as_ref().map(cut),
        position_ids: request.position_ids.as_ref().map(cut),
        ..request.clone()
    }
}

/// Tokens `first` .. of every text, flattened.
fn rows_from(request: &Request, first: usize) -> Vec<u32> {
    let rows = |text: usize| (first..request.length).map(move |position| (text * request.length + position) as u32);
    (0..request.batch).flat_map(rows).collect()
}

/// The request as one that goes on, with logits of tokens `first` .. alone.
fn continued(request: &Request, first: usize) -> Request {
    Request { continues: true, rows: Rows::At(rows_from(request, first)), ..request.clone() }
}

/// A session with a cache beside one without.
struct Twins {
    folder: Folder,
    cached: Session,
    plain: Session,
    tolerance: f32,
}

impl Twins {
    fn on_cpu(folder: Folder) -> Self {
        Self { cached: folder.load(Device::Cpu), plain: folder.load(Device::Cpu), folder, tolerance: 1e-5 }
    }

    /// The one without a cache is on the CPU: two ways at once.
    fn on_gpu(folder: Folder, device: &Device) -> Self {
        Self { cached: folder.load(device.clone()), plain: folder.load(Device::Cpu), folder, tolerance: 1e-4 }
    }

    fn on_both(name: &str) -> [Self; 2] {
        [Self::on_cpu(golden(name)), Self::on_gpu(golden(name), &gpu())]
    }

    /// Goes on to the end of a request and compares the logits of tokens `first` .., and of each text that is seen there. Returns
    /// how many tokens were computed.
    fn goes_on(&mut self, what: &str, request: &Request, first: usize) -> usize {
        let what = format!("{}, {what}, {} tokens from {first} on", self.folder.name, request.length);
        let width = self.folder.facts().vocab_size;
        let all = run(&mut self.plain, request).tensors.remove("logits").unwrap().data;
        let Output { mut tensors, report, .. } = run(&mut self.cached, &continued(request, first));
        let found = tensors.remove("logits").unwrap();
        let rows = rows_from(request, first);
        assert_eq!(found.shape, [rows.len(), width], "{what}");
        for (logits, row) in found.data.chunks_exact(width).zip(rows) {
            let seen = request.attention_mask.as_ref().is_none_or(|mask| mask[row as usize] == 1);
            if seen {
                let expected = &all[row as usize * width..][..width];
                assert_close(&format!("{what}: row {row}"), logits, expected, self.tolerance);
            }
        }
        report.computed
    }

    /// Runs a text in steps that end at these lengths. What the rope leaves as it was is not computed again.
    fn in_steps(&mut self, what: &str, request: &Request, ends: &[usize]) {
        self.cached.forget();
        let ropes = self.folder.model().ropes;
        let mut before = 0;
        for &end in ends {
            let computed = self.goes_on(what, &prefix(request, end), before);
            let alike = ropes.iter().all(|rope| {
                let length = |length: usize| request.position_offset + length as u64;
                rope.same_frequencies(length(before), length(end))
            });
            let expected = if alike { end - before } else { end };
            assert_eq!(computed, expected, "{}, {what}: tokens computed from {before} to {end}", self.folder.name);
            before = end;
        }
    }
}

/// Where steps of these sizes end, up to `length`.
fn ends(sizes: &[usize], length: usize) -> Vec<usize> {
    let mut ends: Vec<usize> = sizes
        .iter()
        .scan(0, |end, size| {
            *end += size;
            Some(*end)
        })
        .take_while(|end| *end < length)
        .collect();
    ends.push(length);
    ends
}

/// Two texts, the first behind `padding` tokens that are not seen, with positions from the mask's running sum.
fn padded(folder: &Folder, padding: usize, length: usize) -> Request {
    let kept = |text: usize, position: usize| text == 1 || position >= padding;
    let places = || (0..2).flat_map(|text| (0..length).map(move |position| (text, position)));
    let position_of = |(text, position): (usize, usize)| match text {
        0 => position.saturating_sub(padding) as u32,
        _ => position as u32,
    };
    Request {
        attention_mask: Some(places().map(|(text, position)| u32::from(kept(text, position))).collect()),
        position_ids: Some(places().map(position_of).collect()),
        beyond_length: true,
        ..folder.text(2, length)
    }
}

fn text(folder: &Folder, length: usize) -> Request {
    Request { beyond_length: true, ..folder.text(1, length) }
}

/// Every family, every rope, every split.
#[test]
fn steps_of_any_size_give_what_one_run_gives() {
    for folder in decoders() {
        let request = text(&folder, LENGTH);
        let twins = RefCell::new(Twins::on_cpu(folder));
        let config = Config { cases: 6, failure_persistence: None, ..Config::default() };
        let steps = |sizes: Vec<usize>| {
            twins.borrow_mut().in_steps(&format!("steps of {sizes:?}"), &request, &ends(&sizes, LENGTH));
            Ok(())
        };
        TestRunner::new(config).run(&vec(1..12_usize, 1..12), steps).unwrap();
        let one_by_one: Vec<usize> = (1..=LENGTH).collect();
        twins.borrow_mut().in_steps("one by one", &request, &one_by_one);
    }
}

#[test]
fn steps_on_the_gpu_give_what_one_run_gives() {
    let device = gpu();
    for folder in decoders() {
        let request = text(&folder, LENGTH);
        let mut twins = Twins::on_gpu(folder, &device);
        twins.in_steps("a prompt and steps", &request, &[20, 21, 22, 30, 31, 32, 33, 34, 40, LENGTH]);
    }
}

/// A batch with padding in front, and positions that begin behind it.
#[test]
fn padded_batches_go_on() {
    let device = gpu();
    for folder in decoders() {
        let request = padded(&folder, 4, 40);
        let on_gpu = !folder.name.contains("rope_") || folder.name.ends_with("_across");
        let name = folder.name.clone();
        let steps = [7, 8, 9, 31, 33, 34, 40];
        Twins::on_cpu(folder).in_steps("padded", &request, &steps);
        if on_gpu {
            Twins::on_gpu(golden(&name), &device).in_steps("padded", &request, &steps);
        }
    }
}

/// What is edited in the middle is computed again from there on, and what is cut off at the end is forgotten.
#[test]
fn edits_are_computed_from_where_they_are() {
    for name in ["decoders/llama", "decoders/mistral_window", "decoders/gpt_neox", "decoders/roformer"] {
        for mut twins in Twins::on_both(name) {
            let mut request = text(&twins.folder, 30);
            twins.in_steps("before the edit", &request, &[12, 30]);
            for (place, id) in [(17, 3), (29, 4), (0, 5), (8, 6)] {
                request.ids[place] = id;
                assert_eq!(twins.goes_on("edited", &request, place), 30 - place);
            }
            assert_eq!(twins.goes_on("cut", &prefix(&request, 11), 10), 1);
            assert_eq!(twins.goes_on("grown again", &request, 11), 19);
            // Of the same text another token's logits: all behind it are in the cache, and are computed again.
            assert_eq!(twins.goes_on("looked back", &request, 20), 10);
            assert_eq!(twins.goes_on("the same again", &request, 29), 1);
            let mut masked = request.clone();
            masked.attention_mask = Some((0..30).map(|position| u32::from(position != 6)).collect());
            assert_eq!(twins.goes_on("with a token hidden", &masked, 29), 24);
            let positions = Some((0..30).map(|position| if position < 25 { position } else { 29 }).collect());
            let moved = Request { position_ids: positions, ..masked };
            assert_eq!(twins.goes_on("with tokens moved", &moved, 29), 5);
        }
    }
}

/// Keys were made of the segments, too.
#[test]
fn other_token_types_are_computed_again() {
    for mut twins in Twins::on_both("decoders/roformer") {
        let request = text(&twins.folder, 12);
        twins.in_steps("of one type", &request, &[5, 12]);
        let types = Some((0..12).map(|position| u32::from(position >= 7)).collect());
        assert_eq!(twins.goes_on("of two types", &Request { token_type_ids: types, ..request }, 11), 5);
    }
}

#[test]
fn an_offset_goes_with_the_text() {
    for name in ["decoders/llama", "decoders/roformer_rotary_value", "decoders/rope_dynamic_across"] {
        for mut twins in Twins::on_both(name) {
            let request = Request { position_offset: 1000, ..text(&twins.folder, 20) };
            twins.in_steps("from 1000 on", &request, &[6, 7, 20]);
            assert_eq!(twins.goes_on("moved", &Request { position_offset: 17, ..request }, 19), 20);
        }
    }
}

/// The cache is of one batch; another one begins anew.
#[test]
fn batches_of_other_sizes_begin_anew() {
    for mut twins in Twins::on_both("decoders/llama") {
        for batch in [2, 1, 3, 2] {
            let request = Request { beyond_length: true, ..twins.folder.text(batch, 70) };
            assert_eq!(twins.goes_on("first", &prefix(&request, 9), 8), 9, "a batch of {batch}");
            assert_eq!(twins.goes_on("next", &prefix(&request, 10), 9), 1, "a batch of {batch}");
            assert_eq!(twins.goes_on("beyond its context", &request, 69), 60, "a batch of {batch}");
        }
    }
}

#[test]
fn a_branch_is_resumed_where_it_was_left() {
    for name in ["decoders/llama", "decoders/qwen3", "decoders/mistral_window"] {
        for mut twins in Twins::on_both(name) {
            assert!(pollster::block_on(twins.cached.branch()).is_err(), "nothing to branch from");
            let request = text(&twins.folder, 24);
            twins.in_steps("the trunk", &request, &[10]);
            let alone = twins.cached.bytes_held();
            let unwanted = pollster::block_on(twins.cached.branch()).unwrap();
            assert!(twins.cached.bytes_held() > alone, "a branch has states of its own");
            twins.cached.release(unwanted);
            assert_eq!(twins.cached.bytes_held(), alone, "a branch that is not wanted is given back");
            let branch = pollster::block_on(twins.cached.branch()).unwrap();
            assert_eq!(twins.goes_on("one way", &request, 23), 14);
            let mut other = prefix(&request, 16);
            other.ids[10..].fill(1);
            let held = twins.cached.bytes_held();
            twins.cached.resume(branch);
            assert!(twins.cached.bytes_held() < held, "the other way is given back");
            assert_eq!(twins.goes_on("another way", &other, 15), 6);
            assert_eq!(twins.goes_on("and on", &request, 23), 14);
        }
    }
}

/// Maps and rows of every head, whatever steps the text came in.
#[test]
fn heads_are_those_of_a_run_without_a_cache() {
    for name in ["decoders/llama", "decoders/mistral_window", "decoders/gpt_neox", "decoders/rope_longrope_across"] {
        for mut twins in Twins::on_both(name) {
            let request = Request { selection: Some(Selection { layer: 1, head: 0 }), ..text(&twins.folder, 36) };
            let tolerance = twins.tolerance;
            for end in [11, 12, 30, 31, 35, 36] {
                let request = prefix(&request, end);
                let what = format!("{name}, {end} tokens");
                let found = run(&mut twins.cached, &continued(&request, end - 1)).head.unwrap();
                let expected = run(&mut twins.plain, &request).head.unwrap();
                assert_close(&format!("{what}: map"), &found.attention, &expected.attention, tolerance);
                assert_close(&format!("{what}: queries"), &found.query, &expected.query, tolerance);
                assert_close(&format!("{what}: keys"), &found.key, &expected.key, tolerance);
                let (found, side) = pollster::block_on(twins.cached.read_picture(9)).unwrap();
                let (expected, expected_side) = pollster::block_on(twins.plain.read_picture(9)).unwrap();
                assert_eq!(side, expected_side);
                assert_close(&format!("{what}: picture"), &found, &expected, tolerance);
            }
            for selection in [Selection { layer: 0, head: 1 }, Selection { layer: 1, head: 1 }] {
                let found = pollster::block_on(twins.cached.head(selection)).unwrap();
                let expected = pollster::block_on(twins.plain.head(selection)).unwrap();
                assert_close(&format!("{name}, {selection:?}"), &found.attention, &expected.attention, tolerance);
            }
        }
    }
}

#[test]
fn taps_are_those_of_a_run_without_a_cache() {
    for mut twins in Twins::on_both("decoders/qwen3") {
        let every = [Tap::HiddenStates, Tap::Attentions, Tap::Query, Tap::Key, Tap::Value, Tap::KeyRotated];
        let taps: Taps = every.into_iter().map(|tap| tap(1)).collect();
        let request = Request { taps, ..twins.folder.text(2, 14) };
        for end in [5, 9, 14] {
            let request = prefix(&request, end);
            let mut found = run(&mut twins.cached, &Request { continues: true, ..request.clone() }).tensors;
            for (name, expected) in run(&mut twins.plain, &request).tensors {
                let found = found.remove(&name).unwrap();
                assert_eq!(found.shape, expected.shape, "{name}");
                assert_close(&format!("{name} of {end} tokens"), &found.data, &expected.data, twins.tolerance);
            }
            assert!(found.is_empty());
        }
    }
}

/// Fills and the penalty look at the whole text, not only at what is computed.
#[test]
fn fills_are_those_of_a_run_without_a_cache() {
    for mut twins in Twins::on_both("decoders/llama") {
        let request = Request { top_k: 5, penalty: Some(Penalty(1.7)), ..text(&twins.folder, 20) };
        for end in [6, 7, 20] {
            let request = continued(&prefix(&request, end), end - 1);
            let found = run(&mut twins.cached, &request).top;
            let expected = run(&mut twins.plain, &Request { continues: false, ..request }).top;
            let ids = |top: &[Vec<ropescope::session::Fill>]| -> Vec<u32> {
                top.iter().flatten().map(|fill| fill.id).collect()
            };
            assert_eq!(ids(&found), ids(&expected), "{end} tokens");
            for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                assert!((found.log_probability - expected.log_probability).abs() <= 1e-3, "{found:?}, {expected:?}");
            }
        }
    }
}

/// A refused request leaves the text as it was.
#[test]
fn a_refused_request_leaves_the_text() {
    for mut twins in Twins::on_both("decoders/llama") {
        let request = text(&twins.folder, 20);
        twins.in_steps("before", &request, &[12]);
        let mut wrong = prefix(&request, 13);
        wrong.ids[12] = u32::MAX;
        let short_mask = Request { attention_mask: Some(vec![1; 3]), ..prefix(&request, 13) };
        let far = Request { rows: Rows::At(vec![13]), ..prefix(&request, 13) };
        for wrong in [wrong, short_mask, far] {
            assert!(pollster::block_on(twins.cached.run(&Request { continues: true, ..wrong })).is_err());
        }
        assert_eq!(twins.goes_on("after", &request, 19), 8);
    }
}

/// Overtaken after any of its ops, a run leaves what was there before it, and no more.
#[test]
fn an_overtaken_run_leaves_the_text_before_it() {
    let mut twins = Twins::on_cpu(golden("decoders/llama"));
    let request = text(&twins.folder, 20);
    twins.in_steps("before", &request, &[12]);
    let mut other = prefix(&request, 17);
    other.ids[10..].fill(2);
    let mut stopped = 0;
    while let Err(error) = pollster::block_on(twins.cached.run_paced(&continued(&other, 16), &StopAt::ops(stopped))) {
        assert_eq!(error.code(), "overtaken");
        // Ten tokens are alike, and only those are left.
        assert_eq!(twins.goes_on("after it", &request, 19), 10, "stopped after {stopped} ops");
        stopped += 1;
    }
    assert!(stopped >= 10, "{stopped} ops");
}

/// Turning from one kind of run to another gives the memory of the last text back.
#[test]
fn texts_that_are_given_up_take_no_memory() {
    for mut twins in Twins::on_both("decoders/llama") {
        let plain = continued(&text(&twins.folder, 20), 19);
        let looked_at = Request { selection: Some(Selection { layer: 0, head: 0 }), ..plain.clone() };
        let mut held = Vec::new();
        for _ in 0..4 {
            run(&mut twins.cached, &looked_at);
            held.push(run(&mut twins.cached, &plain).report.bytes_held);
        }
        assert!(held[1..].iter().all(|bytes| *bytes == held[1]), "{held:?}");
        twins.cached.forget();
        assert!(twins.cached.bytes_held() < held[1]);
    }
}
