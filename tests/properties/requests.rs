//! Requests out of range are refused by a typed error, and the session goes on.

use crate::pace::StopAt;
use crate::support::{Folder, assert_close, golden, gpu, run};
use ropescope::session::{Device, Intervention, LARGEST_OFFSET, Pairs, Penalty, Request, Rows, Selection, Session};
use std::cell::Cell;
use std::future::Future;
use std::ops::RangeInclusive;
use std::pin::pin;
use std::task::{Context, Waker};

/// A request that is wrong in one way, and the kind of error it gets.
fn wrong(folder: &Folder) -> Vec<(&'static str, Request, &'static str)> {
    let facts = folder.facts();
    let good = || folder.text(2, 4);
    let with_id = |id: usize| {
        let mut request = good();
        request.ids[5] = id as u32;
        request
    };
    let longest = facts.max_position_embeddings;
    let selection = |layer, head| Request { selection: Some(Selection { layer, head }), ..good() };
    let pairs = |first, last| Pairs { layer: 0, head: 0, pairs: RangeInclusive::new(first, last) };
    let changed = |intervention| Request { intervention, ..good() };
    let stopped = |pairs| changed(Intervention { stopped: vec![pairs], ..Intervention::default() });
    let cut = |pairs| changed(Intervention { cut: vec![pairs], ..Intervention::default() });
    vec![
        ("no batch", Request::new(vec![], 0, 4), "invalid-input"),
        ("no length", Request::new(vec![], 2, 0), "invalid-input"),
        ("too long", folder.text(1, longest + 1), "text-too-long"),
        ("far too long", Request::new(vec![1, 2], 1, usize::MAX), "text-too-long"),
        ("a batch that overflows", Request::new(vec![1, 2], usize::MAX, 4), "invalid-input"),
        ("fewer ids", Request { ids: vec![1; 7], ..good() }, "invalid-input"),
        ("more ids", Request { ids: vec![1; 9], ..good() }, "invalid-input"),
        ("the first id beyond the vocabulary", with_id(facts.vocab_size), "id-out-of-vocabulary"),
        ("the largest id", with_id(u32::MAX as usize), "id-out-of-vocabulary"),
        ("a short mask", Request { attention_mask: Some(vec![1; 7]), ..good() }, "invalid-input"),
        ("a long mask", Request { attention_mask: Some(vec![1; 9]), ..good() }, "invalid-input"),
        (
            "a mask of weights",
            Request { attention_mask: Some(vec![1, 1, 1, 2, 1, 1, 1, 1]), ..good() },
            "invalid-input",
        ),
        ("an empty mask", Request { attention_mask: Some(vec![]), ..good() }, "invalid-input"),
        ("few token types", Request { token_type_ids: Some(vec![0; 4]), ..good() }, "invalid-input"),
        ("few positions", Request { position_ids: Some(vec![0; 7]), ..good() }, "invalid-input"),
        ("a position behind the text", Request { position_ids: Some(vec![4; 8]), ..good() }, "invalid-input"),
        ("the largest position", Request { position_ids: Some(vec![u32::MAX; 8]), ..good() }, "invalid-input"),
        ("an unknown type", Request { token_type_ids: Some(vec![2; 8]), ..good() }, "token-type-out-of-range"),
        ("a row behind the text", Request { rows: Rows::At(vec![0, 8]), ..good() }, "invalid-input"),
        ("the largest row", Request { rows: Rows::At(vec![u32::MAX]), ..good() }, "invalid-input"),
        ("65 fills", Request { top_k: 65, ..good() }, "invalid-input"),
        ("the most fills", Request { top_k: usize::MAX, ..good() }, "invalid-input"),
        (
            "an offset that angles cannot hold",
            Request { position_offset: LARGEST_OFFSET + 1, ..good() },
            "invalid-input",
        ),
        ("the largest offset", Request { position_offset: u64::MAX, ..good() }, "invalid-input"),
        ("stopped pairs that end before they begin", stopped(pairs(3, 1)), "invalid-input"),
        ("cut pairs that end before they begin", cut(pairs(3, 1)), "invalid-input"),
        ("pairs beyond the head's", stopped(pairs(1, facts.head_size / 2)), "invalid-input"),
        ("a layer that is not there", selection(facts.layers, 0), "invalid-input"),
        ("a head that is not there", selection(0, facts.heads), "invalid-input"),
    ]
}

