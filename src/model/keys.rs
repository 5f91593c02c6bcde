//! config.json of any family: settings by key, each checked when a family reads it.
//!
//! The memory for settings is bounded, however large the file is. A setting that is too large is known by name alone, and refused
//! when a family reads it.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::error::{Condition, Error, Expected, Found};
use crate::weights::json::{self, Budget, OBJECT, Value};
use crate::weights::{JsonDefect, quoted};

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

/// The name of a label that is no scalar.
const LARGE: &str = "a list or an object";

/// The one long setting: from the number of a label to its name.
const LABELS: &str = "id2label";

const MOST_LABELS: usize = 1 << 16;

const LABELS_BUDGET: Budget =
    Budget { values: OBJECT + MOST_LABELS, text: 256 * MOST_LABELS, longest_text: LONGEST_TEXT };

/// The settings of a config.json. A setting that is `null` is missing, as it is to Hugging Face.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Keys {
    /// `None`: the value exceeds [`SETTING`].
    settings: BTreeMap<String, Option<Value>>,
}

/// The file's own object, as a seed for serde_json; `None` for more than [`MOST_KEYS`] settings.
struct File;

impl<'de> DeserializeSeed<'de> for File {
    type Value = Option<Keys>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Keys>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for File {
    type Value = Option<Keys>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of settings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Option<Keys>, A::Error> {
        let mut keys = Keys::default();
        let mut left = FILE;
        let mut fits = true;
        while let Some(key) = object.next_key::<String>()? {
            fits &= keys.settings.len() < MOST_KEYS;
            if !fits || key.len() > LONGEST_KEY {
                object.next_value::<IgnoredAny>()?;
                continue;
            }
            if keys.has_key(&key) {
                return Err(json::duplicate_key(&key));
            }
            let value = if key == LABELS {
                object.next_value_seed(&mut LABELS_BUDGET.clone())?
            } else {
                let (values, text) = (SETTING.values.min(left.values), SETTING.text.min(left.text));
                let mut budget = Budget { values, text, longest_text: LONGEST_TEXT };
                let value = object.next_value_seed(&mut budget)?;
                left.values -= values - budget.values;
                left.text -= text - budget.text;
                value
            };
            keys.settings.insert(key, value);
        }
        Ok(fits.then_some(keys))
    }
}

impl Keys {
    /// Reads the text of a config.json.
    ///
    /// # Errors
    /// Text that is no JSON object, a duplicate setting, more than [`MOST_KEYS`] settings.
    pub fn parse(text: &str) -> Result<Keys, Error> {
        let keys = json::read(text.as_bytes(), File).and_then(|keys| keys.ok_or(JsonDefect::TooLarge));
        keys.map_err(|defect| Error::ConfigNotJson { defect })
    }

    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.settings.insert(key.into(), Some(value.into()));
    }

