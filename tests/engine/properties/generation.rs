//! Decoding on the GPU submits steps before those in front of them are read: the text is that of single steps. And the draws: by a seed, on
//! both backends, in any batch.

use crate::properties::cancellation::Load;
use crate::properties::interruption::drop_after;
use crate::support::{Folder, assert_close, context, context_with_heads, golden, gpu, output};
use ropescope::backend::NeverCancelled;
use ropescope::runtime::{Context, Continuation, Device, End, Generation, HeadId, Next, PredictionRows, Request};
use ropescope::sampling::SamplingSettings;

/// Steps in flight at most.
const MOST_IN_FLIGHT: usize = 4;

fn continuation(most: usize, ends: &[u32]) -> Continuation {
    let sampling = SamplingSettings { temperature: 0.0, ..SamplingSettings::default() };
    Continuation { sampling, candidates: 64, most, ends: ends.to_vec(), beyond_length: true }
}

/// The same step by step: the smallest repetition penalty, which needs the ids before each step.
fn one_by_one(most: usize, ends: &[u32]) -> Continuation {
    single_steps(continuation(most, ends))
}

fn single_steps(continuation: Continuation) -> Continuation {
    let repetition_penalty = 1.0 + f64::from(f32::EPSILON);
    Continuation { sampling: SamplingSettings { repetition_penalty, ..continuation.sampling }, ..continuation }
}

/// Draws from the whole vocabulary.
fn sampled(most: usize, seed: u64) -> Continuation {
    let sampling = SamplingSettings { temperature: 1.2, seed, ..SamplingSettings::default() };
    Continuation { sampling, ..continuation(most, &[]) }
}

fn begin(text: &Request, continuation: Continuation) -> Generation {
    Generation::new(&text.ids, text.batch, text.attention_mask.as_deref(), continuation).unwrap()
}

fn next(context: &Context, generation: &mut Generation) -> Vec<Option<Next>> {
    pollster::block_on(context.generate(generation, &NeverCancelled)).unwrap()
}

/// Tokens with their candidates until every text has ended, and the most steps that were in flight.
fn generate(context: &Context, mut generation: Generation) -> (Vec<Vec<Option<Next>>>, usize) {
    let (mut tokens, mut in_flight) = (Vec::new(), 0);
    while !generation.ended() {
        tokens.push(next(context, &mut generation));
        in_flight = in_flight.max(context.steps_in_flight());
    }
    (tokens, in_flight)
}

/// Two contexts of one model: one for steps in flight, and one for single steps.
fn pair(folder: &Folder, device: &Device) -> [Context; 2] {
    let model = folder.load(device.clone());
    [context(&model), context(&model)]
}

/// The same tokens and ends, and candidates as probable. Keys and values in the cache were computed alone in one context and with others
/// in the other one, by kernels that round otherwise.
fn assert_same(what: &str, found: &[Option<Next>], expected: &[Option<Next>]) {
    let summary = |nexts: &[Option<Next>]| -> Vec<Option<(u32, Option<End>, usize)>> {
        nexts.iter().map(|next| next.as_ref().map(|next| (next.id, next.end, next.candidates.len()))).collect()
    };
    assert_eq!(summary(found), summary(expected), "{what}");
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        let least = expected.candidates.last().unwrap();
        for candidate in &found.candidates {
            // The last ones may be others that are as probable.
            let same = expected.candidates.iter().find(|other| other.id == candidate.id).unwrap_or(least);
            let difference = (candidate.before - same.before).abs().max((candidate.after - same.after).abs());
            assert!(difference < 1e-5, "{what}: {candidate:?} and {same:?}");
        }
    }
}

fn assert_all_same(what: &str, found: &[Vec<Option<Next>>], expected: &[Vec<Option<Next>>]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    found.iter().zip(expected).for_each(|(found, expected)| assert_same(what, found, expected));
}

/// Generates with and without steps in flight, and compares every number. Returns the most steps that were in flight.
fn assert_alike(what: &str, contexts: &[Context; 2], text: &Request, most: usize, ends: &[u32]) -> usize {
    let [device, host] = contexts;
    let (found, in_flight) = generate(device, begin(text, continuation(most, ends)));
    let (expected, none) = generate(host, begin(text, one_by_one(most, ends)));
    assert_eq!(none, 0, "{what}: a penalty needs the ids");
    assert_all_same(what, &found, &expected);
    in_flight
}

