//! Decoding on the GPU submits steps before those in front of them are read: the text is that of single steps.

use crate::properties::cancellation::Load;
use crate::properties::interruption::drop_after;
use crate::support::{Folder, assert_close, context, context_with_heads, golden, gpu, output};
use ropescope::backend::NeverCancelled;
use ropescope::runtime::{Context, Continuation, Device, End, Generation, HeadId, Next, PredictionRows, Request};
use ropescope::sampling::SamplingSettings;

/// Steps in flight at most.
pub const MOST_IN_FLIGHT: usize = 4;

pub fn greedy() -> SamplingSettings {
    SamplingSettings { temperature: 0.0, ..SamplingSettings::default() }
}

/// Draws from the whole vocabulary.
fn drawn(seed: u64) -> SamplingSettings {
    SamplingSettings { temperature: 1.2, seed, ..SamplingSettings::default() }
}

/// Without draws and with them.
fn samplings() -> [SamplingSettings; 2] {
    [greedy(), drawn(6)]
}

pub fn continuation(sampling: &SamplingSettings, most: usize, ends: &[u32]) -> Continuation {
    Continuation { sampling: sampling.clone(), candidates: 64, most, ends: ends.to_vec(), beyond_length: true }
}

/// The same step by step: the smallest repetition penalty, which needs the ids before each step.
pub fn single_steps(continuation: Continuation) -> Continuation {
    let repetition_penalty = 1.0 + f64::from(f32::EPSILON);
    Continuation { sampling: SamplingSettings { repetition_penalty, ..continuation.sampling }, ..continuation }
}

/// Draws from the whole vocabulary.
pub fn sampled(most: usize, seed: u64) -> Continuation {
    continuation(&drawn(seed), most, &[])
}

pub fn begin(text: &Request, continuation: Continuation) -> Generation {
    Generation::new(&text.ids, text.batch, text.attention_mask.as_deref(), continuation).unwrap()
}

pub fn next(context: &Context, generation: &mut Generation) -> Vec<Option<Next>> {
    pollster::block_on(context.generate(generation, &NeverCancelled)).unwrap()
}

