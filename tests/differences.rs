//! What changed between two runs, on both backends: against the taps of both, and what must not change at all.

mod support;

use ropescope::model::Variant;
use ropescope::plan::{HeadAblation, Tap};
use ropescope::session::{
    Device, Differences, Intervention, Output, Replaced, Request, Rows, Selection, Session, Tensor,
};
use support::{Folder, golden, gpu, run};

fn remember(session: &mut Session) {
    pollster::block_on(session.remember()).unwrap();
}

fn differences(session: &mut Session) -> Differences {
    pollster::block_on(session.differences()).unwrap()
}

fn devices() -> [Device; 2] {
    [Device::Cpu, gpu()]
}

/// The same text at position 0 and at 1000.
fn of_an_offset(folder: &Folder, device: Device) -> Differences {
    let mut session = folder.load(device);
    let text = Request { keeps_heads: true, ..folder.text(2, 13) };
    run(&mut session, &text);
    remember(&mut session);
    run(&mut session, &Request { position_offset: 1000, ..text });
    differences(&mut session)
}

#[test]
fn where_a_text_begins_makes_no_difference_but_to_rotated_values() {
    for device in devices() {
        for name in ["tiny_masked_lm", "tiny_causal_lm", "tiny_model"] {
            let Differences { attention, result, .. } = of_an_offset(&golden(name), device.clone());
            assert!(attention < 1e-5 && result < 1e-5, "{name}: {attention} and {result}");
            assert!(attention > 0.0 && result > 0.0, "{name}: the offset reaches nothing");
        }
        let Differences { attention, result, .. } = of_an_offset(&golden("masked_lm_rotary_value"), device);
        assert!(attention > 1e-3 && result > 1e-3, "rotary_value: {attention} and {result}");
    }
}

fn largest(one: &Tensor, other: &Tensor) -> f32 {
    one.data.iter().zip(&other.data).fold(0.0, |most, (one, other)| most.max((one - other).abs()))
}

#[test]
fn differences_are_those_of_maps_and_logits() {
    for folder in [golden("masked_lm"), golden("decoders/llama")] {
        let facts = folder.facts();
        for device in devices() {
            let mut session = folder.load(device);
            let taps = (0..facts.layers).map(Tap::Attentions).collect();
            let text = Request { taps, attention_mask: Some([[1; 7], [1; 7]].concat()), ..folder.text(2, 7) };
            let before = run(&mut session, &text);
            remember(&mut session);
            let replaced = vec![Replaced { layer: 0, head: 1, by: HeadAblation::Zero }];
            let changed = Intervention { replaced, ..Intervention::default() };
            let after = run(&mut session, &Request { intervention: changed, ..text.clone() });
            let found = differences(&mut session);

            let maps = |output: &Output, layer| output.tensors[&Tap::Attentions(layer).to_string()].clone();
            let by_layer: Vec<f32> =
                (0..facts.layers).map(|layer| largest(&maps(&before, layer), &maps(&after, layer))).collect();
            assert_eq!(by_layer[0], 0.0, "what a head gives is nothing to its own layer's maps");
            let expected = by_layer.iter().fold(0.0f32, |most, found| most.max(*found));
            let logits = largest(&before.tensors["logits"], &after.tensors["logits"]);
            assert!(expected > 1e-3 && logits > 1e-3, "{}: {expected} and {logits}", folder.name);
            assert_eq!((found.attention, found.result), (expected, logits), "{}", folder.name);
            // The head that is named is one whose map differs so much.
            let Selection { layer, head } = found.head;
            let size = 7 * 7;
            let of = |output: &Output| {
                let maps = maps(output, layer).data;
                maps.chunks(size).skip(head).step_by(facts.heads).flatten().copied().collect::<Vec<f32>>()
            };
            let (before, after) = (of(&before), of(&after));
            assert!(before.iter().zip(&after).any(|(one, other)| (one - other).abs() == expected));

            // The same run again.
            run(&mut session, &text);
            let again = differences(&mut session);
            assert_eq!((again.attention, again.result), (0.0, 0.0));
        }
    }
}

