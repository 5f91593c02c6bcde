//! Requests out of range are refused by a typed error, and the context goes on.

use crate::properties::cancellation::StopAt;
use crate::support::{Folder, assert_close, context, context_with_heads, golden, gpu, output, run};
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::plan::Part;
use ropescope::runtime::{
    Context, ContextOptions, Device, Draws, HeadId, Intervention, Interventions, LARGEST_OFFSET, PredictionRows,
    Request, Run,
};
use ropescope::sampling::SamplingSettings;
use std::cell::Cell;
use std::future::Future;
use std::ops::RangeInclusive;
use std::pin::pin;
use std::task::{self, Waker};

/// The error of a run.
fn refused(context: &Context, request: &Request) -> Error {
    pollster::block_on(context.run(request, &NeverCancelled)).err().expect("an error")
}

/// The error of a question about a head.
fn refused_head(run: &Run, head: HeadId) -> Error {
    pollster::block_on(run.head(head, &NeverCancelled)).unwrap_err()
}

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
    let selection = |layer, head| Request { selection: Some(HeadId::new(layer, head)), ..good() };
    let part = |part| Request { selection: Some(HeadId { part, ..HeadId::new(0, 0) }), ..good() };
    let changed = |intervention| Request { interventions: Interventions::from([intervention]), ..good() };
    let frozen = |first, last| changed(Intervention::freeze(0, 0, RangeInclusive::new(first, last)));
    let ablated = |first, last| changed(Intervention::ablate_pairs(0, 0, RangeInclusive::new(first, last)));
    vec![
        ("no batch", Request::new(vec![], 0, 4), "no-texts"),
        ("no length", Request::new(vec![], 2, 0), "empty-text"),
        ("too long", folder.text(1, longest + 1), "text-too-long"),
        ("far too long", Request::new(vec![1, 2], 1, usize::MAX), "text-too-long"),
        ("a batch that overflows", Request::new(vec![1, 2], usize::MAX, 4), "wrong-count"),
        ("fewer ids", Request { ids: vec![1; 7], ..good() }, "wrong-count"),
        ("more ids", Request { ids: vec![1; 9], ..good() }, "wrong-count"),
        ("the first id beyond the vocabulary", with_id(facts.vocab_size), "id-out-of-vocabulary"),
        ("the largest id", with_id(u32::MAX as usize), "id-out-of-vocabulary"),
        ("a short mask", Request { attention_mask: Some(vec![1; 7]), ..good() }, "wrong-count"),
        ("a long mask", Request { attention_mask: Some(vec![1; 9]), ..good() }, "wrong-count"),
        ("a mask of weights", Request { attention_mask: Some(vec![1, 1, 1, 2, 1, 1, 1, 1]), ..good() }, "invalid-mask"),
        ("an empty mask", Request { attention_mask: Some(vec![]), ..good() }, "wrong-count"),
        ("few token types", Request { token_type_ids: Some(vec![0; 4]), ..good() }, "wrong-count"),
        ("few positions", Request { position_ids: Some(vec![0; 7]), ..good() }, "wrong-count"),
        ("a position after the text", Request { position_ids: Some(vec![4; 8]), ..good() }, "position-out-of-range"),
        ("the largest position", Request { position_ids: Some(vec![u32::MAX; 8]), ..good() }, "position-out-of-range"),
        ("an unknown type", Request { token_type_ids: Some(vec![2; 8]), ..good() }, "token-type-out-of-range"),
        ("a row after the text", Request { rows: PredictionRows::At(vec![0, 8]), ..good() }, "row-out-of-range"),
        ("the largest row", Request { rows: PredictionRows::At(vec![u32::MAX]), ..good() }, "row-out-of-range"),
        ("65 fills", Request { top_k: 65, ..good() }, "top-k-out-of-range"),
        ("the most fills", Request { top_k: usize::MAX, ..good() }, "top-k-out-of-range"),
        (
            "an offset that angles cannot hold",
            Request { position_offset: LARGEST_OFFSET + 1, ..good() },
            "offset-too-large",
        ),
        ("the largest offset", Request { position_offset: u64::MAX, ..good() }, "offset-too-large"),
        ("stopped pairs that end before they begin", frozen(3, 1), "pairs-out-of-range"),
        ("cut pairs that end before they begin", ablated(3, 1), "pairs-out-of-range"),
        ("pairs beyond the head's", frozen(1, facts.head_size / 2), "pairs-out-of-range"),
        ("a layer that is not there", selection(facts.layers, 0), "head-out-of-range"),
        ("a head that is not there", selection(0, facts.heads), "head-out-of-range"),
        ("a head of the encoder", part(Part::Encoder), "no-part"),
        ("a head of the cross-attention", part(Part::Cross), "no-part"),
    ]
}

