//! Draws of the next token: on the GPU against the CPU, over shapes, settings, ties, bans and logits that are no numbers.

use crate::support::{Adapter, Bench, assert_close, numbers};
use ropescope::kernels::{Warpers, WeightedToken, draw};
use ropescope::ops::{SAMPLE_NUMBERS, ban_words, bans_of};
use ropescope::plan::{Input, Shape};
use ropescope::runtime::Draws;
use ropescope::sampling::{Random, SamplingSettings};

/// A result of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found {
    id: u32,
    count: usize,
    log_sum: f32,
    relative_logit: f32,
}

/// Settings that cut off nothing, little, much, by each cut-off and by all.
fn settings() -> Vec<SamplingSettings> {
    let plain = SamplingSettings::default;
    let mut settings = vec![
        plain(),
        SamplingSettings { temperature: 0.2, ..plain() },
        SamplingSettings { temperature: 5e-324, ..plain() },
        SamplingSettings { temperature: 40.0, ..plain() },
        SamplingSettings { temperature: 1.3, top_k: 20, top_p: 0.8, min_p: 0.01, ..plain() },
        SamplingSettings { temperature: 0.7, top_k: 100_000, top_p: 0.95, ..plain() },
    ];
    settings.extend([1, 2, 40, 64, 65, 500].map(|top_k| SamplingSettings { top_k, ..plain() }));
    settings.extend([1e-300, 0.1, 0.5, 0.9, 0.999, 0.999_999].map(|top_p| SamplingSettings { top_p, ..plain() }));
    settings.extend([0.001, 0.3, 1.0].map(|min_p| SamplingSettings { min_p, ..plain() }));
    settings
}

/// What a run finds for rows of logits, one for each of the draws.
fn samples(logits: &[f32], draws: &[(Warpers, u64)], bans: Option<&[Vec<u32>]>, on: Option<&Adapter>) -> Vec<Found> {
    let vocabulary = logits.len() / draws.len();
    let mut bench = Bench::new(1, 1, draws.len());
    let words = draws.iter().flat_map(|(warpers, random)| Draws { warpers: *warpers, random: vec![*random] }.words());
    bench.inputs.set(Input::Draws, words.collect::<Vec<u32>>());
    if let Some(bans) = bans {
        bench.inputs.set(bans_of(vocabulary), ban_words(bans, vocabulary));
    }
    let logits = bench.value(Shape::rows(vocabulary), logits);
    let samples = bench.plan.sample(logits, bans.is_some());
    let numbers = bench.run(&[samples], on).swap_remove(0);
    let found =
        |row: &[f32]| Found { id: row[0] as u32, count: row[1] as usize, log_sum: row[2], relative_logit: row[3] };
    numbers.chunks_exact(SAMPLE_NUMBERS).map(found).collect()
}

/// Asserts that both drew the same token from the same tokens, unless these are within rounding of a limit, or the two tokens of a tie.
fn assert_alike(
    what: &str,
    row: &[f32],
    is_banned: impl Fn(u32) -> bool,
    (warpers, random): (Warpers, u64),
    found: Found,
    expected: Found,
) {
    let mut tokens: Vec<WeightedToken> =
        (0..).zip(row).map(|(id, logit)| WeightedToken { id, logit: *logit, weight: 0.0 }).collect();
    tokens.retain(|token| !is_banned(token.id));
    tokens.sort_by(|token, other| (other.logit + 0.0).total_cmp(&(token.logit + 0.0)).then(token.id.cmp(&other.id)));
    let best = f64::from(tokens[0].logit);
    let log_weight = |token: &WeightedToken| (f64::from(token.logit) - best) * warpers.inverse_temperature;
    tokens.iter_mut().for_each(|token| token.weight = log_weight(token).exp());
    if found.count != expected.count {
        // Top-p sums over what top-k leaves.
        let last = warpers.top_k.checked_sub(1).and_then(|last| tokens.get(last)).map_or(f32::MIN, |token| token.logit);
        let left = tokens.iter().take_while(|token| token.logit >= last).count();
        let total: f64 = tokens[..left].iter().map(|token| token.weight).sum();
        for at in found.count.min(expected.count)..found.count.max(expected.count) {
            let removed: f64 = tokens[at..left].iter().map(|token| token.weight / total).sum();
            let min_p = (log_weight(&tokens[at]) - warpers.log_min_p).abs() < 1e-5 * warpers.log_min_p.abs().max(1.0);
            assert!((removed - warpers.tail).abs() < 3e-5 || min_p, "{what}: {found:?}, expected {expected:?}");
        }
    } else {
        assert_close(&format!("{what}: weights"), &[found.log_sum], &[expected.log_sum], 1e-5);
    }
    let rank = tokens.iter().position(|token| token.id == found.id);
    assert!(rank.is_some_and(|rank| rank < found.count), "{what}: {found:?} is not among the tokens left");
    if found.id != expected.id {
        let token = |id| *tokens.iter().find(|token| token.id == id).unwrap();
        let winner = |factor: f64| {
            let first = token(found.id);
            let drawn = draw(&[WeightedToken { weight: first.weight * factor, ..first }, token(expected.id)], random);
            drawn.unwrap().id
        };
        let is_tie = winner(1.0 + 1e-4) == found.id && winner(1.0 - 1e-4) == expected.id;
        assert!(is_tie || found.count != expected.count, "{what}: {found:?}, expected {expected:?}");
    } else {
        assert_close(&format!("{what}: the token"), &[found.relative_logit], &[expected.relative_logit], 1e-6);
    }
}