/// Two texts, the first after three tokens of padding.
fn padded(folder: &Folder, length: usize) -> Request {
    let mask = (0..2 * length).map(|at| u32::from(at >= 3)).collect();
    Request { attention_mask: Some(mask), ..folder.text(2, length) }
}

#[test]
fn every_family_generates_the_tokens_of_single_steps() {
    let device = gpu();
    let names = ["llama", "llama_bfloat16", "gpt_neox", "roformer", "roformer_rotary_value", "mistral_window", "qwen2"];
    for name in names.into_iter().chain(["qwen3", "rope_yarn", "rope_dynamic_across", "rope_longrope_across"]) {
        let folder = golden(&format!("decoders/{name}"));
        let contexts = pair(&folder, &device);
        // Past the border of every rope that turns by the length, 32.
        let in_flight = assert_alike(name, &contexts, &folder.text(1, 9), 28, &[]);
        assert_eq!(in_flight, MOST_IN_FLIGHT, "{name}");
        let in_flight = assert_alike(name, &contexts, &padded(&folder, 7), 12, &[]);
        assert_eq!(in_flight, MOST_IN_FLIGHT, "{name}, padded");
    }
}

/// A token that ends one text early, and one that ends both: tokens computed after it are part of no text.
#[test]
fn texts_end_at_their_own_tokens() {
    let device = gpu();
    for name in ["llama", "gpt_neox", "roformer"] {
        let folder = golden(&format!("decoders/{name}"));
        let contexts = pair(&folder, &device);
        let text = padded(&folder, 7);
        let (tokens, _) = generate(&contexts[0], begin(&text, continuation(12, &[])));
        let ids: Vec<[u32; 2]> =
            tokens.iter().map(|rows| [0, 1].map(|row| rows[row].as_ref().map_or(0, |next| next.id))).collect();
        for ends in [vec![ids[4][0]], vec![ids[6][1]], vec![ids[2][0], ids[5][1]], vec![ids[0][0], ids[0][1]]] {
            let what = format!("{name}, ended by {ends:?}");
            assert_alike(&what, &contexts, &text, 12, &ends);
            let other = folder.text(1, 11);
            assert_alike(&what, &contexts, &other, 6, &[]);
            assert_alike(&what, &contexts, &text, 5, &[]);
        }
        let mut ended = begin(&text, continuation(12, &[ids[4][0]]));
        while !ended.ended() {
            next(&contexts[0], &mut ended);
        }
        for (row, text) in ended.ids().enumerate() {
            let generated: Vec<u32> = ids.iter().map(|ids| ids[row]).collect();
            let end = generated.iter().position(|id| *id == ids[4][0]).map_or(12, |at| at + 1);
            assert_eq!(text[7..], generated[..end], "{name}, row {row}");
        }
    }
}

#[test]
fn the_cache_grows_and_the_length_ends() {
    let device = gpu();
    let folder = golden("decoders/llama");
    let contexts = pair(&folder, &device);
    // 64 tokens are the least that a cache holds.
    assert_eq!(assert_alike("growing", &contexts, &folder.text(1, 58), 20, &[]), MOST_IN_FLIGHT);
    assert_eq!(assert_alike("two that grow", &contexts, &padded(&folder, 60), 9, &[]), MOST_IN_FLIGHT);
    let limit = folder.facts().longest.unwrap() as usize;
    let text = folder.text(1, limit - 6);
    let within = |continuation| Continuation { beyond_length: false, ..continuation };
    let (found, _) = generate(&contexts[0], begin(&text, within(continuation(50, &[]))));
    let (expected, _) = generate(&contexts[1], begin(&text, within(one_by_one(50, &[]))));
    assert_eq!((found.len(), found.last().unwrap()[0].as_ref().unwrap().end), (6, Some(End::Length)));
    assert_all_same("to the end of the positions", &found, &expected);
    assert_eq!(contexts[0].steps_in_flight(), 0, "steps after an end stay in flight");
    assert_eq!(assert_alike("one token", &contexts, &folder.text(1, 5), 1, &[]), 0);
}