#[test]
fn wrong_requests_are_refused_and_the_context_goes_on() {
    let folder = golden("masked_lm");
    for device in [Device::Cpu, gpu()] {
        let context = context(&folder.load(device));
        let good = Request { selection: Some(HeadId::new(1, 1)), ..folder.text(2, 4) };
        let (expected, mut last) = run(&context, &good);
        for (what, request, code) in wrong(&folder) {
            let error = refused(&context, &request);
            assert_eq!(error.code(), code, "{what}: {error}");
            assert!(!error.retryable(), "{what}");
            assert!(last.is_fresh(), "{what} took the run before it");
            // Not even the plan is gone: nothing is created for the next run.
            let (again, next) = run(&context, &good);
            assert_eq!((&again.result, &again.head), (&expected.result, &expected.head), "after {what}");
            assert_eq!(again.report.created, 0, "after {what}");
            last = next;
        }
        for head in [HeadId::new(2, 0), HeadId::new(0, 4)] {
            assert_eq!(refused_head(&last, head).code(), "head-out-of-range", "{head:?}");
        }
        assert_eq!(pollster::block_on(last.head(HeadId::new(1, 1), &NeverCancelled)).ok(), expected.head);
        // Neither the context nor the request keeps heads.
        let (_, without) = run(&context, &folder.text(2, 4));
        assert_eq!(refused_head(&without, HeadId::new(1, 1)).code(), "no-heads");
        assert_eq!(without.grid(Part::Decoder, 8).err().unwrap().code(), "no-heads");
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let folder = golden("masked_lm");
    let context = context(&folder.load(Device::Cpu));
    let message = |request: &Request| refused(&context, request).to_string();
    let mut request = folder.text(2, 4);
    request.ids[6] = 97;
    let found = message(&request);
    assert!(found.contains("id 97 (row 1, position 2)") && found.contains("vocabulary of 97"), "{found}");
    let found = message(&folder.text(1, 65));
    assert!(found.contains("65 tokens") && found.contains("more than the 64") && !found.contains("beyond"), "{found}");
    let found = message(&Request { attention_mask: Some(vec![1; 7]), ..folder.text(2, 4) });
    assert!(found.contains("mask") && found.contains('7') && found.contains("8 are needed"), "{found}");
    let found = message(&Request { selection: Some(HeadId::new(3, 1)), ..folder.text(1, 4) });
    assert!(found.contains("layer 3, head 1") && found.contains("below 2"), "{found}");
}

/// Only a vocabulary head predicts tokens.
#[test]
fn other_heads_have_no_fills_and_no_rows() {
    for name in ["tiny_model", "tiny_sequence_classification", "tiny_token_classification", "tiny_question_answering"] {
        let folder = golden(name);
        let context = context(&folder.load(Device::Cpu));
        for request in [
            Request { top_k: 5, ..folder.text(1, 4) },
            Request { rows: PredictionRows::At(vec![1]), ..folder.text(1, 4) },
        ] {
            let error = refused(&context, &request);
            assert_eq!(error.code(), "no-vocabulary-head", "{name}: {error}");
        }
        output(&context, &folder.text(1, 4));
    }
}

/// A map that is too large to be read back is refused before the model runs.
#[test]
fn too_large_maps_are_refused() {
    let folder = golden("decoders/rope_dynamic_beyond");
    let request = |length| Request {
        selection: Some(HeadId::new(0, 0)),
        rows: PredictionRows::At(vec![0]),
        ..folder.text(1, length)
    };
    let context = folder.load(Device::Cpu).context(ContextOptions { exact: true, ..ContextOptions::default() });
    // 4,096² numbers are 64 MiB.
    assert_eq!(refused(&context, &request(4097)), Error::TooManyMaps { needed: 4 * 4097 * 4097, limit: 64 << 20 });
    output(&context, &request(5));
}

/// A penalty reads, for each row, the ids before it: of every row of a long text more than any machine has.
#[test]
fn a_penalty_of_too_many_rows_is_refused() {
    let folder = golden("decoders/llama");
    let text = |length| Request { penalty: Some(1.5), beyond_length: true, ..folder.text(1, length) };
    let context = context(&folder.load(Device::Cpu));
    let error = refused(&context, &text(1 << 23));
    assert_eq!(error.code(), "memory-refused", "{error}");
    output(&context, &text(5));
}

/// A model runs texts beyond its length where a request allows it; stored positions end.
#[test]
fn longer_texts_run_where_the_request_allows_it() {
    let models = [("decoders/llama", true), ("without_table", true), ("masked_lm", false), ("causal_lm", false)];
    for (name, stretches) in models {
        let folder = golden(name);
        let (context, longest) = (context(&folder.load(Device::Cpu)), folder.facts().max_position_embeddings);
        let long = folder.text(1, longest + 1);
        let check = |request: &Request| {
            let error = refused(&context, request);
            assert_eq!((error.code(), error.to_string().contains("beyond")), ("text-too-long", stretches), "{error}");
        };
        check(&long);
        let beyond = Request { beyond_length: true, ..long };
        match stretches {
            true => drop(output(&context, &beyond)),
            false => check(&beyond),
        }
        output(&context, &folder.text(1, longest));
    }
}

/// Only a causal model continues the text of its last run.
#[test]
fn a_text_of_two_directions_cannot_go_on() {
    let folder = golden("masked_lm");
    let context = context(&folder.load(Device::Cpu));
    let error = refused(&context, &Request { continues: true, ..folder.text(1, 4) });
    assert!(error.code() == "not-causal", "{error}");
}

/// Logits of some rows are rows of all logits; fills are their largest.
#[test]
fn rows_and_fills_are_those_of_all_logits() {
    let folder = golden("tiny_masked_lm");
    let vocabulary = folder.facts().vocab_size;
    for device in [Device::Cpu, gpu()] {
        let context = context(&folder.load(device));
        let text = folder.text(2, 5);
        let all = output(&context, &text).result.unwrap().data;
        let all: Vec<&[f32]> = all.chunks_exact(vocabulary).collect();
        for rows in [vec![], vec![9], vec![3, 0, 3, 7, 7]] {
            let request = Request { rows: PredictionRows::At(rows.clone()), ..text.clone() };
            let some = output(&context, &request).result.unwrap();
            assert_eq!(some.shape, [rows.len(), vocabulary]);
            let expected: Vec<f32> = rows.iter().flat_map(|row| all[*row as usize].to_vec()).collect();
            assert_close(&format!("{rows:?}"), &some.data, &expected, 1e-6);

            let top = output(&context, &Request { top_k: 5, ..request }).top;
            assert_eq!(top.len(), rows.len());
            for (row, fills) in rows.iter().zip(&top) {
                check_fills(all[*row as usize], fills.iter().map(|fill| (fill.id, fill.probability())).collect());
            }
        }
        let everywhere = output(&context, &Request { top_k: 3, ..text.clone() }).top;
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

/// Cancelled after any of its ops, a run leaves a context that computes the same as before.
#[test]
fn a_run_that_was_cancelled_leaves_no_trace() {
    let folder = golden("masked_lm");
    let context = context(&folder.load(Device::Cpu));
    let (text, other) = (folder.text(1, 6), Request { position_offset: 40, ..folder.text(1, 9) });
    let expected = output(&context, &text);
    for ops in 0..expected.report.dispatches {
        let error = pollster::block_on(context.run(&other, &StopAt::ops(ops))).err().unwrap();
        assert!(error.code() == "cancelled" && error.retryable(), "after {ops} ops: {error}");
        assert_eq!(output(&context, &text).result, expected.result, "after {ops} ops");
    }
    let cancel = StopAt::ops(usize::MAX);
    assert!(pollster::block_on(context.run(&other, &cancel)).is_ok());
    assert_eq!(usize::MAX - cancel.pauses.get(), expected.report.dispatches, "a pause before each op");
}

/// A run that draws has a plan of its own: cancelled, it leaves the heads of the text's run as they were, whatever that run changed.
#[test]
fn a_draw_that_was_cancelled_leaves_the_heads_of_the_run() {
    let folder = golden("decoders/llama");
    let context = context_with_heads(&folder.load(Device::Cpu));
    let interventions = Interventions::from([Intervention::freeze(0, 0, 0..=1)]);
    let text = Request { interventions, rows: PredictionRows::At(vec![8]), top_k: 5, ..folder.text(1, 9) };
    let (_, of_text) = run(&context, &text);
    let head = || pollster::block_on(of_text.head(HeadId::new(1, 0), &NeverCancelled));
    let expected = head().unwrap();
    let draws = Some(Draws { warpers: SamplingSettings::default().warpers(), random: vec![0] });
    let drawn = Request { draws, ..text };
    let ops = output(&context, &drawn).report.dispatches;
    for ops in 0..ops {
        let error = pollster::block_on(context.run(&drawn, &StopAt::ops(ops))).err().unwrap();
        assert_eq!((error.code(), head().as_ref()), ("cancelled", Ok(&expected)), "after {ops} ops");
    }
}

/// A run that pauses inside its products and its attention computes the same as one without pauses, and may be cancelled there.
#[test]
fn a_long_op_pauses_and_goes_on() {
    for (name, length) in [("masked_lm", 9), ("decoders/llama", 9), ("causal_lm", 61)] {
        let folder = golden(name);
        let context = context(&folder.load(Device::Cpu));
        let text = folder.text(2, length);
        let expected = output(&context, &text);
        let cancel = StopAt { pauses: Cell::new(usize::MAX), work: 1 };
        let (paused, _) = pollster::block_on(context.run(&text, &cancel)).unwrap();
        let pauses = usize::MAX - cancel.pauses.get();
        assert!(pauses > 2 * expected.report.dispatches, "{name}: {pauses} pauses");
        let data = |output: &ropescope::Output| output.result.clone().unwrap().data;
        assert_close(name, &data(&paused), &data(&expected), 1e-6);
        let half = StopAt { pauses: Cell::new(pauses / 2), work: 1 };
        assert!(pollster::block_on(context.run(&text, &half)).is_err());
        assert_eq!(output(&context, &text).result, expected.result, "{name}: after half of a run");
    }
}

/// A poll of a run's future on the GPU returns while the device computes. On a busy machine the device may have ended before a poll looks,
/// so one pending poll of many is proof.
#[test]
fn a_run_on_the_gpu_does_not_block_its_caller() {
    let folder = golden("masked_lm");
    let context = context(&folder.load(gpu()));
    let text = folder.text(1, 9);
    let expected = output(&context, &text);
    let is_pending = || {
        let mut running = pin!(context.run(&text, &NeverCancelled));
        match running.as_mut().poll(&mut task::Context::from_waker(Waker::noop())) {
            task::Poll::Pending => {
                assert_eq!(pollster::block_on(running).unwrap().0.result, expected.result);
                true
            }
            task::Poll::Ready(done) => {
                assert_eq!(done.unwrap().0.result, expected.result);
                false
            }
        }
    };
    assert!((0..100).any(|_| is_pending()), "each first poll waited for the device");
}
