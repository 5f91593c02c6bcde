//! Differences between two runs, on both backends: against the taps of both, and between runs that must not differ at all.

use crate::support::{Folder, context, golden, gpu, output};
use ropescope::Error;
use ropescope::model::Variant;
use ropescope::plan::TensorName;
use ropescope::runtime::{
    Context, Device, Differences, HeadId, Intervention, Interventions, Output, PredictionRows, Replacement, Request,
    SourceText, Tensor,
};

fn devices() -> [Device; 2] {
    [Device::Cpu, gpu()]
}

/// How far two requests are apart, each run in a context.
fn differences(before: (&Context, &Request), after: (&Context, &Request)) -> Differences {
    let facts = before.0.model().facts();
    let [before, after] = [before, after]
        .map(|(context, request)| output(context, &Differences::request(request.clone(), facts).unwrap()));
    Differences::between(&before, &after, facts).unwrap()
}

/// The same text at position 0 and at 1000.
fn of_an_offset(folder: &Folder, device: Device) -> Differences {
    let context = context(&folder.load(device));
    let text = folder.text(2, 13);
    differences((&context, &text), (&context, &Request { position_offset: 1000, ..text.clone() }))
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
            let context = context(&folder.load(device));
            let taps = (0..facts.layers).map(|layer| TensorName::Attentions.at(layer)).collect();
            let text = Request { taps, attention_mask: Some([[1; 7], [1; 7]].concat()), ..folder.text(2, 7) };
            let before = output(&context, &text);
            let replaced = [Intervention::ablate_head(0, 1, Replacement::Zero)];
            let interventions = Interventions::from(replaced);
            let after = output(&context, &Request { interventions, ..text.clone() });
            let found = Differences::between(&before, &after, &facts).unwrap();

            let maps = |output: &Output, layer| output.taps[&TensorName::Attentions.at(layer)].clone();
            let by_layer: Vec<f32> =
                (0..facts.layers).map(|layer| largest(&maps(&before, layer), &maps(&after, layer))).collect();
            assert_eq!(by_layer[0], 0.0, "what a head writes does not reach its own layer's maps");
            let expected = by_layer.iter().fold(0.0f32, |most, found| most.max(*found));
            let logits = largest(before.result.as_ref().unwrap(), after.result.as_ref().unwrap());
            assert!(expected > 1e-3 && logits > 1e-3, "{}: {expected} and {logits}", folder.name);
            assert_eq!((found.attention, found.result), (expected, logits), "{}", folder.name);
            // The head that is named is one whose map differs so much, at the query and key that are named.
            let Differences { head: HeadId { layer, head, .. }, query, key, .. } = found;
            let at = |output: &Output| -> Vec<f32> {
                let maps = maps(output, layer).data;
                maps.chunks(7 * 7).skip(head).step_by(facts.heads).map(|map| map[query * 7 + key]).collect()
            };
            let (one, other) = (at(&before), at(&after));
            assert!(one.iter().zip(&other).any(|(one, other)| (one - other).abs() == expected), "{found:?}");

            // The same run again.
            let again = Differences::between(&before, &output(&context, &text), &facts).unwrap();
            assert_eq!((again.attention, again.result), (0.0, 0.0));
        }
    }
}

/// Of an encoder–decoder the decoder's maps are compared.
#[test]
fn runs_of_an_encoder_decoder_are_compared() {
    let folder = golden("pairs/marian_two_vocabularies");
    for device in devices() {
        let context = context(&folder.load(device));
        let text = Request { source: Some(SourceText::one(vec![9, 4, 1])), ..folder.text(1, 5) };
        let mut other = text.clone();
        other.ids[0] += 1;
        let same = differences((&context, &text), (&context, &text));
        assert_eq!((same.attention, same.result), (0.0, 0.0));
        let Differences { attention, result, .. } = differences((&context, &text), (&context, &other));
        assert!(attention > 1e-4 && result > 1e-4, "{attention} and {result}");
    }
}

