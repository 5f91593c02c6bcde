//! JSON from foreign files, read by serde_json with bounds on memory.

use std::fmt;

use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
pub use serde_json::{Map, Value};

use crate::error::parameters::{JsonDefect, quoted};

/// The memory for a value, as a seed for serde_json. A larger value is skipped and gives `None`.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Remaining values. An object counts as [`OBJECT`] values.
    pub values: usize,
    /// Remaining bytes of keys and strings.
    pub text: usize,
    /// Bytes of one string. A longer one is truncated.
    pub longest_text: usize,
}

/// The memory of an object's first node, in values.
pub const OBJECT: usize = 20;

impl Budget {
    const UNBOUNDED: Self = Self { values: usize::MAX, text: usize::MAX, longest_text: usize::MAX };

    fn take(&mut self, values: usize, text: usize) -> bool {
        let left = self.values.checked_sub(values).zip(self.text.checked_sub(text));
        if let Some((values, text)) = left {
            (self.values, self.text) = (values, text);
        }
        left.is_some()
    }

    fn scalar(&mut self, value: impl Into<Value>) -> Option<Value> {
        self.take(1, 0).then(|| value.into())
    }
}

/// Reads a text of one value. Objects with the same key twice are refused.
///
/// # Errors
/// A [`JsonDefect`] says what is wrong, and where in the text.
pub fn parse(text: &str) -> Result<Value, JsonDefect> {
    read(text.as_bytes(), &mut Budget::UNBOUNDED.clone())?.ok_or(JsonDefect::TooLarge)
}

/// Reads a text of one value with `seed`.
///
/// # Errors
/// A [`JsonDefect`] says what is wrong, and where in the text.
pub fn read<'de, S: DeserializeSeed<'de>>(text: &'de [u8], seed: S) -> Result<S::Value, JsonDefect> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = seed.deserialize(&mut deserializer).map_err(|error| defect(&error, text))?;
    deserializer.end().map_err(|error| defect(&error, text))?;
    Ok(value)
}

