//! An offset of all positions, padding and other texts in the batch change no result.

use crate::support::{Folder, assert_close, context, demo_model, golden, gpu, output};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use ropescope::runtime::{Context, Device, LARGEST_OFFSET, Request};

/// The only result of a run without taps.
fn result(context: &Context, request: &Request) -> Vec<f32> {
    let output = output(context, request);
    assert!(output.taps.is_empty());
    output.result.unwrap().data
}

fn cases(cases: u32) -> TestRunner {
    TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() })
}

/// max|Δ| as a part of max(1, max|reference|).
fn difference(found: &[f32], reference: &[f32]) -> f32 {
    assert_eq!(found.len(), reference.len());
    let largest = reference.iter().fold(1.0f32, |largest, value| largest.max(value.abs()));
    found.iter().zip(reference).fold(0.0f32, |worst, (found, expected)| worst.max((found - expected).abs())) / largest
}

/// The matrix product adds in another order where it has other sizes; the sums differ by that much and no more.
const ROUNDING: f32 = 1e-5;

fn close(found: &[f32], reference: &[f32], tolerance: f32) -> Result<(), TestCaseError> {
    let difference = difference(found, reference);
    prop_assert!(difference <= tolerance, "they differ by {difference}");
    Ok(())
}

/// The last is the largest that a run takes.
const OFFSETS: [u64; 8] = [1, 2, 63, 512, 10_000, 99_999, 100_000, LARGEST_OFFSET];

/// Only differences of positions matter: q·k of rotated rows depends on m − n.
#[test]
fn an_offset_of_all_positions_changes_nothing() {
    let language_models = ["RoFormerForMaskedLM", "RoFormerForCausalLM"].into_iter().flat_map(Folder::of_class);
    let others = ["tiny_model", "tiny_sequence_classification", "tiny_token_classification"].map(golden);
    // A table that the file rounded to 16 bits is used as far as it reaches; beyond it, angles are exact.
    let folders = language_models.filter(|folder| !folder.name.ends_with("16_table")).chain(others);
    let mut compared = 0;
    for folder in folders.filter(|folder| !folder.facts().rotary_value) {
        let context = context(&folder.load(Device::Cpu));
        let request = folder.request();
        let reference = result(&context, &request);
        for position_offset in OFFSETS {
            let moved = result(&context, &Request { position_offset, ..request.clone() });
            assert_close(&format!("{}, moved by {position_offset}", folder.name), &moved, &reference, 1e-3);
        }
        compared += 1;
    }
    assert!(compared >= 20, "only {compared} models");
}

/// The same holds for every rope that does not turn by the length of the text.
#[test]
fn an_offset_of_all_positions_changes_nothing_in_decoders_and_readers() {
    let mut compared = 0;
    for folder in Folder::all_within("decoders").into_iter().chain(Folder::all_within("readers")) {
        let architecture = folder.architecture();
        if architecture.facts.rotary_value
            || architecture.ropes.iter().any(|rope| !rope.has_same_frequencies(0, u64::MAX))
        {
            continue;
        }
        let context = context(&folder.load(Device::Cpu));
        let request = folder.request();
        let reference = result(&context, &request);
        for position_offset in OFFSETS {
            let moved = result(&context, &Request { position_offset, ..request.clone() });
            assert_close(&format!("{}, moved by {position_offset}", folder.name), &moved, &reference, 1e-3);
        }
        compared += 1;
    }
    assert!(compared >= 40, "only {compared} decoders");
}

/// A rotated value carries its own position to the output.
#[test]
fn an_offset_changes_a_rotated_value() {
    for name in ["masked_lm_rotary_value", "causal_lm_rotary_value"] {
        let folder = golden(name);
        let context = context(&folder.load(Device::Cpu));
        let request = folder.request();
        let reference = result(&context, &request);
        for position_offset in OFFSETS {
            let moved = result(&context, &Request { position_offset, ..request.clone() });
            assert!(difference(&moved, &reference) > 1e-3, "{name}, moved by {position_offset}");
        }
    }
}

#[test]
fn an_offset_changes_nothing_in_the_demo_model_or_on_the_gpu() {
    let demo = demo_model();
    for (folder, device, length) in
        [(&demo, Device::Cpu, 60), (&demo, gpu(), 9), (&golden("tiny_masked_lm"), gpu(), 33)]
    {
        let context = context(&folder.load(device));
        let request = folder.text(1, length);
        let reference = result(&context, &request);
        for position_offset in [17, 100_000] {
            let moved = result(&context, &Request { position_offset, ..request.clone() });
            let what = format!("{} on {}, moved by {position_offset}", folder.name, context.model().backend_name());
            assert_close(&what, &moved, &reference, 1e-3);
        }
    }
}

#[test]
fn any_offset_of_any_text() {
    let folder = golden("masked_lm");
    let context = context(&folder.load(Device::Cpu));
    let ids = vec(0..folder.facts().vocab_size as u32, 1..20);
    let property = |(ids, position_offset): (Vec<u32>, u64)| {
        let length = ids.len();
        let request = Request::new(ids, 1, length);
        let reference = result(&context, &request);
        let moved = result(&context, &Request { position_offset, ..request });
        close(&moved, &reference, 1e-3)
    };
    cases(100).run(&(ids, 0..=100_000u64), property).unwrap();
}

