//! Encoder–decoders: the parts of one session, a source that is read once, texts that go on after it.

mod support;

use ropescope::ops::MapKind;
use ropescope::plan::{Part, Tap, Taps};
use ropescope::sampling::{Rules, Search, Settings, Stopping};
use ropescope::session::{
    BeamSearch, Continuation, Device, Generation, Request, Rows, Selection, Session, SourceText, Weighing,
};
use support::{Expected, Folder, assert_close, golden, gpu, run};

const UNHURRIED: &ropescope::backend::Unhurried = &ropescope::backend::Unhurried;

/// The first source of a folder, and the text after it.
fn first(folder: &Folder) -> Request {
    let expected = Expected::open(&folder.expected());
    let row = |name: &str| expected.integers(name)[..expected.shape(name)[1]].to_vec();
    let ids = row("decoder_input_ids");
    let source = Some(SourceText::one(row("input_ids")));
    Request { source, ..Request::new(ids.clone(), 1, ids.len()) }
}

fn both(check: impl Fn(Device, f32)) {
    check(Device::Cpu, 1e-5);
    check(gpu(), 1e-4);
}

fn statistics(session: &mut Session, tokens: &[f32]) -> Vec<f32> {
    pollster::block_on(session.statistics(tokens)).unwrap().data
}

/// Each part's heads are asked about by its name: maps, rows, means and pictures are of the attentions that Hugging Face gives.
#[test]
fn every_part_answers_for_its_heads() {
    both(|device, tolerance| {
        // Encoder and decoder have other numbers of layers and heads.
        let folder = golden("pairs/marian_two_vocabularies");
        let mut session = folder.load(device);
        let request = first(&folder);
        let taps: Taps = (0..2).map(Tap::Attentions).collect();
        let tensors = run(&mut session, &Request { taps, ..request.clone() }).tensors;
        let source = request.source.clone().unwrap();
        for part in Part::ALL {
            session.look_at_part(part).unwrap();
            let facts = session.facts().of(part).clone();
            let queries = if part == Part::Encoder { source.length } else { request.length };
            let keys = if part == Part::Decoder { request.length } else { source.length };
            let (layer, head) = (facts.layers - 1, facts.heads - 1);
            let selection = Selection { layer, head };
            // The text goes on from a cache here, and its heads come with the run.
            let chosen = Request { continues: true, selection: Some(selection), ..request.clone() };
            let came = run(&mut session, &chosen).head.unwrap();
            let expected = &tensors[&format!("{part}_attentions.{layer}")];
            assert_eq!(expected.shape, [1, facts.heads, queries, keys], "{part}");
            let map = &expected.data[head * queries * keys..];
            assert_close(&format!("{part}: with the run"), &came.attention, map, tolerance);
            let rows = [came.query.len(), came.key.len()];
            assert_eq!(rows, [queries * facts.head_size, keys * facts.head_size], "{part}");
            let asked = pollster::block_on(session.head(selection)).unwrap();
            assert_eq!(asked, came, "{part}: after it");
            let score = pollster::block_on(session.map(selection, MapKind::Score, usize::MAX, UNHURRIED)).unwrap();
            let product: f32 = came.query[..facts.head_size].iter().zip(&came.key).map(|(q, k)| q * k).sum();
            assert_close(&format!("{part}: score"), &score.data[..1], &[product * facts.scale as f32], tolerance);
            let mean = pollster::block_on(session.mean_map(&[selection], Weighing::Weight, UNHURRIED)).unwrap();
            assert_eq!(mean.shape, [queries, keys], "{part}");
            assert_close(&format!("{part}: mean"), &mean.data, map, tolerance);
            let norms = pollster::block_on(session.mean_map(&[selection], Weighing::Output, UNHURRIED)).unwrap();
            assert!(norms.data.iter().all(|norm| norm.is_finite() && *norm >= 0.0), "{part}");
            let (picture, side) = pollster::block_on(session.read_picture(64)).unwrap();
            assert_eq!((side, picture.len()), (queries.max(keys), facts.layers * facts.heads * side * side), "{part}");
            let told = if part == Part::Cross { keys + queries } else { keys };
            let tokens: Vec<f32> = (0..told).map(|token| token as f32).collect();
            let found = statistics(&mut session, &tokens);
            let found = &found[(layer * facts.heads + head) * 10..];
            let entropy: f32 = map[..queries * keys].iter().map(|p| if *p > 0.0 { -p * p.ln() } else { 0.0 }).sum();
            assert_close(&format!("{part}: entropy"), &found[..1], &[entropy / queries as f32], tolerance);
            assert!(pollster::block_on(session.statistics(&tokens[1..])).is_err(), "{part}");
        }
    });
}

