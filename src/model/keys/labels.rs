//! id2label, the one setting that may be long: as many names as a classifier has labels.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::bare;
use super::bounded::{Bounded, Budget};

const MOST_LABELS: usize = 1 << 16;

/// The entries of id2label, or what stands in place of an object.
#[derive(Default)]
pub struct Labels {
    /// Keys with names.
    pub entries: Option<Vec<(String, String)>>,
    /// None: a list, or the entries themselves.
    pub instead: Option<Value>,
}

impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LabelsVisitor)
    }
}

fn instead<E>(value: impl Into<Value>) -> Result<Labels, E> {
    Ok(Labels { entries: None, instead: Some(value.into()) })
}

struct LabelsVisitor;

impl<'de> Visitor<'de> for LabelsVisitor {
    type Value = Labels;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object from numbers to the names of labels")
    }

    fn visit_unit<E>(self) -> Result<Labels, E> {
        instead(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Labels, E> {
        instead(value)
    }

    fn visit_u64<E>(self, value: u64) -> Result<Labels, E> {
        instead(value)
    }

    fn visit_i64<E>(self, value: i64) -> Result<Labels, E> {
        instead(value)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Labels, E> {
        instead(value)
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Labels, E> {
        let kept = Bounded(&Budget::new(1, value.len())).visit_str(value)?;
        Ok(Labels { entries: None, instead: kept })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Labels, A::Error> {
        while sequence.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Labels::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Labels, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if entries.len() == MOST_LABELS {
                return Err(A::Error::custom(format_args!("id2label has more than {MOST_LABELS} entries")));
            }
            // A name is one value; a list or an object is called so.
            let name = map.next_value_seed(Bounded(&Budget::new(1, 4096)))?;
            entries.push((key, name.as_ref().map_or_else(|| "a list or an object".into(), bare)));
        }
        Ok(Labels { entries: Some(entries), instead: None })
    }
}