/// Padded at its end, a text keeps its results, whatever the padding is made of.
#[test]
fn padding_changes_nothing() {
    for name in [
        "masked_lm",
        "masked_lm_rotary_value",
        "causal_lm",
        "tiny_question_answering",
        "decoders/llama",
        "decoders/gpt_neox",
        "decoders/mistral_window",
    ] {
        let folder = golden(name);
        let context = context(&folder.load(Device::Cpu));
        let ids = |length| vec(0..folder.facts().vocab_size as u32, length);
        let property = |(text, padding): (Vec<u32>, Vec<u32>)| {
            let (length, padded) = (text.len(), text.len() + padding.len());
            let alone = result(&context, &Request::new(text.clone(), 1, length));
            let attention_mask = Some((0..padded).map(|position| u32::from(position < length)).collect());
            let request = Request { attention_mask, ..Request::new([text, padding].concat(), 1, padded) };
            let with_padding = result(&context, &request);
            close(&with_padding[..alone.len()], &alone, ROUNDING)
        };
        cases(60).run(&(ids(1..20), ids(1..20)), property).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// Padded at its start, a text stands at later positions: the same but for what an offset leaves.
#[test]
fn padding_in_front_changes_nothing() {
    let folder = golden("tiny_masked_lm");
    let context = context(&folder.load(Device::Cpu));
    let width = folder.facts().vocab_size;
    let text = folder.text(1, 9);
    let alone = result(&context, &text);
    for padding in [1, 4, 31, 100] {
        let attention_mask = Some((0..padding + 9).map(|position| u32::from(position >= padding)).collect());
        let ids = [vec![0; padding], text.ids.clone()].concat();
        let padded = result(&context, &Request { attention_mask, ..Request::new(ids, 1, padding + 9) });
        assert_close(&format!("{padding} in front"), &padded[padding * width..], &alone, 1e-4);
    }
}

/// Padded in front, with positions counted from its first token, a text is the same to the last bit of its angles.
#[test]
fn padding_in_front_with_its_own_positions_changes_nothing() {
    for name in ["decoders/llama", "decoders/gpt_neox", "decoders/qwen3", "decoders/mistral_window", "causal_lm"] {
        let folder = golden(name);
        let (context, width) = (context(&folder.load(Device::Cpu)), folder.facts().vocab_size);
        let text = folder.text(1, 9);
        let alone = result(&context, &text);
        for padding in [1, 4, 31] {
            let length = padding + 9;
            let request = Request {
                attention_mask: Some((0..length).map(|position| u32::from(position >= padding)).collect()),
                position_ids: Some(
                    (0..length).map(|position: usize| position.saturating_sub(padding) as u32).collect(),
                ),
                ..Request::new([vec![0; padding], text.ids.clone()].concat(), 1, length)
            };
            let padded = result(&context, &request);
            assert_close(&format!("{name}, {padding} in front"), &padded[padding * width..], &alone, ROUNDING);
        }
    }
}

/// A batch is its texts, run one by one.
#[test]
fn a_batch_is_its_rows() {
    for name in ["masked_lm", "causal_lm_padded", "tiny_model", "tiny_sequence_classification"] {
        let folder = golden(name);
        let context = context(&folder.load(Device::Cpu));
        let text = (1..9usize, 1..5usize).prop_flat_map(|(length, batch)| {
            // Ids, segments and masks of any kind, rows without a token among them.
            vec(vec((0..97u32, 0..2u32, 0..2u32), length), batch)
        });
        let property = |rows: Vec<Vec<(u32, u32, u32)>>| {
            let request = |rows: &[Vec<(u32, u32, u32)>]| {
                let tokens = rows.concat();
                Request {
                    token_type_ids: Some(tokens.iter().map(|token| token.1).collect()),
                    attention_mask: Some(tokens.iter().map(|token| token.2).collect()),
                    ..Request::new(tokens.iter().map(|token| token.0).collect(), rows.len(), rows[0].len())
                }
            };
            let together = result(&context, &request(&rows));
            let mut alone = Vec::new();
            for row in &rows {
                alone.extend(result(&context, &request(std::slice::from_ref(row))));
            }
            close(&together, &alone, ROUNDING)
        };
        cases(60).run(&text, property).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// A plan that has run a longer text, more rows and another offset gives what a new one gives.
#[test]
fn earlier_runs_change_nothing() {
    let folder = golden("masked_lm");
    for device in [Device::Cpu, gpu()] {
        let model = folder.load(device);
        let used = context(&model);
        for length in [31, 2, 17, 1, 32, 5] {
            let request = Request { position_offset: length as u64, ..folder.text(1, length) };
            let expected = result(&context(&model), &request);
            assert_eq!(result(&used, &request), expected, "length {length}");
        }
    }
}