/// Both runs beside the last one, which is still what is asked about; each as another variant where that is wanted.
#[test]
fn runs_beside_the_last_are_compared_where_the_largest_difference_is() {
    let folder = golden("tiny_masked_lm");
    let turned = Variant { rotary_value: true, ..Variant::default() };
    for device in devices() {
        let mut session = folder.load(device);
        let chosen = Selection { layer: 0, head: 1 };
        let last = run(&mut session, &Request { selection: Some(chosen), ..folder.text(1, 6) });
        let facts = folder.facts();
        let before = Differences::asked(folder.text(1, 9), &facts).unwrap();
        let after = Request { position_offset: 1000, ..before.clone() };
        let aside = |session: &mut Session, variant: &Variant, after: &Request| {
            let model = variant.read(&folder.config_json(), None).unwrap();
            let mut ran = |model, request| {
                pollster::block_on(session.run_aside(model, request, &ropescope::backend::Unhurried)).unwrap()
            };
            Differences::between(&ran(None, &before), &ran(Some(model), after), &facts).unwrap()
        };
        let shifted = aside(&mut session, &Variant::default(), &after);
        assert!(shifted.attention < 1e-5 && shifted.result < 1e-5 && shifted.result > 0.0, "{shifted:?}");
        let of_values = aside(&mut session, &turned, &after);
        assert!(of_values.attention > 1e-4 && of_values.result > 1e-4, "{of_values:?}");

        // What is told of a change is where the maps of two runs differ most.
        let replaced = vec![Replaced { layer: 0, head: 1, by: HeadAblation::Zero }];
        let changed = Request { intervention: Intervention { replaced, ..Intervention::default() }, ..before.clone() };
        let found = aside(&mut session, &Variant::default(), &changed);
        assert!(found.head.layer == 1, "what a head gives is nothing to its own layer's maps: {found:?}");
        let taps = || (0..facts.layers).map(Tap::Attentions).collect();
        let maps = |session: &mut Session, request: &Request| {
            let ran = run(session, &Request { taps: taps(), ..request.clone() });
            ran.tensors[&Tap::Attentions(found.head.layer).to_string()].data.clone()
        };
        let head = pollster::block_on(session.head(chosen)).unwrap();
        assert_eq!(Some(head), last.head, "the last run is no longer the one that is asked about");
        let at = (found.head.head * 9 + found.query) * 9 + found.key;
        let (one, other) = (maps(&mut session, &before)[at], maps(&mut session, &changed)[at]);
        assert!(((one - other).abs() - found.attention).abs() < 1e-6, "{one} and {other}: {found:?}");
    }
}

/// Fills are no numbers to compare: logits are kept beside them where that is asked for, and cost no dispatch.
#[test]
fn runs_that_tell_fills_are_compared_by_their_logits() {
    let folder = golden("tiny_masked_lm");
    for device in devices() {
        let mut session = folder.load(device);
        let plain = Request { keeps_heads: true, ..folder.text(1, 9) };
        let fills = Request { rows: Rows::At(vec![2, 5]), top_k: 3, ..plain.clone() };
        let without = run(&mut session, &fills).report.dispatches;
        let refused = pollster::block_on(session.remember()).unwrap_err();
        assert!(refused.to_string().contains("logits"), "{refused}");
        let kept = Request { keeps_logits: true, ..fills };
        assert_eq!(run(&mut session, &kept).report.dispatches, without);
        remember(&mut session);
        run(&mut session, &Request { position_offset: 7, ..kept.clone() });
        let Differences { attention, result, .. } = differences(&mut session);
        assert!(attention < 1e-5 && result < 1e-5 && result > 0.0);
        let mut other = kept;
        other.ids[4] += 1;
        run(&mut session, &other);
        let Differences { attention, result, .. } = differences(&mut session);
        assert!(attention > 1e-4 && result > 1e-4, "{attention} and {result}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused_in_words() {
    let folder = golden("tiny_masked_lm");
    let mut session = folder.load(Device::Cpu);
    let refused = |result: Result<_, ropescope::Error>, words: &str| {
        let error = result.err().unwrap_or_else(|| panic!("not refused: {words}"));
        assert_eq!(error.code(), "invalid-input");
        assert!(error.to_string().contains(words), "{error}");
    };
    refused(pollster::block_on(session.remember()), "kept its heads");
    run(&mut session, &Request { keeps_heads: true, ..folder.text(1, 5) });
    refused(pollster::block_on(session.differences()).map(|_| ()), "no run is remembered");
    remember(&mut session);
    run(&mut session, &Request { keeps_heads: true, ..folder.text(1, 6) });
    refused(pollster::block_on(session.differences()).map(|_| ()), "of one size");
    run(&mut session, &folder.text(1, 5));
    refused(pollster::block_on(session.differences()).map(|_| ()), "kept its heads");

    // Two layers of four heads over 2,049 tokens have more weights than are remembered.
    let folder = golden("decoders/llama");
    let mut session = folder.load(Device::Cpu);
    let long = Request { keeps_heads: true, beyond_length: true, rows: Rows::At(vec![0]), ..folder.text(1, 2049) };
    run(&mut session, &long);
    refused(pollster::block_on(session.remember()), "128 MiB that are remembered");
    refused(Differences::asked(long, &folder.facts()).map(|_| ()), "128 MiB that are remembered");
}