/// A head of this text, most of which is in the cache.
fn with_head(ids: &[u32]) -> Request {
    let length = ids.len();
    Request {
        continues: true,
        selection: Some(HeadId::new(1, 0)),
        rows: PredictionRows::At(vec![length as u32 - 1]),
        top_k: 61,
        beyond_length: true,
        ..Request::new(ids.to_vec(), 1, length)
    }
}

/// Whatever runs in between, the tokens are the same, and every run finds a sound text.
#[test]
fn other_runs_go_in_between() {
    let device = gpu();
    for name in ["llama", "gpt_neox", "roformer", "rope_dynamic_across"] {
        let folder = golden(&format!("decoders/{name}"));
        let model = folder.load(device.clone());
        let (mut context, host) = (context_with_heads(&model), context_with_heads(&model));
        let text = folder.text(1, 10);
        let (expected, _) = generate(&host, begin(&text, one_by_one(40, &[])));
        let mut generation = begin(&text, continuation(40, &[]));
        for (step, expected) in expected.iter().enumerate() {
            let what = format!("{name}, token {step}");
            assert_same(&what, &next(&context, &mut generation), expected);
            let mut ids: Vec<u32> = generation.ids().next().unwrap().to_vec();
            match step {
                // The text as it stands, twice in turn.
                3 | 4 => {}
                // Its last token is another, or its fourth: the same plan, or the same places in the cache.
                9 | 10 => *ids.last_mut().unwrap() ^= 1,
                15 => ids[3] ^= 1,
                20 => ids = folder.text(1, 13).ids,
                25 => {
                    context = pollster::block_on(context.fork()).unwrap();
                    continue;
                }
                30 => {
                    context.clear().unwrap();
                    continue;
                }
                _ => continue,
            }
            let other = with_head(&ids);
            let found = output(&context, &other);
            if step < 5 {
                assert_eq!(found.report.computed, 1, "{what}: the text before its last token is in the cache");
            }
            let expected = output(&host, &Request { continues: false, ..other });
            let [found, expected] = [found, expected].map(|output| output.head.unwrap().attention);
            assert_close(&what, &found, &expected, 1e-5);
        }
        assert!(generation.ended());
    }
}

/// A generation that is dropped in the middle, and other texts that begin like its text.
#[test]
fn a_generation_that_was_dropped_leaves_no_trace() {
    let device = gpu();
    let folder = golden("decoders/llama");
    let contexts = pair(&folder, &device);
    let text = folder.text(1, 12);
    let mut unfinished = begin(&text, continuation(30, &[]));
    for _ in 0..5 {
        next(&contexts[0], &mut unfinished);
    }
    assert_eq!(contexts[0].steps_in_flight(), MOST_IN_FLIGHT);
    let longer = Request::new(unfinished.ids().next().unwrap().to_vec(), 1, 17);
    let mut edited = longer.clone();
    edited.ids[14] = (edited.ids[14] + 1) % 71;
    drop(unfinished);
    for (what, text) in [("edited", &edited), ("taken up again", &longer), ("begun anew", &text)] {
        assert_alike(what, &contexts, text, 9, &[]);
    }
}

/// A step whose reading was given up is still in flight: the next call reads it.
#[test]
fn a_dropped_future_leaves_its_step_in_flight() {
    let device = gpu();
    let folder = golden("decoders/llama");
    let [context, host] = pair(&folder, &device);
    let text = folder.text(1, 9);
    let (expected, _) = generate(&host, begin(&text, one_by_one(20, &[])));
    let load = Load::new(&device);
    // On a busy machine the device may have done a step before it is read: then it gets more other work before each step.
    for more_loads in [0, 4, 16, 64, 256] {
        let mut dropped = 0;
        let mut generation = begin(&text, continuation(20, &[]));
        for (step, expected) in expected.iter().enumerate() {
            let before = context.steps_in_flight();
            (0..more_loads).for_each(|_| load.submit());
            let found = drop_after(1, &load, context.generate(&mut generation, &NeverCancelled));
            let found = found.unwrap_or_else(|| {
                assert_eq!(context.steps_in_flight(), before, "token {step}");
                dropped += usize::from(before > 0);
                Ok(next(&context, &mut generation))
            });
            assert_same(&format!("token {step}"), &found.unwrap(), expected);
        }
        if dropped > 0 {
            return;
        }
    }
    panic!("no future that reads a step had to wait");
}