/// What cross-attention finds in the source: the query's own token, and those behind it, whatever their place.
#[test]
fn cross_attention_is_measured_against_the_source() {
    both(|device, tolerance| {
        let folder = golden("pairs/bart");
        let mut session = folder.load(device);
        let mut request = first(&folder);
        request.source = Some(SourceText::one(vec![5, 7, 5, 1]));
        request.ids = vec![0, 5, 7];
        request.length = 3;
        let taps: Taps = [Tap::Attentions(0)].into_iter().collect();
        let maps = run(&mut session, &Request { taps, ..request }).tensors["cross_attentions.0"].data.clone();
        session.look_at_part(Part::Cross).unwrap();
        // The start token and the end are special.
        let found = statistics(&mut session, &[5.0, 7.0, 5.0, -1.0, -1.0, 5.0, 7.0]);
        let weight = |query: usize, keys: &[usize]| keys.iter().map(|key| maps[query * 4 + key]).sum::<f32>();
        let mean = |one: f32, other: f32| (one + other) / 2.0;
        let alike = mean(weight(1, &[0, 2]), weight(2, &[1]));
        let special = mean(weight(1, &[3]), weight(2, &[3]));
        let behind = mean(weight(1, &[1, 3]), weight(2, &[2]));
        assert_close("cross", &found[7..10], &[alike, special, behind], tolerance);
    });
}

/// The three masks: padding of the source, what comes ahead in the text, and the source's padding once more for the text.
#[test]
fn masks_are_told_as_the_run_had_them() {
    both(|device, _| {
        let folder = golden("pairs/marian");
        let mut session = folder.load(device);
        let source = SourceText { ids: vec![4, 9, 1, 0], length: 4, attention_mask: Some(vec![1, 1, 1, 0]) };
        let request = Request { source: Some(source), keeps_heads: true, ..Request::new(vec![0, 6, 8], 1, 3) };
        run(&mut session, &request);
        let place = Selection { layer: 0, head: 1 };
        let mut mask = |part: Part| {
            session.look_at_part(part).unwrap();
            pollster::block_on(session.map(place, MapKind::Mask, usize::MAX, UNHURRIED)).unwrap().data
        };
        assert_eq!(mask(Part::Encoder), [1.0, 1.0, 1.0, 0.0].repeat(4));
        assert_eq!(mask(Part::Decoder), [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0]);
        assert_eq!(mask(Part::Cross), [1.0, 1.0, 1.0, 0.0].repeat(3));
    });
}

#[test]
fn a_source_is_read_once() {
    both(|device, _| {
        let folder = golden("pairs/pegasus");
        let mut session = folder.load(device);
        let request = first(&folder);
        let created = |session: &mut Session, request: &Request| run(session, request).report.created;
        let logits = |session: &mut Session, request: &Request| run(session, request).tensors["logits"].data.clone();
        let before = logits(&mut session, &request);
        // Neither a plan nor a state is made again, for this source or another one.
        let other = Request { source: Some(SourceText::one(vec![4, 9, 1])), ..request.clone() };
        let of_other = logits(&mut session, &other);
        assert_ne!(before, of_other, "the source is looked at");
        assert_eq!(created(&mut session, &request), 0);
        assert_eq!(logits(&mut session, &request), before);
        assert_eq!(logits(&mut session, &other), of_other);
        // A run beside the last one leaves its source alone.
        session.look_at_part(Part::Encoder).unwrap();
        let selection = Some(Selection { layer: 0, head: 0 });
        let here = run(&mut session, &Request { selection, ..request.clone() }).head.unwrap();
        pollster::block_on(session.run_aside(None, &other, UNHURRIED)).unwrap();
        assert_eq!(pollster::block_on(session.head(Selection { layer: 0, head: 0 })).unwrap(), here);
        let (_, mark) =
            pollster::block_on(session.run_beside(None, &Request { selection, ..other.clone() }, UNHURRIED)).unwrap();
        let there = session.look_at(mark);
        let seen = pollster::block_on(session.head(Selection { layer: 0, head: 0 })).unwrap();
        assert!(there && seen.attention.len() == 9, "the source of the run beside");
    });
}

