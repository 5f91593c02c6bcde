//! Contexts of one model do not disturb each other, and one context does one thing at a time.

use crate::properties::cancellation::{Load, Yields};
use crate::support::{Folder, assert_close, context, context_with_heads, golden, gpu, output, run};
use pollster::block_on;
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::model::Variant;
use ropescope::ops::MapKind;
use ropescope::plan::Part;
use ropescope::rope::Scaling;
use ropescope::runtime::{
    Continuation, Device, Generation, HeadId, HeadMaps, PredictionRows, Request, Run, SourceText, Weighing,
};
use ropescope::sampling::SamplingSettings;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{self, Poll, Waker};

const HEAD: HeadId = HeadId::new(1, 1);

/// The logits of the last token of a text that goes on.
fn text(folder: &Folder, length: usize) -> Request {
    Request { continues: true, rows: PredictionRows::At(vec![length as u32 - 1]), ..folder.text(1, length) }
}

fn greedy(text: &Request, most: usize) -> Generation {
    let sampling = SamplingSettings { temperature: 0.0, ..SamplingSettings::default() };
    let continuation = Continuation { sampling, candidates: 64, most, ends: Vec::new(), beyond_length: true };
    Generation::new(&text.ids, 1, None, continuation).unwrap()
}

/// Polls all futures in turn until each has ended.
fn run_together(mut futures: Vec<Pin<Box<dyn Future<Output = ()> + '_>>>) {
    block_on(poll_fn(|context| {
        futures.retain_mut(|future| future.as_mut().poll(context).is_pending());
        if futures.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    }));
}

/// Runs, generation and questions whose futures are polled in turn, in contexts of one model and of its variant, give what each gives alone.
#[test]
fn contexts_that_work_together_give_what_each_gives_alone() {
    let folder = golden("decoders/llama");
    let scaling = Scaling::Linear { factor: 4.0, original_max_position_embeddings: None };
    let variant = Variant { scaling: Some(scaling), ..Variant::default() };
    let (short, long, plain) = (text(&folder, 7), text(&folder, 40), folder.text(2, 9));
    for (device, tolerance) in [(Device::Cpu, 1e-6), (gpu(), 1e-5)] {
        let model = folder.load(device);
        let other = model.variant(&variant).unwrap();
        let logits = |request: &Request, of| output(&context(of), request).result.unwrap().data;
        let expected = [logits(&short, &model), logits(&long, &model), logits(&plain, &other)];
        assert_ne!(logits(&plain, &model), expected[2], "the variant is another model");
        let heads = context_with_heads(&model);
        let (_, first) = run(&heads, &short);
        let map = block_on(first.head(HEAD, &NeverCancelled)).unwrap();
        let mut alone = greedy(&short, 12);
        while !alone.ended() {
            block_on(heads.generate(&mut alone, &NeverCancelled)).unwrap();
        }

        let contexts = [context(&model), context(&model), context(&other)];
        let generating = context(&model);
        let mut generation = greedy(&short, 12);
        let mut results: [Vec<Vec<f32>>; 3] = Default::default();
        let mut maps = Vec::new();
        {
            let mut futures: Vec<Pin<Box<dyn Future<Output = ()> + '_>>> = Vec::new();
            for ((context, request), results) in contexts.iter().zip([&short, &long, &plain]).zip(&mut results) {
                futures.push(Box::pin(async move {
                    for _ in 0..3 {
                        let (output, _) = context.run(request, &Yields).await.unwrap();
                        results.push(output.result.unwrap().data);
                    }
                }));
            }
            futures.push(Box::pin(async {
                while !generation.ended() {
                    generating.generate(&mut generation, &Yields).await.unwrap();
                }
            }));
            futures.push(Box::pin(async {
                for _ in 0..5 {
                    maps.push(first.head(HEAD, &Yields).await.unwrap());
                }
            }));
            run_together(futures);
        }
        for (results, expected) in results.iter().zip(&expected) {
            results.iter().for_each(|found| assert_close(&model.backend_name(), found, expected, tolerance));
        }
        assert!(generation.ids().eq(alone.ids()), "{}", model.backend_name());
        for found in maps {
            let numbers = |maps: &HeadMaps| [&maps.attention[..], &maps.query, &maps.key].concat();
            assert_close(&model.backend_name(), &numbers(&found), &numbers(&map), tolerance);
        }
    }
}

/// Polls a future once and, where it waits, calls `then` before it is dropped. A GPU may be done before: then another future is tried.
fn while_pending<F: Future>(load: &Load, future: impl Fn() -> F, then: impl FnOnce()) {
    for _ in 0..1000 {
        let mut future = pin!(future());
        load.submit();
        if future.as_mut().poll(&mut task::Context::from_waker(Waker::noop())).is_pending() {
            return then();
        }
    }
    panic!("no future waited");
}