/// Both backends, a row for each of the settings.
fn compare(
    what: &str,
    adapter: &Adapter,
    vocabulary: usize,
    logits: impl Fn(f32) -> f32,
    bans: Option<fn(u32) -> bool>,
) {
    let mut random = Random::new(vocabulary as u64);
    let draws: Vec<_> = settings().iter().map(|settings| (settings.warpers(), random.bits())).collect();
    let drawn = numbers(vocabulary as u64, draws.len() * vocabulary).into_iter();
    let logits: Vec<f32> = drawn.map(logits).collect();
    let is_banned = |row: usize, id: u32| bans.is_some_and(|bans| bans(id + row as u32));
    let of_row = |row: usize| (0..vocabulary as u32).filter(|id| is_banned(row, *id)).collect();
    let lists: Option<Vec<Vec<u32>>> = bans.map(|_| (0..draws.len()).map(of_row).collect());
    let [found, expected] = [Some(adapter), None].map(|on| samples(&logits, &draws, lists.as_deref(), on));
    for (row, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        let what = format!("{what} of {vocabulary}, {:?}", settings()[row]);
        let logits = &logits[row * vocabulary..][..vocabulary];
        assert_alike(&what, logits, |id| is_banned(row, id), draws[row], found, expected);
    }
}

#[test]
fn draws_of_every_shape() {
    let adapter = Adapter::open();
    for vocabulary in [1, 2, 3, 31, 32, 33, 64, 255, 256, 257, 300, 1003, 5000] {
        compare("numbers", &adapter, vocabulary, |x| 4.0 * x, None);
        compare("ties", &adapter, vocabulary, |x| (3.0 * x).round() / 2.0, None);
        compare("equal ones", &adapter, vocabulary, |_| -2.5, None);
        compare("far ones", &adapter, vocabulary, |x| 1e30 * x, None);
        compare("signed zeros", &adapter, vocabulary, |x| 0.0 * x, None);
        if vocabulary > 32 {
            compare("some", &adapter, vocabulary, |x| 4.0 * x, Some(|id| id % 3 == 0));
            compare("few ties", &adapter, vocabulary, |x| (3.0 * x).round() / 2.0, Some(|id| id % 31 != 1));
        }
    }
}

/// A vocabulary as large as those of today's models, flat and peaked.
#[test]
fn draws_from_many_tokens() {
    let adapter = Adapter::open();
    compare("peaked", &adapter, 151_936, |x| 9.0 * x, None);
    compare("flat", &adapter, 151_936, |x| 0.1 * x, None);
    compare("tied", &adapter, 70_001, |x| (8.0 * x).round() / 4.0, Some(|id| id % 7 == 2));
}

/// Frequencies of the drawn tokens on both backends.
#[test]
fn draws_follow_the_probabilities() {
    let (adapter, rows) = (Adapter::open(), 20_000);
    let row = [2.0, -1.0, 0.5, 1.0, f32::NEG_INFINITY, 0.0, 3.0];
    let settings = SamplingSettings { temperature: 1.5, top_k: 4, ..SamplingSettings::default() };
    let mut random = Random::new(5);
    let draws: Vec<_> = (0..rows).map(|_| (settings.warpers(), random.bits())).collect();
    // 1 is cut off, and 0 is banned.
    let expected: Vec<f64> =
        row.iter().zip(0..).map(|(x, id)| if [0, 1].contains(&id) { 0.0 } else { f64::from(x / 1.5).exp() }).collect();
    let total: f64 = expected.iter().sum();
    for on in [None, Some(&adapter)] {
        let mut counts = [0.0; 7];
        for found in samples(&row.repeat(rows), &draws, Some(&vec![vec![0]; rows]), on) {
            assert_eq!(found.count, 4);
            counts[found.id as usize] += 1.0 / rows as f64;
        }
        for (id, (found, expected)) in counts.iter().zip(&expected).enumerate() {
            assert!(
                (found - expected / total).abs() < 0.015,
                "token {id}: {found} of the draws, not {}",
                expected / total
            );
        }
    }
}

#[test]
fn rows_without_a_distribution_are_recognised() {
    let adapter = Adapter::open();
    let (nan, infinity) = (f32::NAN, f32::INFINITY);
    let draw = |top_p| (SamplingSettings { top_p, ..SamplingSettings::default() }.warpers(), 9);
    for top_p in [1.0, 0.7] {
        for on in [None, Some(&adapter)] {
            let broken = [1.0, nan, 2.0, 1.0, infinity, 0.0];
            let found = samples(&broken, &[draw(top_p), draw(top_p)], None, on);
            assert!(found.iter().all(|found| found.log_sum.is_nan()), "{found:?}");
            let none = samples(&[-infinity, 1.0, -infinity, 2.0], &[draw(top_p); 2], Some(&[vec![1], vec![0, 1]]), on);
            assert_eq!(none, [Found { id: 0, count: 0, log_sum: 0.0, relative_logit: 0.0 }; 2]);
        }
    }
}
