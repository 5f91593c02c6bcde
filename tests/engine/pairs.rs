//! Encoder–decoders: the parts of one model, a source that is read once, texts that go on after it.

use crate::support::{Expected, Folder, assert_close, context, context_with_heads, golden, gpu, output, run};
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::ops::MapKind;
use ropescope::plan::{Part, Taps, TensorName};
use ropescope::runtime::{
    BeamSearch, Context, ContextOptions, Continuation, Device, Generation, HeadId, PredictionRows, Request, Run,
    SourceText, Weighing, every_tap,
};
use ropescope::sampling::{Rules, SamplingSettings, Search, Stopping};

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

/// The statistics of all layers of a part.
fn statistics(context: &Context, run: &Run, part: Part, tokens: &[f32]) -> Result<Vec<f32>, Error> {
    let layers = context.model().facts().part(part).layers;
    pollster::block_on(run.statistics(part, 0..layers, tokens, &NeverCancelled)).map(|statistics| statistics.data)
}

/// Maps, rows, means and grids of each part's heads are those of the attentions that Hugging Face gives.
#[test]
fn every_part_answers_for_its_heads() {
    both(|device, tolerance| {
        // Encoder and decoder have other numbers of layers and heads.
        let folder = golden("pairs/marian_two_vocabularies");
        let model = folder.load(device);
        let context = context(&model);
        let request = first(&folder);
        let every = every_tap(model.facts());
        let taps: Taps = every.iter().filter(|site| site.tensor == TensorName::Attentions).collect();
        let maps = output(&context, &Request { taps, ..request.clone() }).taps;
        let source = request.source.clone().unwrap();
        for part in Part::ALL {
            let facts = model.facts().part(part);
            let queries = if part == Part::Encoder { source.length } else { request.length };
            let keys = if part == Part::Decoder { request.length } else { source.length };
            let (layer, head) = (facts.layers - 1, facts.heads - 1);
            let selected = HeadId { part, layer, head };
            // The text goes on from a cache here, and its heads come with the run.
            let (output, run) =
                run(&context, &Request { continues: true, selection: Some(selected), ..request.clone() });
            let with_run = output.head.unwrap();
            let expected = &maps[&TensorName::Attentions.at(layer).in_part(part)];
            assert_eq!(expected.shape, [1, facts.heads, queries, keys], "{part}");
            let map = &expected.data[head * queries * keys..];
            assert_close(&format!("{part}: with the run"), &with_run.attention, map, tolerance);
            let rows = [with_run.query.len(), with_run.key.len()];
            assert_eq!(rows, [queries * facts.head_size, keys * facts.head_size], "{part}");
            let afterwards = pollster::block_on(run.head(selected, &NeverCancelled)).unwrap();
            assert_eq!(afterwards, with_run, "{part}: after it");
            let score = pollster::block_on(run.map(selected, MapKind::Score, usize::MAX, &NeverCancelled)).unwrap();
            let product: f32 = with_run.query[..facts.head_size].iter().zip(&with_run.key).map(|(q, k)| q * k).sum();
            assert_close(&format!("{part}: score"), &score.data[..1], &[product * facts.scale as f32], tolerance);
            let mean = pollster::block_on(run.mean_map(&[selected], Weighing::Weight, &NeverCancelled)).unwrap();
            assert_eq!(mean.shape, [queries, keys], "{part}");
            assert_close(&format!("{part}: mean"), &mean.data, map, tolerance);
            let norms = pollster::block_on(run.mean_map(&[selected], Weighing::Output, &NeverCancelled)).unwrap();
            assert!(norms.data.iter().all(|norm| norm.is_finite() && *norm >= 0.0), "{part}");
            let (grid, side) = pollster::block_on(run.read_grid(part, 64)).unwrap();
            assert_eq!((side, grid.len()), (queries.max(keys), facts.layers * facts.heads * side * side), "{part}");
            let count = if part == Part::Cross { keys + queries } else { keys };
            let tokens: Vec<f32> = (0..count).map(|token| token as f32).collect();
            let found = statistics(&context, &run, part, &tokens).unwrap();
            let found = &found[(layer * facts.heads + head) * 10..];
            let entropy: f32 = map[..queries * keys].iter().map(|p| if *p > 0.0 { -p * p.ln() } else { 0.0 }).sum();
            assert_close(&format!("{part}: entropy"), &found[..1], &[entropy / queries as f32], tolerance);
            assert!(statistics(&context, &run, part, &tokens[1..]).is_err(), "{part}");
        }
    });
}

