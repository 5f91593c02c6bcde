//! Heads ablated, in all rows or in one, on both backends.

use crate::interventions::{contexts, folders};
use crate::support::{assert_close, context, golden, output, run};
use ropescope::runtime::{Device, Intervention, Interventions, Output, PredictionRows, Replacement, Request};

/// These heads' outputs replaced by zero.
fn zero(heads: impl IntoIterator<Item = (usize, usize)>) -> Interventions {
    Interventions::from(
        heads.into_iter().map(|(layer, head)| Intervention::ablate_head(layer, head, Replacement::Zero)),
    )
}

#[test]
fn without_heads_no_token_hears_of_another() {
    for folder in folders() {
        let facts = folder.facts();
        let heads = (0..facts.layers).flat_map(|layer| (0..facts.heads).map(move |head| (layer, head)));
        let off = zero(heads);
        let request = Request { interventions: off, ..folder.text(1, 6) };
        let mut other = request.clone();
        other.ids[0] = (other.ids[0] + 1) % facts.vocab_size as u32;
        for (context, _) in contexts(&folder) {
            let tokens = |output: Output| output.result.as_ref().unwrap().data[facts.vocab_size..].to_vec();
            let (one, two) = (tokens(output(&context, &request)), tokens(output(&context, &other)));
            assert_eq!(one, two, "{}: the first token is heard of", folder.name);
            let complete = Request { interventions: Interventions::default(), ..request.clone() };
            assert_ne!(one, tokens(output(&context, &complete)), "{}: nothing was switched off", folder.name);
        }
    }
}

#[test]
fn one_head_off_is_not_another() {
    let folder = golden("tiny_masked_lm");
    for (context, _) in contexts(&folder) {
        let logits = |heads: Vec<(usize, usize)>| {
            let interventions = zero(heads);
            output(&context, &Request { interventions, ..folder.text(1, 6) }).result.unwrap().data
        };
        let all = [vec![], vec![(0, 1)], vec![(1, 1)], vec![(0, 0)]].map(logits);
        for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            assert_ne!(all[one], all[other]);
        }
    }
}

/// A mean is over all tokens, so that a text that goes on is run anew.
#[test]
fn a_mean_is_over_the_whole_text() {
    let folder = golden("decoders/llama");
    for (context, tolerance) in contexts(&folder) {
        let rows = PredictionRows::At(vec![7]);
        let mean = Request {
            interventions: Interventions::from([Intervention::ablate_head(0, 1, Replacement::Mean)]),
            rows,
            ..folder.text(1, 8)
        };
        let complete = output(&context, &mean).result.unwrap();
        let start = Request {
            ids: mean.ids[..5].to_vec(),
            length: 5,
            rows: PredictionRows::All,
            continues: true,
            ..mean.clone()
        };
        run(&context, &start);
        for _ in 0..2 {
            let output = output(&context, &Request { continues: true, ..mean.clone() });
            assert_eq!(output.report.computed, 8);
            assert_close(
                "the mean of a text that goes on",
                &output.result.as_ref().unwrap().data,
                &complete.data,
                tolerance,
            );
        }
    }
}

/// In the last layer a head changes its own row alone: that row is as where the head is ablated in all rows, the others as without ablation.
#[test]
fn a_row_of_a_head_is_ablated_alone() {
    const ROW: usize = 3;
    for folder in folders() {
        let facts = folder.facts();
        for replacement in [Replacement::Zero, Replacement::Mean] {
            let all = Intervention::ablate_head(facts.layers - 1, 1, replacement);
            for (context, tolerance) in contexts(&folder) {
                let logits = |interventions: &[Intervention]| {
                    let interventions = Interventions::from(interventions.iter().copied());
                    output(&context, &Request { interventions, ..folder.text(1, 6) }).result.unwrap().data
                };
                let (found, without, ablated) = (logits(&[all.at_row(ROW)]), logits(&[]), logits(&[all]));
                let rows = found.chunks_exact(facts.vocab_size).zip(without.chunks_exact(facts.vocab_size));
                for ((row, (found, without)), ablated) in rows.enumerate().zip(ablated.chunks_exact(facts.vocab_size)) {
                    let expected = if row == ROW { ablated } else { without };
                    let what = format!("{}, {replacement:?}, row {row}", folder.name);
                    assert_close(&what, found, expected, tolerance);
                    assert_ne!(ablated, without, "{what}: the head has no part in it");
                }
            }
        }
    }
}

/// A row in the cache, and a row that the continuation computes: both give what a run from the first token gives.
#[test]
fn a_continued_text_keeps_its_ablated_row() {
    const SHARED: usize = 5;
    let folder = golden("decoders/llama");
    for row in [2, 6] {
        let interventions = Interventions::from([Intervention::ablate_head(0, 1, Replacement::Zero).at_row(row)]);
        let rows = PredictionRows::At(vec![7]);
        let text = Request { interventions, rows, continues: true, ..folder.text(1, 8) };
        let fresh = output(&context(&folder.load(Device::Cpu)), &text).result.unwrap();
        // The same up to there: a row must be in each text.
        let mut start = text.clone();
        start.ids[SHARED] += 1;
        for (context, tolerance) in contexts(&folder) {
            run(&context, &start);
            let output = output(&context, &text);
            assert_eq!(output.report.computed, 8 - SHARED);
            assert_close(&format!("row {row}"), &output.result.unwrap().data, &fresh.data, tolerance);
        }
    }
}

/// Each text of a batch loses its own row, as it does alone; the second one is padded.
#[test]
fn a_row_is_ablated_in_each_text_of_a_batch() {
    let folder = golden("tiny_masked_lm");
    let vocabulary = folder.facts().vocab_size;
    for replacement in [Replacement::Zero, Replacement::Mean] {
        let interventions = Interventions::from([Intervention::ablate_head(0, 1, replacement).at_row(2)]);
        let mut both = Request { interventions, ..folder.text(2, 6) };
        both.attention_mask = Some([[1; 6], [1, 1, 1, 1, 0, 0]].concat());
        for (context, tolerance) in contexts(&folder) {
            let logits = |request: &Request| output(&context, request).result.unwrap().data;
            let found = logits(&both);
            for (at, length) in [6, 4].into_iter().enumerate() {
                let ids = both.ids[6 * at..][..length].to_vec();
                let alone = Request { interventions: both.interventions.clone(), ..Request::new(ids, 1, length) };
                let found = &found[6 * at * vocabulary..][..length * vocabulary];
                assert_close(&format!("text {at}, {replacement:?}"), found, &logits(&alone), tolerance);
            }
        }
    }
}