/// From the second token on nothing is created, and a step in flight has one dispatch more than a single one.
#[test]
fn steps_in_flight_cost_one_dispatch_and_create_nothing() {
    let device = gpu();
    for name in ["llama", "gpt_neox", "roformer"] {
        let folder = golden(&format!("decoders/{name}"));
        let [context, host] = pair(&folder, &device);
        let text = folder.text(1, 9);
        let (mut in_flight, mut single) = (begin(&text, continuation(12, &[])), begin(&text, one_by_one(12, &[])));
        for token in 0..12 {
            let before = context.model().created();
            next(&context, &mut in_flight);
            let created = context.model().created() - before;
            next(&host, &mut single);
            if token > 0 {
                // The feed there, the penalty here.
                assert_eq!(in_flight.dispatches(), single.dispatches(), "{name}, token {token}");
                assert_eq!(created, 0, "{name}, token {token}");
            }
        }
    }
}

/// The repetition penalty needs ids that only the host knows, and the CPU has no device that goes on meanwhile.
#[test]
fn the_host_goes_on_where_the_device_cannot() {
    let folder = golden("decoders/llama");
    let text = folder.text(1, 9);
    let mut penalised = continuation(8, &[]);
    penalised.sampling.repetition_penalty = 1.3;
    let (found, in_flight) = generate(&context(&folder.load(gpu())), begin(&text, penalised.clone()));
    assert_eq!(in_flight, 0, "penalised");
    let (expected, in_flight) = generate(&context(&folder.load(Device::Cpu)), begin(&text, penalised));
    assert_eq!(in_flight, 0, "on the CPU");
    let ids = |tokens: &[Vec<Option<Next>>]| -> Vec<u32> { tokens.iter().flatten().flatten().map(|n| n.id).collect() };
    assert_eq!(ids(&found), ids(&expected));
}

/// The ids after a text, and the largest number of steps that were in flight.
fn ids(context: &Context, text: &Request, continuation: Continuation) -> (Vec<Vec<u32>>, usize) {
    let mut generation = begin(text, continuation);
    let mut in_flight = 0;
    while !generation.ended() {
        next(context, &mut generation);
        in_flight = in_flight.max(context.steps_in_flight());
    }
    (generation.ids().map(|ids| ids[text.length..].to_vec()).collect(), in_flight)
}

/// Steps in flight, single steps and the CPU draw the same tokens; another seed draws others.
#[test]
fn a_seed_gives_one_text_however_it_is_computed() {
    let folder = golden("decoders/llama");
    let (model, on_cpu) = (folder.load(gpu()), context(&folder.load(Device::Cpu)));
    let (device, host) = (context(&model), context(&model));
    let warp = |continuation: Continuation| {
        let sampling = SamplingSettings { top_k: 50, top_p: 0.95, min_p: 0.01, ..continuation.sampling };
        Continuation { sampling, ..continuation }
    };
    let mut texts = Vec::new();
    for (text, seed) in [(folder.text(1, 9), 1), (folder.text(1, 9), 2), (padded(&folder, 7), 3)] {
        for continuation in [sampled(20, seed), warp(sampled(20, seed))] {
            let (found, in_flight) = ids(&device, &text, continuation.clone());
            assert_eq!(in_flight, MOST_IN_FLIGHT, "draws feed each other");
            let (single, none) = ids(&host, &text, single_steps(continuation.clone()));
            assert_eq!((&single, none), (&found, 0), "seed {seed}");
            assert_eq!(ids(&on_cpu, &text, continuation.clone()).0, found, "seed {seed} on the CPU");
            // Whoever looks at other tokens gets the same.
            let alone = Continuation { candidates: 0, ..continuation };
            assert_eq!(ids(&device, &text, alone).0, found, "seed {seed} without candidates");
            texts.push(found);
        }
    }
    assert_ne!(texts[0], texts[2], "another seed");
    assert_ne!(texts[0], texts[1], "cut-offs");
}

