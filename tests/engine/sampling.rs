//! What settings and rules leave of a row of logits, and with which probabilities, against Hugging Face's own processors.

use crate::support::{Adapter, Bench, assert_close};
use ropescope::kernels::{draw, warp};
use ropescope::ops::{MAX_TOP_K, ban_words, bans_of};
use ropescope::plan::{Input, Shape};
use ropescope::runtime::Draws;
use ropescope::sampling::{Random, Rules, SamplingSettings, penalise};
use std::collections::{BTreeMap, HashMap};

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
    rules: FileRules,
    /// Id and logit after the penalty.
    penalised: Vec<(u32, f32)>,
    /// Id and probability before and after, of every token that is not cut off.
    left: Vec<(u32, f64, f64)>,
}

/// Rules as generation_config.json has them.
#[derive(serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
#[derive(Default)]
struct FileRules {
    no_repeat_ngram_size: usize,
    bad_words_ids: Vec<Vec<u32>>,
    min_length: usize,
    max_length: usize,
    eos_token_id: Ids,
    forced_bos_token_id: Option<u32>,
    forced_eos_token_id: Ids,
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Ids {
    One(u32),
    Several(Vec<u32>),
}

impl Default for Ids {
    fn default() -> Self {
        Ids::Several(Vec::new())
    }
}

impl Ids {
    fn list(&self) -> Vec<u32> {
        match self {
            Ids::One(id) => vec![*id],
            Ids::Several(ids) => ids.clone(),
        }
    }
}

impl Entry {
    fn settings(&self) -> SamplingSettings {
        let &Entry { temperature, top_k, top_p, min_p, repetition_penalty, .. } = self;
        let settings = SamplingSettings { temperature, top_k, top_p, min_p, repetition_penalty, seed: 0 };
        settings.check().unwrap();
        settings
    }

