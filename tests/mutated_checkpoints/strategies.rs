//! The faults that files get, and the number of files that are tried.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::{Value, json};

use crate::attempt::{Files, attempt};

const CASES: u32 = 3000;

/// Names of 512 layers' weights, the most that a config may ask for, and then some.
const ALLOWANCE: usize = 4 << 20;

const MULTIPLE: usize = 12;

/// Tries every mutation that the strategy gives. How many ran, and how many did not: what no case may do is panic.
pub fn try_all<S: Strategy>(strategy: S, mutate: impl Fn(S::Value) -> Files) -> (usize, usize) {
    let (ran, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut runner = TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&strategy, |mutation| {
        let files = mutate(mutation);
        let size = files.size();
        let outcome = attempt(files);
        let counter = if outcome.result.is_ok() { &ran } else { &refused };
        counter.fetch_add(1, Ordering::Relaxed);
        if let Err(error) = &outcome.result {
            let message = error.to_string();
            prop_assert!(!message.is_empty() && !error.code().is_empty());
        }
        prop_assert!(outcome.peak <= MULTIPLE * size + ALLOWANCE, "{} bytes for files of {size}", outcome.peak);
        Ok::<(), TestCaseError>(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    (ran.into_inner(), refused.into_inner())
}

/// Numbers at which sizes, offsets and their products go wrong.
pub fn edge() -> impl Strategy<Value = u64> {
    let powers = (0_u32..64, -2_i64..=2).prop_map(|(power, near)| (1_u64 << power).wrapping_add_signed(near));
    prop_oneof![0_u64..20, powers, select(vec![u64::MAX, u64::MAX - 1, 1_000_000_000, 11, 8, 6]), any::<u64>()]
}

/// Strings that mean something somewhere in a config.
const WORDS: &[&str] = &[
    "",
    "roformer",
    "bert",
    "gelu",
    "relu",
    "silu",
    "swish",
    "rms_norm",
    "RoFormerModel",
    "0",
    "1e3",
    "llama",
    "mistral",
    "qwen2",
    "qwen3",
    "gpt_neox",
    "gelu_new",
    "default",
    "linear",
    "dynamic",
    "yarn",
    "longrope",
    "llama3",
    "proportional",
    "sliding_attention",
    "full_attention",
];

const CLASSES: &[&str] = &[
    "RoFormerModel",
    "RoFormerForMaskedLM",
    "RoFormerForCausalLM",
    "RoFormerForTokenClassification",
    "LlamaForCausalLM",
    "GPTNeoXForCausalLM",
];

/// Values in a JSON file in the place of the expected one.
pub fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => edge().prop_map(Value::from),
        2 => any::<i64>().prop_map(Value::from),
        2 => any::<f64>().prop_map(Value::from),
        2 => select(vec![0.0, -1.0, 0.1, 0.5, 1.0, 2.5, 1e-300, 1e-8, 1e18, 1e300]).prop_map(Value::from),
        2 => any::<bool>().prop_map(Value::from),
        2 => select(WORDS).prop_map(Value::from),
        1 => any::<String>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => prop::collection::vec(edge(), 0..12).prop_map(Value::from),
        1 => select(CLASSES).prop_map(|class| json!([class])),
        1 => (any::<String>(), edge()).prop_map(|(key, number)| json!({key: number})),
        1 => (0_usize..4).prop_map(|labels| (0..labels).map(|label| (label.to_string(), json!("a"))).collect()),
    ]
}

/// Bytes put over, into or out of a text at any place.
pub fn edits() -> impl Strategy<Value = Vec<(Index, u8, u8)>> {
    let useful = select(b"{}[]\",:0189-+.eE\\utrf \n\0\x7f\x80\xff".to_vec());
    prop::collection::vec((any::<Index>(), 0_u8..4, prop_oneof![useful, any::<u8>()]), 1..6)
}

pub fn edit(text: &mut Vec<u8>, edits: &[(Index, u8, u8)]) {
    for (index, kind, byte) in edits {
        let place = index.index(text.len() + 1);
        match (kind, text.get_mut(place)) {
            (0 | 1, Some(old)) => *old = *byte,
            (2, Some(_)) => drop(text.remove(place)),
            _ => text.insert(place, *byte),
        }
    }
}
