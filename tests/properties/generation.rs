//! Greedy decoding on the GPU sends steps on their way before those in front of them are read: what it writes is what one step
//! after the other writes.

use crate::support::{Folder, assert_close, golden, gpu, run};
use ropescope::backend::Unhurried;
use ropescope::sampling::Settings;
use ropescope::session::{Continuation, Device, End, Generation, Next, Request, Rows, Selection, Session};

/// Steps that are on their way at most.
const MOST_AHEAD: usize = 4;

fn continuation(most: usize, ends: &[u32]) -> Continuation {
    let sampling = Settings { temperature: 0.0, ..Settings::default() };
    Continuation { sampling, most, ends: ends.to_vec(), beyond_length: true, keeps_heads: false }
}

/// The same by drawing from the best alone, which the device is not left to.
fn one_by_one(most: usize, ends: &[u32]) -> Continuation {
    let sampling = Settings { temperature: 1.0, top_k: 1, ..Settings::default() };
    Continuation { sampling, ..continuation(most, ends) }
}

fn begin(text: &Request, continuation: Continuation) -> Generation {
    Generation::new(&text.ids, text.batch, text.attention_mask.as_deref(), continuation).unwrap()
}

fn next(session: &mut Session, generation: &mut Generation) -> Vec<Option<Next>> {
    pollster::block_on(session.write_on(generation, &Unhurried)).unwrap()
}

/// Tokens with their candidates until every text has ended, and the most steps that were on their way.
fn written(session: &mut Session, mut generation: Generation) -> (Vec<Vec<Option<Next>>>, usize) {
    let (mut tokens, mut ahead) = (Vec::new(), 0);
    while !generation.ended() {
        tokens.push(next(session, &mut generation));
        ahead = ahead.max(session.steps_ahead());
    }
    (tokens, ahead)
}

/// Two sessions on one device: one that is left to the device, and one that goes step by step.
fn pair(folder: &Folder, device: &Device) -> [Session; 2] {
    [folder.load(device.clone()), folder.load(device.clone())]
}

/// The same tokens and ends, and candidates as probable. What the cache holds was computed alone by one session and among others by
/// the other one, by kernels that round otherwise.
fn assert_same(what: &str, found: &[Option<Next>], expected: &[Option<Next>]) {
    let told = |nexts: &[Option<Next>]| -> Vec<Option<(u32, Option<End>, usize)>> {
        nexts.iter().map(|next| next.as_ref().map(|next| (next.id, next.end, next.candidates.len()))).collect()
    };
    assert_eq!(told(found), told(expected), "{what}");
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        let least = expected.candidates.last().unwrap();
        for candidate in &found.candidates {
            // The last ones may be others that are as probable.
            let same = expected.candidates.iter().find(|other| other.id == candidate.id).unwrap_or(least);
            let apart = (candidate.before - same.before).abs().max((candidate.after - same.after).abs());
            assert!(apart < 1e-5, "{what}: {candidate:?} and {same:?}");
        }
    }
}

/// Writes on with and without steps ahead, and compares every number.
fn assert_alike(what: &str, sessions: &mut [Session; 2], text: &Request, most: usize, ends: &[u32]) -> usize {
    let [device, host] = sessions;
    let (found, ahead) = written(device, begin(text, continuation(most, ends)));
    let (expected, none) = written(host, begin(text, one_by_one(most, ends)));
    assert_eq!(none, 0, "{what}: drawn tokens are chosen by the host");
    assert_eq!(found.len(), expected.len(), "{what}");
    found.iter().zip(&expected).for_each(|(found, expected)| assert_same(what, found, expected));
    ahead
}

/// Two texts, the first behind three tokens of padding.
fn padded(folder: &Folder, length: usize) -> Request {
    let mask = (0..2 * length).map(|at| u32::from(at >= 3)).collect();
    Request { attention_mask: Some(mask), ..folder.text(2, length) }
}

