//! The candidates of a row of logits under each sampling setting, against Hugging Face's own processors.

use std::collections::{BTreeMap, HashMap};

use ropescope::sampling::{Candidates, MAX_CANDIDATES, SamplingSettings, distribution, penalise};

/// tests/golden/sampling.json.
#[derive(serde::Deserialize)]
struct Golden {
    rows: HashMap<String, Vec<f32>>,
    entries: Vec<Entry>,
}

#[derive(serde::Deserialize)]
struct Entry {
    row: String,
    temperature: f64,
    top_k: usize,
    top_p: f64,
    min_p: f64,
    repetition_penalty: f64,
    earlier: Vec<u32>,
    /// Id and logit after the penalty.
    penalised: Vec<(u32, f32)>,
    /// Id and probability before and after, of every token that is not cut off.
    left: Vec<(u32, f64, f64)>,
}

fn assert_close(what: &str, found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-11 * expected.abs(), "{what}: {found} instead of {expected}");
}

/// The best of a row and the logarithm of its sum, as a device finds them.
fn candidates(logits: &[f32]) -> Candidates {
    let mut best: Vec<(u32, f32)> = (0..).zip(logits.iter().copied()).collect();
    best.sort_by(|(_, left), (_, right)| right.total_cmp(left));
    best.truncate(MAX_CANDIDATES);
    let largest = f64::from(best[0].1);
    let sum: f64 = logits.iter().map(|logit| (f64::from(*logit) - largest).exp()).sum();
    Candidates::new(best, largest + sum.ln()).unwrap()
}

#[test]
fn what_is_left_is_hugging_faces() {
    let Golden { rows, entries } = serde_json::from_str(include_str!("../golden/sampling.json")).unwrap();
    assert!(entries.len() > 30);
    for entry in entries {
        let Entry { row, temperature, top_k, top_p, min_p, repetition_penalty, earlier, penalised, left } = entry;
        let settings = SamplingSettings { temperature, top_k, top_p, min_p, repetition_penalty, seed: 0 };
        settings.check().unwrap();
        let what = format!("{row}, {settings:?}");
        let mut logits = rows[&row].clone();
        penalise(&mut logits, &earlier, settings.repetition_penalty);
        for (id, logit) in &penalised {
            assert_eq!(logits[*id as usize], *logit, "{what}: penalised logit of token {id}");
        }
        let distribution = distribution(&settings, &candidates(&logits));
        assert_eq!(distribution.len(), logits.len().min(MAX_CANDIDATES), "{what}");
        assert!(distribution.is_sorted_by(|better, worse| better.before >= worse.before), "{what}");
        let found = distribution.iter().filter(|token| token.after > 0.0);
        let found: BTreeMap<u32, (f64, f64)> = found.map(|token| (token.id, (token.before, token.after))).collect();
        assert_eq!(
            found.keys().copied().collect::<Vec<_>>(),
            left.iter().map(|left| left.0).collect::<Vec<_>>(),
            "{what}"
        );
        for (id, before, after) in left {
            assert_close(&format!("{what}: token {id} before"), found[&id].0, before);
            assert_close(&format!("{what}: token {id} after"), found[&id].1, after);
        }
    }
}
