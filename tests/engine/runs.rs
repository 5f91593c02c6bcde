//! Runs are asked about again after later ones: a run answers as it did at first, or says that it is stale; on both backends.

use crate::support::{Folder, assert_close, context_with_heads, golden, gpu, output, run};
use pollster::block_on;
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::ops::MapKind;
use ropescope::plan::Part;
use ropescope::runtime::{
    Context, Continuation, Device, Generation, HeadId, HeadMaps, Intervention, Interventions, Model, PredictionRows,
    Replacement, Request, Run, Tensor,
};
use ropescope::sampling::SamplingSettings;

/// A RoFormer, a Llama with grouped keys, and models with two ropes, windows, norms of heads, or embeddings that make up for masks.
fn folders() -> [Folder; 5] {
    ["tiny_masked_lm", "decoders/llama", "decoders/gemma3", "readers/modernbert", "readers/esm"].map(golden)
}

/// A model on each backend, and how far equal answers of two plans may be apart.
fn models(folder: &Folder) -> [(Model, f32); 2] {
    [(folder.load(Device::Cpu), 1e-5), (folder.load(gpu()), 1e-4)]
}

/// A text as the page runs it: a causal model goes on from the text before.
fn text(folder: &Folder, length: usize) -> Request {
    let rows = PredictionRows::At(vec![length as u32 - 1]);
    Request { rows, top_k: 3, continues: folder.facts().causal, ..folder.text(1, length) }
}

/// The request with frozen pairs, without a head, and shifted. None continues a text.
fn changed(request: &Request) -> [Request; 3] {
    let request = || Request { continues: false, ..request.clone() };
    let frozen = [Intervention::freeze(1, 0, 0..=1)];
    let replaced = [Intervention::ablate_head(0, 1, Replacement::Zero)];
    [
        Request { interventions: Interventions::from(frozen), ..request() },
        Request { interventions: Interventions::from(replaced), ..request() },
        Request { position_offset: 7, ..request() },
    ]
}

/// Greedy tokens of a text.
fn greedy(ids: &[u32], most: usize) -> Generation {
    let sampling = SamplingSettings { temperature: 0.0, ..SamplingSettings::default() };
    let continuation = Continuation { sampling, candidates: 64, most, ends: Vec::new(), beyond_length: false };
    Generation::new(ids, 1, None, continuation).unwrap()
}

/// All that a run answers about its heads.
#[derive(Debug, PartialEq)]
struct Answers {
    heads: Vec<HeadMaps>,
    maps: Vec<Tensor>,
    statistics: Tensor,
}

impl Answers {
    fn numbers(&self) -> Vec<f32> {
        let heads = self.heads.iter().flat_map(|head| [&head.attention, &head.query, &head.key]);
        heads.chain(self.maps.iter().map(|map| &map.data)).chain([&self.statistics.data]).flatten().copied().collect()
    }
}

fn ask(model: &Model, run: &Run) -> Result<Answers, Error> {
    let (layers, count) = (model.facts().layers, model.facts().heads);
    let all = || (0..layers).flat_map(|layer| (0..count).map(move |head| HeadId::new(layer, head)));
    let heads: Result<Vec<_>, _> = all().map(|head| block_on(run.head(head, &NeverCancelled))).collect();
    let maps = all().map(|head| block_on(run.map(head, MapKind::Score, usize::MAX, &NeverCancelled)));
    let maps: Vec<Tensor> = maps.collect::<Result<_, _>>()?;
    let tokens: Vec<f32> = (0..maps[0].shape[1]).map(|token| (token % 3) as f32).collect();
    let statistics = block_on(run.statistics(Part::Decoder, 0..layers, &tokens, &NeverCancelled))?;
    Ok(Answers { heads: heads?, maps, statistics })
}

/// A run with its first answers.
struct Watched {
    model: Model,
    run: Run,
    before: Answers,
    tolerance: f32,
}

impl Watched {
    fn new(context: &Context, request: &Request, tolerance: f32) -> Self {
        let (_, run) = run(context, request);
        let before = ask(context.model(), &run).unwrap();
        Self { model: context.model().clone(), run, before, tolerance }
    }

    /// It answers exactly as at first: nothing of it was computed again.
    fn assert_untouched(&self, what: &str) {
        assert!(self.run.is_fresh(), "{what}");
        assert!(ask(&self.model, &self.run).unwrap() == self.before, "{what}");
    }

    /// It answers as at first, but for the rounding of another plan.
    fn assert_fresh(&self, what: &str) {
        assert!(self.run.is_fresh(), "{what}");
        let found = ask(&self.model, &self.run).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_close(what, &found.numbers(), &self.before.numbers(), self.tolerance);
    }