#[test]
fn every_family_writes_what_single_steps_write() {
    let device = gpu();
    let names = ["llama", "llama_bfloat16", "gpt_neox", "roformer", "roformer_rotary_value", "mistral_window", "qwen2"];
    for name in names.into_iter().chain(["qwen3", "rope_yarn", "rope_dynamic_across", "rope_longrope_across"]) {
        let folder = golden(&format!("decoders/{name}"));
        let mut sessions = pair(&folder, &device);
        // Past the border of every rope that turns by the length, 32.
        let ahead = assert_alike(name, &mut sessions, &folder.text(1, 9), 28, &[]);
        assert_eq!(ahead, MOST_AHEAD, "{name}");
        let ahead = assert_alike(name, &mut sessions, &padded(&folder, 7), 12, &[]);
        assert_eq!(ahead, MOST_AHEAD, "{name}, padded");
    }
}

/// A token that ends one text early, and one that ends both: what was computed behind it is part of no text.
#[test]
fn texts_end_at_their_own_tokens() {
    let device = gpu();
    for name in ["llama", "gpt_neox", "roformer"] {
        let folder = golden(&format!("decoders/{name}"));
        let mut sessions = pair(&folder, &device);
        let text = padded(&folder, 7);
        let (tokens, _) = written(&mut sessions[0], begin(&text, continuation(12, &[])));
        let ids: Vec<[u32; 2]> =
            tokens.iter().map(|rows| [0, 1].map(|row| rows[row].as_ref().map_or(0, |next| next.id))).collect();
        for ends in [vec![ids[4][0]], vec![ids[6][1]], vec![ids[2][0], ids[5][1]], vec![ids[0][0], ids[0][1]]] {
            let what = format!("{name}, ended by {ends:?}");
            assert_alike(&what, &mut sessions, &text, 12, &ends);
            let other = folder.text(1, 11);
            assert_alike(&what, &mut sessions, &other, 6, &[]);
            assert_alike(&what, &mut sessions, &text, 5, &[]);
        }
        let mut ended = begin(&text, continuation(12, &[ids[4][0]]));
        while !ended.ended() {
            next(&mut sessions[0], &mut ended);
        }
        for (row, text) in ended.ids().enumerate() {
            let written: Vec<u32> = ids.iter().map(|ids| ids[row]).collect();
            let end = written.iter().position(|id| *id == ids[4][0]).map_or(12, |at| at + 1);
            assert_eq!(text[7..], written[..end], "{name}, row {row}");
        }
    }
}

#[test]
fn the_cache_grows_and_the_length_ends() {
    let device = gpu();
    let folder = golden("decoders/llama");
    let mut sessions = pair(&folder, &device);
    // 64 tokens are the least that a cache holds.
    assert_eq!(assert_alike("growing", &mut sessions, &folder.text(1, 58), 20, &[]), MOST_AHEAD);
    assert_eq!(assert_alike("two that grow", &mut sessions, &padded(&folder, 60), 9, &[]), MOST_AHEAD);
    let limit = folder.facts().longest.unwrap() as usize;
    let text = folder.text(1, limit - 6);
    let within = |continuation| Continuation { beyond_length: false, ..continuation };
    let (found, _) = written(&mut sessions[0], begin(&text, within(continuation(50, &[]))));
    let (expected, _) = written(&mut sessions[1], begin(&text, within(one_by_one(50, &[]))));
    assert_eq!((found.len(), found.last().unwrap()[0].as_ref().unwrap().end), (6, Some(End::Length)));
    assert_eq!(found, expected);
    assert_eq!(sessions[0].steps_ahead(), 0, "what is on its way behind an end is given up");
    assert_eq!(assert_alike("one token", &mut sessions, &folder.text(1, 5), 1, &[]), 0);
}

/// The last token of this text, whose heads are kept: most of it is in the cache.
fn look(ids: &[u32]) -> Request {
    let length = ids.len();
    Request {
        continues: true,
        selection: Some(Selection { layer: 1, head: 0 }),
        rows: Rows::At(vec![length as u32 - 1]),
        top_k: 61,
        beyond_length: true,
        ..Request::new(ids.to_vec(), 1, length)
    }
}

