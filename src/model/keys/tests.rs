use super::*;

fn keys(json: &str) -> Keys {
    Keys::parse(json).expect(json)
}

fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.expect_err("must be refused").to_string()
}

#[test]
fn settings_are_read_by_type() {
    let keys = keys(
        r#"{"size": 64, "eps": 1e-5, "flag": false, "name": "gelu", "names": ["a", "b"], "eos": 2, "ends": [2, 32000],
            "rope_scaling": {"type": "yarn", "factor": 4.0, "long_factor": [1.5, 2]}, "bytes": "a\nb"}"#,
    );
    assert_eq!(keys.size("size", 1, 100), Ok(64));
    assert_eq!(keys.integer("size", 1, 64, 64), Ok(64));
    assert_eq!(keys.number("eps", 1.0, 0.0, 1.0), Ok(1e-5));
    assert_eq!(keys.number("size", 1.0, 0.0, 64.0), Ok(64.0));
    assert_eq!(keys.flag("flag", true), Ok(false));
    assert_eq!(keys.text("name"), Ok(Some("gelu")));
    assert_eq!(keys.texts("names"), Ok(vec!["a".into(), "b".into()]));
    assert_eq!((keys.ids("eos"), keys.ids("ends")), (Ok(vec![2]), Ok(vec![2, 32000])));
    assert_eq!(keys.object("rope_scaling").unwrap().unwrap().get("long_factor").unwrap().to_string(), "[1.5,2]");
    for (key, quoted) in
        [("name", "\"gelu\""), ("size", "64"), ("bytes", "\"a\\nb\""), ("ends", "a list of 2"), ("no", "missing")]
    {
        assert_eq!(keys.found(key).to_string(), quoted);
    }
    let error = keys.unsupported("name", None, "relu").to_string();
    assert_eq!(error, "config.json: name is \"gelu\", which does not run here; supported: relu");
}

#[test]
fn null_is_missing() {
    for json in ["{}", r#"{"a": null, "id2label": null}"#] {
        let keys = keys(json);
        assert!(!keys.contains("a"));
        assert_eq!((keys.size("a", 7, 9), keys.integer("a", 8, 0, 9)), (Ok(7), Ok(8)));
        assert_eq!((keys.number("a", 0.5, 0.0, 1.0), keys.flag("a", true)), (Ok(0.5), Ok(true)));
        assert_eq!((keys.text("a"), keys.texts("a"), keys.ids("a")), (Ok(None), Ok(vec![]), Ok(vec![])));
        assert_eq!((keys.object("a"), keys.labels()), (Ok(None), Ok(vec![])));
    }
}

#[test]
fn values_that_do_not_fit_are_named() {
    let keys = keys(
        r#"{"layers": 1000000000, "minus": -768, "part": 76.5, "word": "many", "none": 0, "eps": -1e-12, "list": [1, 2],
            "mixed": ["a", 1], "ids": [1, -1]}"#,
    );
    let layers = "config.json: layers is 1000000000, but must be a whole number from 1 to 512";
    assert_eq!(message(keys.size("layers", 1, 512)), layers);
    assert!(message(keys.size("minus", 1, 512)).contains("minus is -768, but"));
    assert!(message(keys.size("part", 1, 512)).contains("part is 76.5, but"));
    assert!(message(keys.size("word", 1, 512)).contains("word is \"many\", but"));
    assert!(message(keys.size("none", 1, 512)).contains("none is 0, but"));
    let eps = "eps is -1e-12, but must be a number from 0 to 1";
    assert!(message(keys.number("eps", 0.0, 0.0, 1.0)).contains(eps));
    assert!(message(keys.flag("word", true)).contains("word is \"many\", but must be true or false"));
    assert!(message(keys.size("list", 1, 9)).contains("list is a list of 2, but"));
    assert!(message(keys.text("none")).contains("none is 0, but must be a text"));
    assert!(message(keys.texts("mixed")).contains("mixed is a list of 2, but must be a list of names"));
    assert!(message(keys.ids("ids")).contains("or a list of such"));
    assert!(message(keys.object("word")).contains("an object of settings"));
    assert_eq!(keys.error("y", Expected::Text).to_string(), "config.json: y is missing, but must be a text");
}