    fn assert_stale(&self, what: &str) {
        assert!(!self.run.is_fresh(), "{what}");
        let error = ask(&self.model, &self.run).err().unwrap_or_else(|| panic!("{what}: it answers"));
        assert_eq!(error, Error::Stale, "{what}");
    }

    /// It answers as at first or says that it is stale. Returns which.
    fn assert_sound(&self, what: &str) -> bool {
        let fresh = self.run.is_fresh();
        if fresh {
            self.assert_fresh(what)
        } else {
            self.assert_stale(what)
        }
        fresh
    }
}

#[test]
fn changed_runs_in_another_context_leave_a_run_as_it_was() {
    for folder in folders() {
        for (model, tolerance) in models(&folder) {
            let [context, other] = [(); 2].map(|()| context_with_heads(&model));
            let request = text(&folder, 9);
            let plain = Watched::new(&context, &request, tolerance);
            for (at, request) in changed(&request).iter().enumerate() {
                // More kinds of plans than a context keeps.
                for top_k in [0, 3] {
                    let what = format!("{} on {}, change {at}, k {top_k}", folder.name, model.backend_name());
                    let changed = Watched::new(&other, &Request { top_k, ..request.clone() }, tolerance);
                    assert!(changed.before != plain.before, "{what} changes nothing");
                    plain.assert_untouched(&format!("{what}: the text as it is"));
                    changed.assert_untouched(&format!("{what}: the text as it was changed"));
                }
            }
        }
    }
}

/// Changed runs beside a text in the same context: each answers as it did or says that it is stale, the last one answers, and a text in
/// the cache outlasts them all.
#[test]
fn runs_of_one_context_answer_as_before_or_are_stale() {
    for folder in folders() {
        let facts = folder.facts();
        for (model, tolerance) in models(&folder) {
            let context = context_with_heads(&model);
            let request = text(&folder, 9);
            let plain = Watched::new(&context, &request, tolerance);
            let mut others: Vec<Watched> = Vec::new();
            let mut fresh = 0;
            for (at, request) in changed(&request).iter().enumerate() {
                for top_k in [0, 3] {
                    let what = format!("{} on {}, change {at}, k {top_k}", folder.name, model.backend_name());
                    let changed = Watched::new(&context, &Request { top_k, ..request.clone() }, tolerance);
                    changed.assert_untouched(&what);
                    fresh += others.iter().filter(|other| other.assert_sound(&what)).count();
                    others.push(changed);
                    match facts.causal {
                        true => plain.assert_fresh(&format!("{what}: the text in the cache")),
                        false => _ = plain.assert_sound(&format!("{what}: the text")),
                    }
                }
            }
            assert!(fresh > 0, "{}: plans of several kinds are kept", folder.name);
            // The same text again.
            let again = Watched::new(&context, &request, tolerance);
            match facts.causal {
                true => plain.assert_fresh("the same text over its cache"),
                false => plain.assert_stale("its plan has run again"),
            }
            again.assert_untouched("the same text again");
            others.iter().for_each(|other| _ = other.assert_sound("the same text again"));
        }
    }
}

#[test]
fn what_was_overwritten_is_not_asked_about() {
    for folder in folders() {
        for (model, tolerance) in models(&folder) {
            let what = |why: &str| format!("{} on {}: {why}", folder.name, model.backend_name());
            let context = context_with_heads(&model);
            let request = text(&folder, 9);
            let plain = Watched::new(&context, &request, tolerance);
            // Shifted, it takes the plan of the text, or its place in the cache.
            let shifted = Watched::new(&context, &Request { position_offset: 7, ..request.clone() }, tolerance);
            plain.assert_stale(&what("the same plan ran shifted"));
            // As it was before: the run before stays stale.
            let again = Watched::new(&context, &request, tolerance);
            shifted.assert_stale(&what("the same plan ran as it is"));
            plain.assert_stale(&what("the same text came again after another"));
            again.assert_untouched(&what("the newest run"));
            drop(context);
            again.assert_stale(&what("its context is gone"));
        }
    }
}

#[test]
fn a_longer_text_leaves_a_shorter_one_in_the_cache() {
    let folder = golden("decoders/llama");
    for (model, tolerance) in models(&folder) {
        let what = |why: &str| format!("{}: {why}", model.backend_name());
        let context = context_with_heads(&model);
        let [request, longer] = [text(&folder, 9), text(&folder, 10)];
        let first = Watched::new(&context, &request, tolerance);
        assert_eq!(output(&context, &longer).report.computed, 1);
        first.assert_fresh(&what("all of it is in the cache"));

        // Its last token is computed again by another plan.
        let penalised = Request { penalty: Some(1.5), ..request.clone() };
        assert_eq!(output(&context, &penalised).report.computed, 1);
        first.assert_fresh(&what("its last token was computed again"));

        // A shorter text leaves the first part of it alone.
        let shorter = Watched::new(&context, &text(&folder, 5), tolerance);
        first.assert_stale(&what("the text was cut"));
        assert_eq!(output(&context, &request).report.computed, 4);
        first.assert_stale(&what("the text was cut, and came back"));
        shorter.assert_fresh(&what("the text goes on after it"));

        // The cache grows.
        let long = Request { beyond_length: true, ..text(&folder, 90) };
        assert_eq!(output(&context, &long).report.computed, 81);
        shorter.assert_fresh(&what("the cache has grown"));
        context.clear().unwrap();
        shorter.assert_stale(&what("the cache was cleared"));
    }
}

