//! config.json of any family: settings by key, each checked when a family reads it.
//!
//! The memory for settings is bounded, however large the file is. A setting that is too large is known by name alone, and refused
//! when a family reads it.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use crate::error::Error;
use crate::number::written;
use crate::weights::json::{self, Budget, OBJECT, Value};

/// The longest string of a setting; a longer one is cut.
const LONGEST_TEXT: usize = 1024;

/// One setting: a list of 4096 numbers, 64 kB of text.
const SETTING: Budget = Budget { values: 4097, text: 1 << 16, longest_text: LONGEST_TEXT };

/// All settings of a file together, without `id2label`.
const FILE: Budget = Budget { values: 1 << 14, text: 1 << 20, longest_text: LONGEST_TEXT };

/// Known files have a hundred or so.
const MOST_KEYS: usize = 4096;

/// A setting with a longer key is skipped.
const LONGEST_KEY: usize = 256;

/// The one long setting: from the number of a label to its name.
const LABELS: &str = "id2label";

const MOST_LABELS: usize = 1 << 16;

const LABELS_BUDGET: Budget =
    Budget { values: OBJECT + MOST_LABELS, text: 256 * MOST_LABELS, longest_text: LONGEST_TEXT };

/// The settings of a config.json, or of an object in it. A setting that is `null` is missing, as it is to Hugging Face.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Keys {
    /// The path of these settings with a dot at its end, "rope_scaling."; empty for the file's own.
    place: String,
    /// None: larger than a setting may be.
    settings: BTreeMap<String, Option<Value>>,
}

/// The file's own object, as a seed for serde_json.
struct File;

impl<'de> DeserializeSeed<'de> for File {
    type Value = Keys;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Keys, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for File {
    type Value = Keys;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of settings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Keys, A::Error> {
        let mut keys = Keys::default();
        let mut left = FILE;
        while let Some(key) = object.next_key::<String>()? {
            if key.len() > LONGEST_KEY {
                object.next_value::<IgnoredAny>()?;
                continue;
            }
            if keys.names(&key) {
                return Err(json::duplicate_key(&key));
            }
            if keys.settings.len() == MOST_KEYS {
                return Err(A::Error::custom(format_args!("there are more than {MOST_KEYS} settings")));
            }
            let value = if key == LABELS {
                object.next_value_seed(&mut LABELS_BUDGET.clone())?
            } else {
                let before = Budget {
                    values: SETTING.values.min(left.values),
                    text: SETTING.text.min(left.text),
                    longest_text: LONGEST_TEXT,
                };
                let mut here = before;
                let value = object.next_value_seed(&mut here)?;
                left.values -= before.values - here.values;
                left.text -= before.text - here.text;
                value
            };
            keys.settings.insert(key, value);
        }
        Ok(keys)
    }
}

impl Keys {
    /// Reads the text of a config.json.
    ///
    /// # Errors
    /// Text that is no JSON object, or holds a setting twice, or thousands of them.
    pub fn parse(text: &str) -> Result<Keys, Error> {
        json::read(text.as_bytes(), File).map_err(|reason| Error::ConfigNotJson { reason })
    }

    /// Sets or replaces a setting.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.settings.insert(key.into(), Some(value.into()));
    }

    /// Whether a setting is there and not `null`.
    pub fn contains(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Whether the file names a setting, even as `null`.
    pub fn names(&self, key: &str) -> bool {
        self.settings.contains_key(key)
    }

    /// A size: a whole number from 1 to `largest`.
    pub fn size(&self, key: &str, default: usize, largest: u64) -> Result<usize, Error> {
        let size = self.whole(key, default as u64, 1, largest)?;
        usize::try_from(size).map_err(|_| self.error(key, format!("a whole number from 1 to {}", usize::MAX)))
    }

    /// A whole number from `least` to `most`.
    pub fn whole(&self, key: &str, default: u64, least: u64, most: u64) -> Result<u64, Error> {
        let Some(value) = self.value(key) else { return Ok(default) };
        let number = value.and_then(Value::as_u64).filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| self.error(key, format!("a whole number from {least} to {most}")))
    }

