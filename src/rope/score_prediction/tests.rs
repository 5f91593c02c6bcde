use super::*;
use crate::rope::BASE;
use serde::Deserialize;

/// An entry of tests/golden/score_prediction.json, under the names of its generator.
#[derive(Deserialize)]
struct Entry {
    head_size: usize,
    theta: Vec<f64>,
    first_position: u64,
    causal: bool,
    scale: f64,
    counted: Vec<u8>,
    query: Vec<f32>,
    key: Vec<f32>,
    strength: Vec<f64>,
    query_constancy: Vec<f64>,
    key_constancy: Vec<f64>,
    phase: Vec<f64>,
    wants: Vec<Option<f64>>,
    scores: Vec<f64>,
    weights: Vec<f64>,
    correlation: f64,
    concentration: f64,
    query_0: Vec<(f64, f64)>,
}

fn close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 1e-6, "{what} {index}: {found} instead of {expected}");
    }
}

#[test]
fn numbers_are_those_of_numpy() {
    let entries: Vec<Entry> =
        serde_json::from_str(include_str!("../../../tests/golden/score_prediction.json")).unwrap();
    assert_eq!(entries.len(), 3);
    for entry in &entries {
        let head = PredictionInput {
            query: &entry.query,
            key: &entry.key,
            head_size: entry.head_size,
            first_position: entry.first_position,
            is_counted: &entry.counted,
            scale: entry.scale,
            causal: entry.causal,
        };
        let found = predict_scores(&head, &Frequencies::from_theta(entry.theta.clone()));
        let numbers = |number: fn(&PairMeans) -> f64| found.pairs.iter().map(number).collect::<Vec<f64>>();
        close(&numbers(|pair| pair.strength), &entry.strength, "strength");
        close(&numbers(|pair| pair.query_concentration), &entry.query_constancy, "concentration of the query");
        close(&numbers(|pair| pair.key_concentration), &entry.key_constancy, "concentration of the key");
        close(&numbers(|pair| pair.phase), &entry.phase, "phase");
        close(&[found.concentration()], &[entry.concentration], "concentration");
        for (pair, distance) in found.pairs.iter().zip(&entry.wants) {
            assert_eq!(pair.preferred_distance.is_nan(), distance.is_none());
            if let Some(distance) = distance {
                close(&[pair.preferred_distance], &[*distance], "preferred distance");
            }
        }
        close(&found.scores, &entry.scores, "scores");
        close(&found.weights, &entry.weights, "weights");
        close(&[found.correlation], &[entry.correlation], "correlation");
        for (row, (real, imaginary)) in found.query.chunks_exact(entry.head_size).zip(&entry.query_0) {
            close(&row[..2], &[*real, *imaginary], "query before rotation");
        }
    }
}

/// A head of two columns over a text that begins at position 0.
fn two_columns<'a>(query: &'a [f32], key: &'a [f32]) -> PredictionInput<'a> {
    PredictionInput { query, key, head_size: 2, first_position: 0, is_counted: &[], scale: 1.0, causal: false }
}

/// A head whose query and key are the same for every token before rotation.
fn constant(length: usize, head_size: usize, causal: bool) -> (Vec<f32>, ScorePrediction) {
    let frequencies = Frequencies::from_base(head_size, BASE);
    let row = |position: usize| {
        frequencies.theta.iter().flat_map(move |theta| {
            let (sin, cos) = (position as f64 * theta).sin_cos();
            [cos as f32, sin as f32]
        })
    };
    let rows: Vec<f32> = (0..length).flat_map(row).collect();
    let head =
        PredictionInput { query: &rows, key: &rows, head_size, first_position: 0, is_counted: &[], scale: 0.5, causal };
    let found = predict_scores(&head, &frequencies);
    (rows, found)
}

#[test]
fn the_prediction_is_exact_for_a_head_without_content() {
    let (rows, found) = constant(12, 8, false);
    for (step, score) in found.scores.iter().enumerate() {
        let (m, n) = (step.saturating_sub(11), 11_usize.saturating_sub(step));
        let actual = 0.5 * dot(&rows[m * 8..][..8], &rows[n * 8..][..8]);
        assert!((score - actual).abs() < 1e-6, "distance {}: {score}, {actual}", step as i64 - 11);
    }
    assert!((found.correlation - 1.0).abs() < 1e-9, "{}", found.correlation);
    for pair in &found.pairs {
        assert!((pair.query_concentration - 1.0).abs() < 1e-6 && pair.preferred_distance.abs() < 1e-3, "{pair:?}");
    }
}

#[test]
fn weights_of_every_query_sum_to_one() {
    for causal in [false, true] {
        let (_, found) = constant(5, 4, causal);
        // The sum over the queries: each distance's mean times the number of queries that have it.
        let queries = (1..10).map(|step| 5 - 5_usize.abs_diff(step));
        let sum: f64 = found.weights.iter().zip(queries).map(|(weight, queries)| weight * queries as f64).sum();
        assert!((sum - 5.0).abs() < 1e-12, "{sum}");
        assert_eq!(found.weights.iter().take(4).all(|weight| *weight == 0.0), causal);
    }
}

#[test]
fn excluded_tokens_do_not_change_means() {
    let (query, key) = ([1.0_f32, 0.0, 9.0, 9.0, 1.0, 0.0, 1.0, 0.0], [0.0_f32, 2.0, -7.0, 1.0, 0.0, 2.0, 0.0, 2.0]);
    let head = PredictionInput { is_counted: &[1, 0, 1, 1], ..two_columns(&query, &key) };
    let found = predict_scores(&head, &Frequencies::from_theta(vec![0.0]));
    assert_eq!(found.pairs[0].strength, 2.0);
    assert_eq!((found.pairs[0].query_concentration, found.pairs[0].key_concentration), (1.0, 1.0));
    assert!(found.correlation.is_nan(), "constant scores have no correlation");
}

#[test]
fn incomplete_rows_give_finite_scores() {
    for (rows, head_size) in [(&[][..], 4), (&[1.0][..], 0), (&[1.0, 2.0][..], 4), (&[1.0][..], 1)] {
        let head = PredictionInput { head_size, causal: true, ..two_columns(rows, rows) };
        let found = predict_scores(&head, &Frequencies::from_theta(vec![1.0]));
        assert!(found.correlation.is_nan());
        assert!(found.scores.iter().chain(&found.weights).all(|number| number.is_finite()));
    }
}

#[test]
fn very_different_scores_have_finite_weights() {
    let rows = [900.0_f32, 0.0].repeat(40);
    let found = predict_scores(&two_columns(&rows, &rows), &Frequencies::from_theta(vec![0.3]));
    assert!(found.weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "{:?}", found.weights);
}