/// A fork goes on from a copy of the cache, and neither context sees what the other writes.
#[test]
fn a_fork_goes_on_by_itself() {
    let folder = golden("decoders/llama");
    for (model, tolerance) in models(&folder) {
        let what = |why: &str| format!("{}: {why}", model.backend_name());
        let context = context_with_heads(&model);
        let request = text(&folder, 9);
        let first = Watched::new(&context, &request, tolerance);
        let fork = block_on(context.fork()).unwrap();
        assert!(fork.bytes() > 0);
        first.assert_untouched(&what("forked"));

        let mut other_end = text(&folder, 11);
        other_end.ids[9] ^= 1;
        let expected = output(&context_with_heads(&model), &other_end);
        let (found, forked) = run(&fork, &other_end);
        assert_eq!(found.report.computed, 2, "{}", what("the fork has the text's beginning"));
        assert_eq!(found.top[0][0].id, expected.top[0][0].id);
        first.assert_untouched(&what("the fork has run"));
        assert_eq!(output(&context, &text(&folder, 11)).report.computed, 2);
        first.assert_fresh(&what("the text has gone on"));
        let forked = Watched { before: ask(&model, &forked).unwrap(), run: forked, model: model.clone(), tolerance };
        drop(context);
        first.assert_stale(&what("its context is gone"));
        forked.assert_untouched(&what("the other context is gone"));
        assert_eq!(output(&fork, &text(&folder, 9)).report.computed, 1);
    }
}

#[test]
fn generation_leaves_a_run_of_another_context_and_that_of_its_prompt() {
    let folder = golden("decoders/llama");
    for (model, tolerance) in models(&folder) {
        let [context, other] = [(); 2].map(|()| context_with_heads(&model));
        let request = text(&folder, 6);
        let prompt = Watched::new(&context, &request, tolerance);
        let [frozen, ..] = changed(&request);
        let other_run = Watched::new(&other, &frozen, tolerance);
        let mut generation = greedy(&request.ids, 5);
        while !generation.ended() {
            block_on(context.generate(&mut generation, &NeverCancelled)).unwrap();
            let what = format!("{}, after {} tokens", model.backend_name(), generation.written());
            other_run.assert_untouched(&what);
            prompt.assert_fresh(&what);
            let submits = model.gpu().is_some() && !generation.ended();
            assert_eq!(context.steps_in_flight() > 0, submits, "{what}");
        }
        assert_eq!(generation.written(), 5);
    }
}

#[test]
fn generation_after_another_text_overwrites_it() {
    let folder = golden("decoders/llama");
    for (model, tolerance) in models(&folder) {
        let context = context_with_heads(&model);
        let request = text(&folder, 8);
        // A text that ends otherwise, as with [SEP], and one of which only the first tokens are continued.
        let another_end = [&request.ids[..7], &[request.ids[7] ^ 1]].concat();
        for prompt in [&request.ids[..6], &another_end] {
            let before = Watched::new(&context, &request, tolerance);
            let mut generation = greedy(prompt, 3);
            while !generation.ended() {
                block_on(context.generate(&mut generation, &NeverCancelled)).unwrap();
                before.assert_stale(&format!("{}, after {} tokens", model.backend_name(), generation.written()));
            }
            let after = Watched::new(&context, &request, tolerance);
            before.assert_stale("the text came back, but its tokens were computed again");
            after.assert_untouched("the text came back");
        }
    }
}

#[test]
fn a_run_answers_while_generation_outgrows_its_cache() {
    let folder = golden("decoders/llama_length_67");
    for (model, tolerance) in models(&folder) {
        let context = context_with_heads(&model);
        let request = text(&folder, 62);
        let prompt = Watched::new(&context, &request, tolerance);
        let mut generation = greedy(&request.ids, 5);
        while !generation.ended() {
            block_on(context.generate(&mut generation, &NeverCancelled)).unwrap();
            prompt.assert_fresh(&format!("{}, after {} tokens", model.backend_name(), generation.written()));
        }
        assert_eq!(generation.written(), 5);
    }
}
