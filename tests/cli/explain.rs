//! `ropescope explain`: numbers as text and as JSON.

use crate::program::{failure, repository, stdout, text};
use serde_json::Value;

fn explain<'a>(folder: &'a str, ids: &'a str, at: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["explain", "--model", folder, "--backend", "cpu", "--ids", ids, "--at", at], more].concat()
}

#[test]
fn a_number_is_explained_as_text() {
    let folder = repository("tests/golden/masked_lm");
    let printed = stdout(&explain(text(&folder), "5,3,7,1,2", "layer.1.query.rotated[0,2,3]", &[]));
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with("layer.1.query.rotated[0,2,3] = "), "{printed}");
    assert!(lines[0].ends_with("= x₁ · cos + x₀ · sin"), "{printed}");
    assert!(lines[1].starts_with("  x₁  layer.1.query[0,2,3] = "), "{printed}");
    assert!(printed.contains("  cos = ") && printed.contains("    m  position_ids[2] = 2\n"), "{printed}");
    let sum = stdout(&explain(text(&folder), "5,3,7,1,2", "layer.1.query[0,2,3]", &[]));
    assert!(sum.contains("roformer.encoder.layer.1.attention.self.query.weight[3,"), "{sum}");
    assert!(sum.lines().last().unwrap().starts_with("  22 further terms: "), "{sum}");
}

#[test]
fn a_number_is_explained_as_json() {
    let folder = repository("tests/golden/pairs/marian");
    let at = "cross_attentions.0[1,0,2]";
    let arguments = explain(text(&folder), "5,3,7,0", at, &["--decoder-ids", "9,4", "--depth", "2", "--json"]);
    let node: Value = serde_json::from_str(&stdout(&arguments)).unwrap();
    assert_eq!(node["at"], at);
    assert_eq!(node["formula"], "exp(score − max) / sum");
    let (value, recomputed) = (node["value"].as_f64().unwrap(), node["recomputed"].as_f64().unwrap());
    assert!((value - recomputed).abs() < 1e-6 && value > 0.0, "{node}");
    let names: Vec<&str> =
        node["operands"].as_array().unwrap().iter().filter_map(|node| node["name"].as_str()).collect();
    assert_eq!(names, ["score", "max", "sum"]);
    assert_eq!(node["operands"][0]["operands"][0]["at"], "cross.layer.0.score[1,0,2]");
    assert_eq!(node["rest"], Value::Null);
}

#[test]
fn what_is_no_number_is_refused() {
    let folder = repository("tests/golden/masked_lm");
    for (ids, at, message) in [
        ("5,3,7", "attentions.1", "one index for each axis, [head,query,key]"),
        ("5,3,7", "attentions.1[0,2,3]", "its key must be below 3"),
        ("5,3;7,1", "attentions.1[0,1,1]", "give one text"),
        ("5,3,7", "attention", "is not a site"),
    ] {
        let printed = failure(&explain(text(&folder), ids, at, &[]));
        assert!(printed.contains(message), "{at}: {printed}");
    }
}
