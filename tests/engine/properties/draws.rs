//! Draws: a seed gives one text on both backends, in any batch, and in as many parts as it is written in.

use crate::properties::generation::{
    MOST_IN_FLIGHT, begin, continuation, generate, greedy, next, padded, sampled, single_steps,
};
use crate::support::{context, golden, gpu};
use ropescope::runtime::{Context, Continuation, Device, Request};
use ropescope::sampling::SamplingSettings;

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
        for (continuation, left) in [(continuation(&greedy(), 5, &[]), 1), (hot, vocabulary)] {
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
