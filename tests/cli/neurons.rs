//! `ropescope neurons` and `--neurons-off`: text and JSON.

use crate::program::{failure, golden, repository, stdout, text};
use serde_json::Value;

fn neurons<'a>(folder: &'a str, ids: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["neurons", "--model", folder, "--backend", "cpu", "--ids", ids, "--layer", "1"], more].concat()
}

#[test]
fn the_strongest_neurons_are_listed() {
    let folder = golden("decoders/llama");
    let printed = stdout(&neurons(text(&folder), "5,3,7,1,2", &["--row", "4", "--top", "3"]));
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 12, "{printed}");
    assert!(
        lines[0].starts_with("ffn.1[4,") && lines[0].contains(", gate ") && lines[0].contains(", activated "),
        "{printed}"
    );
    let beginnings = ["  reads        ", "  likelier     ", "  less likely  "];
    for (line, beginning) in lines[1..].iter().zip(beginnings) {
        assert!(line.starts_with(beginning) && line.split(", ").count() == 3, "{printed}");
    }
}

#[test]
fn neurons_are_listed_as_json() {
    let folder = golden("pairs/marian");
    let more = ["--decoder-ids", "9,4,6", "--row", "2", "--top", "4", "--json"];
    let found: Value = serde_json::from_str(&stdout(&neurons(text(&folder), "5,3,7,0", &more))).unwrap();
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), 4);
    let values: Vec<f64> = found.iter().map(|neuron| neuron["value"].as_f64().unwrap().abs()).collect();
    assert!(values.is_sorted_by(|one, other| one >= other), "{values:?}");
    assert_eq!(found[0]["gate"], Value::Null);
    assert_eq!(found[0]["writes"]["likelier"].as_array().unwrap().len(), 4);
    assert_eq!(found[0]["writes"]["skips_head"], false);
    let encoder = stdout(&neurons(text(&folder), "5,3,7,0", &["--part", "encoder", "--row", "1", "--json"]));
    let encoder: Value = serde_json::from_str(&encoder).unwrap();
    assert_eq!((encoder[0]["writes"].clone(), encoder.as_array().unwrap().len()), (Value::Null, 5));
    let token = &found[0]["reads"][0];
    assert!(token["id"].is_u64() && token["token"] == Value::Null && token["number"].is_f64(), "{token}");
}

/// The value of a neuron, as `explain` has it.
#[test]
fn a_neuron_that_is_off_is_zero() {
    let folder = repository("tests/golden/decoders/llama");
    let explain = |more: &[&str]| {
        let arguments =
            ["explain", "--model", text(&folder), "--backend", "cpu", "--ids", "5,3,7", "--at", "ffn.1[2,7]"];
        stdout(&[&arguments[..], more].concat())
    };
    assert!(!explain(&[]).starts_with("ffn.1[2,7] = 0 "));
    for off in [
        &["--neurons-off", "0.3,1.7"][..],
        &["--neurons-off", "1"],
        &["--intervene", "ffn.1[2,7]=zero"],
        &["--intervene", "ffn.1[*,*]=0e0"],
    ] {
        let printed = explain(off);
        assert!(printed.starts_with("ffn.1[2,7] = 0  (f64 0"), "{off:?}: {printed}");
        assert!(printed.ends_with("  intervention = 0\n"), "{off:?}: {printed}");
    }
    // The strongest neuron is another one without it.
    let strongest =
        |more: &[&str]| stdout(&neurons(text(&folder), "5,3,7", &[&["--row", "2", "--top", "1"], more].concat()));
    let first = strongest(&[]);
    let neuron = first.split(&[',', ']']).nth(1).unwrap();
    assert!(!strongest(&["--neurons-off", &format!("1.{neuron}")]).contains(&format!("ffn.1[2,{neuron}]")));
}

#[test]
fn what_is_no_neuron_is_refused() {
    let folder = golden("decoders/llama");
    for (ids, more, message) in [
        ("5,3", &["--row", "2"][..], "the text has 2 tokens"),
        ("5,3;7,1", &["--row", "1"], "neurons are of one text"),
        ("5,3", &["--row", "1", "--top", "21"], "--top 21 is not a number from 1 to 20"),
        ("5,3", &["--row", "1", "--part", "encoder"], "has no part encoder"),
        ("5,3", &["--row", "1", "--neurons-off", "x"], "a layer and a neuron, as 2.17, or a layer"),
        ("5,3", &["--row", "1", "--neurons-off", "1.99"], "its neuron must be below 50"),
        ("5,3", &["--row", "1", "--intervene", "ffn.1[0,0]=nan"], "a finite number"),
        ("5,3", &["--row", "1", "--intervene", "logits[0,0]=1"], "finite numbers and zero to embeddings"),
    ] {
        let printed = failure(&neurons(text(&folder), ids, more));
        assert!(printed.contains(message), "{more:?}: {printed}");
    }
}