fn defect(error: &serde_json::Error, text: &[u8]) -> JsonDefect {
    let line = error.line();
    // serde_json counts bytes, and an editor characters.
    let row = text.split(|&byte| byte == b'\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let before = row.get(..error.column()).unwrap_or(row);
    let column = String::from_utf8_lossy(before).chars().count().max(1);
    match error.classify() {
        Category::Eof => JsonDefect::EndOfText { line, column },
        Category::Data => match key_twice(&error.to_string()) {
            Some(key) => JsonDefect::DuplicateKey { key, line, column },
            None => JsonDefect::WrongValue { line, column },
        },
        Category::Syntax | Category::Io => JsonDefect::Syntax { line, column },
    }
}

impl<'de> DeserializeSeed<'de> for &mut Budget {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Value>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Budget {
    type Value = Option<Value>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Option<Value>, E> {
        Ok(self.scalar(Value::Null))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Option<Value>, E> {
        Ok(self.scalar(flag))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Option<Value>, E> {
        Ok(self.scalar(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Option<Value>, E> {
        Ok(self.scalar(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Option<Value>, E> {
        Ok(self.scalar(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Option<Value>, E> {
        let text = text.get(..text.floor_char_boundary(self.longest_text)).unwrap_or_default();
        Ok(self.take(1, text.len()).then(|| text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Option<Value>, A::Error> {
        let mut values = Vec::new();
        let mut fits = self.take(1, 0);
        while fits {
            match list.next_element_seed(&mut *self)? {
                None => return Ok(Some(Value::Array(values))),
                Some(Some(value)) => values.push(value),
                Some(None) => fits = false,
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Option<Value>, A::Error> {
        let mut entries = Map::new();
        let mut fits = self.take(OBJECT, 0);
        while fits {
            let Some(key) = object.next_key::<String>()? else { return Ok(Some(Value::Object(entries))) };
            fits = self.take(0, key.len());
            match object.next_value_seed(&mut *self)? {
                Some(_) if entries.contains_key(&key) => return Err(duplicate_key(&key)),
                Some(value) => _ = entries.insert(key, value),
                None => fits = false,
            }
        }
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// The fields of a struct or of an enum's variant; none for a variant without fields.
pub fn fields(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// serde's words before a field that a struct has twice. It gives no error a kind: its message is how [`read`] knows it.
const DUPLICATE: &str = "duplicate field `";

/// The error for an object that has a key twice.
pub fn duplicate_key<E: serde::de::Error>(key: &str) -> E {
    E::custom(format_args!("{DUPLICATE}{key}`"))
}

/// The key that occurs twice by an error's message, quoted.
fn key_twice(message: &str) -> Option<String> {
    let (key, _place) = message.strip_prefix(DUPLICATE)?.rsplit_once('`')?;
    Some(quoted(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_read() {
        for text in
            [r#"{"a":[1,-2.5e-7,null,true,false,{}],"b \"c\"\\":"d\u000ee","é":""}"#, "[]", "12", r#""x""#, "4096.0"]
        {
            assert_eq!(parse(text).map(|value| value.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn numbers_are_exact_to_their_last_bit() {
        for text in ["0.1", "1e-12", "-2.5e-7", "8388607.25", "0.70710678118654"] {
            assert_eq!(parse(text).unwrap().as_f64(), Some(text.parse().unwrap()), "{text}");
        }
        for text in ["1.0700000524520874", "2.2250738585072014e-308", "123456789012345678901234567890"] {
            let (found, nearest) = (parse(text).unwrap().as_f64().unwrap(), text.parse::<f64>().unwrap());
            assert!(found.to_bits().abs_diff(nearest.to_bits()) <= 1, "{text}: {found}");
        }
    }

    #[test]
    fn invalid_json_is_refused_with_its_place() {
        use JsonDefect::{DuplicateKey, EndOfText, Syntax};
        let deep = "[".repeat(1_000_000);
        for (text, defect) in [
            ("", EndOfText { line: 1, column: 1 }),
            (" ", EndOfText { line: 1, column: 1 }),
            ("{", EndOfText { line: 1, column: 1 }),
            ("[1,\n 2", EndOfText { line: 2, column: 2 }),
            ("\"a", EndOfText { line: 1, column: 2 }),
            ("{\"a\" 1}", Syntax { line: 1, column: 6 }),
            ("[1,]", Syntax { line: 1, column: 4 }),
            ("01", Syntax { line: 1, column: 2 }),
            ("1e999", Syntax { line: 1, column: 5 }),
            ("[nul ]", Syntax { line: 1, column: 5 }),
            ("NaN", Syntax { line: 1, column: 1 }),
            ("-Infinity", Syntax { line: 1, column: 2 }),
            ("\"\\ud800\"", Syntax { line: 1, column: 8 }),
            ("\"\\ud800\\u0041\"", Syntax { line: 1, column: 13 }),
            ("\"\t\"", Syntax { line: 1, column: 2 }),
            ("{}\n{}", Syntax { line: 2, column: 1 }),
            ("{\"é\": \"한글\", nul}", Syntax { line: 1, column: 13 }),
            ("{\"a\":1,\n\"a\":2}", DuplicateKey { key: "\"a\"".into(), line: 2, column: 6 }),
            ("[{\"é`\":1,\"é`\":2}]", DuplicateKey { key: "\"é`\"".into(), line: 1, column: 16 }),
            (&deep, Syntax { line: 1, column: 128 }),
        ] {
            assert_eq!(parse(text), Err(defect), "{}", text.get(..9).unwrap_or(text));
        }
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(127)).is_ok() && parse(&nested(128)).is_err());
    }

    #[test]
    fn a_value_of_another_type_is_named_by_its_place() {
        #[derive(Debug, PartialEq, serde::Deserialize)]
        struct Tensor {
            dtype: u8,
        }
        let tensor = |text: &'static str| read(text.as_bytes(), std::marker::PhantomData::<Tensor>);
        assert_eq!(tensor("{\"dtype\": 1}"), Ok(Tensor { dtype: 1 }));
        assert_eq!(tensor("{\"dtype\": 300}"), Err(JsonDefect::WrongValue { line: 1, column: 13 }));
        assert_eq!(tensor("{}"), Err(JsonDefect::WrongValue { line: 1, column: 2 }));
        let twice = JsonDefect::DuplicateKey { key: "\"dtype\"".into(), line: 1, column: 20 };
        assert_eq!(tensor("{\"dtype\": 1, \"dtype\": 1}"), Err(twice));
        let read = |text: &'static str| read(text.as_bytes(), std::marker::PhantomData::<Vec<u8>>);
        assert_eq!(read("{}"), Err(JsonDefect::WrongValue { line: 1, column: 1 }));
        assert_eq!(read("[1, 2]"), Ok(vec![1, 2]));
        assert_eq!(read("[1,\n\"a\"]"), Err(JsonDefect::WrongValue { line: 2, column: 3 }));
    }

    #[test]
    fn values_beyond_the_budget_are_skipped() {
        let bounded =
            |text: &str, values, bytes| read(text.as_bytes(), &mut Budget { values, text: bytes, longest_text: 3 });
        assert_eq!(bounded("[1, 2]", 3, 0), Ok(Some(serde_json::json!([1, 2]))));
        assert_eq!(bounded("[1, 2, [3, {\"a\": [4]}]]", 3, 0), Ok(None));
        assert_eq!(bounded("\"ééé\"", 1, 2), Ok(Some("é".into())));
        assert_eq!(bounded("\"ééé\"", 1, 1), Ok(None));
        assert_eq!(bounded("{\"a\": 1}", OBJECT + 1, 1), Ok(Some(serde_json::json!({"a": 1}))));
        assert_eq!(bounded("{\"a\": 1}", OBJECT, 1), Ok(None));
        assert_eq!(bounded("{\"ab\": 1}", OBJECT + 1, 1), Ok(None));
        // The rest is still checked.
        assert!(bounded("[1, 2, [3, nul]]", 1, 0).is_err());
    }
}