/// Tokens with their candidates until every text has ended, and the most steps that were in flight.
pub fn generate(context: &Context, mut generation: Generation) -> (Vec<Vec<Option<Next>>>, usize) {
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
fn assert_alike(what: &str, contexts: &[Context; 2], text: &Request, continuation: &Continuation) -> usize {
    let [device, host] = contexts;
    let what = format!("{what} at temperature {}", continuation.sampling.temperature);
    let (found, in_flight) = generate(device, begin(text, continuation.clone()));
    let (expected, none) = generate(host, begin(text, single_steps(continuation.clone())));
    assert_eq!(none, 0, "{what}: a penalty needs the ids");
    assert_all_same(&what, &found, &expected);
    in_flight
}

/// Two texts, the first after three tokens of padding.
pub fn padded(folder: &Folder, length: usize) -> Request {
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
        for sampling in samplings() {
            // Past the border of every rope that turns by the length, 32.
            let in_flight = assert_alike(name, &contexts, &folder.text(1, 9), &continuation(&sampling, 28, &[]));
            assert_eq!(in_flight, MOST_IN_FLIGHT, "{name}");
            let in_flight = assert_alike(name, &contexts, &padded(&folder, 7), &continuation(&sampling, 12, &[]));
            assert_eq!(in_flight, MOST_IN_FLIGHT, "{name}, padded");
        }
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
        for sampling in samplings() {
            let continuation = |most, ends: &[u32]| continuation(&sampling, most, ends);
            let (tokens, _) = generate(&contexts[0], begin(&text, continuation(12, &[])));
            let ids: Vec<[u32; 2]> =
                tokens.iter().map(|rows| [0, 1].map(|row| rows[row].as_ref().map_or(0, |next| next.id))).collect();
            for ends in [vec![ids[4][0]], vec![ids[6][1]], vec![ids[2][0], ids[5][1]], vec![ids[0][0], ids[0][1]]] {
                let what = format!("{name}, ended by {ends:?}");
                assert_alike(&what, &contexts, &text, &continuation(12, &ends));
                assert_alike(&what, &contexts, &folder.text(1, 11), &continuation(6, &[]));
                assert_alike(&what, &contexts, &text, &continuation(5, &[]));
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
}

#[test]
fn the_cache_grows_and_the_length_ends() {
    let device = gpu();
    let folder = golden("decoders/llama");
    let contexts = pair(&folder, &device);
    let limit = folder.facts().longest.unwrap() as usize;
    for sampling in samplings() {
        let alike =
            |what, text: &Request, most| assert_alike(what, &contexts, text, &continuation(&sampling, most, &[]));
        // 64 tokens are the least that a cache holds.
        assert_eq!(alike("growing", &folder.text(1, 58), 20), MOST_IN_FLIGHT);
        assert_eq!(alike("two that grow", &padded(&folder, 60), 9), MOST_IN_FLIGHT);
        let text = folder.text(1, limit - 6);
        let within = Continuation { beyond_length: false, ..continuation(&sampling, 50, &[]) };
        let (found, _) = generate(&contexts[0], begin(&text, within.clone()));
        let (expected, _) = generate(&contexts[1], begin(&text, single_steps(within)));
        assert_eq!((found.len(), found.last().unwrap()[0].as_ref().unwrap().end), (6, Some(End::Length)));
        assert_all_same("to the end of the positions", &found, &expected);
        assert_eq!(contexts[0].steps_in_flight(), 0, "steps after an end stay in flight");
        assert_eq!(alike("one token", &folder.text(1, 5), 1), 0);
    }
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

/// Makes an id another one of the vocabulary.
fn change(id: &mut u32) {
    *id = id.checked_sub(1).unwrap_or(1);
}

/// Whatever runs in between, the tokens are the same, and every run finds a sound text.
#[test]
fn other_runs_go_in_between() {
    let device = gpu();
    for name in ["llama", "gpt_neox", "roformer", "rope_dynamic_across"] {
        samplings().iter().for_each(|sampling| run_others_in_between(name, &device, &continuation(sampling, 40, &[])));
    }
}

fn run_others_in_between(name: &str, device: &Device, continuation: &Continuation) {
    let folder = golden(&format!("decoders/{name}"));
    let model = folder.load(device.clone());
    let (mut context, host) = (context_with_heads(&model), context_with_heads(&model));
    let text = folder.text(1, 10);
    let (expected, _) = generate(&host, begin(&text, single_steps(continuation.clone())));
    let mut generation = begin(&text, continuation.clone());
    for (step, expected) in expected.iter().enumerate() {
        let what = format!("{name} at temperature {}, token {step}", continuation.sampling.temperature);
        assert_same(&what, &next(&context, &mut generation), expected);
        let mut ids: Vec<u32> = generation.ids().next().unwrap().to_vec();
        match step {
            // The text as it stands, twice in turn.
            3 | 4 => {}
            // Its last token is another, or its fourth: the same plan, or the same places in the cache.
            9 | 10 => change(ids.last_mut().unwrap()),
            15 => change(&mut ids[3]),
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

/// A generation that is dropped in the middle, and other texts that begin like its text.
#[test]
fn a_generation_that_was_dropped_leaves_no_trace() {
    let device = gpu();
    let folder = golden("decoders/llama");
    let contexts = pair(&folder, &device);
    let text = folder.text(1, 12);
    for sampling in samplings() {
        let mut unfinished = begin(&text, continuation(&sampling, 30, &[]));
        for _ in 0..5 {
            next(&contexts[0], &mut unfinished);
        }
        assert_eq!(contexts[0].steps_in_flight(), MOST_IN_FLIGHT);
        let longer = Request::new(unfinished.ids().next().unwrap().to_vec(), 1, 17);
        let mut edited = longer.clone();
        change(&mut edited.ids[14]);
        drop(unfinished);
        for (what, text) in [("edited", &edited), ("taken up again", &longer), ("begun anew", &text)] {
            assert_alike(what, &contexts, text, &continuation(&sampling, 9, &[]));
        }
    }
}

/// A step whose reading was given up is still in flight: the next call reads it.
#[test]
fn a_dropped_future_leaves_its_step_in_flight() {
    let device = gpu();
    let contexts = pair(&golden("decoders/llama"), &device);
    samplings().iter().for_each(|sampling| drop_futures(&contexts, &device, &continuation(sampling, 20, &[])));
}

fn drop_futures([context, host]: &[Context; 2], device: &Device, continuation: &Continuation) {
    let text = golden("decoders/llama").text(1, 9);
    let (expected, _) = generate(host, begin(&text, single_steps(continuation.clone())));
    let load = Load::new(device);
    // On a busy machine the device may have done a step before it is read: then it gets more other work before each step.
    for more_loads in [0, 4, 16, 64, 256] {
        let mut dropped = 0;
        let mut generation = begin(&text, continuation.clone());
        for (step, expected) in expected.iter().enumerate() {
            let before = context.steps_in_flight();
            (0..more_loads).for_each(|_| load.submit());
            let found = drop_after(1, &load, context.generate(&mut generation, &NeverCancelled));
            let found = found.unwrap_or_else(|| {
                assert_eq!(context.steps_in_flight(), before, "token {step}");
                dropped += usize::from(before > 0);
                Ok(next(context, &mut generation))
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
        for continuation in samplings().map(|sampling| continuation(&sampling, 12, &[])) {
            let (mut in_flight, mut single) =
                (begin(&text, continuation.clone()), begin(&text, single_steps(continuation)));
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
}

/// The repetition penalty needs ids that only the host knows, and the CPU has no device that goes on meanwhile.
#[test]
fn the_host_goes_on_where_the_device_cannot() {
    let folder = golden("decoders/llama");
    let text = folder.text(1, 9);
    let ids = |tokens: &[Vec<Option<Next>>]| -> Vec<u32> { tokens.iter().flatten().flatten().map(|n| n.id).collect() };
    let contexts = [gpu(), Device::Cpu].map(|device| context(&folder.load(device)));
    for sampling in samplings() {
        let penalised = continuation(&SamplingSettings { repetition_penalty: 1.3, ..sampling }, 8, &[]);
        let [(on_gpu, steps), (on_cpu, none)] =
            contexts.each_ref().map(|context| generate(context, begin(&text, penalised.clone())));
        assert_eq!([steps, none], [0, 0], "steps in flight");
        assert_eq!(ids(&on_gpu), ids(&on_cpu));
    }
}
