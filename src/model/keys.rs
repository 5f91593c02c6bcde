//! config.json read for any family: every setting by its key, checked when it is asked for.
//!
//! Nothing here knows a family's keys but `id2label`, which alone may be long. Settings keep a bounded number of values,
//! however large the file is; what is larger than any setting is known to be there, and refused when it is asked for.

use json_event_parser::JsonEvent;

use crate::error::Error;
use crate::json::{Budget, Reader, Value};
use crate::number::written;

/// Values and bytes of text that one setting keeps: a list of 4096 with what lists it, 64 kB of text.
const SETTING: Budget = Budget { values: 4097, text: 1 << 16 };

/// What all settings keep together.
const FILE: Budget = Budget { values: 1 << 14, text: 1 << 20 };

/// The longest text that is kept of a setting; a longer one is no setting, and is cut.
const LONGEST_TEXT: usize = 1024;

/// Known files have some hundred.
const MOST_KEYS: usize = 4096;

/// A longer key is nobody's.
const LONGEST_KEY: usize = 256;

const LABELS: &str = "id2label";

const MOST_LABELS: usize = 1 << 16;

/// The longest name of a label that is kept.
const LONGEST_LABEL: usize = 4096;

/// The settings of a config.json, or of an object in it. A setting that is `null` is missing, as it is to Hugging Face.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Keys {
    /// Where these settings stand, with a dot behind: "rope_scaling."; empty for the file's own.
    place: String,
    /// None: larger than a setting may be.
    settings: Vec<(String, Option<Value>)>,
    /// id2label as it stands; none where something else stands there.
    labels: Option<Vec<(String, String)>>,
}

impl Keys {
    /// Reads the text of a config.json.
    ///
    /// # Errors
    /// Text that is no JSON object, or holds a setting twice, or thousands of them.
    pub fn parse(json: &str) -> Result<Keys, Error> {
        let read = || -> Result<Keys, String> {
            let mut reader = Reader::new(json.as_bytes());
            let keys = Keys::file(&mut reader)?;
            reader.end().map(|()| keys)
        };
        read().map_err(|reason| Error::ConfigNotJson { reason })
    }

    /// Reads the file's own object.
    fn file(reader: &mut Reader<'_>) -> Result<Keys, String> {
        let mut keys = Keys::default();
        let mut left = FILE;
        reader.object("settings")?;
        while let Some(key) = reader.key()? {
            if key.len() > LONGEST_KEY {
                reader.skip()?;
                continue;
            }
            if keys.names(&key) {
                return Err(format!("{key:?} is there twice"));
            }
            if keys.settings.len() == MOST_KEYS {
                return Err(format!("there are more than {MOST_KEYS} settings"));
            }
            let first = reader.event()?;
            let value = if key == LABELS && first == JsonEvent::StartObject {
                keys.labels = Some(labels(reader)?);
                None
            } else {
                let mut here = Budget { values: SETTING.values.min(left.values), text: SETTING.text.min(left.text) };
                let before = here;
                let value = reader.bounded(first, &mut here, LONGEST_TEXT)?;
                left.values -= before.values - here.values;
                left.text -= before.text - here.text;
                value
            };
            keys.settings.push((key.into(), value));
        }
        Ok(keys)
    }

    /// Sets it, whatever stood there.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.settings.retain(|(name, _)| name != key);
        self.settings.push((key.into(), Some(value.into())));
    }

    /// Whether a setting is there and not `null`.
    pub fn contains(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Whether a setting is named, be it `null`.
    pub fn names(&self, key: &str) -> bool {
        self.settings.iter().any(|(name, _)| name == key)
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
        value.and_then(Value::as_flag).ok_or_else(|| self.error(key, "true or false".into()))
    }

    /// A text, of up to about a thousand characters.
    pub fn text(&self, key: &str) -> Result<Option<&str>, Error> {
        let Some(value) = self.value(key) else { return Ok(None) };
        value.and_then(Value::as_str).map(Some).ok_or_else(|| self.error(key, "a text".into()))
    }

    /// A list of names; empty where there is none.
    pub fn words(&self, key: &str) -> Result<Vec<String>, Error> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let words = value.and_then(Value::as_list);
        let words = words.and_then(|words| words.iter().map(|word| word.as_str().map(String::from)).collect());
        words.ok_or_else(|| self.error(key, "a list of names".into()))
    }

    /// Ids: one, or a list of them; empty where there are none.
    pub fn ids(&self, key: &str) -> Result<Vec<u32>, Error> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let id = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
        let ids = value.and_then(|value| match value {
            Value::List(ids) => ids.iter().map(id).collect(),
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
        Ok(Some(Keys { place: format!("{}{key}.", self.place), settings, labels: None }))
    }

    /// The names of the labels from id2label, in the order of their ids, which count from 0 without gaps.
    pub fn labels(&self) -> Result<Vec<String>, Error> {
        let Some(entries) = &self.labels else {
            return match self.contains(LABELS) {
                true => Err(self.error(LABELS, "an object from numbers to the names of labels".into())),
                false => Ok(Vec::new()),
            };
        };
        let mut labels: Vec<Option<&str>> = vec![None; entries.len()];
        for (key, name) in entries {
            let slot = key.parse::<usize>().ok().and_then(|id| labels.get_mut(id)).filter(|slot| slot.is_none());
            let slot = slot.ok_or_else(|| Error::ConfigValue {
                key: format!("a key of id2label, which has {} entries,", entries.len()),
                found: format!("{key:?}"),
                expected: "the number of a label, counted from 0 without gaps".into(),
            })?;
            *slot = Some(name);
        }
        Ok(labels.into_iter().flatten().map(String::from).collect())
    }

    /// What stands there if it is neither `expected` nor missing.
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
        let setting = self.settings.iter().find(|(name, _)| name == key);
        setting.map(|(_, value)| value.as_ref()).filter(|value| *value != Some(&Value::Null))
    }
}

/// A value as it stands in the file, on one line.
fn quoted(value: Option<&Value>) -> String {
    match value {
        Some(Value::Text(text)) => format!("{text:?}"),
        Some(value) => bare(value),
        None => "a list or an object".into(),
    }
}

/// The same without quotes.
fn bare(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::List(_) | Value::Object(_) => "a list or an object".into(),
        plain => plain.to_string(),
    }
}

/// The entries of id2label, the one setting that may be long: as many names as a classifier has labels.
fn labels(reader: &mut Reader<'_>) -> Result<Vec<(String, String)>, String> {
    let mut entries = Vec::new();
    while let Some(key) = reader.key()? {
        if entries.len() == MOST_LABELS {
            return Err(format!("id2label has more than {MOST_LABELS} entries"));
        }
        // A name is one value; a list or an object is called so.
        let (first, mut budget) = (reader.event()?, Budget { values: 1, text: LONGEST_LABEL });
        let name = reader.bounded(first, &mut budget, LONGEST_TEXT)?;
        entries.push((key.into(), name.as_ref().map_or_else(|| "a list or an object".into(), bare)));
    }
    Ok(entries)
}

#[cfg(test)]
mod tests;