/// Statistics of cross-attention find the query's own token in the source, and the tokens after it, whatever their place.
#[test]
fn cross_attention_is_measured_against_the_source() {
    both(|device, tolerance| {
        let folder = golden("pairs/bart");
        let context = context(&folder.load(device));
        let mut request = first(&folder);
        request.source = Some(SourceText::one(vec![5, 7, 5, 1]));
        request.ids = vec![0, 5, 7];
        request.length = 3;
        let taps: Taps = [TensorName::Attentions.at(0).in_part(Part::Cross)].into_iter().collect();
        let (output, run) = run(&context, &Request { taps, ..request });
        let maps = &output.taps[&TensorName::Attentions.at(0).in_part(Part::Cross)].data;
        // The start token and the end are special.
        let tokens = [5.0, 7.0, 5.0, -1.0, -1.0, 5.0, 7.0];
        let found = statistics(&context, &run, Part::Cross, &tokens).unwrap();
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
fn masks_are_those_of_the_run() {
    both(|device, _| {
        let folder = golden("pairs/marian");
        let context = context_with_heads(&folder.load(device));
        let source = SourceText { ids: vec![4, 9, 1, 0], length: 4, attention_mask: Some(vec![1, 1, 1, 0]) };
        let request = Request { source: Some(source), ..Request::new(vec![0, 6, 8], 1, 3) };
        let (_, run) = run(&context, &request);
        let mask = |part: Part| {
            let head = HeadId { part, ..HeadId::new(0, 1) };
            pollster::block_on(run.map(head, MapKind::Mask, usize::MAX, &NeverCancelled)).unwrap().data
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
        let model = folder.load(device);
        let used = context(&model);
        let request = first(&folder);
        let logits = |request: &Request| output(&used, request).result.unwrap().data;
        let before = logits(&request);
        // Neither a plan nor a state is made again, for this source or another one.
        let other = Request { source: Some(SourceText::one(vec![4, 9, 1])), ..request.clone() };
        let of_other = logits(&other);
        assert_ne!(before, of_other, "the source is looked at");
        assert_eq!(output(&used, &request).report.created, 0);
        assert_eq!(logits(&request), before);
        assert_eq!(logits(&other), of_other);
        // A run in another context leaves the source of this one alone.
        let head = HeadId { part: Part::Encoder, ..HeadId::new(0, 0) };
        let with_head = |request: &Request| Request { selection: Some(head), ..request.clone() };
        let ask = |run: &Run| pollster::block_on(run.head(head, &NeverCancelled));
        let (result, here) = run(&used, &with_head(&request));
        let second = context(&model);
        let (_, there) = run(&second, &with_head(&other));
        assert_eq!(ask(&here).unwrap(), result.head.unwrap());
        assert_eq!(ask(&there).unwrap().attention.len(), 9, "the source of the other context");
        // Another source in the same context takes its place.
        run(&used, &with_head(&other));
        assert_eq!(ask(&here).unwrap_err(), Error::Stale);
        assert!(!here.is_fresh() && there.is_fresh());
    });
}

/// Step by step over a cache, in a batch with padding, and after the source has changed: the numbers of a whole run.
#[test]
fn texts_that_go_on_equal_whole_ones() {
    both(|device, tolerance| {
        let folder = golden("pairs/bart");
        let expected = Expected::open(&folder.expected());
        let context = context(&folder.load(device));
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
                let at_once = output(&context, &request);
                let continued = output(&context, &Request { continues: true, ..request });
                let last = |data: &[f32]| {
                    let width = folder.facts().vocab_size;
                    data.chunks(width)
                        .collect::<Vec<_>>()
                        .chunks(data.len() / width / batch)
                        .flat_map(|row| row[row.len() - 1].to_vec())
                        .collect::<Vec<f32>>()
                };
                let computed = continued.report.computed;
                assert!(count == 1 || computed < count || continued.result.as_ref().unwrap().shape[1] == count);
                assert_close(
                    "a step",
                    &last(&continued.result.as_ref().unwrap().data),
                    &last(&at_once.result.as_ref().unwrap().data),
                    tolerance,
                );
            }
        }
    });
}

/// The cache copies the source's keys and values with the room that they had then, whatever room a later source has.
#[test]
fn a_cached_text_keeps_the_room_of_its_source() {
    both(|device, tolerance| {
        let model = golden("pairs/bart").load(device);
        let source = |length: usize| SourceText {
            ids: (0..2 * length as u32).map(|at| 4 + at % 7).collect(),
            length,
            attention_mask: None,
        };
        let text = |source: SourceText, length: usize| Request {
            source: Some(source),
            continues: true,
            rows: PredictionRows::At(vec![length as u32 - 1, 2 * length as u32 - 1]),
            ..Request::new((0..2 * length as u32).map(|at| 5 + at % 3).collect(), 2, length)
        };
        let exact = || model.context(ContextOptions { exact: true, ..ContextOptions::default() });
        let logits = |context: &Context, request: &Request| output(context, request).result.unwrap().data;
        let request = text(source(4), 3);
        let expected = logits(&exact(), &request);
        let context = exact();
        logits(&context, &request);
        // A longer source in the same context, whose text leaves the cache alone.
        output(&context, &Request { continues: false, ..text(source(9), 3) });
        assert_close("after a longer source", &logits(&context, &request), &expected, tolerance);
        // The other way round: a cache with more room than the source of its fork.
        let context = exact();
        output(&context, &Request { continues: false, ..text(source(9), 3) });
        logits(&context, &request);
        let fork = pollster::block_on(context.fork()).unwrap();
        assert_close("in a fork", &logits(&fork, &request), &expected, tolerance);
    });
}

#[test]
fn heads_and_taps_that_no_part_has_are_refused() {
    let folder = golden("pairs/marian");
    let context = context_with_heads(&folder.load(Device::Cpu));
    let request = first(&folder);
    let (_, run) = run(&context, &request);
    let mean = |heads: &[HeadId]| pollster::block_on(run.mean_map(heads, Weighing::Weight, &NeverCancelled));
    let last = HeadId::new(0, usize::MAX);
    let of_encoder = HeadId { part: Part::Encoder, ..HeadId::new(0, 0) };
    for (heads, code) in [
        (vec![last], "head-out-of-range"),
        (vec![HeadId::new(0, usize::MAX - 1), last], "head-out-of-range"),
        (vec![HeadId::new(0, 0), of_encoder], "mean-of-several-parts"),
    ] {
        assert_eq!(mean(&heads).unwrap_err().code(), code, "{heads:?}");
    }
    // Cross-attention rotates nothing: a run that left a tap out silently would write a file without it.
    for site in [
        TensorName::QueryRotated.at(0).in_part(Part::Cross),
        TensorName::Contacts.in_every_layer().in_part(Part::Encoder),
    ] {
        let request = Request { taps: Taps::from_iter([site]), ..request.clone() };
        let refused = pollster::block_on(context.run(&request, &NeverCancelled)).map(drop).unwrap_err().to_string();
        assert!(
            refused.contains("cross_attentions.*, cross.layer.*.head") || refused.contains("no contact head"),
            "{refused}"
        );
    }
}

/// On a GPU the ids of greedy steps feed each other, after a source as well.
#[test]
fn steps_are_in_flight_after_a_source() {
    let folder = golden("pairs/marian");
    let request = first(&folder);
    let ids = |device: Device| {
        let context = context_with_heads(&folder.load(device));
        let sampling = SamplingSettings { temperature: 0.0, ..SamplingSettings::default() };
        let continuation = Continuation { sampling, candidates: 64, most: 12, ends: Vec::new(), beyond_length: false };
        let generation = Generation::new(&[0], 1, None, continuation).unwrap();
        let mut generation = generation.after(request.source.clone().unwrap(), Rules::default());
        let mut in_flight = 0;
        while !generation.ended() {
            pollster::block_on(context.generate(&mut generation, &NeverCancelled)).unwrap();
            in_flight = in_flight.max(context.steps_in_flight());
        }
        (generation.ids().next().unwrap().to_vec(), in_flight)
    };
    let ((on_cpu, none), (on_gpu, some)) = (ids(Device::Cpu), ids(gpu()));
    assert_eq!((on_cpu.len(), none), (13, 0));
    assert!(on_cpu == on_gpu && some > 1, "{on_cpu:?}, {on_gpu:?}, {some} in flight");
}

/// A search has a context of its own: a run of the same model can be asked about between its steps.
#[test]
fn a_search_leaves_runs_as_they_are() {
    both(|device, _| {
        let folder = golden("pairs/marian");
        let model = folder.load(device);
        let context = context(&model);
        let place = HeadId { part: Part::Cross, ..HeadId::new(1, 0) };
        let request = first(&folder);
        let rows = PredictionRows::At(vec![request.length as u32 - 1]);
        let request = Request { selection: Some(place), continues: true, rows, ..request };
        let (result, run) = run(&context, &request);
        let head = result.head.unwrap();
        let bytes = context.bytes();
        let rules = Rules { ends: vec![1], max_length: 8, ..Rules::default() };
        let search = Search { width: 3, length_penalty: 1.0, stopping: Stopping::Never, rules };
        let mut search = BeamSearch::new(&model, SourceText::one(vec![9, 4, 1]), &[0], search).unwrap();
        while !search.ended() {
            pollster::block_on(search.step(&NeverCancelled)).unwrap();
            assert_eq!(pollster::block_on(run.head(place, &NeverCancelled)).unwrap(), head);
            assert_eq!(search.bytes() == 0, search.ended(), "a search frees its context when it ends");
        }
        assert!(search.ids().next().unwrap().len() > 1 && context.bytes() == bytes);
        assert_eq!(output(&context, &request).report.computed, 1, "the text is still in the cache");
    });
}

/// A beam that rules let no token follow leaves the search to the others of its text, and to those of other texts.
#[test]
fn a_search_goes_on_with_beams_that_have_a_next_token() {
    both(|device, _| {
        let folder = golden("pairs/marian");
        let model = folder.load(device);
        let vocabulary = folder.facts().vocab_size as u32;
        let find = |ids: &[u32], bad_words: Vec<Vec<u32>>| -> Result<Vec<Vec<u32>>, Error> {
            let rules = Rules { bad_words, ends: vec![1], max_length: 8, ..Rules::default() };
            let search = Search { width: 3, length_penalty: 1.0, stopping: Stopping::Never, rules };
            let source = SourceText { ids: ids.to_vec(), length: 3, attention_mask: None };
            let mut search = BeamSearch::new(&model, source, &[0], search)?;
            while !search.ended() {
                pollster::block_on(search.step(&NeverCancelled))?;
            }
            Ok(search.ids().map(<[u32]>::to_vec).collect())
        };
        let nothing_after = |token: u32| (0..vocabulary).map(|id| vec![token, id]).collect::<Vec<_>>();
        let sources = [9, 4, 1, 5, 3, 1];
        for text in find(&sources, Vec::new()).unwrap() {
            // The token that the best beam has first.
            let dead_end = text[1];
            let found = find(&sources, nothing_after(dead_end)).unwrap();
            for (found, source) in found.iter().zip(sources.chunks_exact(3)) {
                assert!(!found[..found.len() - 1].contains(&dead_end), "{found:?}");
                assert_eq!(find(source, nothing_after(dead_end)).unwrap()[0], *found, "a text alone");
            }
        }
        assert_eq!(find(&sources, nothing_after(0)), Err(Error::NoCandidates));
    });
}

#[test]
fn one_stack_has_one_part() {
    let folder = golden("decoders/llama");
    let context = context(&folder.load(Device::Cpu));
    let with_head = |part| Request { selection: Some(HeadId { part, ..HeadId::new(0, 0) }), ..folder.text(1, 4) };
    let (_, decoder) = run(&context, &with_head(Part::Decoder));
    for part in [Part::Encoder, Part::Cross] {
        let error = pollster::block_on(context.run(&with_head(part), &NeverCancelled)).err().unwrap();
        assert_eq!(error.to_string(), format!("LlamaForCausalLM has no part {part}: it is one stack"));
        let head = HeadId { part, ..HeadId::new(0, 0) };
        let error = pollster::block_on(decoder.head(head, &NeverCancelled)).unwrap_err();
        assert_eq!(error.to_string(), format!("LlamaForCausalLM has no part {part}: it is one stack"));
    }
}
