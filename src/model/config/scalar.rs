//! Values of config.json, read without keeping what does not matter: a long array in a setting costs no memory.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::error::Error;

/// The longest string or list that is kept of a setting; longer ones are no setting.
const LONGEST: usize = 1024;

const MOST_LABELS: usize = 1 << 16;

/// One value: a plain one as it is, `null` as missing (as Hugging Face's defaults do), anything else as such.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Scalar {
    #[default]
    Missing,
    Flag(bool),
    Whole(u64),
    /// Negative or with a fraction.
    Number(f64),
    Text(String),
    /// A list or an object.
    Nested,
}

impl Scalar {
    /// A size: a whole number from 1 to `largest`.
    pub fn size(&self, key: &str, default: usize, largest: u64) -> Result<usize, Error> {
        self.whole(key, default as u64, 1, largest).map(|value| value as usize)
    }

    /// A whole number from `least` to `largest`.
    pub fn whole(&self, key: &str, default: u64, least: u64, largest: u64) -> Result<u64, Error> {
        match self {
            Scalar::Missing => Ok(default),
            Scalar::Whole(value) if (least..=largest).contains(value) => Ok(*value),
            _ => Err(self.error(key, format!("a whole number from {least} to {largest}"))),
        }
    }

    /// A number from 0 to 1.
    pub fn fraction(&self, key: &str, default: f64) -> Result<f32, Error> {
        let value = match self {
            Scalar::Missing => default,
            Scalar::Whole(value) => *value as f64,
            Scalar::Number(value) => *value,
            _ => f64::NAN,
        };
        if (0.0..=1.0).contains(&value) {
            Ok(value as f32)
        } else {
            Err(self.error(key, "a number from 0 to 1".into()))
        }
    }

    pub fn flag(&self, key: &str, default: bool) -> Result<bool, Error> {
        match self {
            Scalar::Missing => Ok(default),
            Scalar::Flag(value) => Ok(*value),
            _ => Err(self.error(key, "true or false".into())),
        }
    }

    /// What stands there if it is neither `expected` nor missing.
    pub fn differs_from(&self, expected: &str) -> Option<String> {
        match self {
            Scalar::Missing => None,
            Scalar::Text(text) if text == expected => None,
            other => Some(other.quoted()),
        }
    }

    /// As text without quotes.
    pub fn bare(&self) -> String {
        match self {
            Scalar::Text(text) => text.clone(),
            Scalar::Missing => "null".into(),
            Scalar::Flag(value) => value.to_string(),
            Scalar::Whole(value) => value.to_string(),
            Scalar::Number(value) => value.to_string(),
            Scalar::Nested => "a list or an object".into(),
        }
    }

    /// As it stands in the file, on one line.
    pub fn quoted(&self) -> String {
        match self {
            Scalar::Text(text) => format!("{text:?}"),
            other => other.bare(),
        }
    }

    fn error(&self, key: &str, expected: String) -> Error {
        Error::ConfigValue { key: key.into(), found: self.quoted(), expected }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a setting")
    }

    fn visit_unit<E>(self) -> Result<Scalar, E> {
        Ok(Scalar::Missing)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar::Flag(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar::Whole(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
        Ok(u64::try_from(value).map_or(Scalar::Number(value as f64), Scalar::Whole))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(value.chars().take(LONGEST).collect()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Scalar, A::Error> {
        while sequence.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Nested)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Nested)
    }
}

/// A list of strings; `null` and anything else is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Words(pub Vec<String>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordsVisitor)
    }
}

struct WordsVisitor;

impl<'de> Visitor<'de> for WordsVisitor {
    type Value = Words;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list of names")
    }

    fn visit_unit<E>(self) -> Result<Words, E> {
        Ok(Words::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Words, A::Error> {
        let mut words = Vec::new();
        while let Some(word) = sequence.next_element::<Scalar>()? {
            if words.len() < LONGEST {
                words.push(word.bare());
            }
        }
        Ok(Words(words))
    }
}

/// id2label as it stands: keys with names; `null` is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Labels(pub Vec<(String, String)>);

impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LabelsVisitor)
    }
}

struct LabelsVisitor;

impl<'de> Visitor<'de> for LabelsVisitor {
    type Value = Labels;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object from numbers to the names of labels")
    }

    fn visit_unit<E>(self) -> Result<Labels, E> {
        Ok(Labels::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Labels, A::Error> {
        let mut labels = Vec::new();
        while let Some((key, name)) = map.next_entry::<String, Scalar>()? {
            if labels.len() == MOST_LABELS {
                return Err(A::Error::custom(format_args!("id2label has more than {MOST_LABELS} entries")));
            }
            labels.push((key, name.bare()));
        }
        Ok(Labels(labels))
    }
}
