//! JSON values from strangers, kept only as far as a setting may reach.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The longest string that is kept of a setting; a longer one is no setting, and is cut.
const LONGEST: usize = 1024;

/// What an object weighs beside the values in it.
const OBJECT: usize = 20;

/// What may still be kept: values, and bytes of text.
#[derive(Debug)]
pub struct Budget {
    values: Cell<usize>,
    text: Cell<usize>,
}

impl Budget {
    pub fn new(values: usize, text: usize) -> Self {
        Self { values: Cell::new(values), text: Cell::new(text) }
    }

    /// As much as this one has left, up to that of `most`.
    pub fn within(&self, most: &Budget) -> Budget {
        Self::new(self.values.get().min(most.values.get()), self.text.get().min(most.text.get()))
    }

    /// Takes what was spent of a part that had `before`.
    pub fn spend(&self, before: &Budget, after: &Budget) {
        let spend = |mine: &Cell<usize>, before: &Cell<usize>, after: &Cell<usize>| {
            mine.set(mine.get().saturating_sub(before.get().saturating_sub(after.get())));
        };
        spend(&self.values, &before.values, &after.values);
        spend(&self.text, &before.text, &after.text);
    }

    fn take(&self, values: usize, text: usize) -> bool {
        let left = self.values.get().checked_sub(values).zip(self.text.get().checked_sub(text));
        if let Some((values, text)) = left {
            self.values.set(values);
            self.text.set(text);
        }
        left.is_some()
    }
}

/// A value as it is, or none where it is larger than the budget; what does not fit is read past and not kept.
pub struct Bounded<'a>(pub &'a Budget);

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Value>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Bounded<'_> {
    fn keep(&self, value: impl FnOnce() -> Value) -> Option<Value> {
        self.0.take(1, 0).then(value)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Option<Value>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a setting")
    }

    fn visit_unit<E>(self) -> Result<Option<Value>, E> {
        Ok(self.keep(|| Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Option<Value>, E> {
        Ok(self.keep(|| value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Option<Value>, E> {
        Ok(self.keep(|| value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Option<Value>, E> {
        Ok(self.keep(|| value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Option<Value>, E> {
        Ok(self.keep(|| Number::from_f64(value).map_or(Value::Null, Value::Number)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Option<Value>, E> {
        let end = value.floor_char_boundary(LONGEST);
        let text = value.get(..end).unwrap_or_default();
        Ok(self.0.take(1, text.len()).then(|| text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Option<Value>, A::Error> {
        let mut values = Vec::new();
        let mut whole = self.0.take(1, 0);
        while whole {
            match sequence.next_element_seed(Bounded(self.0))? {
                Some(Some(value)) => values.push(value),
                Some(None) => whole = false,
                None => return Ok(Some(Value::Array(values))),
            }
        }
        drop(values);
        while sequence.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<Value>, A::Error> {
        let mut values = Map::new();
        let mut whole = self.0.take(OBJECT, 0);
        while whole {
            let Some(key) = map.next_key::<String>()? else { return Ok(Some(Value::Object(values))) };
            let value = map.next_value_seed(Bounded(self.0))?;
            whole = self.0.take(0, key.len());
            match value {
                Some(_) if values.contains_key(&key) => {
                    return Err(A::Error::custom(format_args!("{key:?} is there twice")));
                }
                Some(value) => drop(values.insert(key, value)),
                None => whole = false,
            }
        }
        drop(values);
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}
