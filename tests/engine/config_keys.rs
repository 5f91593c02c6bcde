//! docs/reference/config.md lists the keys of config.json that each family reads. WRITE_DOCS=1 writes it.
//!
//! A family reads a key if it refuses a wrong value of it. Every key that the sources or a config of the repository names is tried in every
//! config of the family.

use crate::support::assert_page;
use ropescope::error::{Error, Expected};
use ropescope::model::{Architecture, FAMILIES, Family};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/reference/config.md";

type Config = Map<String, Value>;

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The files below a folder whose name ends so, in the order of their paths.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let below = entries.into_iter().flat_map(|path| if path.is_dir() { files(&path, ending) } else { vec![path] });
    below.filter(|path| path.to_string_lossy().ends_with(ending)).collect()
}

/// The configs of the tests and of the bundled models.
fn configs() -> Vec<Config> {
    let found = ["tests/golden", "models"].iter().flat_map(|folder| files(&repository(folder), "/config.json"));
    found.map(|path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap()).collect()
}

/// The strings of these sources that can be keys.
fn literals(sources: &[PathBuf]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in sources {
        for text in fs::read_to_string(path).unwrap().split('"') {
            found.extend(["encoder", "decoder"].map(|side| text.replace("{side}", side)));
        }
    }
    let is_word =
        |text: &String| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    found
        .into_iter()
        .filter(|text| text.starts_with(|first: char| first.is_ascii_lowercase()) && is_word(text))
        .collect()
}

/// The allowed values, in Markdown, if a family refuses this value for this key.
fn refusal(config: &Config, key: &str, value: Value) -> Option<String> {
    let mut config = config.clone();
    config.insert(key.into(), value);
    match Architecture::read(&Value::Object(config).to_string(), None).err()? {
        Error::InvalidConfigValue { key: refused, expected, .. } if refused == key => Some(in_words(key, &expected)),
        Error::Unsupported { key: refused, supported, .. } if refused == key => Some(names(&supported)),
        _ => None,
    }
}

fn in_words(key: &str, expected: &Expected) -> String {
    match expected {
        // Its largest value is that of the model.
        Expected::IntegerBetween { least: 0, .. } if key.ends_with("_token_id") => "an id of the vocabulary".into(),
        Expected::NumberBetween { least, most } if *least == f64::MIN_POSITIVE => {
            format!("a number above 0 and at most {most:e}")
        }
        other => other.to_string(),
    }
}