#[test]
fn wrong_requests_are_refused_and_the_session_goes_on() {
    let folder = golden("masked_lm");
    for device in [Device::Cpu, gpu()] {
        let mut session = folder.load(device);
        let good = Request { selection: Some(Selection { layer: 1, head: 1 }), ..folder.text(2, 4) };
        let refused = pollster::block_on(session.head(Selection { layer: 0, head: 0 })).unwrap_err();
        assert_eq!(refused.code(), "invalid-input", "a head before the first run");
        let expected = run(&mut session, &good);
        for (what, request, code) in wrong(&folder) {
            let error = pollster::block_on(session.run(&request)).expect_err(what);
            assert_eq!(error.code(), code, "{what}: {error}");
            assert!(!error.retryable(), "{what}");
            // Not even the plan is gone: nothing is created for the next run.
            let again = run(&mut session, &good);
            assert_eq!((&again.tensors, &again.head), (&expected.tensors, &expected.head), "after {what}");
            assert_eq!(again.report.created, 0, "after {what}");
        }
        for selection in [Selection { layer: 2, head: 0 }, Selection { layer: 0, head: 4 }] {
            let error = pollster::block_on(session.head(selection)).unwrap_err();
            assert_eq!(error.code(), "invalid-input", "{selection:?}");
        }
        assert_eq!(pollster::block_on(session.head(Selection { layer: 1, head: 1 })).ok(), expected.head);
        // A run without heads keeps none.
        run(&mut session, &folder.text(2, 4));
        assert!(pollster::block_on(session.head(Selection { layer: 1, head: 1 })).is_err());
        assert!(session.picture(8).unwrap().is_none());
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let folder = golden("masked_lm");
    let mut session = folder.load(Device::Cpu);
    let mut message = |request: &Request| pollster::block_on(session.run(request)).unwrap_err().to_string();
    let mut request = folder.text(2, 4);
    request.ids[6] = 97;
    let found = message(&request);
    assert!(found.contains("id 97 (row 1, position 2)") && found.contains("vocabulary of 97"), "{found}");
    let found = message(&folder.text(1, 65));
    assert!(found.contains("65 tokens") && found.contains("more than the 64") && !found.contains("beyond"), "{found}");
    let found = message(&Request { attention_mask: Some(vec![1; 7]), ..folder.text(2, 4) });
    assert!(found.contains("mask") && found.contains('7') && found.contains("batch 2 × length 4"), "{found}");
    let found = message(&Request { selection: Some(Selection { layer: 3, head: 1 }), ..folder.text(1, 4) });
    assert!(found.contains("layer 3, head 1") && found.contains("below 2"), "{found}");
}

/// Only a vocabulary head predicts tokens.
#[test]
fn other_heads_have_no_fills_and_no_rows() {
    for name in ["tiny_model", "tiny_sequence_classification", "tiny_token_classification", "tiny_question_answering"] {
        let folder = golden(name);
        let mut session = folder.load(Device::Cpu);
        for request in
            [Request { top_k: 5, ..folder.text(1, 4) }, Request { rows: Rows::At(vec![1]), ..folder.text(1, 4) }]
        {
            let error = pollster::block_on(session.run(&request)).unwrap_err();
            assert_eq!(error.code(), "no-vocabulary-head", "{name}: {error}");
        }
        run(&mut session, &folder.text(1, 4));
    }
}

/// A map that is too large to be read back is refused before the model runs.
#[test]
fn too_large_maps_are_refused() {
    let folder = golden("decoders/rope_dynamic_beyond");
    let chosen = |length| Request {
        selection: Some(Selection { layer: 0, head: 0 }),
        rows: Rows::At(vec![0]),
        exact: true,
        ..folder.text(1, length)
    };
    let mut session = folder.load(Device::Cpu);
    // 4,096² numbers are 64 MiB.
    let error = pollster::block_on(session.run(&chosen(4097))).unwrap_err();
    assert_eq!(error, ropescope::Error::TooManyMaps { needed: 4 * 4097 * 4097, limit: 64 << 20 });
    run(&mut session, &chosen(5));
}

/// A penalty reads, for each row, the ids before it: of every row of a long text more than any machine has.
#[test]
fn a_penalty_of_too_many_rows_is_refused() {
    let folder = golden("decoders/llama");
    let text = |length| Request { penalty: Some(Penalty(1.5)), beyond_length: true, ..folder.text(1, length) };
    let mut session = folder.load(Device::Cpu);
    let error = pollster::block_on(session.run(&text(1 << 23))).unwrap_err();
    assert_eq!(error.code(), "memory-refused", "{error}");
    run(&mut session, &text(5));
}

/// A model goes beyond the length that it is made for where that is asked for; stored positions end.
#[test]
fn texts_beyond_the_length_are_asked_for() {
    let models = [("decoders/llama", true), ("without_table", true), ("masked_lm", false), ("causal_lm", false)];
    for (name, stretches) in models {
        let folder = golden(name);
        let (mut session, longest) = (folder.load(Device::Cpu), folder.facts().max_position_embeddings);
        let long = folder.text(1, longest + 1);
        let refused = |session: &mut Session, request: &Request| {
            let error = pollster::block_on(session.run(request)).unwrap_err();
            assert_eq!((error.code(), error.to_string().contains("beyond")), ("text-too-long", stretches), "{error}");
        };
        refused(&mut session, &long);
        let beyond = Request { beyond_length: true, ..long };
        match stretches {
            true => drop(run(&mut session, &beyond)),
            false => refused(&mut session, &beyond),
        }
        run(&mut session, &folder.text(1, longest));
    }
}

/// Only a causal model goes on from what it ran before.
#[test]
fn a_text_of_two_directions_cannot_go_on() {
    let folder = golden("masked_lm");
    let mut session = folder.load(Device::Cpu);
    let error = pollster::block_on(session.run(&Request { continues: true, ..folder.text(1, 4) })).unwrap_err();
    assert!(error.code() == "invalid-input" && error.to_string().contains("not causal"), "{error}");
}

/// Rows asked for are rows of all the logits; fills are their largest.
#[test]
fn rows_and_fills_are_those_of_all_logits() {
    let folder = golden("tiny_masked_lm");
    let vocabulary = folder.facts().vocab_size;
    for device in [Device::Cpu, gpu()] {
        let mut session = folder.load(device);
        let text = folder.text(2, 5);
        let all = run(&mut session, &text).tensors.remove("logits").unwrap().data;
        let all: Vec<&[f32]> = all.chunks_exact(vocabulary).collect();
        for rows in [vec![], vec![9], vec![3, 0, 3, 7, 7]] {
            let request = Request { rows: Rows::At(rows.clone()), ..text.clone() };
            let some = run(&mut session, &request).tensors.remove("logits").unwrap();
            assert_eq!(some.shape, [rows.len(), vocabulary]);
            let expected: Vec<f32> = rows.iter().flat_map(|row| all[*row as usize].to_vec()).collect();
            crate::support::assert_close(&format!("{rows:?}"), &some.data, &expected, 1e-6);

            let top = run(&mut session, &Request { top_k: 5, ..request }).top;
            assert_eq!(top.len(), rows.len());
            for (row, fills) in rows.iter().zip(&top) {
                check_fills(all[*row as usize], fills.iter().map(|fill| (fill.id, fill.probability())).collect());
            }
        }
        let everywhere = run(&mut session, &Request { top_k: 3, ..text.clone() }).top;
        assert_eq!(everywhere.len(), 10, "fills of every token");
        for (logits, fills) in all.iter().zip(&everywhere) {
            check_fills(logits, fills.iter().map(|fill| (fill.id, fill.probability())).collect());
        }
    }
}

/// Fills are the largest logits, best first, with their probabilities among all.
fn check_fills(logits: &[f32], fills: Vec<(u32, f32)>) {
    let mut order: Vec<usize> = (0..logits.len()).collect();
    order.sort_by(|a, b| logits[*b].total_cmp(&logits[*a]));
    let total: f64 = logits.iter().map(|logit| f64::from(*logit).exp()).sum();
    for ((id, probability), expected) in fills.into_iter().zip(order) {
        assert_eq!(id as usize, expected);
        let expected = f64::from(logits[expected]).exp() / total;
        assert!((f64::from(probability) - expected).abs() <= 1e-5, "{probability}, expected {expected}");
    }
}

/// Overtaken after any of its ops, a run leaves a session that computes the same as before.
#[test]
fn an_overtaken_run_leaves_no_trace() {
    let folder = golden("masked_lm");
    let mut session = folder.load(Device::Cpu);
    let (text, other) = (folder.text(1, 6), Request { position_offset: 40, ..folder.text(1, 9) });
    let expected = run(&mut session, &text);
    for ops in 0..expected.report.dispatches {
        let error = pollster::block_on(session.run_paced(&other, &StopAt::ops(ops))).unwrap_err();
        assert!(error.code() == "overtaken" && error.retryable(), "after {ops} ops: {error}");
        assert_eq!(run(&mut session, &text).tensors, expected.tensors, "after {ops} ops");
    }
    let pace = StopAt::ops(usize::MAX);
    assert!(pollster::block_on(session.run_paced(&other, &pace)).is_ok());
    assert_eq!(usize::MAX - pace.pauses.get(), expected.report.dispatches, "a pause before each op");
}

/// A run that pauses inside its products and its attention computes what one computes that does not, and may be overtaken there.
#[test]
fn a_long_op_gives_way_and_goes_on() {
    for (name, length) in [("masked_lm", 9), ("decoders/llama", 9), ("causal_lm", 61)] {
        let folder = golden(name);
        let mut session = folder.load(Device::Cpu);
        let text = folder.text(2, length);
        let expected = run(&mut session, &text);
        let pace = StopAt { pauses: Cell::new(usize::MAX), work: 1 };
        let paused = pollster::block_on(session.run_paced(&text, &pace)).unwrap();
        let pauses = usize::MAX - pace.pauses.get();
        assert!(pauses > 2 * expected.report.dispatches, "{name}: {pauses} pauses");
        for (tensor, expected) in paused.tensors.values().zip(expected.tensors.values()) {
            assert_close(name, &tensor.data, &expected.data, 1e-6);
        }
        let overtaken = StopAt { pauses: Cell::new(pauses / 2), work: 1 };
        assert!(pollster::block_on(session.run_paced(&text, &overtaken)).is_err());
        assert_eq!(run(&mut session, &text).tensors, expected.tensors, "{name}: after half of a run");
    }
}

/// Whoever polls a run's future on the GPU is not held up while the device computes.
#[test]
fn a_run_on_the_gpu_does_not_block_its_caller() {
    let folder = golden("masked_lm");
    let mut session = folder.load(gpu());
    let text = folder.text(1, 9);
    let expected = run(&mut session, &text);
    let output = {
        let mut running = pin!(session.run(&text));
        let first = running.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(first.is_pending(), "the first poll waited for the device");
        pollster::block_on(running)
    };
    assert_eq!(output.unwrap().tensors, expected.tensors);
}