/// A token's random bits depend on its place in the text, not on the call that writes it.
#[test]
fn a_sampled_text_that_is_continued_later_is_the_one_that_is_written_at_once() {
    let folder = golden("decoders/llama");
    let on_cpu = context(&folder.load(Device::Cpu));
    let text = folder.text(1, 9);
    let (at_once, _) = ids(&on_cpu, &text, sampled(12, 7));
    let (first, _) = ids(&on_cpu, &text, sampled(5, 7));
    let written: Vec<u32> = text.ids.iter().chain(&first[0]).copied().collect();
    let later = Request { attention_mask: None, ..Request::new(written.clone(), 1, written.len()) };
    let (rest, _) = ids(&on_cpu, &later, sampled(7, 7));
    assert_eq!([&first[0][..], &rest[0]].concat(), at_once[0]);
}

/// A text draws by its place in the batch, whatever the others are.
#[test]
fn a_text_draws_the_same_in_any_batch() {
    let folder = golden("decoders/llama");
    for device in [Device::Cpu, gpu()] {
        let context = context(&folder.load(device));
        let (one, two) = (folder.text(1, 8), folder.text(2, 8));
        let both = ids(&context, &two, sampled(12, 5)).0;
        for (row, expected) in both.iter().enumerate() {
            let text = Request { ids: two.ids[row * 8..][..8].to_vec(), ..one.clone() };
            assert_eq!(ids(&context, &text, sampled(12, 5 + row as u64)).0[0], *expected, "text {row}");
        }
    }
}

/// What comes with a token: the best ones as many as are asked for, the drawn one, and probabilities over the whole vocabulary.
#[test]
fn candidates_have_the_drawn_token() {
    let folder = golden("decoders/llama");
    let vocabulary = folder.facts().vocab_size;
    for device in [Device::Cpu, gpu()] {
        let context = context(&folder.load(device));
        let (mut others, mut hot) = (0, sampled(30, 8));
        hot.sampling.temperature = 5.0;
        for (continuation, left) in [(continuation(5, &[]), 1), (hot, vocabulary)] {
            for candidates in [0, 1, 5, 64] {
                let start = || begin(&folder.text(1, 6), Continuation { candidates, ..continuation.clone() });
                for next in generate(&context, start()).0.into_iter().flatten().flatten() {
                    assert_eq!(next.left, left, "also those that are not listed");
                    let listed = candidates.clamp(1, vocabulary.min(64));
                    let (best, drawn) = next.candidates.split_at(listed);
                    assert!(best.is_sorted_by(|better, worse| better.before >= worse.before), "{next:?}");
                    match drawn {
                        [] => assert!(best.iter().any(|token| token.id == next.id), "{next:?}"),
                        [drawn] => {
                            others += 1;
                            assert_eq!(drawn.id, next.id);
                            assert!(drawn.before <= best[listed - 1].before && drawn.after > 0.0, "{next:?}");
                        }
                        _ => panic!("{next:?}"),
                    }
                    let sum: f64 = next.candidates.iter().map(|token| token.after).sum();
                    assert!(sum <= 1.0 + 1e-5 && sum > 0.0, "{next:?}");
                }
            }
        }
        assert!(others > 10, "a temperature of 5 draws more than the best");
    }
}

/// From the second token on nothing is created, with and without steps in flight, with and without candidates.
#[test]
fn draws_create_nothing() {
    for device in [Device::Cpu, gpu()] {
        let folder = golden("decoders/llama");
        let context = context(&folder.load(device));
        for continuation in
            [sampled(10, 1), single_steps(sampled(10, 1)), Continuation { candidates: 0, ..sampled(10, 2) }]
        {
            let mut generation = begin(&folder.text(1, 9), continuation);
            for token in 0..10 {
                let before = context.model().created();
                next(&context, &mut generation);
                assert!(token == 0 || context.model().created() == before, "token {token}");
            }
        }
    }
}
