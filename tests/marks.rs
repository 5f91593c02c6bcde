//! Earlier runs are asked about again, beside later ones that left them as they were; on both backends.

mod support;

use ropescope::backend::Unhurried;
use ropescope::model::Variant;
use ropescope::ops::MapKind;
use ropescope::plan::HeadAblation;
use ropescope::sampling::Settings;
use ropescope::session::{
    Continuation, Device, Generation, HeadMaps, Intervention, Pairs, Penalty, Replaced, Request, Rows, Selection,
    Session, Tensor,
};
use ropescope::weights::Header;
use support::{Folder, golden, gpu, run};

/// A RoFormer, a Llama with grouped keys, and models with two ropes, windows, norms of heads, or embeddings that make up for masks.
fn folders() -> [Folder; 5] {
    ["tiny_masked_lm", "decoders/llama", "decoders/gemma3", "readers/modernbert", "readers/esm"].map(golden)
}

fn sessions(folder: &Folder) -> [Session; 2] {
    [folder.load(Device::Cpu), folder.load(gpu())]
}

/// A text as the page runs it: heads are kept, and a causal model goes on from the text before.
fn watched(folder: &Folder, length: usize) -> Request {
    let facts = folder.facts();
    let rows = Rows::At(vec![length as u32 - 1]);
    let selection = Some(Selection { layer: 0, head: 0 });
    Request { selection, rows, top_k: 3, continues: facts.causal, ..folder.text(1, length) }
}

/// The same beside it, changed: with pairs stopped, without a head, shifted.
fn changed(request: &Request) -> [Request; 3] {
    let beside = || Request { continues: false, apart: true, ..request.clone() };
    let stopped = vec![Pairs { layer: 1, head: 0, pairs: 0..=1 }];
    let replaced = vec![Replaced { layer: 0, head: 1, by: HeadAblation::Zero }];
    [
        Request { intervention: Intervention { stopped, ..Intervention::default() }, ..beside() },
        Request { intervention: Intervention { replaced, ..Intervention::default() }, ..beside() },
        Request { position_offset: 7, ..beside() },
    ]
}

/// All that is asked about heads.
#[derive(Debug, PartialEq)]
struct Answers {
    heads: Vec<HeadMaps>,
    maps: Vec<Tensor>,
    statistics: Tensor,
}

fn answers(session: &mut Session) -> Answers {
    let (layers, count) = (session.facts().layers, session.facts().heads);
    let all = || (0..layers).flat_map(|layer| (0..count).map(move |head| Selection { layer, head }));
    let heads = all().map(|selection| pollster::block_on(session.head(selection)).unwrap()).collect();
    let maps: Vec<Tensor> = all()
        .map(|selection| pollster::block_on(session.map(selection, MapKind::Score, usize::MAX, &Unhurried)).unwrap())
        .collect();
    let tokens: Vec<f32> = (0..maps[0].shape[1]).map(|token| (token % 3) as f32).collect();
    Answers { heads, maps, statistics: pollster::block_on(session.statistics(&tokens)).unwrap() }
}

#[test]
fn a_text_is_still_asked_about_after_it_was_run_changed() {
    for folder in folders() {
        for mut session in sessions(&folder) {
            let request = watched(&folder, 9);
            run(&mut session, &request);
            let (whole, before) = (session.mark().unwrap(), answers(&mut session));
            for (at, other) in changed(&request).iter().enumerate() {
                let what = format!("{} on {}, change {at}", folder.name, session.backend_name());
                run(&mut session, other);
                let (newest, now) = (session.mark().unwrap(), answers(&mut session));
                assert!(now != before, "{what} changes nothing");
                assert!(session.look_at(whole), "{what}");
                assert!(answers(&mut session) == before, "{what}: the text as it is");
                assert!(session.look_at(newest), "{what}");
                assert!(answers(&mut session) == now, "{what}: the text as it was changed");
            }
        }
    }
}

#[test]
fn a_run_that_is_looked_at_outlasts_others() {
    for folder in folders() {
        for mut session in sessions(&folder) {
            let request = watched(&folder, 9);
            run(&mut session, &request);
            let (whole, before) = (session.mark().unwrap(), answers(&mut session));
            // More kinds of plans than are kept.
            for other in changed(&request).iter().flat_map(|other| [0, 3].map(|top_k| (other, top_k))) {
                run(&mut session, &Request { top_k: other.1, ..other.0.clone() });
                let what = format!("{} on {}, k {}", folder.name, session.backend_name(), other.1);
                assert!(session.look_at(whole), "{what}");
                assert!(answers(&mut session) == before, "{what}");
            }
        }
    }
}