#[test]
fn labels_come_in_the_order_of_their_numbers() {
    let labels = |json: &str| keys(json).labels();
    assert_eq!(labels(r#"{"id2label": {"1": "b", "0": "a", "2": 7}}"#), Ok(vec!["a".into(), "b".into(), "7".into()]));
    assert_eq!(labels(r#"{"id2label": {}}"#), Ok(vec![]));
    for json in [r#"{"id2label": {"5": "a"}}"#, r#"{"id2label": {"0": "a", "00": "b"}}"#, r#"{"id2label": ["a"]}"#] {
        assert_eq!(labels(json).unwrap_err().code(), "invalid-config-value", "{json}");
    }
    assert!(message(labels(r#"{"id2label": 3}"#)).contains("id2label is 3, but"));
    let gap = "id2label is an object with the key \"3\", but must be an object whose keys are the label numbers 0 to 1";
    assert!(message(labels(r#"{"id2label": {"0": "a", "3": "b"}}"#)).contains(gap));
    let many = |count: usize| {
        let entries: Vec<String> = (0..count).map(|label| format!("\"{label}\":\"x\"")).collect();
        Keys::parse(&format!("{{\"id2label\":{{{}}}}}", entries.join(","))).and_then(|keys| keys.labels())
    };
    assert_eq!(many(65_536).map(|labels| labels.len()), Ok(65_536));
    assert_eq!(many(65_537).unwrap_err().code(), "invalid-config-value");
}

#[test]
fn a_real_file_is_read() {
    let keys = keys(include_str!("../../../models/roformer-english/config.json"));
    assert_eq!(keys.texts("architectures"), Ok(vec!["RoFormerForMaskedLM".into()]));
    assert_eq!(keys.text("model_type"), Ok(Some("roformer")));
}

#[test]
fn text_that_is_no_object_is_refused() {
    let twice = r#"{"a": 1, "a": 1}"#;
    for json in ["", "[]", "null", "{", "{\"a\": 1e999}", "{\"a\": }", "{} {}", twice] {
        assert_eq!(Keys::parse(json).unwrap_err().code(), "config-not-json", "{json:?}");
    }
    let deep = format!("{{\"a\": {}", "[".repeat(1_000_000));
    assert_eq!(Keys::parse(&deep).unwrap_err().code(), "config-not-json");
}

#[test]
fn values_beyond_the_budgets_are_dropped() {
    let list = |count: usize| format!("[{}0]", "0,".repeat(count - 1));
    let json = format!(r#"{{"most": {}, "more": {}, "after": 1}}"#, list(4096), list(4097));
    let settings = keys(&json);
    assert_eq!(settings.ids("most").map(|ids| ids.len()), Ok(4096));
    assert!(message(settings.ids("more")).contains("more is too large, but"));
    assert_eq!(settings.size("after", 0, 1), Ok(1));
    // The budget counts nested values.
    let nested = format!(r#"{{"a": {{"b": [{0}, {0}], "c": {{"d": 1}}}}, "after": 1}}"#, list(3000));
    assert!(keys(&nested).object("a").is_err());
    let text = format!(r#"{{"a": {{"b": ["{}"]}}, "long": "{}"}}"#, "é".repeat(70_000), "é".repeat(70_000));
    assert_eq!(keys(&text).text("long").map(|text| text.map(str::len)), Ok(Some(1024)));
    let texts = format!(r#"{{"a": {{"b": [{}""]}}}}"#, format!("\"{}\",", "x".repeat(1000)).repeat(70));
    assert!(keys(&texts).object("a").is_err());
    // All settings share a budget; those before its end remain.
    let lists: Vec<String> = (0..8).map(|index| format!("\"{index}\": {}", list(4000))).collect();
    let all = keys(&format!("{{{}}}", lists.join(",")));
    assert_eq!((0..8).filter(|index| all.ids(&index.to_string()).is_ok()).count(), 4);
    let many: Vec<String> = (0..5000).map(|index| format!("\"{index}\": 0")).collect();
    let refused = Keys::parse(&format!("{{{}}}", many.join(",")));
    assert_eq!(refused, Err(Error::ConfigNotJson { defect: JsonDefect::TooLarge }));
}