/// A run of the model and one of a variant, each in a context of its own.
#[test]
fn runs_of_two_contexts_are_compared_where_the_largest_difference_is() {
    let folder = golden("tiny_masked_lm");
    for device in devices() {
        let model = folder.load(device);
        let rotated = model.variant(&Variant { rotary_value: true, ..Variant::default() }).unwrap();
        let [plain, rotated] = [&model, &rotated].map(context);
        let before = folder.text(1, 9);
        let after = Request { position_offset: 1000, ..before.clone() };
        let shifted = differences((&plain, &before), (&plain, &after));
        assert!(shifted.attention < 1e-5 && shifted.result < 1e-5 && shifted.result > 0.0, "{shifted:?}");
        let of_values = differences((&plain, &before), (&rotated, &after));
        assert!(of_values.attention > 1e-4 && of_values.result > 1e-4, "{of_values:?}");

        // The largest difference is where the maps of two runs differ most.
        let replaced = [Intervention::ablate_head(0, 1, Replacement::Zero)];
        let changed = Request { interventions: Interventions::from(replaced), ..before.clone() };
        let found = differences((&plain, &before), (&plain, &changed));
        assert_eq!(found.head.layer, 1, "what a head writes does not reach its own layer's maps: {found:?}");
        let at = (found.head.head * 9 + found.query) * 9 + found.key;
        let [one, other] = [&before, &changed].map(|request| {
            let taps = [TensorName::Attentions.at(1)].into_iter().collect();
            output(&plain, &Request { taps, ..request.clone() }).taps[&TensorName::Attentions.at(1)].data[at]
        });
        assert!(((one - other).abs() - found.attention).abs() < 1e-6, "{one} and {other}: {found:?}");
    }
}

/// Fills are no numbers to compare: a request of fills is compared by all its logits.
#[test]
fn requests_of_fills_are_compared_by_their_logits() {
    let folder = golden("tiny_masked_lm");
    for device in devices() {
        let context = context(&folder.load(device));
        let text = folder.text(1, 9);
        let fills = Request { rows: PredictionRows::At(vec![2, 5]), top_k: 3, ..text.clone() };
        let mut other = fills.clone();
        other.ids[4] += 1;
        for (other, least) in [(Request { position_offset: 7, ..fills.clone() }, 0.0), (other, 1e-4)] {
            let Differences { attention, result, .. } = differences((&context, &fills), (&context, &other));
            let most = if least > 0.0 { f32::MAX } else { 1e-5 };
            assert!(attention > least && attention < most && result > least && result < most, "{attention}, {result}");
            let logits = Request { rows: PredictionRows::All, top_k: 0, ..other.clone() };
            let expected = largest(
                output(&context, &text).result.as_ref().unwrap(),
                output(&context, &logits).result.as_ref().unwrap(),
            );
            assert!((result - expected).abs() < 1e-6, "{result}, not {expected}");
        }
        // As they are, fills are refused.
        let taps = (0..folder.facts().layers).map(|layer| TensorName::Attentions.at(layer)).collect();
        let of_fills = output(&context, &Request { taps, ..fills });
        assert!(Differences::between(&of_fills, &of_fills, &folder.facts()).is_err());
    }
}

#[test]
fn what_cannot_be_compared_is_refused_in_words() {
    let folder = golden("tiny_masked_lm");
    let context = context(&folder.load(Device::Cpu));
    let refused = |result: Result<Differences, Error>, code: &str, words: &str| {
        let error = result.err().unwrap_or_else(|| panic!("not refused: {words}"));
        assert_eq!(error.code(), code);
        assert!(error.to_string().contains(words), "{error}");
    };
    let facts = folder.facts();
    let [five, six] =
        [5, 6].map(|length| output(&context, &Differences::request(folder.text(1, length), &facts).unwrap()));
    let without_maps = output(&context, &folder.text(1, 5));
    refused(Differences::between(&without_maps, &five, &facts), "no-heads", "kept no heads");
    refused(Differences::between(&five, &without_maps, &facts), "no-heads", "kept no heads");
    refused(Differences::between(&five, &six, &facts), "different-shapes", "of one size");

    // Two layers of four heads over 2,049 tokens have more weights than are compared.
    let folder = golden("decoders/llama");
    let long = Request { beyond_length: true, rows: PredictionRows::At(vec![0]), ..folder.text(1, 2049) };
    let error = Differences::request(long, &folder.facts()).unwrap_err();
    assert_eq!(error.code(), "comparison-too-large");
    assert!(error.to_string().contains("more than the 134217728 that are compared"), "{error}");
}