/// A list of names as code.
fn names(list: &str) -> String {
    list.split(", ").map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// No setting is a list in a list.
fn wrong() -> Value {
    json!([[]])
}

/// The values that a family reads under a key; `None` if it does not read the key.
fn values(configs: &[Config], key: &str) -> Option<String> {
    let refused = configs.iter().filter_map(|config| Some((config, refusal(config, key, wrong())?)));
    let readers: Vec<(&Config, String)> = refused.collect();
    let refusal_of = |value: Value| readers.iter().find_map(|(config, _)| refusal(config, key, value.clone()));
    let (_, first) = readers.first()?;
    Some(match &first[..] {
        "true or false" => {
            let is_read = |flag: bool| readers.iter().any(|(config, _)| refusal(config, key, flag.into()).is_none());
            match [true, false].map(is_read) {
                [true, true] => first.clone(),
                [yes, _] => format!("`{yes}`"),
            }
        }
        "a text" => refusal_of("?".into()).unwrap_or_else(|| first.clone()),
        // More names than a model has layers.
        "a list of names" => match refusal_of(vec!["?"; 600].into()) {
            Some(known) => format!("{first}: {known}"),
            None => first.clone(),
        },
        _ => {
            let all: BTreeSet<&str> = readers.iter().map(|(_, words)| &words[..]).collect();
            all.into_iter().collect::<Vec<_>>().join("; or ")
        }
    })
}

/// The configs of a family: one for each class with nothing else, and those of the repository.
fn configs_of(family: &Family, all: &[Config]) -> Vec<Config> {
    let config = |class: &&str| json!({"model_type": family.model_type, "architectures": [class]});
    let plain = family.architectures.iter().map(|class| config(class).as_object().unwrap().clone());
    let own = all.iter().filter(|config| config.get("model_type").and_then(Value::as_str) == Some(family.model_type));
    plain.chain(own.cloned()).collect()
}

fn section(family: &Family, all: &[Config], keys: &BTreeSet<String>) -> String {
    let configs = configs_of(family, all);
    let classes = names(&family.architectures.join(", "));
    let mut text = format!("## {}\n\nClasses: {classes}.\n\n| key | value |\n| --- | --- |\n", family.model_type);
    for key in keys {
        if let Some(values) = values(&configs, key) {
            writeln!(text, "| `{key}` | {values} |").unwrap();
        }
    }
    text + "\n"
}

/// A Llama with these settings of its rope.
fn with_rope(settings: &Config) -> Result<(), Error> {
    let config = json!({"model_type": "llama", "num_hidden_layers": 1, "rope_parameters": settings});
    Architecture::read(&config.to_string(), None).map(|_| ())
}

/// The allowed values of a rope's key, if these settings are refused for it.
fn rope_refusal(settings: &Config, key: &str) -> Option<String> {
    match with_rope(settings).err()? {
        Error::InvalidRopeValue { key: refused, expected, .. } if refused == key => Some(in_words(key, &expected)),
        _ => None,
    }
}

/// The types of ropes, which the refusal of another one lists.
fn rope_types() -> Vec<String> {
    let other = json!({"rope_type": "?"});
    let message = with_rope(other.as_object().unwrap()).unwrap_err().to_string();
    let (_, supported) = message.split_once("supported are").unwrap();
    supported.split('"').skip(1).step_by(2).map(String::from).collect()
}

/// The keys of a rope, with the types that read them and those that need them.
fn ropes() -> String {
    let factors = vec![1; 64];
    let settings = json!({
        "factor": 4, "original_max_position_embeddings": 64, "low_freq_factor": 1, "high_freq_factor": 4,
        "short_factor": factors, "long_factor": factors,
    });
    let settings = settings.as_object().unwrap();
    let types = rope_types();
    let of_type = |name: &str| {
        let mut settings = settings.clone();
        settings.insert("rope_type".into(), name.into());
        settings
    };
    let mut text = format!(
        "## Ropes\n\n`rope_parameters`, or `rope_scaling` in older files, is an object with these keys. `rope_type`, in older files `type`, \
         is one of {}.\nIn Gemma 3 and ModernBERT `rope_parameters` has such an object under `full_attention` and under \
         `sliding_attention`.\n\n| key | value | read by | needed by |\n| --- | --- | --- | --- |\n",
        names(&types.join(", "))
    );
    let mut keys = literals(&[repository("src/rope/scaling/parameters.rs")]);
    keys.retain(|key| key != "rope_type" && key != "type");
    for key in keys {
        let (mut readers, mut needs, mut values) = (Vec::new(), Vec::new(), String::new());
        for name in &types {
            let mut settings = of_type(name);
            settings.insert(key.clone(), wrong());
            let Some(words) = rope_refusal(&settings, &key) else { continue };
            values = words;
            readers.push(&name[..]);
            settings.remove(&key);
            if rope_refusal(&settings, &key).is_some() {
                needs.push(&name[..]);
            }
        }
        if !readers.is_empty() {
            let by = |types: &[&str]| if types.is_empty() { String::new() } else { names(&types.join(", ")) };
            let readers = if readers.len() == types.len() { "all".into() } else { by(&readers) };
            writeln!(text, "| `{key}` | {values} | {readers} | {} |", by(&needs)).unwrap();
        }
    }
    text
}

fn page() -> String {
    let all = configs();
    let mut keys = literals(&files(&repository("src/model"), ".rs"));
    keys.extend(all.iter().flat_map(|config| config.keys().cloned()));
    keys.extend(["rope_theta", "partial_rotary_factor"].map(String::from));
    keys.retain(|key| key != "model_type" && key != "architectures");
    let mut text = String::from(
        "# config.json\n\n`model_type` names the family, and `architectures` the class. Without `model_type` the class tells the \
         family. A key that is missing\nor `null` has the default of the class. Any value but those of the table is refused with an error \
         that names the key, and other keys are\nignored.\n\n",
    );
    for family in FAMILIES {
        text += &section(family, &all, &keys);
    }
    text + &ropes()
}

#[test]
fn the_page_of_config_json_has_every_key_that_a_family_reads() {
    assert_page(PAGE, &page(), "engine config_keys");
}