/// Whatever comes in between, the tokens are the same, and whatever runs then sees a sound text.
#[test]
fn other_runs_go_in_between() {
    let device = gpu();
    for name in ["llama", "gpt_neox", "roformer", "rope_dynamic_across"] {
        let folder = golden(&format!("decoders/{name}"));
        let [mut session, mut host] = pair(&folder, &device);
        let text = folder.text(1, 10);
        let kept = |continuation| Continuation { keeps_heads: true, ..continuation };
        let (expected, _) = written(&mut host, begin(&text, kept(one_by_one(40, &[]))));
        let mut generation = begin(&text, kept(continuation(40, &[])));
        for (step, expected) in expected.iter().enumerate() {
            let what = format!("{name}, token {step}");
            assert_same(&what, &next(&mut session, &mut generation), expected);
            let mut ids: Vec<u32> = generation.ids().next().unwrap().to_vec();
            match step {
                // The text as it stands, twice in turn.
                3 | 4 => {}
                // Its last token is another, or its fourth: the same plan, or the same places in the cache.
                9 | 10 => *ids.last_mut().unwrap() ^= 1,
                15 => ids[3] ^= 1,
                20 => ids = folder.text(1, 13).ids,
                25 => {
                    let copy = pollster::block_on(session.branch()).unwrap();
                    session.resume(copy);
                    continue;
                }
                30 => {
                    session.forget();
                    continue;
                }
                _ => continue,
            }
            let other = look(&ids);
            let found = run(&mut session, &other);
            if step < 5 {
                assert_eq!(found.report.computed, 1, "{what}: the text before its last token is in the cache");
            }
            let expected = run(&mut host, &Request { continues: false, ..other });
            let [found, expected] = [found, expected].map(|output| output.head.unwrap().attention);
            assert_close(&what, &found, &expected, 1e-5);
        }
        assert!(generation.ended());
    }
}

/// A text that is given up in the middle, and another that begins like it.
#[test]
fn texts_that_are_stopped_leave_nothing_behind() {
    let device = gpu();
    let folder = golden("decoders/llama");
    let mut sessions = pair(&folder, &device);
    let text = folder.text(1, 12);
    let mut stopped = begin(&text, continuation(30, &[]));
    for _ in 0..5 {
        next(&mut sessions[0], &mut stopped);
    }
    assert_eq!(sessions[0].steps_ahead(), MOST_AHEAD);
    let longer = Request::new(stopped.ids().next().unwrap().to_vec(), 1, 17);
    let mut edited = longer.clone();
    edited.ids[14] = (edited.ids[14] + 1) % 71;
    drop(stopped);
    for (what, text) in [("edited", &edited), ("taken up again", &longer), ("begun anew", &text)] {
        assert_alike(what, &mut sessions, text, 9, &[]);
    }
}

/// From the second token on nothing is created, and a step has one dispatch more than one that is waited for.
#[test]
fn steps_ahead_cost_one_dispatch_and_create_nothing() {
    let device = gpu();
    for name in ["llama", "gpt_neox", "roformer"] {
        let folder = golden(&format!("decoders/{name}"));
        let [mut session, mut host] = pair(&folder, &device);
        let text = folder.text(1, 9);
        let (mut ahead, mut single) = (begin(&text, continuation(12, &[])), begin(&text, one_by_one(12, &[])));
        for token in 0..12 {
            let before = session.created();
            next(&mut session, &mut ahead);
            let created = session.created() - before;
            next(&mut host, &mut single);
            if token > 0 {
                assert_eq!(ahead.dispatches(), single.dispatches() + 1, "{name}, token {token}");
                assert_eq!(created, 0, "{name}, token {token}");
            }
        }
    }
}

/// The repetition penalty looks at ids that only the host knows, and the CPU has nobody to go on meanwhile.
#[test]
fn the_host_goes_on_where_the_device_cannot() {
    let folder = golden("decoders/llama");
    let text = folder.text(1, 9);
    let mut penalised = continuation(8, &[]);
    penalised.sampling.repetition_penalty = 1.3;
    let (found, ahead) = written(&mut folder.load(gpu()), begin(&text, penalised.clone()));
    assert_eq!(ahead, 0, "penalised");
    let (expected, ahead) = written(&mut folder.load(Device::Cpu), begin(&text, penalised));
    assert_eq!(ahead, 0, "on the CPU");
    let ids = |tokens: &[Vec<Option<Next>>]| -> Vec<u32> { tokens.iter().flatten().flatten().map(|n| n.id).collect() };
    assert_eq!(ids(&found), ids(&expected));
}
