//! A text that goes on: whatever the cache holds from before, a run gives what a run without a cache gives.

use crate::properties::cancellation::StopAt;
use crate::support::{Folder, assert_close, context, golden, gpu, output, run};
use proptest::collection::vec;
use proptest::test_runner::{Config, TestRunner};
use ropescope::backend::NeverCancelled;
use ropescope::plan::{Part, Taps, TensorName};
use ropescope::runtime::{Context, Device, Fill, HeadId, Output, PredictionRows, Request, Run};

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
    let start_of = |numbers: &Vec<u32>| -> Vec<u32> {
        numbers.chunks_exact(request.length).flat_map(|row| &row[..length]).copied().collect()
    };
    Request {
        ids: start_of(&request.ids),
        length,
        attention_mask: request.attention_mask.as_ref().map(start_of),
        token_type_ids: request.token_type_ids.as_ref().map(start_of),
        position_ids: request.position_ids.as_ref().map(start_of),
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
    Request { continues: true, rows: PredictionRows::At(rows_from(request, first)), ..request.clone() }
}

/// A context that continues its text, and one that computes every text anew.
struct Twins {
    folder: Folder,
    cached: Context,
    plain: Context,
    tolerance: f32,
}

impl Twins {
    fn on_cpu(folder: Folder) -> Self {
        let model = folder.load(Device::Cpu);
        Self { cached: context(&model), plain: context(&model), folder, tolerance: 1e-5 }
    }

    /// The one without a cache is on the CPU: two ways at once.
    fn on_gpu(folder: Folder, device: &Device) -> Self {
        let [cached, plain] = [device.clone(), Device::Cpu].map(|device| context(&folder.load(device)));
        Self { cached, plain, folder, tolerance: 1e-4 }
    }

    fn on_both(name: &str) -> [Self; 2] {
        [Self::on_cpu(golden(name)), Self::on_gpu(golden(name), &gpu())]
    }

    /// Goes on to the end of a request and compares the logits of tokens `first` .., of each text that is seen there. Returns
    /// how many tokens were computed.
    fn goes_on(&self, what: &str, request: &Request, first: usize) -> usize {
        let what = format!("{}, {what}, {} tokens from {first} on", self.folder.name, request.length);
        let width = self.folder.facts().vocab_size;
        let all = output(&self.plain, request).result.unwrap().data;
        let Output { result, report, .. } = output(&self.cached, &continued(request, first));
        let found = result.unwrap();
        let rows = rows_from(request, first);
        assert_eq!(found.shape, [rows.len(), width], "{what}");
        for (logits, row) in found.data.chunks_exact(width).zip(rows) {
            let is_token = request.attention_mask.as_ref().is_none_or(|mask| mask[row as usize] == 1);
            if is_token {
                let expected = &all[row as usize * width..][..width];
                assert_close(&format!("{what}: row {row}"), logits, expected, self.tolerance);
            }
        }
        report.computed
    }