/// While a future of a context is alive, every other call answers Busy; once the future is dropped, none does.
#[test]
fn a_context_at_work_is_busy() {
    let folder = golden("decoders/llama");
    let (short, long) = (text(&folder, 7), text(&folder, 11));
    for device in [Device::Cpu, gpu()] {
        let load = Load::new(&device);
        let context = context_with_heads(&folder.load(device));
        let (_, run) = run(&context, &short);
        let tokens = [0.0; 7];
        let check = |busy: bool| {
            let mut generation = greedy(&short, 2);
            let answers = [
                ("clear", if busy { context.clear().err() } else { None }),
                ("fork", block_on(context.fork()).err()),
                ("head", block_on(run.head(HEAD, &NeverCancelled)).err()),
                ("map", block_on(run.map(HEAD, MapKind::Score, 3, &NeverCancelled)).err()),
                ("attention_map", block_on(run.attention_map(HEAD, &NeverCancelled)).err()),
                ("statistics", block_on(run.statistics(Part::Decoder, 0..2, &tokens, &NeverCancelled)).err()),
                ("head_rows", block_on(run.head_rows(Part::Decoder, 0..2, &NeverCancelled)).err()),
                ("mean_map", block_on(run.mean_map(&[HEAD], Weighing::Value, &NeverCancelled)).err()),
                ("read_grid", block_on(run.read_grid(Part::Decoder, 4)).err()),
                ("grid", run.grid(Part::Decoder, 4).err()),
                ("frequencies", run.frequencies(0).err()),
                ("run", block_on(context.run(&short, &NeverCancelled)).err()),
                ("generate", block_on(context.generate(&mut generation, &NeverCancelled)).err()),
            ];
            for (what, error) in answers {
                assert_eq!(error, busy.then_some(Error::Busy), "{what} on {}", context.model().backend_name());
            }
            assert_eq!(generation.written(), usize::from(!busy));
            assert_eq!((run.is_fresh(), context.bytes() > 0), (!busy, !busy));
        };
        check(false);
        let contacts = block_on(run.contacts(&NeverCancelled)).unwrap_err();
        assert_eq!(contacts.code(), "no-contact-head", "the model has no contact head");
        while_pending(
            &load,
            || context.run(&long, &Yields),
            || {
                check(true);
                assert_eq!(block_on(run.contacts(&NeverCancelled)).unwrap_err(), Error::Busy);
            },
        );
        check(false);
        while_pending(&load, || run.head(HEAD, &Yields), || check(true));
        check(false);
    }
}

/// A run answers until its context is dropped, its cache is cleared, or its results are overwritten.
#[test]
fn a_run_that_is_gone_says_so() {
    let folder = golden("decoders/llama");
    let (cached, plain) = (text(&folder, 7), folder.text(1, 7));
    for device in [Device::Cpu, gpu()] {
        let model = folder.load(device);
        let stale = |run: &Run, what: &str| {
            assert!(!run.is_fresh(), "{what}");
            assert_eq!(block_on(run.head(HEAD, &NeverCancelled)).unwrap_err(), Error::Stale, "{what}");
            assert_eq!(run.grid(Part::Decoder, 4).err(), Some(Error::Stale), "{what}");
            assert_eq!(run.frequencies(0).unwrap_err(), Error::Stale, "{what}");
        };
        let context = context_with_heads(&model);
        let (_, first) = run(&context, &cached);
        let head = block_on(first.head(HEAD, &NeverCancelled)).unwrap();
        let (_, second) = run(&context, &plain);
        assert!(first.is_fresh() && second.is_fresh(), "a text in the cache and one without");
        run(&context, &plain);
        stale(&second, "its plan has run again");
        assert_eq!(block_on(first.head(HEAD, &NeverCancelled)).unwrap(), head);
        let mut edited = cached.clone();
        edited.ids[6] ^= 1;
        let (_, third) = run(&context, &edited);
        stale(&first, "its last token is another");
        context.clear().unwrap();
        stale(&third, "its cache is gone");
        let (_, last) = run(&context, &cached);
        assert!(last.is_fresh());
        drop(context);
        stale(&last, "its context is gone");
    }
}

/// A context has room for a few plans. Those of the encoder and of a run that has just ended are there for its questions, whatever ran
/// before it.
#[test]
fn a_new_run_answers_whatever_ran_before_it() {
    let folder = golden("pairs/marian");
    let source = Some(SourceText::one(vec![9, 4, 1]));
    let encoder = HeadId { part: Part::Encoder, ..HEAD };
    for device in [Device::Cpu, gpu()] {
        let context = context_with_heads(&folder.load(device));
        let text = Request { source: source.clone(), ..folder.text(1, 7) };
        let expected = block_on(run(&context, &text).1.head(encoder, &NeverCancelled)).unwrap();
        for top_k in 1..=9 {
            let (_, ran) = run(&context, &Request { top_k, ..text.clone() });
            assert_eq!(block_on(ran.head(encoder, &NeverCancelled)).as_ref(), Ok(&expected), "{top_k} kinds of runs");
        }
    }
}