    /// Whether the file has a setting that is not `null`.
    pub fn contains(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Whether the file has a setting, even as `null`.
    pub fn has_key(&self, key: &str) -> bool {
        self.settings.contains_key(key)
    }

    /// The setting as `convert` reads it; `None` if it is missing.
    fn read<'a, T>(
        &'a self,
        key: &str,
        convert: impl FnOnce(&'a Value) -> Option<T>,
        expected: Expected,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.value(key) else { return Ok(None) };
        value.and_then(convert).map(Some).ok_or_else(|| self.error(key, expected))
    }

    /// A size: an integer from 1 to `largest`.
    pub fn size(&self, key: &str, default: usize, largest: u64) -> Result<usize, Error> {
        let size = self.integer(key, default as u64, 1, largest)?;
        usize::try_from(size)
            .map_err(|_| self.error(key, Expected::IntegerBetween { least: 1, most: usize::MAX as u64 }))
    }

    pub fn integer(&self, key: &str, default: u64, least: u64, most: u64) -> Result<u64, Error> {
        let integer = |value: &Value| value.as_u64().filter(|number| (least..=most).contains(number));
        Ok(self.read(key, integer, Expected::IntegerBetween { least, most })?.unwrap_or(default))
    }

    pub fn number(&self, key: &str, default: f64, least: f64, most: f64) -> Result<f64, Error> {
        let number = |value: &Value| value.as_f64().filter(|number| (least..=most).contains(number));
        Ok(self.read(key, number, Expected::NumberBetween { least, most })?.unwrap_or(default))
    }

    pub fn flag(&self, key: &str, default: bool) -> Result<bool, Error> {
        Ok(self.read(key, Value::as_bool, Expected::Flag)?.unwrap_or(default))
    }

    /// A text, of up to about a thousand characters.
    pub fn text(&self, key: &str) -> Result<Option<&str>, Error> {
        self.read(key, Value::as_str, Expected::Text)
    }

    /// A list of texts; empty if it is missing.
    pub fn texts(&self, key: &str) -> Result<Vec<String>, Error> {
        let texts = |list: &Value| list.as_array()?.iter().map(|text| text.as_str().map(String::from)).collect();
        Ok(self.read(key, texts, Expected::TextList)?.unwrap_or_default())
    }

    /// One id or a list of them; empty if it is missing.
    pub fn ids(&self, key: &str) -> Result<Vec<u32>, Error> {
        let id = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
        let ids = |value: &Value| match value {
            Value::Array(ids) => ids.iter().map(id).collect(),
            one => id(one).map(|id| vec![id]),
        };
        Ok(self.read(key, ids, Expected::Ids { most: u32::MAX })?.unwrap_or_default())
    }

    /// An object within the budget of one setting.
    pub fn object(&self, key: &str) -> Result<Option<Value>, Error> {
        let object = |value: &Value| value.is_object().then(|| value.clone());
        self.read(key, object, Expected::Object)
    }

    /// The names of the labels from id2label, in the order of their ids, which count from 0 without gaps.
    pub fn labels(&self) -> Result<Vec<String>, Error> {
        let Some(value) = self.value(LABELS) else { return Ok(Vec::new()) };
        let expected = Expected::LabelNames { most: MOST_LABELS };
        let entries = value.and_then(Value::as_object).ok_or_else(|| self.error(LABELS, expected))?;
        let mut labels: Vec<Option<&Value>> = vec![None; entries.len()];
        for (key, name) in entries {
            let slot = key.parse::<usize>().ok().and_then(|id| labels.get_mut(id)).filter(|slot| slot.is_none());
            let slot = slot.ok_or_else(|| Error::InvalidConfigValue {
                key: LABELS.into(),
                found: Found::Key { key: quoted(key) },
                expected: Expected::LabelNumbers { last: entries.len() - 1 },
            })?;
            *slot = Some(name);
        }
        Ok(labels.into_iter().flatten().map(unquoted).collect())
    }

    /// The error that a setting must be something else.
    pub fn error(&self, key: &str, expected: Expected) -> Error {
        Error::InvalidConfigValue { key: key.into(), found: self.found(key), expected }
    }

    /// The error that a setting is valid and not supported, at all or under a condition.
    pub fn unsupported(
        &self,
        key: &str,
        condition: impl Into<Option<Condition>>,
        supported: impl Into<String>,
    ) -> Error {
        let (found, condition) = (self.found(key), condition.into());
        Error::Unsupported { key: key.into(), found, condition, supported: supported.into() }
    }

    fn found(&self, key: &str) -> Found {
        match self.value(key) {
            None => Found::Missing,
            Some(None) => Found::TooLarge,
            Some(Some(value)) => Found::json(value),
        }
    }

    /// `None` if it is missing, `Some(None)` if it exceeds [`SETTING`].
    fn value(&self, key: &str) -> Option<Option<&Value>> {
        let setting = self.settings.get(key).map(Option::as_ref);
        setting.filter(|value| *value != Some(&Value::Null))
    }
}

/// A string's text, or another value as the file writes it.
fn unquoted(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => LARGE.into(),
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests;