    /// Runs a text in steps that end at these lengths. What the rope leaves as it was is not computed again.
    fn in_steps(&self, what: &str, request: &Request, ends: &[usize]) {
        self.cached.clear().unwrap();
        let ropes = self.folder.architecture().ropes;
        let mut before = 0;
        for &end in ends {
            let computed = self.goes_on(what, &prefix(request, end), before);
            let same_turns = ropes.iter().all(|rope| {
                let length = |length: usize| request.position_offset + length as u64;
                rope.has_same_frequencies(length(before), length(end))
            });
            let expected = if same_turns { end - before } else { end };
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

/// Two texts, the first after `padding` tokens that are not seen, with positions from the mask's running sum.
fn padded(folder: &Folder, padding: usize, length: usize) -> Request {
    let visible = |text: usize, position: usize| text == 1 || position >= padding;
    let places = || (0..2).flat_map(|text| (0..length).map(move |position| (text, position)));
    let position_of = |(text, position): (usize, usize)| match text {
        0 => position.saturating_sub(padding) as u32,
        _ => position as u32,
    };
    Request {
        attention_mask: Some(places().map(|(text, position)| u32::from(visible(text, position))).collect()),
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
        let twins = Twins::on_cpu(folder);
        let config = Config { cases: 6, failure_persistence: None, ..Config::default() };
        let steps = |sizes: Vec<usize>| {
            twins.in_steps(&format!("steps of {sizes:?}"), &request, &ends(&sizes, LENGTH));
            Ok(())
        };
        TestRunner::new(config).run(&vec(1..12_usize, 1..12), steps).unwrap();
        let one_by_one: Vec<usize> = (1..=LENGTH).collect();
        twins.in_steps("one by one", &request, &one_by_one);
    }
}

#[test]
fn steps_on_the_gpu_give_what_one_run_gives() {
    let device = gpu();
    for folder in decoders() {
        let request = text(&folder, LENGTH);
        let twins = Twins::on_gpu(folder, &device);
        twins.in_steps("a prompt and steps", &request, &[20, 21, 22, 30, 31, 32, 33, 34, 40, LENGTH]);
    }
}

/// A batch with padding in front, and positions that begin after it.
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

/// A text that is edited in the middle is computed again from there on; tokens cut off at its end are gone.
#[test]
fn edits_are_computed_from_where_they_are() {
    for name in ["decoders/llama", "decoders/mistral_window", "decoders/gpt_neox", "decoders/roformer"] {
        for twins in Twins::on_both(name) {
            let mut request = text(&twins.folder, 30);
            twins.in_steps("before the edit", &request, &[12, 30]);
            for (place, id) in [(17, 3), (29, 4), (0, 5), (8, 6)] {
                request.ids[place] = id;
                assert_eq!(twins.goes_on("edited", &request, place), 30 - place);
            }
            assert_eq!(twins.goes_on("cut", &prefix(&request, 11), 10), 1);
            assert_eq!(twins.goes_on("grown again", &request, 11), 19);
            // Of the same text another token's logits: all after it are in the cache, and are computed again.
            assert_eq!(twins.goes_on("an earlier token", &request, 20), 10);
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
    for twins in Twins::on_both("decoders/roformer") {
        let request = text(&twins.folder, 12);
        twins.in_steps("of one type", &request, &[5, 12]);
        let types = Some((0..12).map(|position| u32::from(position >= 7)).collect());
        assert_eq!(twins.goes_on("of two types", &Request { token_type_ids: types, ..request }, 11), 5);
    }
}

#[test]
fn an_offset_goes_with_the_text() {
    for name in ["decoders/llama", "decoders/roformer_rotary_value", "decoders/rope_dynamic_across"] {
        for twins in Twins::on_both(name) {
            let request = Request { position_offset: 1000, ..text(&twins.folder, 20) };
            twins.in_steps("from 1000 on", &request, &[6, 7, 20]);
            assert_eq!(twins.goes_on("moved", &Request { position_offset: 17, ..request }, 19), 20);
        }
    }
}

/// The cache is of one batch; another one begins anew.
#[test]
fn batches_of_other_sizes_begin_anew() {
    for twins in Twins::on_both("decoders/llama") {
        for batch in [2, 1, 3, 2] {
            let request = Request { beyond_length: true, ..twins.folder.text(batch, 70) };
            assert_eq!(twins.goes_on("first", &prefix(&request, 9), 8), 9, "a batch of {batch}");
            assert_eq!(twins.goes_on("next", &prefix(&request, 10), 9), 1, "a batch of {batch}");
            assert_eq!(twins.goes_on("beyond its context", &request, 69), 60, "a batch of {batch}");
        }
    }
}

/// A fork has states of its own: it and the context that it is of go their own ways.
#[test]
fn a_fork_goes_on_where_its_context_was() {
    for name in ["decoders/llama", "decoders/qwen3", "decoders/mistral_window"] {
        for mut twins in Twins::on_both(name) {
            let empty = pollster::block_on(twins.cached.fork()).unwrap();
            assert_eq!(empty.bytes(), 0, "a fork of an empty context is empty");
            let request = text(&twins.folder, 24);
            twins.in_steps("the text of both", &request, &[10]);
            let bytes = twins.cached.bytes();
            let fork = pollster::block_on(twins.cached.fork()).unwrap();
            assert!(fork.bytes() > 0 && twins.cached.bytes() == bytes, "a fork has states of its own");
            assert_eq!(twins.goes_on("one way", &request, 23), 14);
            let first = std::mem::replace(&mut twins.cached, fork);
            let mut other = prefix(&request, 16);
            other.ids[10..].fill(1);
            assert_eq!(twins.goes_on("another way", &other, 15), 6);
            assert_eq!(twins.goes_on("and on", &request, 23), 14);
            twins.cached = first;
            assert_eq!(twins.goes_on("one way again", &request, 23), 1);
            twins.cached = empty;
            assert_eq!(twins.goes_on("from the start", &request, 0), 24);
        }
    }
}

/// Maps and rows of every head, whatever steps the text came in.
#[test]
fn heads_are_those_of_a_run_without_a_cache() {
    for name in ["decoders/llama", "decoders/mistral_window", "decoders/gpt_neox", "decoders/rope_longrope_across"] {
        for twins in Twins::on_both(name) {
            let request = Request { selection: Some(HeadId::new(1, 0)), ..text(&twins.folder, 36) };
            let tolerance = twins.tolerance;
            let mut last = None;
            for end in [11, 12, 30, 31, 35, 36] {
                let request = prefix(&request, end);
                let what = format!("{name}, {end} tokens");
                let (found, cached) = run(&twins.cached, &continued(&request, end - 1));
                let (expected, plain) = run(&twins.plain, &request);
                let [found, expected] = [found, expected].map(|output| output.head.unwrap());
                assert_close(&format!("{what}: map"), &found.attention, &expected.attention, tolerance);
                assert_close(&format!("{what}: queries"), &found.query, &expected.query, tolerance);
                assert_close(&format!("{what}: keys"), &found.key, &expected.key, tolerance);
                let (found, side) = pollster::block_on(cached.read_grid(Part::Decoder, 9)).unwrap();
                let (expected, expected_side) = pollster::block_on(plain.read_grid(Part::Decoder, 9)).unwrap();
                assert_eq!(side, expected_side);
                assert_close(&format!("{what}: grid"), &found, &expected, tolerance);
                last = Some([cached, plain]);
            }
            let runs = last.unwrap();
            for head in [HeadId::new(0, 1), HeadId::new(1, 1)] {
                let maps = |run: &Run| pollster::block_on(run.head(head, &NeverCancelled)).unwrap();
                let [found, expected] = runs.each_ref().map(maps);
                assert_close(&format!("{name}, {head:?}"), &found.attention, &expected.attention, tolerance);
            }
        }
    }
}

#[test]
fn taps_are_those_of_a_run_without_a_cache() {
    for twins in Twins::on_both("decoders/qwen3") {
        let every = [
            TensorName::HiddenStates,
            TensorName::Attentions,
            TensorName::Query,
            TensorName::Key,
            TensorName::Value,
            TensorName::KeyRotated,
        ];
        let taps: Taps = every.into_iter().map(|tensor| tensor.at(1)).collect();
        let request = Request { taps, ..twins.folder.text(2, 14) };
        for end in [5, 9, 14] {
            let request = prefix(&request, end);
            let [found, expected] = [
                output(&twins.cached, &Request { continues: true, ..request.clone() }),
                output(&twins.plain, &request),
            ];
            assert_eq!(found.taps.len(), expected.taps.len());
            let facts = twins.folder.facts();
            for (name, expected) in expected.named(&facts) {
                let found = found.named(&facts)[&name];
                assert_eq!(found.shape, expected.shape, "{name}");
                assert_close(&format!("{name} of {end} tokens"), &found.data, &expected.data, twins.tolerance);
            }
        }
    }
}

/// Fills and the penalty are of the whole text, not only of the computed tokens.
#[test]
fn fills_are_those_of_a_run_without_a_cache() {
    for twins in Twins::on_both("decoders/llama") {
        let request = Request { top_k: 5, penalty: Some(1.7), ..text(&twins.folder, 20) };
        for end in [6, 7, 20] {
            let request = continued(&prefix(&request, end), end - 1);
            let found = output(&twins.cached, &request).top;
            let expected = output(&twins.plain, &Request { continues: false, ..request }).top;
            let ids = |top: &[Vec<Fill>]| -> Vec<u32> { top.iter().flatten().map(|fill| fill.id).collect() };
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
    for twins in Twins::on_both("decoders/llama") {
        let request = text(&twins.folder, 20);
        twins.in_steps("before", &request, &[12]);
        let mut wrong = prefix(&request, 13);
        wrong.ids[12] = u32::MAX;
        let short_mask = Request { attention_mask: Some(vec![1; 3]), ..prefix(&request, 13) };
        let far = Request { rows: PredictionRows::At(vec![13]), ..prefix(&request, 13) };
        for wrong in [wrong, short_mask, far] {
            let request = Request { continues: true, ..wrong };
            assert!(pollster::block_on(twins.cached.run(&request, &NeverCancelled)).is_err());
        }
        assert_eq!(twins.goes_on("after", &request, 19), 8);
    }
}

/// Cancelled after any of its ops, a run leaves the tokens that were there before it, and no more.
#[test]
fn a_run_that_was_cancelled_leaves_the_text_before_it() {
    let twins = Twins::on_cpu(golden("decoders/llama"));
    let request = text(&twins.folder, 20);
    twins.in_steps("before", &request, &[12]);
    let mut other = prefix(&request, 17);
    other.ids[10..].fill(2);
    let mut ops = 0;
    while let Err(error) = pollster::block_on(twins.cached.run(&continued(&other, 16), &StopAt::ops(ops))) {
        assert_eq!(error.code(), "cancelled");
        // Ten tokens are the same, and only those stay.
        assert_eq!(twins.goes_on("after it", &request, 19), 10, "stopped after {ops} ops");
        ops += 1;
    }
    assert!(ops >= 10, "{ops} ops");
}

/// Another kind of run frees the cache of the last text.
#[test]
fn caches_that_no_run_continues_take_no_memory() {
    for twins in Twins::on_both("decoders/llama") {
        let plain = continued(&text(&twins.folder, 20), 19);
        let with_head = Request { selection: Some(HeadId::new(0, 0)), ..plain.clone() };
        let mut bytes = Vec::new();
        for _ in 0..4 {
            output(&twins.cached, &with_head);
            let report = output(&twins.cached, &plain).report;
            assert_eq!(report.bytes_allocated, twins.cached.model().bytes() + twins.cached.bytes());
            bytes.push(twins.cached.bytes());
        }
        assert!(bytes[1..].iter().all(|later| *later == bytes[1]), "{bytes:?}");
        twins.cached.clear().unwrap();
        assert!(twins.cached.bytes() < bytes[1]);
    }
}