/// Step by step over a cache, in a batch with padding, and after the source has changed: the numbers of a whole run.
#[test]
fn texts_that_go_on_equal_whole_ones() {
    both(|device, tolerance| {
        let folder = golden("pairs/bart");
        let expected = Expected::open(&folder.expected());
        let mut session = folder.load(device);
        let &[batch, length] = expected.shape("decoder_input_ids") else { panic!("ids of no batch") };
        let source = SourceText {
            ids: expected.integers("input_ids").to_vec(),
            length: expected.shape("input_ids")[1],
            attention_mask: Some(expected.integers("attention_mask").to_vec()),
        };
        let ids = expected.integers("decoder_input_ids");
        let first = |count: usize| -> Vec<u32> { ids.chunks(length).flat_map(|row| &row[..count]).copied().collect() };
        for source in [source.clone(), SourceText { ids: source.ids.iter().rev().copied().collect(), ..source }] {
            for count in 1..=length {
                let request = Request { source: Some(source.clone()), ..Request::new(first(count), batch, count) };
                let whole = run(&mut session, &request);
                let stepped = run(&mut session, &Request { continues: true, ..request });
                let last = |data: &[f32]| {
                    let width = session.facts().vocab_size;
                    data.chunks(width)
                        .collect::<Vec<_>>()
                        .chunks(data.len() / width / batch)
                        .flat_map(|row| row[row.len() - 1].to_vec())
                        .collect::<Vec<f32>>()
                };
                let computed = stepped.report.computed;
                assert!(count == 1 || computed < count || stepped.tensors["logits"].shape[1] == count);
                assert_close(
                    "a step",
                    &last(&stepped.tensors["logits"].data),
                    &last(&whole.tensors["logits"].data),
                    tolerance,
                );
            }
        }
    });
}

/// On a GPU the ids of greedy steps feed each other, after a source as well.
#[test]
fn steps_are_sent_ahead_after_a_source() {
    let folder = golden("pairs/marian");
    let request = first(&folder);
    let ids = |device: Device| {
        let mut session = folder.load(device);
        let sampling = Settings { temperature: 0.0, ..Settings::default() };
        let continuation =
            Continuation { sampling, most: 12, ends: Vec::new(), beyond_length: false, keeps_heads: true };
        let generation = Generation::new(&[0], 1, None, continuation).unwrap();
        let mut generation = generation.after(request.source.clone().unwrap(), Rules::default());
        let mut ahead = 0;
        while !generation.ended() {
            pollster::block_on(session.write_on(&mut generation, UNHURRIED)).unwrap();
            ahead = ahead.max(session.steps_ahead());
        }
        (generation.ids().next().unwrap().to_vec(), ahead)
    };
    let ((on_cpu, none), (on_gpu, some)) = (ids(Device::Cpu), ids(gpu()));
    assert_eq!((on_cpu.len(), none), (13, 0));
    assert!(on_cpu == on_gpu && some > 1, "{on_cpu:?}, {on_gpu:?}, {some} ahead");
}

/// A search goes between a run and what is asked about it.
#[test]
fn a_search_leaves_the_last_run_as_it_is() {
    both(|device, _| {
        let folder = golden("pairs/marian");
        let mut session = folder.load(device);
        session.look_at_part(Part::Cross).unwrap();
        let place = Selection { layer: 1, head: 0 };
        let request = first(&folder);
        let rows = Rows::At(vec![request.length as u32 - 1]);
        let request = Request { selection: Some(place), continues: true, rows, ..request };
        let head = run(&mut session, &request).head.unwrap();
        let held = session.bytes_held();
        let rules = Rules { ends: vec![1], max_length: 8, ..Rules::default() };
        let search = Search { width: 3, length_penalty: 1.0, stopping: Stopping::Never, rules };
        let mut search = BeamSearch::new(SourceText::one(vec![9, 4, 1]), &[0], search).unwrap();
        while !search.ended() {
            pollster::block_on(session.search_on(&mut search, UNHURRIED)).unwrap();
            assert_eq!(pollster::block_on(session.head(place)).unwrap(), head);
        }
        assert!(search.ids().next().unwrap().len() > 1 && session.bytes_held() > held);
        assert_eq!(run(&mut session, &request).report.computed, 1, "the text is still in the cache");
    });
}

#[test]
fn one_stack_has_one_part() {
    let mut session = golden("decoders/llama").load(Device::Cpu);
    assert!(session.look_at_part(Part::Decoder).is_ok());
    let error = session.look_at_part(Part::Cross).unwrap_err();
    assert_eq!(error.to_string(), "LlamaForCausalLM has no cross: it is one stack");
}