    /// A number from `least` to `most`.
    pub fn number(&self, key: &str, default: f64, least: f64, most: f64) -> Result<f64, Error> {
        let Some(value) = self.value(key) else { return Ok(default) };
        let number = value.and_then(Value::as_f64).filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| self.error(key, format!("a number from {} to {}", written(least), written(most))))
    }

    /// True or false.
    pub fn flag(&self, key: &str, default: bool) -> Result<bool, Error> {
        let Some(value) = self.value(key) else { return Ok(default) };
        value.and_then(Value::as_bool).ok_or_else(|| self.error(key, "true or false".into()))
    }

    /// A text, of up to about a thousand characters.
    pub fn text(&self, key: &str) -> Result<Option<&str>, Error> {
        let Some(value) = self.value(key) else { return Ok(None) };
        value.and_then(Value::as_str).map(Some).ok_or_else(|| self.error(key, "a text".into()))
    }

    /// A list of names; empty where there is none.
    pub fn words(&self, key: &str) -> Result<Vec<String>, Error> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let words = value.and_then(Value::as_array);
        let words = words.and_then(|words| words.iter().map(|word| word.as_str().map(String::from)).collect());
        words.ok_or_else(|| self.error(key, "a list of names".into()))
    }

    /// Ids: one, or a list of them; empty where there are none.
    pub fn ids(&self, key: &str) -> Result<Vec<u32>, Error> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let id = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
        let ids = value.and_then(|value| match value {
            Value::Array(ids) => ids.iter().map(id).collect(),
            one => id(one).map(|id| vec![id]),
        });
        ids.ok_or_else(|| self.error(key, format!("a whole number from 0 to {}, or a list of such", u32::MAX)))
    }

    /// An object as it stands, of up to some two hundred settings.
    pub fn object(&self, key: &str) -> Result<Option<Value>, Error> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let object = value.filter(|value| value.as_object().is_some()).cloned();
        object.map(Some).ok_or_else(|| self.error(key, "an object of settings".into()))
    }

    /// The settings of an object in this one, e.g. of `rope_scaling`: errors name them by their whole path.
    pub fn within(&self, key: &str) -> Result<Option<Keys>, Error> {
        let Some(Value::Object(object)) = self.object(key)? else { return Ok(None) };
        let settings = object.into_iter().map(|(key, value)| (key, Some(value))).collect();
        Ok(Some(Keys { place: format!("{}{key}.", self.place), settings }))
    }

    /// The names of the labels from id2label, in the order of their ids, which count from 0 without gaps.
    pub fn labels(&self) -> Result<Vec<String>, Error> {
        let Some(value) = self.value(LABELS) else { return Ok(Vec::new()) };
        let expected = || format!("an object from numbers to the names of labels, {MOST_LABELS} at most");
        let entries = value.and_then(Value::as_object).ok_or_else(|| self.error(LABELS, expected()))?;
        let mut labels: Vec<Option<&Value>> = vec![None; entries.len()];
        for (key, name) in entries {
            let slot = key.parse::<usize>().ok().and_then(|id| labels.get_mut(id)).filter(|slot| slot.is_none());
            let slot = slot.ok_or_else(|| Error::ConfigValue {
                key: format!("a key of id2label, which has {} entries,", entries.len()),
                found: format!("{key:?}"),
                expected: "the number of a label, counted from 0 without gaps".into(),
            })?;
            *slot = Some(name);
        }
        Ok(labels.into_iter().flatten().map(without_quotes).collect())
    }

    /// A setting as the file writes it, unless it is `expected` or missing.
    pub fn differs_from(&self, key: &str, expected: &str) -> Option<String> {
        let value = self.value(key)?;
        (value.and_then(Value::as_str) != Some(expected)).then(|| quoted(value))
    }

    /// An error that names a setting and what stands there: for what only a family can judge.
    pub fn error(&self, key: &str, expected: String) -> Error {
        let found = self.value(key).map_or_else(|| "missing".into(), quoted);
        Error::ConfigValue { key: format!("{}{key}", self.place), found, expected }
    }

    /// None: missing. Some(None): larger than a setting may be.
    fn value(&self, key: &str) -> Option<Option<&Value>> {
        let setting = self.settings.get(key).map(Option::as_ref);
        setting.filter(|value| *value != Some(&Value::Null))
    }
}

/// A value as the file writes it, on one line.
fn quoted(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => format!("{text:?}"),
        Some(value) => without_quotes(value),
        None => "a list or an object".into(),
    }
}

/// The same, but a string as its text.
fn without_quotes(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => "a list or an object".into(),
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests;