    fn rules(&self) -> Rules {
        Rules {
            bad_words: self.rules.bad_words_ids.clone(),
            no_repeat_ngram_size: self.rules.no_repeat_ngram_size,
            min_length: self.rules.min_length,
            forced_first: self.rules.forced_bos_token_id,
            forced_last: self.rules.forced_eos_token_id.list(),
            max_length: self.rules.max_length,
            ends: self.rules.eos_token_id.list(),
        }
    }
}

fn golden() -> Golden {
    let golden: Golden = serde_json::from_str(include_str!("../golden/sampling.json")).unwrap();
    assert!(golden.entries.len() > 50);
    golden
}

/// The kernels of the CPU, in f64.
#[test]
fn what_is_left_is_hugging_faces() {
    let Golden { rows, entries } = golden();
    for entry in entries {
        let (settings, rules) = (entry.settings(), entry.rules());
        let what = format!("{}, {settings:?}, {rules:?}", entry.row);
        let forced = rules.forced(&entry.earlier);
        if !forced.is_empty() {
            let (ids, shares): (Vec<u32>, Vec<f64>) = entry.left.iter().map(|(id, _, after)| (*id, *after)).unzip();
            assert_eq!((ids, shares), (forced.clone(), vec![1.0 / forced.len() as f64; forced.len()]), "{what}");
            continue;
        }
        let mut logits = rows[&entry.row].clone();
        penalise(&mut logits, &entry.earlier, settings.repetition_penalty);
        for (id, logit) in &entry.penalised {
            assert_eq!(logits[*id as usize], *logit, "{what}: penalised logit of token {id}");
        }
        let banned = rules.banned(&entry.earlier);
        let allowed = (0..).zip(logits.iter().copied()).filter(|(id, _)| !banned.contains(id));
        let tokens = warp(allowed.collect(), &settings.warpers());
        let weights: f64 = tokens.iter().map(|token| token.weight).sum();
        let found: BTreeMap<u32, f64> = tokens.iter().map(|token| (token.id, token.weight / weights)).collect();
        let expected: Vec<u32> = entry.left.iter().map(|left| left.0).collect();
        assert_eq!(found.keys().copied().collect::<Vec<_>>(), expected, "{what}");
        for (id, _, after) in entry.left {
            let difference = (found[&id] - after).abs();
            assert!(difference <= 1e-11 * after, "{what}: token {id}: {} instead of {after}", found[&id]);
        }
    }
}

/// The ops of both backends: penalty, bans, the best tokens and the draw, as a model's plan has them.
#[test]
fn devices_leave_what_hugging_face_leaves() {
    let Golden { rows, entries } = golden();
    let adapter = Adapter::open();
    let mut random = Random::new(3);
    for entry in entries {
        let (settings, rules, logits) = (entry.settings(), entry.rules(), &rows[&entry.row]);
        if !rules.forced(&entry.earlier).is_empty() {
            continue;
        }
        let what = format!("{}, {settings:?}, {rules:?}", entry.row);
        let (vocabulary, k) = (logits.len(), MAX_TOP_K.min(logits.len()));
        let mut earlier = entry.earlier.clone();
        earlier.sort_unstable();
        earlier.dedup();
        let (warpers, bits) = (settings.warpers(), random.bits());
        for on in [None, Some(&adapter)] {
            let mut bench = Bench::new(1, entry.earlier.len().max(1), 1);
            let mut penalised = [vec![earlier.len() as u32], earlier.clone()].concat();
            penalised.resize(entry.earlier.len().max(1) + 1, 0);
            bench.inputs.set(Input::PenalisedIds, penalised);
            bench.inputs.set(Input::Penalty, vec![settings.repetition_penalty as f32]);
            bench.inputs.set(bans_of(vocabulary), ban_words(&[rules.banned(&entry.earlier)], vocabulary));
            bench.inputs.set(Input::Draws, Draws { warpers, random: vec![bits] }.words());
            let row = bench.value(Shape::rows(vocabulary), logits);
            bench.plan.penalise(row);
            let samples = bench.plan.sample(row, true);
            let top = bench.plan.top_k(row, k, true);
            let found = bench.run(&[samples, top], on);
            let [id, count, log_weights, relative] = found[0][..] else { panic!("{what}: {found:?}") };
            assert_eq!(count as usize, entry.left.len(), "{what}: tokens left");
            let after: BTreeMap<u32, f64> = entry.left.iter().map(|left| (left.0, left.2)).collect();
            let drawn = f64::from(relative) * warpers.inverse_temperature - f64::from(log_weights);
            assert_close(&what, &[drawn.exp() as f32], &[after[&(id as u32)] as f32], 1e-5);
            // The best tokens with the probabilities of the whole row, and none that is banned.
            let (logarithms, ids) = found[1].split_at(k);
            let mut best = entry.left.clone();
            best.sort_by(|(id, before, _), (other, higher, _)| higher.total_cmp(before).then(id.cmp(other)));
            for ((id, before, _), (logarithm, found)) in best.iter().zip(logarithms.iter().zip(ids)) {
                assert_eq!(*found as u32, *id, "{what}: the best tokens");
                assert_close(&what, &[logarithm.exp()], &[*before as f32], 1e-5);
            }
        }
    }
}

/// Hugging Face's probabilities are the frequencies of the draws.
#[test]
fn draws_are_as_frequent_as_hugging_face_says() {
    let Golden { rows, entries } = golden();
    let entry = entries.into_iter().find(|entry| entry.left.len() == 160).expect("a row with 160 tokens left");
    let logits = (0..).zip(rows[&entry.row].iter().copied()).collect();
    let tokens = warp(logits, &entry.settings().warpers());
    let (draws, mut random) = (100_000, Random::new(12));
    let mut counts: HashMap<u32, f64> = HashMap::new();
    for _ in 0..draws {
        *counts.entry(draw(&tokens, random.bits()).unwrap().id).or_default() += 1.0;
    }
    // χ² of 159 degrees of freedom: above 219 once in a thousand.
    let deviation = |(id, _, after): &(u32, f64, f64)| {
        let expected = f64::from(draws) * after;
        (counts.get(id).copied().unwrap_or(0.0) - expected).powi(2) / expected
    };
    let sum: f64 = entry.left.iter().map(deviation).sum();
    assert!(sum < 219.0, "χ² is {sum}");
}