#[test]
fn what_was_overwritten_is_not_asked_about() {
    for folder in folders() {
        for mut session in sessions(&folder) {
            let what = format!("{} on {}", folder.name, session.backend_name());
            let request = watched(&folder, 9);
            let mark = |session: &mut Session| {
                run(session, &request);
                session.mark().unwrap()
            };
            let refused = |session: &mut Session, mark, why: &str| {
                let newest = session.mark();
                assert!(!session.look_at(mark), "{what}: {why}");
                assert!(session.mark() == newest, "{what}: {why}, and the newest run is lost");
            };

            // Without a plan apart, a shifted run takes that of the text, or its place in the cache.
            let whole = mark(&mut session);
            run(&mut session, &Request { position_offset: 7, ..request.clone() });
            refused(&mut session, whole, "the plan ran again");

            let whole = mark(&mut session);
            mark(&mut session);
            refused(&mut session, whole, "the same text came again");

            let whole = mark(&mut session);
            session.look_at(None);
            assert!(session.mark().is_none() && pollster::block_on(session.statistics(&[0.0; 9])).is_err(), "{what}");
            assert!(session.look_at(whole), "{what}: nothing ran in between");

            let header = Header::parse(&folder.file(), None).unwrap();
            let variant = Variant::default().read(&folder.config_json(), Some(&header)).unwrap();
            session.become_variant(variant).unwrap();
            refused(&mut session, whole, "its plans were given back");
        }
    }
}

#[test]
fn a_longer_text_leaves_a_shorter_one_in_the_cache() {
    let folder = golden("decoders/llama");
    for mut session in sessions(&folder) {
        let what = session.backend_name();
        let [request, longer] = [watched(&folder, 9), watched(&folder, 10)];
        run(&mut session, &request);
        let (whole, before) = (session.mark().unwrap(), answers(&mut session));
        assert_eq!(run(&mut session, &longer).report.computed, 1, "{what}");
        assert!(session.look_at(whole), "{what}: all of it is there");
        assert!(answers(&mut session) == before, "{what}");

        // Its last token is computed anew, by another plan.
        run(&mut session, &request);
        let whole = session.mark().unwrap();
        let penalised = Request { penalty: Some(Penalty(1.5)), ..request.clone() };
        assert_eq!(run(&mut session, &penalised).report.computed, 1, "{what}");
        assert!(!session.look_at(whole), "{what}: it was cut");

        run(&mut session, &request);
        let whole = session.mark().unwrap();
        session.forget();
        assert!(!session.look_at(whole), "{what}: its cache was given back");
    }
}

#[test]
fn writing_on_leaves_a_run_beside_the_text_to_be_asked_about() {
    let folder = golden("decoders/llama");
    for mut session in sessions(&folder) {
        let what = session.backend_name();
        let request = watched(&folder, 6);
        run(&mut session, &request);
        let [muted, ..] = changed(&request);
        run(&mut session, &muted);
        let before = answers(&mut session);
        let mut generation = greedy(&request.ids, 5);
        while !generation.ended() {
            pollster::block_on(session.write_on(&mut generation, &Unhurried)).unwrap();
            assert!(answers(&mut session) == before, "{what}: after {} tokens", generation.written());
            let sent = session.gpu().is_some() && !generation.ended();
            assert_eq!(session.steps_ahead() > 0, sent, "{what}: after {} tokens", generation.written());
        }
        assert_eq!(generation.written(), 5, "{what}");
    }
}

/// Greedy tokens of a text, whose heads are kept.
fn greedy(ids: &[u32], most: usize) -> Generation {
    let sampling = Settings { temperature: 0.0, ..Settings::default() };
    let continuation = Continuation { sampling, most, ends: Vec::new(), beyond_length: false, keeps_heads: true };
    Generation::new(ids, 1, None, continuation).unwrap()
}

#[test]
fn a_text_that_is_not_what_is_written_on_is_no_longer_there() {
    let folder = golden("decoders/llama");
    for mut session in sessions(&folder) {
        let what = session.backend_name();
        let request = watched(&folder, 8);
        // As one that ends with [SEP], which what is written does not come behind, and one of which something else is written on.
        let another_end = [&request.ids[..7], &[request.ids[7] ^ 1]].concat();
        for prompt in [&request.ids[..6], &another_end] {
            run(&mut session, &request);
            let mut generation = greedy(prompt, 3);
            while !generation.ended() {
                pollster::block_on(session.write_on(&mut generation, &Unhurried)).unwrap();
                assert!(session.mark().is_none(), "{what}: after {} tokens", generation.written());
                assert!(pollster::block_on(session.head(Selection { layer: 0, head: 0 })).is_err(), "{what}");
            }
            run(&mut session, &request);
            assert!(session.mark().is_some(), "{what}");
        }
    }
}

#[test]
fn a_text_is_asked_about_while_what_is_written_outgrows_its_cache() {
    let folder = golden("decoders/llama_length_67");
    for mut session in sessions(&folder) {
        let what = session.backend_name();
        let request = watched(&folder, 62);
        run(&mut session, &request);
        let mut generation = greedy(&request.ids, 5);
        // The first step runs the text's last token anew.
        pollster::block_on(session.write_on(&mut generation, &Unhurried)).unwrap();
        let before = answers(&mut session);
        while !generation.ended() {
            pollster::block_on(session.write_on(&mut generation, &Unhurried)).unwrap();
            assert!(answers(&mut session) == before, "{what}: after {} tokens", generation.written());
        }
        assert_eq!(generation.written(), 5, "{what}");
    }
}
